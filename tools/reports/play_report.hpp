// The reports of `chainshot play`: text for people, JSON for scripts, and a picture.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "game/board_text.hpp"
#include "host/dispatch/replay.hpp"
#include "tools/measure/playouts.hpp"
#include "tools/reports/histogram.hpp"
#include "tools/reports/json_text.hpp"
#include "tools/terminal/terminal.hpp"

namespace chainshot::tools {

// The setting of a run, which all its boards share.
struct PlaySetting {
  std::string policy;  // with its parameters; how many, if there are several
  std::string scoring;
  std::string engine;
  std::uint64_t seed = 0;
  std::size_t boards = 1;  // how many the user asked for
  std::size_t policies = 1;

  // Returns `20 boards`, or `3 of 20 boards` if the run was interrupted.
  std::string boards_text(std::size_t played) const;
};

struct BoardReport {
  game::NamedBoard board;
  std::string policy;  // with its parameters
  PlayoutReport playouts;
  host::Line best;
};

// Returns false if Ctrl-C ended the run early.
bool is_complete(const std::vector<BoardReport>& reports, const PlaySetting& setting);

std::string report_text(const BoardReport& report, const PlaySetting& setting, const Terminal& terminal);
// Returns a table with one line per board and policy, for runs over several of them.
std::string table_text(const std::vector<BoardReport>& reports, const PlaySetting& setting, const Terminal& terminal);

// Leaves out the version field, which belongs to the whole answer.
Json report_json(const BoardReport& report, const PlaySetting& setting);
Json histogram_json(const Distribution& distribution);
Json moves_json(const std::vector<game::Cell>& moves);

// Returns a table with a row per board and policy.
std::string report_csv(const std::vector<BoardReport>& reports, const PlaySetting& setting);

// Draws the distributions of scores in one picture: of all boards and policies if there are at most four, else of
// those with the lowest and the highest mean.
std::string report_svg(const std::vector<BoardReport>& reports, const PlaySetting& setting);

}  // namespace chainshot::tools
