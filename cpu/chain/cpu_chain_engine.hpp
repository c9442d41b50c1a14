// The chain engine of the CPU: chains on threads of its own, each by the chosen instruction set. Neither the threads
// nor the instruction set changes what a chain does.
#pragma once

#include <memory>

#include "cpu/isa.hpp"
#include "game/chain_engine.hpp"

namespace chainshot::cpu {

struct CpuChainOptions {
  int threads = 0;  // 0: one per processor; the thread that calls the engine is one of them
  Isa isa = best_isa();
};

// Goes on with fewer threads where the system refuses some.
std::unique_ptr<game::ChainEngine> make_cpu_chain_engine(const CpuChainOptions& options);

}  // namespace chainshot::cpu
