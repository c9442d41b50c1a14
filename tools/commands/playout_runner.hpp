// Options, tasks, and runs with progress for the commands that play boards many times.
#pragma once

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "game/board_text.hpp"
#include "game/engine.hpp"
#include "tools/measure/playouts.hpp"
#include "tools/options/number_argument.hpp"
#include "tools/reports/number_text.hpp"
#include "tools/terminal/interrupt.hpp"
#include "tools/terminal/terminal.hpp"

namespace chainshot::tools {

inline CLI::Option* add_playouts_argument(CLI::App& command, std::uint32_t& playouts) {
  return command
      .add_option("--playouts", playouts,
                  "number of playouts per board, up to 4294967295: 5000, 10M, 1e6 (default 100000)")
      ->type_name("N")
      ->transform(whole_number(1, 0xFFFFFFFFu));
}

inline CLI::Option* add_playout_seed_argument(CLI::App& command, std::uint64_t& seed) {
  return command.add_option("--seed", seed, "seed of the random numbers (default 0)")
      ->type_name("S")
      ->transform(whole_number(0, ~std::uint64_t{0}));
}

inline PlayoutTask playout_task(const game::NamedBoard& board, const game::Policy& policy, const game::Scoring& scoring,
                                std::uint32_t playouts, std::uint64_t seed) {
  return {.request = {.position = board.position,
                      .points = 0,
                      .policy = policy.for_game_from(board.position),
                      .playouts = playouts},
          .seed = seed,
          .scoring = scoring};
}

// Runs playouts of several tasks and shows the progress of all of them together.
class PlayoutRunner {
 public:
  PlayoutRunner(game::Engine& engine, std::size_t runs) : engine_(engine), runs_(static_cast<double>(runs)) {}

  PlayoutReport run(const PlayoutTask& task, const std::string& what) {
    const auto watcher = [&](const game::Result& so_far, double seconds) {
      const auto done = static_cast<double>(so_far.count);
      progress_.update((finished_ + done / task.request.playouts) / runs_,
                       fmt::format("{}, best {}, {}/s", what, so_far.best, magnitude(done / std::max(seconds, 1e-9))));
    };
    PlayoutReport report = run_playouts(engine_, task, watcher, interrupted);
    finished_ += 1;
    return report;
  }

 private:
  game::Engine& engine_;
  Progress progress_{"playing"};
  double runs_;
  double finished_ = 0;
};

// A result that was printed but could not be saved is a failure all the same.
inline void expect_saved(const std::string& problem) {
  if (!problem.empty()) throw std::runtime_error(problem);
}

}  // namespace chainshot::tools
