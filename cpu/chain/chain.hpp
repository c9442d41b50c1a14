// A chain of small changes to a line of play, each taken or left by Metropolis' rule. A line is a list of blocks: a
// move removes the group its block is in when its turn comes, so the moves keep their meaning when others around them
// change. What a chain does depends on its seed, its line and the heat alone: not on the instruction set.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cpu/engine/cpu_engine.hpp"
#include "game/position.hpp"
#include "game/scoring.hpp"

namespace chainshot::cpu {

// Where a block stood at the start.
struct Block {
  std::uint8_t column = 0;
  std::uint8_t row = 0;

  bool operator==(const Block&) const = default;
};

// What a temperature is to a chain. Only integers decide, made once from logarithms: machines whose libraries agree on
// those decide alike.
struct Heat {
  static constexpr int kDrawBits = 12;
  static constexpr int kDraws = 1 << kDrawBits;
  static constexpr int kSoft = 64;

  std::array<int, kDraws> loss;  // points a change may lose, for each draw
  std::array<int, kSoft> bonus;  // for so many blocks left at the end; 0 from kSoft on

  // The bonus for a cleared board is spread over `soft` blocks left: nobody crosses a cliff of 1000 points.
  Heat(double temperature, double soft, const game::Scoring& scoring);
};

struct ChainCounts {
  std::uint64_t evaluations = 0;
  std::uint64_t accepted = 0;
  std::uint64_t moves = 0;     // played by a flood
  std::uint64_t repeated = 0;  // moves taken over from the line before the change, out of its reach
  std::uint64_t met = 0;       // evaluations that ended in a position of the old line
  std::uint64_t cut = 0;       // ... below what was asked of them
};

inline constexpr int kMaxLine = game::kMaxCells / 2;

class Chain {
 public:
  virtual ~Chain() = default;

  // Starts anew from a line; blocks that cannot be played are left out, and the end is played at random. The tabu
  // colour is kept for last wherever moves are drawn; -1 is none.
  virtual void restart(std::span<const Block> line, int tabu_color, std::uint64_t seed) = 0;
  virtual void advance(const Heat& heat, std::uint64_t evaluations) = 0;

  virtual int line(std::span<Block> room) const = 0;  // returns its length; kMaxLine blocks are room enough
  virtual int tabu_color() const = 0;
  virtual int fitness(const Heat& heat) const = 0;  // of the line: its score, with the bonus of the heat
  virtual int score() const = 0;
  // The best line since the chain was made, by the true score.
  virtual int best_score() const = 0;
  virtual std::span<const game::Cell> best_moves() const = 0;
  virtual ChainCounts counts() const = 0;
};

std::unique_ptr<Chain> make_chain(const game::Position& board, const game::Scoring& scoring, Isa isa = best_isa());

// A line of cells as blocks; throws std::invalid_argument if a move is illegal.
std::vector<Block> blocks_of(const game::Position& board, std::span<const game::Cell> moves);

}  // namespace chainshot::cpu
