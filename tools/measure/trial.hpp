// Shared by the benchmark programs: the random boards of trials, and processor time.
#pragma once

#include <cstdint>
#include <ctime>

#include "game/generate.hpp"

namespace chainshot::host {

// In the proportions of the standard set: ten uniform, five equal, five dominated by a colour.
inline game::Position trial_board(int number) {
  const int kind = (number - 1) % 4;
  game::BoardRecipe recipe;
  recipe.kind = kind < 2    ? game::BoardKind::kUniform
                : kind == 2 ? game::BoardKind::kEqual
                            : game::BoardKind::kDominating;
  return game::generate_board(recipe, 20260101, static_cast<std::uint64_t>(number));
}

// Returns the processor time of a clock: CLOCK_PROCESS_CPUTIME_ID or CLOCK_THREAD_CPUTIME_ID.
inline double processor_seconds(clockid_t clock = CLOCK_PROCESS_CPUTIME_ID) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace chainshot::host
