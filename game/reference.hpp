// The rules once more, slow and obvious: an array of colours and a search for connected cells. Tests compare every fast
// path with it, and no solution is believed before it was replayed here. It shares no code with position.hpp.
#pragma once

#include <string>
#include <vector>

#include "game/playout.hpp"
#include "game/position.hpp"

namespace chainshot::game {

class ReferenceBoard {
 public:
  explicit ReferenceBoard(const Position& position);

  int columns() const;
  int rows() const;
  int color_at(int column, int row) const;  // kEmpty where there is no block
  // Connected equal blocks around a cell, in no particular order; one cell if it stands alone, none if it is empty.
  std::vector<Cell> component(Cell cell) const;
  // Every connected set of two or more equal blocks.
  std::vector<std::vector<Cell>> groups() const;
  // Removes the group around a cell and settles; returns its size, or 0 and changes nothing if there is no group.
  int apply(Cell cell);
  std::vector<int> color_counts() const;  // kMaxColors entries
  Position to_position() const;

 private:
  int rows_ = 0;
  std::vector<std::vector<int>> columns_;  // columns_[c][r] from the bottom; no entry above the highest block
  int column_limit_ = 0;
};

struct ReplayResult {
  int score = 0;  // after an illegal move: that of the moves before it, without what the end of a game adds
  int moves = 0;  // played before the end or the first illegal move
  int left = 0;   // blocks
  bool cleared = false;
  bool over = false;  // no move is left
  std::string error;  // empty, or why the move after `moves` is illegal
};

// Replays a list of moves. A game that stops before it is over is scored as if it ended there.
ReplayResult replay(const Position& position, const std::vector<Cell>& moves, const Scoring& scoring, int points = 0);

// The same playout as `play`, on the slow board with naive searches. For policies that play in lanes.
Playout reference_play(const Position& position, const PlayoutRules& rules, const PlayoutKey& key, int points);

}  // namespace chainshot::game
