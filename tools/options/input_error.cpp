#include "tools/options/input_error.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>
#include <vector>

#include "tools/options/suggest.hpp"

namespace chainshot::tools {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 30;  // a million boards of any size
constexpr std::size_t kMostPiped = kMostBytes / 4;        // a million standard boards; endless input is refused sooner

std::string read_all(std::FILE* file, const std::string& path) {
  std::string text;
  std::array<char, 65536> piece;
  const std::size_t most = path == "-" ? kMostPiped : kMostBytes;
  while (const std::size_t size = std::fread(piece.data(), 1, piece.size(), file)) {
    text.append(piece.data(), size);
    if (text.size() > most)
      throw InputError(name_of_input(path) + " has more than " + std::to_string(most >> 20) +
                       " MiB; expected boards or solutions");
  }
  if (std::ferror(file) != 0) throw InputError("cannot read " + name_of_input(path) + ": " + std::strerror(errno));
  return text;
}

}  // namespace

std::string read_input(const std::string& path) {
  if (path == "-") return read_all(stdin, path);
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) throw InputError(path + " is a folder; expected a file");
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (file != nullptr) return read_all(file.get(), path);
  const std::string cause = std::strerror(errno), near = errno == ENOENT ? near_file(path) : "";
  throw InputError("cannot read " + path + ": " + cause + (near.empty() ? "" : "; did you mean '" + near + "'?"));
}

std::string name_of_input(const std::string& path) {
  return path == "-" ? "standard input" : path;
}

std::string near_file(const std::string& path) {
  constexpr std::size_t kMostFiles = 10'000;  // reading a larger folder takes too long for a suggestion
  const std::filesystem::path wanted = path, folder = wanted.parent_path();
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder.empty() ? "." : folder, error), end;
       !error && entry != end && names.size() < kMostFiles; entry.increment(error)) {
    std::error_code ignored;
    const std::string name = entry->path().filename();
    if (!name.starts_with('.') && entry->is_regular_file(ignored)) names.push_back(name);
  }
  const std::string closest = closest_name(wanted.filename().string(), names);
  return closest.empty() ? closest : (folder / closest).string();
}

CLI::Validator not_empty(const std::string& expected) {
  return CLI::Validator(
      [expected](const std::string& text) { return text.empty() ? "an empty value; expected " + expected : ""; }, "");
}

}  // namespace chainshot::tools
