// Ctrl-C during long work: the first one asks it to finish its batch, save and return 130; the second ends the process.
#pragma once

namespace chainshot::tools {

inline constexpr int kInterruptedExit = 130;

// From now on Ctrl-C is counted, not fatal.
void watch_interrupts();
bool interrupted();

}  // namespace chainshot::tools
