// Signals that end long work: Ctrl-C, and those of a batch system (SIGTERM) or a terminal that is closed (SIGHUP). The
// first one asks the work to finish its batch, save and return 128 and the signal's number, 130 for Ctrl-C; the second
// ends the process.
#pragma once

namespace chainshot::tools {

// From now on they are counted, not fatal. What is ignored from the start, as under nohup, stays so.
void watch_interrupts();
bool interrupted();
// The exit code after an interrupt.
int interrupted_exit();

}  // namespace chainshot::tools
