#include "host/files/append_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "host/files/broken_pipe.hpp"

namespace chainshot::host {
namespace {

constexpr mode_t kReadAndWrite = 0666;  // reduced by the user's umask

// Returns how many bytes it wrote; if not all, errno has the reason.
std::size_t write_some(int descriptor, std::string_view bytes) {
  const BrokenPipeGuard guard;
  std::size_t written = 0;
  while (written < bytes.size()) {
    const ssize_t more = ::write(descriptor, bytes.data() + written, bytes.size() - written);
    if (more < 0 && errno != EINTR) break;
    if (more > 0) written += static_cast<std::size_t>(more);
  }
  return written;
}

// Returns false if it cannot tell: an empty line too many does no harm.
bool ends_in_newline(const std::string& path, off_t size) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  char last = 0;
  const bool is_read = ::pread(descriptor, &last, 1, size - 1) == 1;
  ::close(descriptor);
  return is_read && last == '\n';
}

}  // namespace

AppendFile::AppendFile(std::string path, Notice notice)
    : path_(std::move(path)),
      notice_(std::move(notice)),
      descriptor_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, kReadAndWrite)) {
  if (descriptor_ < 0) throw std::runtime_error("cannot write " + path_ + ": " + std::strerror(errno));
  struct stat status = {};
  if (::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) return;
  // A file system without locks is no reason to lose the log.
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    ::close(descriptor_);
    throw std::invalid_argument("cannot write " + path_ + ": another program writes to it; expected another file");
  }
  ::fstat(descriptor_, &status);  // once more: a program may have written until we got the lock
  size_ = status.st_size;
  starts_line_ = size_ == 0 || ends_in_newline(path_, size_);
}

AppendFile::~AppendFile() {
  ::close(descriptor_);
}

void AppendFile::append(std::string_view line) {
  const std::string text = (starts_line_ ? "" : "\n") + std::string(line);
  if (write_some(descriptor_, text) == text.size()) {
    size_ += static_cast<off_t>(text.size());
    starts_line_ = true;
    return;
  }
  const bool is_first = problem_.empty();
  problem_ = "cannot write " + path_ + ": " + std::strerror(errno) + "; some lines are lost";
  [[maybe_unused]] const int refused = ::ftruncate(descriptor_, size_);  // fails on a pipe, which keeps half a line
  if (is_first && notice_) notice_(problem_ + "; the work goes on");
}

}  // namespace chainshot::host
