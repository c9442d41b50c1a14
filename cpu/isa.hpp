// The instruction sets that code of cpu/ is compiled for. The choice is made at run time and changes speed alone.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace chainshot::cpu {

// AVX-512 comes with words of 256 and of 512 bits.
enum class Isa { kPortable, kAvx2, kAvx512Ymm, kAvx512Zmm };
inline constexpr std::array<Isa, 4> kIsas = {Isa::kPortable, Isa::kAvx2, Isa::kAvx512Ymm, Isa::kAvx512Zmm};
inline constexpr std::string_view kAvx512 = "avx512";  // names the one that suits this processor

std::string_view name_of(Isa isa);
std::optional<Isa> isa_named(std::string_view name);
// The instruction sets that this processor and this build can run, slowest first; never empty.
std::vector<Isa> available_isas();
Isa best_isa();

}  // namespace chainshot::cpu
