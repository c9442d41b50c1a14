// The CPU playout engine: games as lanes of vector registers on worker threads. The instruction set is chosen at run
// time; results do not depend on it, nor on the number of threads.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "game/engine.hpp"

namespace chainshot::cpu {

// Instruction sets, AVX-512 with words of 256 and of 512 bits.
enum class Isa { kPortable, kAvx2, kAvx512Ymm, kAvx512Zmm };
inline constexpr std::array<Isa, 4> kIsas = {Isa::kPortable, Isa::kAvx2, Isa::kAvx512Ymm, Isa::kAvx512Zmm};
inline constexpr std::string_view kAvx512 = "avx512";  // a name for the one that suits this processor

std::string_view name_of(Isa isa);
std::optional<Isa> isa_named(std::string_view name);
// What this processor and this build can run, slowest first; never empty.
std::vector<Isa> available_isas();
Isa best_isa();

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
