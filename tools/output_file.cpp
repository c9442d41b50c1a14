#include "tools/output_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace chainshot::tools {
namespace {

[[noreturn]] void fail(const std::string& path) {
  throw std::runtime_error("cannot write " + path + ": " + std::strerror(errno));
}

bool write_all(std::FILE* file, std::string_view content) {
  return std::fwrite(content.data(), 1, content.size(), file) == content.size() && std::fflush(file) == 0;
}

}  // namespace

void write_file(const std::string& path, std::string_view content) {
  if (path == "-") {
    if (!write_all(stdout, content)) fail("to the standard output");
    return;
  }
  const std::string temporary = path + ".tmp." + std::to_string(::getpid());
  std::FILE* file = std::fopen(temporary.c_str(), "wb");
  if (file == nullptr) fail(path);
  // The bytes must be on the disk before the name points at them, or a crash leaves an empty file in place of the old.
  const bool written = write_all(file, content) && ::fsync(::fileno(file)) == 0;
  const int error = errno;
  if (std::fclose(file) == 0 && written && std::rename(temporary.c_str(), path.c_str()) == 0) return;
  if (!written) errno = error;
  const int cause = errno;
  std::remove(temporary.c_str());
  errno = cause;
  fail(path);
}

}  // namespace chainshot::tools
