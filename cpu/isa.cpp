#include <array>

#include "cpu/cpu_engine.hpp"

namespace chainshot::cpu {
namespace {

struct NamedIsa {
  Isa isa;
  std::string_view name;
};
constexpr std::array<NamedIsa, 3> kIsas = {
    {{Isa::kPortable, "portable"}, {Isa::kAvx2, "avx2"}, {Isa::kAvx512, "avx512"}}};

bool is_available(Isa isa) {
#if defined(__x86_64__)
  switch (isa) {
    case Isa::kPortable:
      return true;
    case Isa::kAvx2:
      return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
             __builtin_cpu_supports("popcnt");
    case Isa::kAvx512:
      return is_available(Isa::kAvx2) && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
             __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
             __builtin_cpu_supports("avx512bitalg") && __builtin_cpu_supports("avx512vpopcntdq");
  }
  return false;
#else
  return isa == Isa::kPortable;
#endif
}

}  // namespace

std::string_view name_of(Isa isa) {
  for (const NamedIsa& named : kIsas)
    if (named.isa == isa) return named.name;
  return "?";
}

std::optional<Isa> isa_named(std::string_view name) {
  for (const NamedIsa& named : kIsas)
    if (named.name == name) return named.isa;
  return std::nullopt;
}

std::vector<Isa> available_isas() {
  std::vector<Isa> isas;
  for (const NamedIsa& named : kIsas)
    if (is_available(named.isa)) isas.push_back(named.isa);
  return isas;
}

Isa best_isa() {
  return available_isas().back();
}

}  // namespace chainshot::cpu
