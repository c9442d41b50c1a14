#include "host/files/replace_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>
#include <stdexcept>
#include <system_error>

namespace chainshot::host {
namespace {

constexpr mode_t kPermissions = 07777;
constexpr mode_t kForEveryone = 0666;  // reduced by the user's umask
constexpr std::size_t kRandomDigits = 16;

bool is_letter_or_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::string host_part() {
  constexpr std::size_t kLongest = 32;  // leaves room for the name of the file
  std::array<char, 256> name = {};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "host";
  std::string host(name.data());
  host.resize(std::min(host.size(), kLongest));
  std::replace_if(
      host.begin(), host.end(), [](char c) { return !is_letter_or_digit(c); }, '_');
  return host.empty() ? "host" : host;
}

}  // namespace

void fail_to_write(const std::string& shown) {
  throw std::runtime_error("cannot write " + shown + ": " + std::strerror(errno));
}

std::string target_of(const std::string& path) {
  namespace fs = std::filesystem;
  constexpr int kMostLinks = 40;  // as in Linux
  fs::path target = path;
  std::error_code error;
  for (int links = 0; links < kMostLinks && fs::is_symlink(target, error); ++links)
    target = target.parent_path() / fs::read_symlink(target, error);
  return target;
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder;
}

std::string unique_mark() {
  std::random_device device;
  const std::uint64_t random = (std::uint64_t{device()} << 32U) | device();
  return fmt::format("{}-{}-{:0{}x}", host_part(), ::getpid(), random, kRandomDigits);
}

bool is_unique_mark(std::string_view text) {
  const std::size_t random = text.rfind('-');
  if (random == std::string_view::npos || random == 0) return false;
  const std::size_t process = text.rfind('-', random - 1);
  if (process == std::string_view::npos || process == 0) return false;
  const auto consists_of = [](std::string_view part, std::string_view characters) {
    return !part.empty() && part.find_first_not_of(characters) == std::string_view::npos;
  };
  return consists_of(text.substr(random + 1), "0123456789abcdef") && text.size() - random - 1 == kRandomDigits &&
         consists_of(text.substr(process + 1, random - process - 1), "0123456789") &&
         std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(process),
                     [](char c) { return is_letter_or_digit(c) || c == '_'; });
}

void replace_file(const std::string& target, const std::string& temporary, std::string_view content,
                  const std::string& shown) {
  struct stat before = {};
  const bool exists = ::stat(target.c_str(), &before) == 0;
  const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kForEveryone);
  std::FILE* file = descriptor < 0 ? nullptr : ::fdopen(descriptor, "wb");
  if (file == nullptr) fail_to_write(shown);
  const bool allowed = !exists || ::fchmod(descriptor, before.st_mode & kPermissions) == 0;
  // The bytes must be on the disk before the name points at them, or a crash leaves an empty file in place of the old.
  const bool written = allowed && std::fwrite(content.data(), 1, content.size(), file) == content.size() &&
                       std::fflush(file) == 0 && ::fsync(descriptor) == 0;
  const int error = errno;
  if (std::fclose(file) == 0 && written && std::rename(temporary.c_str(), target.c_str()) == 0) return;
  const int cause = written ? errno : error;
  std::remove(temporary.c_str());
  errno = cause;
  fail_to_write(shown);
}

}  // namespace chainshot::host
