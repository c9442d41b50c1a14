// One annealing chain on one thread: what game::ReferenceChain does, fast. Its code is compiled for every instruction
// set, and what it does does not depend on which of them runs. Its line is empty until it is started.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "cpu/isa.hpp"
#include "game/chain.hpp"

namespace chainshot::cpu {

class Chain {
 public:
  virtual ~Chain() = default;

  // Starts anew from a line. Blocks that cannot be played are left out, and the end is played at random. The tabu
  // colour is kept for last wherever moves are drawn; -1 is none.
  virtual void restart(std::span<const game::BlockId> line, int tabu_color, std::uint32_t seed) = 0;
  // Takes over the finished line of another chain. The seed, the number of evaluations and the best line stay.
  virtual void take_line(std::span<const game::BlockId> line, int tabu_color) = 0;
  virtual void advance(const game::AcceptanceTable& table, std::uint64_t evaluations) = 0;

  virtual int line(std::span<game::BlockId> room) const = 0;  // returns its length; game::kMaxLine blocks are enough
  virtual int tabu_color() const = 0;
  virtual int fitness(const game::AcceptanceTable& table) const = 0;  // the score of the line, with the table's bonus
  virtual int score() const = 0;
  // The best line, by the true score, that the chain accepted since it was made.
  virtual int best_score() const = 0;
  virtual std::span<const game::Cell> best_moves() const = 0;
  virtual game::ChainCounts counts() const = 0;
};

std::unique_ptr<Chain> make_chain(const game::Position& board, const game::Scoring& scoring, Isa isa = best_isa());

}  // namespace chainshot::cpu
