#include "host/files/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "host/files/broken_pipe.hpp"
#include "host/files/replace_file.hpp"

namespace chainshot::host {
namespace {

namespace fs = std::filesystem;

bool write_all(std::FILE* file, std::string_view content) {
  return std::fwrite(content.data(), 1, content.size(), file) == content.size() && std::fflush(file) == 0;
}

std::optional<struct stat> status_of(const std::string& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return status;
}

// These paths name files that the process already has open; a rename would not replace them.
bool names_open_file(const std::string& path) {
  return path == "/dev/stdout" || path == "/dev/stderr" || path.starts_with("/dev/fd/") || path.starts_with("/proc/");
}

bool is_written_in_place(const std::string& path) {
  const auto status = status_of(path);
  return status && (!S_ISREG(status->st_mode) || names_open_file(path));
}

void write_in_place(const std::string& path, std::string_view content) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  std::FILE* file = descriptor < 0 ? nullptr : ::fdopen(descriptor, "ab");
  if (file == nullptr) fail_to_write(path);
  const BrokenPipeGuard guard;
  const bool written = write_all(file, content);
  const int cause = errno;
  const bool closed = std::fclose(file) == 0;
  if (!written) errno = cause;
  if (!written || !closed) fail_to_write(path);
}

// Waits up to two seconds for the reader of a pipe, which may have been started at the same time. Never closes the
// pipe, so that its reader sees no end before the program ends.
bool opens_pipe(const std::string& path) {
  using namespace std::chrono_literals;
  const auto end = std::chrono::steady_clock::now() + 2s;
  while (::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC) < 0) {
    if (errno != ENXIO || std::chrono::steady_clock::now() >= end) return false;
    std::this_thread::sleep_for(10ms);
  }
  return true;
}

}  // namespace

bool is_standard_output(const std::string& path) {
  if (path == "-") return true;
  const auto status = status_of(path);
  struct stat output = {};
  return status && ::fstat(STDOUT_FILENO, &output) == 0 && output.st_dev == status->st_dev &&
         output.st_ino == status->st_ino;
}

std::string why_not_writable(const std::string& path) {
  if (is_standard_output(path)) return {};
  const auto status = status_of(path);
  if (status && S_ISDIR(status->st_mode)) return "it is a folder; expected a file";
  if (!status && errno != ENOENT) return std::strerror(errno);
  if (status && ::access(path.c_str(), W_OK) != 0) return std::strerror(errno);
  if (status && S_ISFIFO(status->st_mode) && !opens_pipe(path))
    return errno == ENXIO ? "nobody reads the pipe; start its reader first" : std::strerror(errno);
  if (status && is_written_in_place(path)) return {};
  const std::string target = target_of(path), folder = folder_of(target);
  if (target.ends_with('/')) return "it is the name of a folder; expected a file";
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) return "there is no folder " + folder;
  if (::access(folder.c_str(), W_OK | X_OK) != 0) return "folder " + folder + ": " + std::strerror(errno);
  return {};
}

bool overwrites(const std::string& path, const std::string& other) {
  if (path == "-" || other == "-") return path == other;
  if (is_written_in_place(path)) return false;
  std::error_code ignored;
  if (fs::equivalent(path, other, ignored)) return true;
  // Neither file may exist yet, so compare the names after normalisation.
  const fs::path target = fs::weakly_canonical(fs::absolute(target_of(path), ignored), ignored);
  return !target.empty() && target == fs::weakly_canonical(fs::absolute(target_of(other), ignored), ignored);
}

bool is_appended_to(const std::string& path) {
  return is_standard_output(path) || is_written_in_place(path);
}

void write_file(const std::string& path, std::string_view content) {
  if (is_standard_output(path)) {
    if (!write_all(stdout, content)) fail_to_write("to the standard output");
  } else if (is_written_in_place(path)) {
    write_in_place(path, content);
  } else {
    const std::string target = target_of(path);
    replace_file(target, folder_of(target) + "/.chainshot-" + unique_mark() + ".tmp", content, path);
  }
}

std::string try_write_file(const std::string& path, std::string_view content) {
  try {
    if (!path.empty()) write_file(path, content);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return {};
}

}  // namespace chainshot::host
