// Handles Ctrl-C, SIGTERM, SIGHUP and SIGXCPU. The first signal asks the work to end with what it has; a second one
// ends the program at once.
#pragma once

#include <stop_token>

namespace chainshot::tools {

// From now on the signals are noticed instead of ending the program. A signal that is ignored from the start, as under
// nohup, stays ignored.
void watch_interrupts();

// A token that is stopped by the first signal, at once. A thread waits for the signal; throws std::runtime_error with
// one sentence if the system refuses the thread. Every call returns the same token.
std::stop_token interrupt_token();

// Returns true once a signal has come.
bool interrupted();

// Returns 128 plus the number of the first signal: 130 after Ctrl-C.
int interrupted_exit();

// As if this signal had come, unless one has come before.
void pass_on_interrupt(int signal);

// Returns the number of the first signal; 0 before it comes.
int first_interrupt();

// Returns true if SIGUSR1 asked for a status line since the last call.
bool take_status_request();

}  // namespace chainshot::tools
