#include "tools/terminal/interrupt.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>

namespace chainshot::tools {
namespace {

// timeout(1) sends its signal to the process and then to its group. Signals this close together are one interrupt.
constexpr double kSameInterrupt = 0.05;  // seconds

// Two threads may handle signals at the same time, so these are atomic.
std::atomic<int> first_signal = 0;
std::atomic<double> first_seconds = 0;  // when the first signal came
std::atomic<bool> status_request = false;
std::atomic<bool> is_passed_on = false;  // the first signal came from another rank
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<double>::is_always_lock_free);

double seconds_now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

constexpr int exit_after(int signal) {
  return 128 + signal;
}

// A signal handler writes to this pipe to wake the thread that requests the stop: a handler may write to a pipe, but
// must not take the lock of a stop source.
int wake_pipe[2] = {-1, -1};

extern "C" void note_signal(int signal) {
  const double now = seconds_now();
  if (first_signal == 0) {
    first_seconds = now;  // set before first_signal, which lets the next handler read it
    first_signal = signal;
    const int error = errno;
    [[maybe_unused]] const ssize_t written = ::write(wake_pipe[1], "", 1);
    errno = error;
  } else if (is_passed_on.exchange(false)) {
    // A batch system signals every rank: this is the signal that another rank has passed on.
  } else if (now - first_seconds > kSameInterrupt) {
    _exit(exit_after(signal));
  }
}

extern "C" void note_status_request(int) {
  status_request = true;
}

// Waits for the first signal, then requests the stop.
class InterruptThread {
 public:
  InterruptThread() {
    if (::pipe2(wake_pipe, O_CLOEXEC) != 0)
      throw std::runtime_error(std::string("cannot make the pipe that passes signals on: ") + std::strerror(errno));
    try {
      thread_ = std::thread([this] {
        char ignored = 0;
        while (::read(wake_pipe[0], &ignored, 1) < 0 && errno == EINTR) {
        }
        if (interrupted()) stop_.request_stop();
      });
    } catch (const std::system_error& error) {
      throw std::runtime_error(std::string("cannot start the thread that waits for Ctrl-C: ") + error.what());
    }
    if (interrupted()) wake();  // the signal came before the pipe was there
  }
  ~InterruptThread() {
    wake();
    thread_.join();
  }
  InterruptThread(const InterruptThread&) = delete;
  InterruptThread& operator=(const InterruptThread&) = delete;

  std::stop_token token() const { return stop_.get_token(); }

 private:
  static void wake() { [[maybe_unused]] const ssize_t written = ::write(wake_pipe[1], "", 1); }

  std::stop_source stop_;
  std::thread thread_;
};

}  // namespace

void watch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = note_signal;
  sigfillset(&action.sa_mask);
  action.sa_flags = SA_RESTART;  // reads and writes continue; the work decides where to stop
  sigaction(SIGINT, &action, nullptr);
  for (const int signal : {SIGTERM, SIGHUP, SIGXCPU}) {
    struct sigaction before = {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  }
  action.sa_handler = note_status_request;
  sigaction(SIGUSR1, &action, nullptr);
}

std::stop_token interrupt_token() {
  static const InterruptThread kThread;
  return kThread.token();
}

bool interrupted() {
  return first_signal != 0;
}

int interrupted_exit() {
  return exit_after(first_signal);
}

void pass_on_interrupt(int signal) {
  if (interrupted()) return;
  is_passed_on = true;
  note_signal(signal);
}

int first_interrupt() {
  return first_signal;
}

bool take_status_request() {
  return status_request.exchange(false);
}

}  // namespace chainshot::tools
