// The beam step of the CPU: buckets in memory, expanded by a team of threads. Neither the threads nor the instruction
// set changes what it selects.
#pragma once

#include <memory>

#include "cpu/isa.hpp"
#include "game/beam_step.hpp"

namespace chainshot::cpu {

struct CpuBeamOptions {
  int threads = 0;  // 0: one per processor; the thread that calls the step is one of them
  Isa isa = best_isa();
};

// Goes on with fewer threads where the system refuses some.
std::unique_ptr<game::BeamStep> make_cpu_beam_step(const CpuBeamOptions& options);

}  // namespace chainshot::cpu
