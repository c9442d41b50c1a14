#include "tools/interrupt.hpp"

#include <unistd.h>

#include <csignal>
#include <ctime>

namespace chainshot::tools {
namespace {

// timeout(1) sends its signal to the process and then to the group the process is in: that is one interrupt.
constexpr double kSameInterrupt = 0.05;  // seconds

volatile sig_atomic_t first_signal = 0;
double first_seconds = 0;  // when that was; the handler alone uses it

double seconds_now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

constexpr int exit_after(int signal) {
  return 128 + signal;
}

extern "C" void note_signal(int signal) {
  if (first_signal != 0 && seconds_now() - first_seconds > kSameInterrupt) _exit(exit_after(signal));
  if (first_signal != 0) return;
  first_signal = signal;
  first_seconds = seconds_now();
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
