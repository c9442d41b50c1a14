#include "tools/input.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <system_error>

namespace chainshot::tools {

std::string read_input(const std::string& path) {
  if (path == "-") return {std::istreambuf_iterator<char>(std::cin), {}};
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) throw InputError(path + " is a folder; expected a file");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) throw InputError("cannot read " + path + ": " + std::strerror(errno != 0 ? errno : EIO));
  return text;
}

std::string name_of_input(const std::string& path) {
  return path == "-" ? "standard input" : path;
}

}  // namespace chainshot::tools
