#include "cpu/isa.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace chainshot::cpu {
namespace {

bool is_available(Isa isa) {
#if defined(__x86_64__)
  switch (isa) {
    case Isa::kPortable:
      return true;
    case Isa::kAvx2:
      return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
             __builtin_cpu_supports("popcnt");
    case Isa::kAvx512Ymm:
    case Isa::kAvx512Zmm:
      return is_available(Isa::kAvx2) && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
             __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
             __builtin_cpu_supports("avx512bitalg") && __builtin_cpu_supports("avx512vpopcntdq");
  }
  return false;
#else
  return isa == Isa::kPortable;
#endif
}

// Zen 4, the only processor of AMD's family 19h with AVX-512, splits operations on 512 bits into two, so words of 256
// bits are faster (docs/performance.md). On other processors the two were not compared.
bool halves_512_bits() {
#if defined(__x86_64__)
  return __builtin_cpu_is("amdfam19h");
#else
  return false;
#endif
}

}  // namespace

std::string_view name_of(Isa isa) {
  switch (isa) {
    case Isa::kPortable:
      return "portable";
    case Isa::kAvx2:
      return "avx2";
    case Isa::kAvx512Ymm:
      return "avx512ymm";
    case Isa::kAvx512Zmm:
      return "avx512zmm";
  }
  return "?";
}

std::optional<Isa> isa_named(std::string_view name) {
  if (name == kAvx512) return halves_512_bits() ? Isa::kAvx512Ymm : Isa::kAvx512Zmm;
  for (const Isa isa : kIsas)
    if (name_of(isa) == name) return isa;
  return std::nullopt;
}

std::vector<Isa> available_isas() {
  std::vector<Isa> isas;
  std::copy_if(kIsas.begin(), kIsas.end(), std::back_inserter(isas), is_available);
  if (isas.back() == Isa::kAvx512Zmm && halves_512_bits()) std::swap(isas.back(), isas[isas.size() - 2]);
  return isas;
}

Isa best_isa() {
  return available_isas().back();
}

}  // namespace chainshot::cpu
