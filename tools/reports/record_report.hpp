// Presents a record run to people: a table on the terminal while it runs, lines in a pipe, and the result.
#pragma once

#include <string>
#include <vector>

#include "host/record/record_status.hpp"
#include "tools/reports/json_text.hpp"
#include "tools/terminal/terminal.hpp"

namespace chainshot::tools {

// Returns the state of the run in one line: `round 3, 7 of 20 turns, sum 86892 (+120), 1.62 M evaluations/s, ...`.
std::string record_line(const host::RecordStatus& status);

// Returns the table for a terminal of this size. If there are more boards than rows, those under way come first, then
// those that improved last.
std::vector<std::string> record_table(const host::RecordStatus& status, int width, int height);

// Returns the table of all boards for the end of a run.
std::string record_result(const host::RecordStatus& status, const Terminal& terminal);
Json record_json(const host::RecordStatus& status);

}  // namespace chainshot::tools
