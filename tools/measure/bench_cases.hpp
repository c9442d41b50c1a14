// The fixed work behind the signature of `bench`. It is never timed, and a commit that changes it carries a `Bench:`
// trailer. Its boards come from the standard set and from a generator of its own, so that a change to another
// command cannot change the signature by accident.
#pragma once

#include <string>
#include <vector>

#include "game/engine.hpp"

namespace chainshot::tools {

struct BenchCase {
  std::string name;
  game::Batch batch;
};

std::vector<BenchCase> bench_cases();

// Makes a full board of uniformly random colours.
game::Position random_board(int columns, int rows, int colors, std::uint64_t seed);

}  // namespace chainshot::tools
