// An annealing chain once more, slow and obvious: it plays every move of every changed line on lists of blocks, and
// knows no short cut. It is the specification; tests compare every fast chain with it, move for move.
//
// A line is a list of named blocks, its moves numbered from 1. A move plays the group its block is in when its turn
// comes. Blocks never leave their column: an emptied column is a gap that neighbours look across.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "game/chain.hpp"
#include "game/chain_draws.hpp"
#include "game/position.hpp"
#include "game/scoring.hpp"

namespace chainshot::game {

class ReferenceChain {
 public:
  // Its line is empty until it is started.
  ReferenceChain(const Position& board, const Scoring& scoring);

  // Plays those blocks of a line that can be played, and the end of the game at random. The tabu colour is kept for
  // last wherever moves are drawn; -1 is none.
  void start(std::span<const BlockId> line, int tabu_color, std::uint32_t seed);
  void advance(const AcceptanceTable& table, std::uint64_t evaluations);
  // Takes over the line and the tabu colour of another chain of the same board, as slots do in resampling.
  void take_line(const ReferenceChain& other);

  std::vector<BlockId> line() const;
  std::vector<Cell> moves() const;  // the same line as cells
  int tabu_color() const { return tabu_color_; }
  // The number of the next evaluation. The start is number 0; 2^32 evaluations later the numbers begin again.
  std::uint32_t next_evaluation() const { return next_evaluation_; }
  int fitness(const AcceptanceTable& table) const;  // the score of the line, with the bonus of the table
  int score() const;
  // The best line, by the score, that the chain accepted since it was made; it is not touched by `take_line`.
  int best_score() const { return best_score_; }
  const std::vector<Cell>& best_moves() const { return best_moves_; }

 private:
  // The blocks left: a bit for each row at the start, in the column at the start.
  using Alive = std::array<std::uint32_t, kMaxColumns>;
  // A position of a line, and the move that led to it.
  struct Step {
    BlockId block;
    Alive alive{};
    int points = 0;
  };
  using Line = std::vector<Step>;  // step 0 is the start, step k the position after move k
  // How the old line is followed after the beginning of a change.
  struct Following {
    int next;            // the first of its moves to follow
    int skipped = 0;     // a move to leave out, because it was played already
    int late_after = 0;  // after this move ...
    int late = 0;        // ... play this one
  };

  int length() const { return static_cast<int>(line_.size()) - 1; }
  const Step& step(int k) const { return line_[static_cast<std::size_t>(k)]; }
  int color_of(BlockId block) const;
  int final_points(const Alive& alive, std::span<const int> bonus) const;
  // The block at a height in a column, if there is one.
  std::optional<BlockId> block_at(const Alive& alive, int column, int height) const;
  // The blocks around a block: above, below, and at its height in the next columns that are not empty.
  std::optional<BlockId> above(const Alive& alive, BlockId block) const;
  std::optional<BlockId> below(const Alive& alive, BlockId block) const;
  std::optional<BlockId> beside(const Alive& alive, BlockId block, int direction) const;
  bool equal(std::optional<BlockId> other, BlockId block) const;
  std::vector<BlockId> group_of(const Alive& alive, BlockId block) const;
  std::vector<BlockId> in_order(const Alive& blocks) const;
  std::vector<BlockId> candidates(const Alive& alive) const;

  Line beginning(int moves) const;
  bool play(Line& line, BlockId block) const;
  bool play_blocks_of(Line& line, int k) const;
  bool play_random(Line& line, ChainDraws& draws) const;
  void finish(Line& line, ChainDraws& draws) const;
  void follow(Line& line, const Following& following, ChainDraws& draws) const;
  std::optional<Line> changed_line(ChainDraws& draws) const;
  void evaluate(const AcceptanceTable& table);
  void keep_best();

  Scoring scoring_;
  std::array<std::array<int, kMaxRows>, kMaxColumns> colors_;  // of blocks by their names
  std::vector<int> column_order_;                              // in which blocks are searched
  Line line_;
  int tabu_color_ = -1;
  std::uint32_t seed_ = 0, next_evaluation_ = 0;
  int best_score_;
  std::vector<Cell> best_moves_;
};

}  // namespace chainshot::game
