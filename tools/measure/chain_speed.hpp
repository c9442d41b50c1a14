// Measures how many evaluations of annealing an engine makes per second: chains of a board at a middling temperature.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "game/chain_engine.hpp"

namespace chainshot::tools {

struct ChainRun {
  double wall_seconds = 0;
  double cpu_seconds = 0;
  std::uint64_t evaluations = 0;

  double per_second() const { return static_cast<double>(evaluations) / wall_seconds; }
  double per_cpu_second() const { return static_cast<double>(evaluations) / cpu_seconds; }
};

// So many chains of an engine, which must outlive it.
class ChainCase {
 public:
  ChainCase(game::ChainEngine& engine, const game::Position& board, int chains);

  int chains() const { return chains_; }
  // Lets the chains go on for about this long.
  ChainRun measure(double seconds);

 private:
  int chains_;
  std::unique_ptr<game::ChainSet> set_;
};

// The numbers of chains to measure an engine with: as many as it advances at once; on a device also fewer, which shows
// how many it needs to be full.
std::vector<int> chain_counts(const game::ChainCapabilities& engine);

}  // namespace chainshot::tools
