#include "game/random.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace chainshot::game {
namespace {

using Block = std::array<std::uint32_t, 4>;

// The lines "philox4x32 10" of Random123's kat_vectors hold four counter words, two key words and four output words.
// Our counter is (block, playout, low half and high half of the request); our key is (low half, high half of the seed).
TEST(Philox, GivesThePublishedKnownAnswers) {
  EXPECT_EQ(random_block({0, 0, 0}, 0), (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(random_block({~0ull, ~0ull, ~0u}, ~0u), (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  const PlayoutKey pi{.seed = 0x299f31d0a4093822, .request = 0x0370734413198a2e, .playout = 0x85a308d3};
  EXPECT_EQ(random_block(pi, 0x243f6a88), (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(DrawSequence, DrawNumberDIsWordDModuloFourOfBlockDOverFour) {
  const PlayoutKey key{.seed = 7, .request = 0x123456789abcdef0, .playout = 42};
  DrawSequence draws(key);
  for (std::uint32_t d = 0; d < 1'000; ++d)
    ASSERT_EQ(draws.next(), random_block(key, d / 4)[d % 4]);
}

TEST(ScaleDraw, SpreadsWordsEvenlyOverNumbersBelowN) {
  EXPECT_EQ(scale_draw(0, 7), 0u);
  EXPECT_EQ(scale_draw(~0u, 7), 6u);
  EXPECT_EQ(scale_draw(0x7fffffff, 2), 0u);
  EXPECT_EQ(scale_draw(0x80000000, 2), 1u);
  EXPECT_EQ(scale_draw(~0u, 1), 0u);
  EXPECT_EQ(scale_draw(~0u, 0), 0u);
  // ceil(k 2^32 / n) is the first word that scales to k; the word before it scales to k - 1.
  for (std::uint32_t n = 1; n <= 500; ++n) {
    for (std::uint32_t k = 1; k < n; ++k) {
      const auto first = static_cast<std::uint32_t>(((std::uint64_t{k} << 32) + n - 1) / n);
      ASSERT_EQ(scale_draw(first, n), k);
      ASSERT_EQ(scale_draw(first - 1, n), k - 1);
    }
  }
}

TEST(PlayoutKey, TextReadsBackAsTheSameKey) {
  constexpr auto kHighest = std::numeric_limits<std::uint64_t>::max();
  for (const PlayoutKey& key : {PlayoutKey{0, 0, 0}, PlayoutKey{1, 2, 3}, PlayoutKey{kHighest, kHighest, ~0u}})
    EXPECT_EQ(parse_playout_key(to_string(key)), key);
  EXPECT_EQ(to_string({1, 2, 3}), "1:2:3");
  EXPECT_EQ(parse_playout_key("18446744073709551615:0:4294967295"), (PlayoutKey{kHighest, 0, ~0u}));
}

TEST(PlayoutKey, RefusesTextThatIsNotThreeNumbersInRange) {
  for (const char* text : {"",
                           ":",
                           "::",
                           "1",
                           "1:2",
                           "1:2:",
                           ":2:3",
                           "1::3",
                           "1:2:3:",
                           "1:2:3:4",
                           "1:2:3 ",
                           " 1:2:3",
                           "-1:2:3",
                           "+1:2:3",
                           "0x1:2:3",
                           "1:2:x",
                           "1:2:4294967296",
                           "18446744073709551616:2:3",
                           "1:18446744073709551616:3",
                           "1,2,3"})
    EXPECT_EQ(parse_playout_key(text), std::nullopt) << text;
}

TEST(Mix64, IsTheFinaliserOfSplitMix64) {
  // These are the first two outputs of SplitMix64 from state 0 (Vigna's splitmix64.c).
  EXPECT_EQ(mix64(0), 0xe220a8397b1dcdafu);
  EXPECT_EQ(mix64(0x9e3779b97f4a7c15), 0x6e789e6aa1b965f4u);
}

}  // namespace
}  // namespace chainshot::game
