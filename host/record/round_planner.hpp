// Plans the rounds of a record run. A round gives a turn to every board that is due; a turn is one search of one board.
// Turns grow from round to round up to a limit. Boards that still improve, and boards whose line is far below what is
// known or expected, get more time. The plan depends only on what is given here, so a resumed run plans the same
// rounds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace chainshot::host {

// How long turns are. A turn is limited by seconds or by playouts (evaluations of annealing).
struct TurnBudgets {
  double first_seconds = 10;
  std::uint64_t first_playouts = 0;  // if it is not 0, turns are counted and `first_seconds` means nothing
  double growth = 2;                 // from one round to the next
  double longest = 12;               // in multiples of the first turn

  bool is_counted() const { return first_playouts > 0; }
};

// The state of a board, as far as the planner needs it.
struct BoardProgress {
  std::optional<int> best;
  std::optional<int> known;    // the best score known to the world
  int upper_bound = 0;         // no line can score more
  bool is_proven = false;      // its best line cannot be improved
  int turns = 0;               // finished
  int turns_without_gain = 0;  // since its last improvement
  double saved = 0;            // turns that it was due and did not get so far, in units of a round's usual turn
};

struct PlannedTurn {
  std::size_t board = 0;  // its place in the list
  double seconds = 0;
  std::uint64_t playouts = 0;
};

struct RoundPlan {
  std::vector<PlannedTurn> turns;
  std::vector<double> saved;  // by board, for the next round
};

// Returns how much time a board should get compared with the others, from 1/4 to 4: twice as much after a turn that
// improved it, less after each turn that did not, and up to twice as much where its line is 10 % or more below the
// score that is known, or expected from the lines of the other boards.
std::vector<double> board_weights(const std::vector<BoardProgress>& boards);

// Plans round `round` (from 1). `seconds_left` is the time until the run ends, if that is known, and `side_by_side` the
// number of boards searched at the same time: turns of seconds shrink to fit, and the last round takes all that is
// left. No turns are planned if all boards are proven.
RoundPlan plan_round(const TurnBudgets& budgets, const std::vector<BoardProgress>& boards, int round,
                     std::optional<double> seconds_left, int side_by_side);

// The strategy in sentences for the user.
std::string strategy_text(const TurnBudgets& budgets, int elites, double distance, int side_by_side, int threads);

}  // namespace chainshot::host
