// Decides whether a board can be cleared: a depth-first search that remembers the positions from which it cannot. A
// position is lost if a colour has one block left. Moves that leave fewer blocks without an equal neighbour are tried
// first. The search starts again after 200 positions, then after 1.25 times as many each time, with other random
// preferences: a wrong first move can cost thousands of positions, and another order avoids it. With 15x15 boards of
// five colours and 20,000 positions each, that clears about half of them, and a search without restarts a fifth.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

#include "game/position.hpp"

namespace chainshot::host {

enum class Clearable : std::uint8_t { kYes, kNo, kUnknown };

struct ClearingAnswer {
  Clearable clearable = Clearable::kUnknown;
  std::uint64_t nodes = 0;        // positions expanded
  std::vector<game::Cell> moves;  // they clear the board, if it can be cleared
};

struct ClearingLimit {
  std::uint64_t nodes = ~std::uint64_t{0};
  std::stop_token stop = {};
};

// For boards of one size. The answer depends on the board and the limit alone, unless it was stopped.
class ClearingSearch {
 public:
  virtual ~ClearingSearch() = default;
  virtual ClearingAnswer decide(const game::Position& position, const ClearingLimit& limit) = 0;
};

// `colors` counts those that may be on the boards.
std::unique_ptr<ClearingSearch> make_clearing_search(int columns, int rows, int colors);

}  // namespace chainshot::host
