// Names of logged runs in a picture, and which of them belong together because they differ only in the seed.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "host/log/run_log_reader.hpp"

namespace chainshot::tools {

// A run to draw, and where it comes from.
struct DrawnRun {
  host::LoggedRun logged;
  std::string log;         // the file
  std::size_t number = 1;  // in the file
};

// A name for each run: its file, preset, seed, and the settings that not all runs have in common. Runs that would have
// the same name get their date, or their number in the file if the log has no dates.
std::vector<std::string> names_of_runs(const std::vector<DrawnRun>& runs);

// Runs by their places in the list. Those of a group have the same preset, settings, budget and engine; if that would
// put a seed into a group twice, as where two versions of the program are compared, its files stay apart.
struct RunGroup {
  std::string name;
  std::vector<std::size_t> runs;
};
std::vector<RunGroup> groups_of_runs(const std::vector<DrawnRun>& runs);

}  // namespace chainshot::tools
