// Reads the known lines that a search starts from (`--from FILE`): solution files of text or JSON. Every line of a
// board of the run is replayed by the reference rules before any search begins.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

#include "game/board_text.hpp"
#include "game/scoring.hpp"
#include "host/run/run_plan.hpp"

namespace chainshot::tools {

// Adds --from FILE, which may be repeated.
CLI::Option* add_start_option(CLI::App& command, std::vector<std::string>& files);

// Returns the lines of these boards by the boards' names, best first; the first of equal lines comes first. A solution
// without a name belongs to a board that is given alone; solutions of other boards are skipped. Throws InputError if a
// file cannot be read, and game::ParseError if it is not one of solutions, or if a line is illegal or claims another
// score by this scoring.
std::map<std::string, std::vector<host::StartLine>> start_lines(const std::vector<std::string>& files,
                                                                const std::vector<game::NamedBoard>& boards,
                                                                const game::Scoring& scoring);

}  // namespace chainshot::tools
