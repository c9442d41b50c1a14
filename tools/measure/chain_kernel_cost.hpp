// Advances annealing chains on the CUDA engine, so that the emulator's statistics show what an evaluation costs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace chainshot::measure {

struct ChainCase {
  int board;  // of the standard set
  double temperature;
  double soft;  // blocks left over which the bonus is spread

  std::string name() const;   // chain-1-40
  std::string title() const;  // board 1, temperature 40
};

// Three boards at the hot, the middle and the cold part of an annealing run.
std::vector<ChainCase> chain_cases();

// Returns how many evaluations the chains made. Statistics count whole processes; so one process runs only the burn-in,
// and another goes on from there.
std::uint64_t advance_chains(const ChainCase& chain_case, bool only_burn_in);

}  // namespace chainshot::measure
