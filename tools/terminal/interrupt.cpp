#include "tools/terminal/interrupt.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <ctime>

namespace chainshot::tools {
namespace {

// timeout(1) sends its signal to the process and then to the group the process is in: that is one interrupt.
constexpr double kSameInterrupt = 0.05;  // seconds

// Two threads may each handle a signal at the same time.
std::atomic<int> first_signal = 0;
std::atomic<double> first_seconds = 0;  // when that was
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<double>::is_always_lock_free);

double seconds_now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

constexpr int exit_after(int signal) {
  return 128 + signal;
}

extern "C" void note_signal(int signal) {
  const double now = seconds_now();
  if (first_signal == 0) {
    first_seconds = now;  // before whoever comes next looks at it
    first_signal = signal;
  } else if (now - first_seconds > kSameInterrupt) {
    _exit(exit_after(signal));
  }
}

}  // namespace

void watch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = note_signal;
  sigfillset(&action.sa_mask);
  action.sa_flags = SA_RESTART;  // reads and writes go on: the work decides where to stop
  sigaction(SIGINT, &action, nullptr);
  for (const int signal : {SIGTERM, SIGHUP}) {
    struct sigaction before = {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  }
}

bool interrupted() {
  return first_signal != 0;
}

int interrupted_exit() {
  return exit_after(first_signal);
}

}  // namespace chainshot::tools
