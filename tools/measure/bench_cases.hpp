// The fixed work behind the signature. It is never measured and never changed without a `Bench:` trailer: boards come
// from the standard set and from a generator of its own, so that no other command can change it by accident.
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

// A full board of uniform random colours.
game::Position random_board(int columns, int rows, int colors, std::uint64_t seed);

}  // namespace chainshot::tools
