// Philox (Salmon et al. 2011) on the device: Philox4x32-10 makes the draws of game/random.hpp.
#pragma once

#include "cuda/device_word.cuh"
#include "cuda/playout_arguments.hpp"

namespace chainshot::cuda {

struct PhiloxBlock {
  std::uint32_t word[4];
};

// The keys of all rounds are arguments of the kernel. Instructions read them from there, without a register or an
// addition.
__device__ __forceinline__ PhiloxBlock philox(std::uint32_t block, std::uint32_t playout, std::uint32_t request_low,
                                              std::uint32_t request_high, const PhiloxKeys& keys) {
  std::uint32_t c0 = block, c1 = playout, c2 = request_low, c3 = request_high;
#pragma unroll
  for (int round = 0; round < kPhiloxRounds; ++round) {
    const std::uint32_t high0 = __umulhi(c0, 0xD2511F53u), low0 = c0 * 0xD2511F53u;
    const std::uint32_t high1 = __umulhi(c2, 0xCD9E8D57u), low1 = c2 * 0xCD9E8D57u;
    c0 = xor3({high1}, {c1}, {keys.round[round][0]}).bits;
    c2 = xor3({high0}, {c3}, {keys.round[round][1]}).bits;
    c1 = low1;
    c3 = low0;
  }
  return {{c0, c1, c2, c3}};
}

// Philox2x32-10 of the same authors: the draws of an annealing chain. Returns the first word.
__device__ __forceinline__ std::uint32_t philox_pair(std::uint32_t c0, std::uint32_t c1, std::uint32_t key,
                                                     std::uint32_t& second) {
#pragma unroll
  for (int round = 0; round < kPhiloxRounds; ++round) {
    const std::uint32_t high = __umulhi(c0, 0xD256D193u), low = c0 * 0xD256D193u;
    c0 = xor3({high}, {key}, {c1}).bits;
    c1 = low;
    key += 0x9E3779B9u;
  }
  second = c1;
  return c0;
}

}  // namespace chainshot::cuda
