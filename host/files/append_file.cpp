#include "host/files/append_file.hpp"

#include <fcntl.h>
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

}  // namespace

AppendFile::AppendFile(std::string path, Notice notice)
    : path_(std::move(path)),
      notice_(std::move(notice)),
      descriptor_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, kReadAndWrite)) {
  if (descriptor_ < 0) throw std::runtime_error("cannot write " + path_ + ": " + std::strerror(errno));
}

AppendFile::~AppendFile() {
  ::close(descriptor_);
}

void AppendFile::append(std::string_view line) {
  if (write_some(descriptor_, line) == line.size()) {
    size_ += static_cast<off_t>(line.size());
    return;
  }
  const bool is_first = problem_.empty();
  problem_ = "cannot write " + path_ + ": " + std::strerror(errno) + "; some lines are lost";
  [[maybe_unused]] const int refused = ::ftruncate(descriptor_, size_);  // fails on a pipe, which keeps half a line
  if (is_first && notice_) notice_(problem_ + "; the work goes on");
}

}  // namespace chainshot::host
