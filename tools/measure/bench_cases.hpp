// The fixed work behind the signature of `bench`. It is never measured, and never changed without a `Bench:` trailer:
// boards come from the standard set and from random_board.hpp, so that no other command can change it by accident.
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

}  // namespace chainshot::tools
