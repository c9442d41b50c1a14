// Randomness is counter-based: Philox4x32-10 (Salmon et al. 2011, Random123). The key is the run's seed, the counter is
// (block, playout, request); word w of block b is draw 4b + w. A playout is a pure function of board, policy and key;
// batch, thread, lane and device do not matter.
#pragma once

#include <Random123/philox.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace chainshot::game {

struct PlayoutKey {
  std::uint64_t seed = 0;
  std::uint64_t request = 0;
  std::uint32_t playout = 0;

  bool operator==(const PlayoutKey&) const = default;
};

// Written `seed:request:playout`.
std::string to_string(const PlayoutKey& key);
std::optional<PlayoutKey> parse_playout_key(std::string_view text);

inline std::array<std::uint32_t, 4> random_block(const PlayoutKey& key, std::uint32_t block) {
  const r123::Philox4x32::key_type k = {
      {static_cast<std::uint32_t>(key.seed), static_cast<std::uint32_t>(key.seed >> 32)}};
  const r123::Philox4x32::ctr_type c = {
      {block, key.playout, static_cast<std::uint32_t>(key.request), static_cast<std::uint32_t>(key.request >> 32)}};
  const auto out = r123::Philox4x32{}(c, k);
  return {out[0], out[1], out[2], out[3]};
}

// A block that no sequence of draws reaches. Its first word decides what is drawn once per playout (TabuRandom's
// colour).
inline constexpr std::uint32_t kSetupBlock = 0xFFFFFFFFu;

// floor(r n / 2^32): a number below n. Each is drawn with probability 1/n to within 2^-32.
constexpr std::uint32_t scale_draw(std::uint32_t random, std::uint32_t n) {
  return static_cast<std::uint32_t>((std::uint64_t{random} * n) >> 32);
}

// The draws of one playout in order.
class DrawSequence {
 public:
  explicit DrawSequence(const PlayoutKey& key) : key_(key) {}
  std::uint32_t next() {
    if (count_ % 4 == 0) block_ = random_block(key_, count_ / 4);
    return block_[count_++ % 4];
  }

 private:
  PlayoutKey key_;
  std::uint32_t count_ = 0;
  std::array<std::uint32_t, 4> block_{};
};

// A strong mixing of 64 bits (the finaliser of SplitMix64), for hashes and signatures.
constexpr std::uint64_t mix64(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

}  // namespace chainshot::game
