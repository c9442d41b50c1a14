// What `chainshot play` found out about a board, for people and for machines.
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

// How the playouts of a run were made; the same for all its boards.
struct PlaySetting {
  std::string policy;  // with its parameters
  std::string scoring;
  std::string engine;
  std::uint64_t seed = 0;
  std::size_t boards = 1;  // that were to be played

  // A count of boards, with how many there should have been.
  std::string boards_text(std::size_t played) const;
};

struct BoardReport {
  game::NamedBoard board;
  PlayoutReport playouts;
  host::Line best;
};

// False after Ctrl-C.
bool is_complete(const std::vector<BoardReport>& reports, const PlaySetting& setting);

std::string report_text(const BoardReport& report, const PlaySetting& setting, const Terminal& terminal);
// A table, a board a line, for runs over several boards.
std::string table_text(const std::vector<BoardReport>& reports, const PlaySetting& setting, const Terminal& terminal);

// Without the version field, which belongs to the answer as a whole.
Json report_json(const BoardReport& report, const PlaySetting& setting);
Json histogram_json(const Distribution& distribution);
Json moves_json(const std::vector<game::Cell>& moves);

// The distributions of scores in one picture: all boards up to four, otherwise the ones with the lowest and highest
// mean.
std::string report_svg(const std::vector<BoardReport>& reports, const PlaySetting& setting);

}  // namespace chainshot::tools
