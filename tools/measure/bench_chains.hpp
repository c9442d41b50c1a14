// The chains behind the signature of `bench`: fixed boards, starts, temperatures and numbers of evaluations. Like the
// games of bench_cases.hpp, they are never changed without a `Bench:` trailer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "game/chain_engine.hpp"

namespace chainshot::tools {

// Each chain advances, and then the islands are resampled for the temperature of the next step.
struct BenchChainStep {
  double temperature, soft;
  std::uint64_t evaluations = 0;
  int members = 1;  // that go on after it
};

struct BenchChains {
  std::string name;
  game::Position board;
  game::Scoring scoring;
  game::ChainLayout layout;
  std::vector<game::Cell> moves;  // every second chain starts from this line
  std::vector<BenchChainStep> steps;

  std::vector<game::ChainStart> starts() const;  // with every tabu colour, and with none
  game::AcceptanceTable table(const BenchChainStep& step) const { return {step.temperature, step.soft, scoring}; }
  std::uint64_t resampling_seed(std::size_t step) const;
};

std::vector<BenchChains> bench_chains();

// What chains did in a case.
struct BenchChainsResult {
  std::uint64_t evaluations = 0;
  std::vector<int> fitness;  // of all living chains after every step
  std::vector<int> best_scores;
  std::vector<std::vector<game::Cell>> best_moves;

  int best() const;
  std::uint64_t digest() const;
};

BenchChainsResult run_bench_chains(game::ChainEngine& engine, const BenchChains& bench);

}  // namespace chainshot::tools
