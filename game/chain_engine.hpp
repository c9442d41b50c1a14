// The interface between annealing and the processors its chains run on, as game/engine.hpp is for playouts. A ChainSet
// holds many chains of one board, and each call is about many of them, so a device can keep them in its memory. What a
// chain does depends on its line, its tabu colour, its seed and the acceptance tables alone.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "game/chain.hpp"

namespace chainshot::game {

struct ChainCapabilities {
  std::string name;
  int chains_at_once = 1;             // chains that advance at the same time
  int lines_at_once = 1;              // calls of a LineMaker that run at the same time
  double evaluations_per_second = 1;  // a guess, until some were counted
};

// Watches a call while it runs. The engine's threads call it, several at a time.
class ChainObserver {
 public:
  virtual ~ChainObserver() = default;

  // True ends the call as soon as possible; chains stay where they are. Once true, it stays true during the call.
  virtual bool stopped() { return false; }
  virtual void advanced(std::uint64_t /*evaluations*/) {}
  // Whether a line of this score should be reported to `found`.
  virtual bool wants(int /*score*/) { return false; }
  virtual void found(int /*score*/, std::span<const Cell> /*moves*/) {}
};

struct ChainStart {
  int chain = 0;
  int tabu_color = -1;  // kept for last wherever moves are drawn; -1 is none
  std::uint64_t seed = 0;
};

struct ChainCopy {
  int from = 0, to = 0;
  std::uint64_t seed = 0;
};

// Makes the line for one of the starts of a call; nothing leaves that chain as it is. The engine's threads call it,
// several at a time.
using LineMaker = std::function<std::optional<std::vector<Cell>>(std::size_t start)>;

// Chains are numbered from 0, and none exists before it is started. Every call blocks until it is done or stopped. The
// first exception of an observer, of a line maker or of the engine ends a call and is rethrown from it.
class ChainSet {
 public:
  virtual ~ChainSet() = default;

  // Starts chains from lines; the end of an unfinished line is played at random, so an empty line is a random game.
  virtual void start(std::span<const ChainStart> starts, const LineMaker& line_for, ChainObserver& observer) = 0;
  virtual bool exists(int chain) const = 0;
  // Each `to` goes on from the line of `from`, with its tabu colour. No chain may be both in one call.
  virtual void copy(std::span<const ChainCopy> copies, ChainObserver& observer) = 0;
  // Divides the evaluations evenly; the first chains get one more where the division leaves a rest.
  virtual void advance(std::span<const int> chains, const AcceptanceTable& table, std::uint64_t evaluations,
                       ChainObserver& observer) = 0;
  // Evaluations of a chain between two looks at the observer: some 2 ms of work on small boards, 20 ms on the largest.
  virtual std::uint64_t slice() const = 0;

  // The score of each chain's line, with the bonus of the table.
  virtual std::vector<int> fitness(std::span<const int> chains, const AcceptanceTable& table) const = 0;
  // The best line of a chain since it was first started, by the true score.
  virtual std::vector<int> best_scores(std::span<const int> chains) const = 0;
  virtual std::vector<Cell> best_moves(int chain) const = 0;
  virtual ChainCounts counts() const = 0;  // of all chains together
};

class ChainEngine {
 public:
  virtual ~ChainEngine() = default;

  virtual const ChainCapabilities& capabilities() const = 0;
  // Makes room for `count` chains. The set must not outlive the engine. Threads may use different sets of one engine at
  // the same time; their calls take turns.
  virtual std::unique_ptr<ChainSet> make_chains(const Position& board, const Scoring& scoring, int count) = 0;
};

}  // namespace chainshot::game
