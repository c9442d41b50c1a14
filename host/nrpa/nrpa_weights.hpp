// The arithmetic of NRPA's policy, in integers, so that every processor adapts and draws to the bit alike. A policy has
// a logit per move, in 1/65536; a move is drawn with a probability in proportion to its weight, 2^20 exp(logit).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "game/geometry.hpp"

namespace chainshot::host::nrpa {

using Logit = std::int32_t;
using Weight = std::uint64_t;
__extension__ typedef unsigned __int128 Wide;  // for products of two words

inline constexpr int kLogitBits = 16;
inline constexpr Logit kOne = 1 << kLogitBits;
// A position has at most 496 groups. The sum of their weights stays below 2^58, and the weight of a logit of 0 leaves
// 20 bits for smaller ones. Logits reached 21 in runs of level 3.
inline constexpr int kWeightBits = 20;
inline constexpr Logit kHighest = 20 * kOne, kLowest = -20 * kOne;

namespace detail {

inline constexpr int kPowerBits = 30;
inline constexpr int kPowers = 256;

// The square root, rounded down.
constexpr std::uint64_t root(Wide x) {
  std::uint64_t found = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 63; bit != 0; bit >>= 1)
    if (static_cast<Wide>(found | bit) * (found | bit) <= x) found |= bit;
  return found;
}

// 2^(i/256) in units of 2^-30. Eight square roots of 2 give the factor from one entry to the next.
constexpr std::array<std::uint32_t, kPowers> powers_of_two() {
  std::uint64_t factor = std::uint64_t{2} << 60;
  for (int i = 0; i < 8; ++i)
    factor = root(static_cast<Wide>(factor) << 60);
  std::array<std::uint32_t, kPowers> powers{};
  Wide power = std::uint64_t{1} << 60;
  for (std::uint32_t& entry : powers) {
    entry = static_cast<std::uint32_t>(static_cast<std::uint64_t>(power) >> (60 - kPowerBits));
    power = power * factor >> 60;
  }
  return powers;
}

inline constexpr std::array<std::uint32_t, kPowers> kPowersOfTwo = powers_of_two();

}  // namespace detail

constexpr Logit clamp_logit(std::int64_t logit) {
  return static_cast<Logit>(std::clamp<std::int64_t>(logit, kLowest, kHighest));
}

// exp(logit) in units of 2^-20, at least 1. The relative error is below 2^-16 where the weight has that many bits.
constexpr Weight weight_of(Logit logit) {
  constexpr std::int64_t kLog2E = 1549082005;            // log2(e) in units of 2^-30
  const std::int64_t exponent = (logit * kLog2E) >> 30;  // in units of 2^-16
  const auto whole = static_cast<int>(exponent >> 16);
  const auto high = static_cast<std::size_t>(exponent >> 8 & 0xFF);
  const auto low = static_cast<std::uint64_t>(exponent & 0xFF);
  // 2^(low / 65536) = 1 + low ln(2) / 65536 and a remainder below 2^-17; 45426 is ln(2) in units of 2^-16.
  const std::uint64_t power = detail::kPowersOfTwo[high];
  const std::uint64_t mantissa = power + (power * (low * 45426) >> 32);
  const int shift = whole + kWeightBits - detail::kPowerBits;
  if (shift >= 0) return mantissa << shift;
  return shift > -40 ? std::max<Weight>(1, mantissa >> -shift) : 1;
}

// A number below `sum`, in proportion to a random word.
constexpr Weight draw_below(Weight sum, std::uint32_t random) {
  return static_cast<Weight>((static_cast<Wide>(sum) * random) >> 32);
}

// Adapt (Rosin 2011, algorithm 1) in terms of one move: its logit rises by alpha each time it is played, and at every
// step at which it was legal it falls by alpha times its probability there. A step contributes 1/sum, in units of
// 2^-64; these shares add up modulo 2^64.
constexpr std::uint64_t share_of_step(Weight sum) {
  return ~std::uint64_t{0} / sum;
}
constexpr Logit adapted(Logit logit, Weight weight, std::uint64_t shares, std::int64_t times_played, Logit alpha) {
  const auto probabilities = static_cast<std::int64_t>((static_cast<Wide>(weight) * shares) >> 48);
  return clamp_logit(logit + times_played * alpha - (probabilities * alpha >> kLogitBits));
}

}  // namespace chainshot::host::nrpa
