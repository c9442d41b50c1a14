#include "tools/interrupt.hpp"

#include <unistd.h>

#include <csignal>

namespace chainshot::tools {
namespace {

volatile sig_atomic_t last_signal = 0;

constexpr int exit_after(int signal) {
  return 128 + signal;
}

extern "C" void note_signal(int signal) {
  if (last_signal != 0) _exit(exit_after(signal));
  last_signal = signal;
}

}  // namespace

void watch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = note_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;  // reads and writes go on: the work decides where to stop
  sigaction(SIGINT, &action, nullptr);
  for (const int signal : {SIGTERM, SIGHUP}) {
    struct sigaction before = {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  }
}

bool interrupted() {
  return last_signal != 0;
}

int interrupted_exit() {
  return exit_after(last_signal);
}

}  // namespace chainshot::tools
