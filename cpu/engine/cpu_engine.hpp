// The CPU playout engine: games as lanes of vector registers on worker threads. The instruction set is chosen at run
// time; results do not depend on it, nor on the number of threads.
#pragma once

#include <memory>

#include "cpu/isa.hpp"
#include "game/engine.hpp"

namespace chainshot::cpu {

struct CpuEngineOptions {
  int threads = 0;  // 0: one per processor
  // So many of the threads are the caller's: they play while they wait for a batch. If all are, nothing is played until
  // one waits.
  int caller_threads = 0;
  Isa isa = best_isa();
  bool wide_only = false;  // small boards in the wide geometry too; for tests
};

std::unique_ptr<game::Engine> make_cpu_engine(const CpuEngineOptions& options);

}  // namespace chainshot::cpu
