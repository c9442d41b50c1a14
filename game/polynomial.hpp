// Integer polynomials in n, the number of blocks of a group or of what is left: scorings are made of them. Processors
// evaluate them modulo 2^32, which is exact wherever the value itself fits (game/scoring_bounds.hpp checks that).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <stdexcept>

#include "game/geometry.hpp"

namespace chainshot::game {

class Polynomial {
 public:
  static constexpr int kMaxDegree = 6;

  constexpr Polynomial() = default;  // 0
  // From the coefficients of 1, n, n^2, ...
  constexpr Polynomial(std::initializer_list<std::int32_t> coefficients) {
    int power = 0;
    for (const std::int32_t c : coefficients)
      set(power++, c);
  }

  constexpr void set(int power, std::int32_t coefficient) {
    if (power < 0 || power > kMaxDegree) throw std::out_of_range("a polynomial of too high a degree");
    coefficients_[power] = static_cast<std::uint32_t>(coefficient);
    degree_ = kMaxDegree;
    while (degree_ > 0 && coefficients_[degree_] == 0)
      --degree_;
  }

  constexpr int degree() const { return degree_; }  // 0 for a constant, also for 0
  constexpr std::int32_t coefficient(int power) const { return static_cast<std::int32_t>(coefficients_[power]); }
  constexpr bool is_zero() const { return degree_ == 0 && coefficients_[0] == 0; }

  // Without a loop or an index that varies, for devices.
  CHAINSHOT_HD constexpr std::int32_t at(std::int32_t n) const {
    const auto x = static_cast<std::uint32_t>(n);
    const std::uint32_t* const c = coefficients_;
    std::uint32_t value = (c[2] * x + c[1]) * x + c[0];
    if (degree_ > 2) value += (((c[6] * x + c[5]) * x + c[4]) * x + c[3]) * x * x * x;
    return static_cast<std::int32_t>(value);
  }

  bool operator==(const Polynomial&) const = default;

 private:
  std::uint32_t coefficients_[kMaxDegree + 1] = {};  // of 1, n, n^2, ..., modulo 2^32
  std::int32_t degree_ = 0;                          // the highest power whose coefficient is not 0
};

}  // namespace chainshot::game
