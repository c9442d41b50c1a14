// How large the search space of a board is (Klein 2015, section 4 and appendix D.3). The game-tree complexity is B^L,
// for the mean length L of random games and the mean number B of moves; Klein's program counts the end of a game as a
// position with no move, and so do we. The state-space complexity is bounded by the configurations that every column
// could have if segments of it (equal blocks on top of each other) were removed at will, multiplied over the columns.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

#include "game/position.hpp"
#include "host/analysis/work_sharing.hpp"

namespace chainshot::host {

// Random games of one position, added up.
struct GameSums {
  std::uint64_t games = 0;
  std::uint64_t moves = 0;     // played
  std::uint64_t branches = 0;  // moves there were to choose from, in all positions

  double length() const { return games == 0 ? 0 : static_cast<double>(moves) / static_cast<double>(games); }
  // Moves per position, with the end of a game as a position.
  double branching() const {
    return games == 0 ? 0 : static_cast<double>(branches) / static_cast<double>(moves + games);
  }
  // log10 of B^L; 0 if there is nothing to play.
  double log10_of_tree() const;
};

// Random games with VS-pruning (Klein 2015, 2.4.2): moves that is_pruned_segment leaves out are played only where there
// is no other. Removing such a segment makes no other move, so only the last moves of a game are of that kind. The
// published complexity fits games that end before them.
struct PrunedGameSums {
  GameSums whole;
  GameSums until_all_pruned;
};

// Plays games in which every move is drawn uniformly; fewer than `games` if a stop is requested. Board number `board`
// of a seed always has the same games.
GameSums play_random_games(const game::Position& position, std::uint64_t games, std::uint64_t seed, std::uint64_t board,
                           const std::stop_token& stop = {});
PrunedGameSums play_pruned_games(const game::Position& position, std::uint64_t games, std::uint64_t seed,
                                 std::uint64_t board, const std::stop_token& stop = {});

// How many different columns remain if any segments of a column are removed, itself and the empty one included.
std::uint64_t column_configurations(const game::Position& position, int column);
double log10_of_states(const game::Position& position);

struct BoardComplexity {
  GameSums plain;
  PrunedGameSums pruned;
  double log10_states = 0;
};

struct ComplexityTask {
  std::uint64_t boards = 0;
  std::function<game::Position(std::uint64_t)> board;  // called from several threads
  std::uint64_t games = 0;                             // of each kind and board; 0 for the state space only
  std::uint64_t seed = 0;
  int threads = 1;
  std::stop_token stop = {};
  WorkWatcher watcher = {};
};

// One entry per board, in order; fewer if it was stopped: those before the first board that is missing.
std::vector<BoardComplexity> measure_complexity(const ComplexityTask& task);

}  // namespace chainshot::host
