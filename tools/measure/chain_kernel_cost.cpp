#include "tools/measure/chain_kernel_cost.hpp"

#include <fmt/core.h>

#include "cuda/cuda_chain_engine.hpp"
#include "game/board_text.hpp"

namespace chainshot::measure {
namespace {

constexpr int kChains = 32;
constexpr int kTurns = 6'000;  // of a launch: about 500 evaluations of each chain
constexpr int kBurnInLaunches = 6;

// Stops chains after some launches.
class Launches final : public game::ChainObserver {
 public:
  explicit Launches(int launches) : left_(launches) {}

  bool stopped() override { return left_ == 0; }
  void advanced(std::uint64_t evaluations) override {
    evaluations_ += evaluations;
    --left_;
  }
  std::uint64_t evaluations() const { return evaluations_; }

 private:
  int left_;
  std::uint64_t evaluations_ = 0;
};

}  // namespace

std::string ChainCase::name() const {
  return fmt::format("chain-{}-{}", board, temperature);
}

std::string ChainCase::title() const {
  return fmt::format("board {}, temperature {}", board, temperature);
}

std::vector<ChainCase> chain_cases() {
  std::vector<ChainCase> cases;
  for (const int board : {1, 8, 16})
    for (const auto& [temperature, soft] : {std::pair{40.0, 10.0}, std::pair{22.0, 5.0}, std::pair{12.0, 2.0}})
      cases.push_back({board, temperature, soft});
  return cases;
}

std::uint64_t advance_chains(const ChainCase& chain_case, bool only_burn_in) {
  const game::Position& board = game::standard_boards()[static_cast<std::size_t>(chain_case.board - 1)].position;
  const game::AcceptanceTable table(chain_case.temperature, chain_case.soft, game::kStandardScoring);
  const auto engines = cuda::make_cuda_chain_engines({0}, 0, {.turns = kTurns});
  const auto chains = engines.front()->make_chains(board, game::kStandardScoring, {.members = kChains});
  std::vector<game::ChainStart> starts;
  for (int i = 0; i < kChains; ++i)
    starts.push_back({.chain = i,
                      .tabu_color = i % board.colors(),
                      .seed = static_cast<std::uint32_t>(1000 * chain_case.board + i)});
  game::ChainObserver unwatched;
  chains->start(starts, unwatched);
  Launches launches(only_burn_in ? kBurnInLaunches : kBurnInLaunches + 1);
  chains->advance(table, game::ChainSet::kUntilStopped, launches);
  return launches.evaluations();
}

}  // namespace chainshot::measure
