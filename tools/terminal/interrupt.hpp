// Handles Ctrl-C, SIGTERM and SIGHUP. The first signal asks the work to end with what it has; a second one ends the
// program at once.
#pragma once

#include <stop_token>

namespace chainshot::tools {

// Installs the handlers. The first signal stops the token; every call returns the same token.
std::stop_token watch_interrupts();

// Returns true once a signal has come.
bool interrupted();

// Returns 128 plus the number of the first signal: 130 after Ctrl-C.
int interrupted_exit();

}  // namespace chainshot::tools
