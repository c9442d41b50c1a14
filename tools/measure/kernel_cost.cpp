// Plays one case on the CUDA engine, so that the emulator's statistics show what its kernels cost. Run by
// tools/kernel_cost.sh; `kernel_cost` alone lists the cases.
#include <fmt/core.h>

#include <cstdlib>
#include <string_view>

#include "cuda/cuda_engine.hpp"
#include "game/board_text.hpp"
#include "tests/support/random_boards.hpp"

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

}  // namespace

int main(int argc, char** argv) {
  for (const Case& c : kCases) {
    if (argc < 2) {
      fmt::print("{} {} {}\n", c.name, c.playouts, c.title);
    } else if (c.name == argv[1]) {
      const game::Outcome outcome = cuda::make_cuda_engine({})->run(batch_of(c));
      if (!outcome.error.empty()) fmt::print(stderr, "{}\n", outcome.error);
      return outcome.error.empty() ? EXIT_SUCCESS : EXIT_FAILURE;
    }
  }
  return argc < 2 ? EXIT_SUCCESS : 2;
}
