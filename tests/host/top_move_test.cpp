#include "host/tree/top_move.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/random_boards.hpp"
#include "tests/test_scale.hpp"

namespace chainshot::host {
namespace {

// One by one. The product is stored, so that no compiler adds before it has rounded.
int by_comparison(const std::vector<Octet>& octets, float exploration) {
  int best = -1;
  float top = kNever;
  for (int i = 0; i < 8 * static_cast<int>(octets.size()); ++i) {
    const Octet& octet = octets[static_cast<std::size_t>(i / 8)];
    const volatile float product = exploration * octet.width[static_cast<std::size_t>(i % 8)];
    const float score = octet.value[static_cast<std::size_t>(i % 8)] + product;
    if (score <= top) continue;
    best = i;
    top = score;
  }
  return best;
}

TEST(TopMove, IsTheFirstOfTheHighestScores) {
  tests::Dice dice(91);
  for (int round = 0; round < tests::scaled(20'000); ++round) {
    std::vector<Octet> octets(static_cast<std::size_t>(dice.between(1, round % 50 == 0 ? 63 : 5)));
    for (Octet& octet : octets) {
      for (std::size_t i = 0; i < 8; ++i) {
        // Few different values, so that many are equal; some moves are never chosen, few before all others.
        octet.value[i] = dice.one_in(3) ? kNever : dice.one_in(200) ? kAlways : static_cast<float>(dice.below(4));
        octet.width[i] = 1.0F / static_cast<float>(dice.between(1, 4));
      }
    }
    const auto exploration = static_cast<float>(dice.below(3));
    const int count = static_cast<int>(octets.size()), expected = by_comparison(octets, exploration);
    ASSERT_EQ(top_move(octets.data(), count, exploration), expected);
    ASSERT_EQ(top_move_anywhere(octets.data(), count, exploration), expected);
  }
}

TEST(TopMove, IsNoneWhereAllAreRuledOut) {
  Octet octet;
  octet.value.fill(kNever);
  octet.width.fill(1);
  EXPECT_EQ(top_move(&octet, 1, 10), -1);
}

}  // namespace
}  // namespace chainshot::host
