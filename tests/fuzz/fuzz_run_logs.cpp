// The parser of run logs either refuses a text and names the place, or reads runs that can be drawn: their scores rise,
// their times are never negative, and their curves are finite and in order of time.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "game/parse_error.hpp"
#include "host/log/run_log_reader.hpp"
#include "tools/pictures/run_curves.hpp"

namespace {

using namespace chainshot;

void require(bool holds) {
  if (!holds) std::abort();
}

void check_curves(const host::LoggedRun& run) {
  const tools::LoggedBoards boards = tools::boards_named(run, tools::common_boards({run}));
  if (boards.empty()) return;
  for (const tools::RunAxis axis : {tools::RunAxis::kSeconds, tools::RunAxis::kWork}) {
    double last = 0;
    for (const auto& [place, score] : tools::score_curve(boards, axis)) {
      require(place >= last && std::isfinite(score));
      last = place;
    }
  }
  for (const auto& [seconds, rate] : tools::rate_curve(boards))
    require(seconds >= 0 && rate > 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  try {
    for (const host::LoggedRun& run : host::parse_run_log(text, "input")) {
      for (const host::LoggedBoard& board : run.boards) {
        require(board.seconds >= 0);
        for (std::size_t i = 1; i < board.scores.size(); ++i)
          require(board.scores[i].score > board.scores[i - 1].score);
      }
      check_curves(run);
    }
  } catch (const game::ParseError& error) {
    require(std::string_view(error.what()).starts_with("input:"));
  }
  return 0;
}
