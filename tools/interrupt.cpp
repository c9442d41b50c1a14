#include "tools/interrupt.hpp"

#include <unistd.h>

#include <csignal>

namespace chainshot::tools {
namespace {

volatile sig_atomic_t interrupts = 0;

extern "C" void count_interrupt(int) {
  interrupts = interrupts + 1;
  if (interrupts > 1) _exit(kInterruptedExit);
}

}  // namespace

void watch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = count_interrupt;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;  // reads and writes go on: the work decides where to stop
  sigaction(SIGINT, &action, nullptr);
}

bool interrupted() {
  return interrupts > 0;
}

}  // namespace chainshot::tools
