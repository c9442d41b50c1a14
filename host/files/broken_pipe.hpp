// While a guard lives, a write to a pipe without a reader fails with EPIPE instead of ending the program by a signal.
// Progress, notes, logs and solution files are written under a guard, and so is the table of a search that saves its
// lines. Other answers are not: if their reader goes away, as in `chainshot ... | head`, the program ends.
#pragma once

#include <cerrno>
#include <csignal>
#include <ctime>

namespace chainshot::host {

class BrokenPipeGuard {
 public:
  BrokenPipeGuard() {
    sigemptyset(&signal_);
    sigaddset(&signal_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &signal_, &before_);
  }
  // Consumes a pending SIGPIPE of this thread before unblocking it. Keeps the errno of the write.
  ~BrokenPipeGuard() {
    const int error = errno;
    constexpr timespec kAtOnce = {};
    while (sigtimedwait(&signal_, nullptr, &kAtOnce) < 0 && errno == EINTR) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    errno = error;
  }
  BrokenPipeGuard(const BrokenPipeGuard&) = delete;
  BrokenPipeGuard& operator=(const BrokenPipeGuard&) = delete;

 private:
  sigset_t signal_;
  sigset_t before_;
};

}  // namespace chainshot::host
