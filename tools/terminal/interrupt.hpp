// Ctrl-C, SIGTERM and SIGHUP: the first one asks the work to end with what it has, a second one ends the program.
#pragma once

#include <stop_token>

namespace chainshot::tools {

// From now on the signals are noticed. The token is stopped at the first one; calls return the same token.
std::stop_token watch_interrupts();

// Whether a signal has come.
bool interrupted();

// 128 and the number of that signal: 130 after Ctrl-C.
int interrupted_exit();

}  // namespace chainshot::tools
