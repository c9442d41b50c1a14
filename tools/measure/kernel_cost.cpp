// Plays one case on the CUDA engine, expands a beam or advances chains, so that the emulator's statistics show what the
// kernels cost. Run by tools/kernel_cost.sh; `kernel_cost` alone lists the cases. A case prints its number of playouts,
// children or evaluations; of chains, `kernel_cost CASE burn-in` those that do not count.
#include <fmt/core.h>

#include <cstdlib>
#include <string_view>

#include "cuda/cuda_beam_step.hpp"
#include "cuda/cuda_engine.hpp"
#include "game/board_text.hpp"
#include "host/beam/evaluation.hpp"
#include "tests/support/random_boards.hpp"
#include "tools/measure/chain_kernel_cost.hpp"

namespace {

using namespace chainshot;

struct Case {
  std::string_view name;
  std::string_view policy;
  double epsilon;
  int positions;  // 1: board 1; more: random moves from the standard boards; 0: a wide board
  std::uint32_t playouts;
  std::string_view title;
};

constexpr Case kCases[] = {
    {"one", "tabu-color-random", 0, 1, 100'000, "tabu-color-random, board 1, 100,000 playouts of one position"},
    {"distinct", "tabu-color-random", 0, 4096, 100'000, "tabu-color-random, 100,000 playouts of 4,096 positions"},
    {"roulette", "roulette", 0, 1, 100'000, "roulette, board 1, 100,000 playouts of one position"},
    {"random", "random", 0, 1, 100'000, "random, board 1, 100,000 playouts of one position"},
    {"tabu-random", "tabu-random", 0, 1, 100'000, "tabu-random, board 1, 100,000 playouts of one position"},
    {"epsilon", "tabu-color-random", 0.003, 1, 100'000,
     "tabu-color-random with epsilon 0.003, board 1, 100,000 playouts"},
    {"once", "tabu-color-random", 0, 1, 2'560, "tabu-color-random, board 1, one game a lane: no refill"},
    {"wide", "tabu-color-random", 0, 0, 10'000, "tabu-color-random, 31 x 32 blocks of 5 colours, 10,000 playouts"},
};

struct BeamCase {
  std::string_view name;
  int board;  // of the standard set
  int width;
  int buckets;
  std::string_view title;
};

constexpr BeamCase kBeamCases[] = {
    {"beam", 1, 100, 225, "board 1, width 100"},
    {"beam-2000", 1, 2'000, 40, "board 1, width 2,000, the first 40 buckets"},
    {"beam-5-2000", 5, 2'000, 40, "board 5, width 2,000, the first 40 buckets"},
};

// Positions 0 to 40 random moves from the standard boards.
game::Position position_after_random_moves(int number, tests::Dice& dice) {
  game::Position position = game::standard_boards()[static_cast<std::size_t>(number % 20)].position;
  for (int moves = dice.between(0, 40); moves > 0; --moves) {
    const auto groups = position.groups();
    if (groups.empty()) break;
    position.apply(groups[static_cast<std::size_t>(dice.between(0, static_cast<int>(groups.size()) - 1))].cell);
  }
  return position;
}

game::Batch batch_of(const Case& c) {
  game::Batch batch{.seed = 1};
  game::Policy policy = *game::policy_named(c.policy);
  policy.epsilon = game::epsilon_from(c.epsilon);
  tests::Dice dice(1);
  const auto count = static_cast<std::uint32_t>(c.positions == 0 ? 1 : c.positions);
  for (std::uint32_t i = 0; i < count; ++i) {
    game::Request request{
        .policy = policy, .playouts = c.playouts / count + (i < c.playouts % count ? 1u : 0u), .key = i};
    if (c.positions == 1) {
      request.position = game::standard_boards()[0].position;
    } else if (c.positions > 1) {
      request.position = position_after_random_moves(static_cast<int>(i), dice);
    } else {
      request.position = tests::full_board(dice, {31, 32, 5});
    }
    batch.requests.push_back(request);
  }
  return batch;
}

int play(const Case& c) {
  const game::Outcome outcome = cuda::make_cuda_engine({})->run(batch_of(c));
  fmt::print("{}\n", c.playouts);
  if (!outcome.error.empty()) fmt::print(stderr, "{}\n", outcome.error);
  return outcome.error.empty() ? EXIT_SUCCESS : EXIT_FAILURE;
}

int expand(const BeamCase& c) {
  const game::Position& root = game::standard_boards()[static_cast<std::size_t>(c.board - 1)].position;
  const auto step = cuda::make_cuda_beam_step({});
  step->begin({.seeds = {{root, 0}},
               .tables = host::beam_tables({}, root, game::kStandardScoring, root.most_frequent_color()),
               .width = c.width,
               .memory_bytes = std::uint64_t{256} << 20});
  std::uint64_t children = 0;
  for (int bucket = 0; bucket < c.buckets && step->open_blocks() > 0; ++bucket)
    children += step->expand({}).children;
  fmt::print("{}\n", children);
  return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    for (const Case& c : kCases)
      fmt::print("{} playout {}\n", c.name, c.title);
    for (const BeamCase& c : kBeamCases)
      fmt::print("{} child {}\n", c.name, c.title);
    for (const measure::ChainCase& c : measure::chain_cases())
      fmt::print("{} evaluation {}\n", c.name(), c.title());
    return EXIT_SUCCESS;
  }
  for (const Case& c : kCases)
    if (c.name == argv[1]) return play(c);
  for (const BeamCase& c : kBeamCases)
    if (c.name == argv[1]) return expand(c);
  for (const measure::ChainCase& c : measure::chain_cases())
    if (c.name() == argv[1]) {
      fmt::print("{}\n", measure::advance_chains(c, argc > 2));
      return EXIT_SUCCESS;
    }
  return 2;
}
