#include "game/policy.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace chainshot::game {

std::optional<Policy> policy_named(std::string_view name) {
  for (const NamedPolicy& named : kPolicies)
    if (named.name == name) return named.policy;
  return std::nullopt;
}

std::uint32_t epsilon_from(double p) {
  return static_cast<std::uint32_t>(std::min(std::round(std::clamp(p, 0.0, 1.0) * 0x1p32), 0x1p32 - 1));
}

RouletteTable::RouletteTable(int full_cells, double beta, double theta) : weights_(first(full_cells + 1)) {
  assert(beta >= 0 && theta >= 0);
  for (int left = 1; left <= full_cells; ++left) {
    const double alpha = 1 + beta * left / full_cells;
    for (int f = 1; f <= left; ++f) {
      if (f <= theta) continue;
      const double weight = std::pow((f - theta) / (left - theta), alpha);
      weights_[first(left) + f] = static_cast<std::uint32_t>(std::lround(std::ldexp(weight, kFractionBits)));
    }
  }
}

}  // namespace chainshot::game
