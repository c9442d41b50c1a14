// The CPU playout engine: worker threads play games as lanes of vector registers. The instruction set is chosen at run
// time; results depend neither on it nor on the number of threads.
#pragma once

#include <memory>

#include "cpu/isa.hpp"
#include "game/engine.hpp"

namespace chainshot::cpu {

struct CpuEngineOptions {
  int threads = 0;  // 0: one per processor
  // This many of the threads belong to the caller: they play while they wait for a batch. If all threads do, nothing is
  // played until one waits.
  int caller_threads = 0;
  Isa isa = best_isa();
  bool wide_only = false;  // plays small boards in the wide geometry too; for tests
};

std::unique_ptr<game::Engine> make_cpu_engine(const CpuEngineOptions& options);

}  // namespace chainshot::cpu
