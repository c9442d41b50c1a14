// A call of NMCS as data: the game that it plays, the step it is at, and the best line it knows. Calls of all levels
// are waiting at any time; whoever holds them (call_forest.hpp) moves each on when the calls or playouts below have
// ended.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "game/playout.hpp"
#include "game/position.hpp"
#include "game/random.hpp"

namespace chainshot::host::nested {

// Calls and their playouts are numbered by where they are in the search, so that no order of playing changes a result.
// Step `step` of the call `key` gives its playouts the request number step_key; playout p of move m has the number
// m x P + p, where P is the number of playouts of a call of level 0. The call of move m has the key call_key.
constexpr std::uint64_t root_key(std::uint64_t root) {
  return game::mix64(root);
}
constexpr std::uint64_t step_key(std::uint64_t key, std::size_t step) {
  return game::mix64(key + step);
}
constexpr std::uint64_t call_key(std::uint64_t key, std::size_t step, std::size_t move) {
  return game::mix64(step_key(key, step) ^ move);
}

inline constexpr int kNoScore = std::numeric_limits<int>::min();

struct Call {
  Call* caller = nullptr;       // null for a root
  std::size_t caller_move = 0;  // the move that the caller tries by this call
  int level = 0;
  std::uint64_t root = 0;    // the number of the root that it belongs to
  std::uint64_t serial = 0;  // calls that were opened earlier have lower numbers
  std::uint64_t key = 0;

  game::Position position;
  int points = 0;                 // earned before the position
  std::vector<game::Cell> moves;  // from where the call began to the position

  std::vector<game::Group> groups;    // that the step tries
  std::size_t opened = 0;             // of them, in order
  std::size_t answered = 0;           // of those
  int step_score = kNoScore;          // the best of the step ...
  std::size_t step_move = 0;          // ... and its move, the first of equals
  std::uint32_t step_playout = 0;     // level 1: the playout that found it
  std::vector<game::Cell> step_line;  // higher levels: the moves that follow it

  int best_score = kNoScore;
  std::vector<game::Cell> best_line;               // from where the call began ...
  std::optional<game::PlayoutSteps> best_playout;  // ... or, if that is empty, the playout that leads on from here
};

}  // namespace chainshot::host::nested
