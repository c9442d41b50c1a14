#include "host/tree/core/top_move.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/support/random_boards.hpp"
#include "tests/support/test_scale.hpp"

namespace chainshot::host {
namespace {

// One by one. The product is stored, so that no compiler adds before it has rounded.
TopMove by_comparison(const std::vector<SelectionTerms>& lines, float exploration) {
  TopMove best{-1, kNever};
  float top = kNever;
  for (int i = 0; i < 8 * static_cast<int>(lines.size()); ++i) {
    const SelectionTerms& terms = lines[static_cast<std::size_t>(i / 8)];
    const volatile float product = exploration * terms.width[static_cast<std::size_t>(i % 8)];
    const float score = terms.value[static_cast<std::size_t>(i % 8)] + product;
    best.second = std::max(best.second, std::min(top, score));
    if (score <= top) continue;
    best.index = i;
    top = score;
  }
  return best;
}

TEST(TopMove, IsTheFirstOfTheHighestScoresAndKnowsTheNext) {
  tests::Dice dice(91);
  for (int round = 0; round < tests::scaled(20'000); ++round) {
    std::vector<SelectionTerms> lines(static_cast<std::size_t>(dice.between(1, round % 50 == 0 ? 63 : 5)));
    for (SelectionTerms& terms : lines) {
      for (std::size_t i = 0; i < 8; ++i) {
        // Few different values, so that many are equal; some moves are never chosen, few before all others.
        terms.value[i] = dice.one_in(3) ? kNever : dice.one_in(200) ? kAlways : static_cast<float>(dice.below(4));
        terms.width[i] = 1.0F / static_cast<float>(dice.between(1, 4));
      }
    }
    const auto exploration = static_cast<float>(dice.below(3));
    const TopMove expected = by_comparison(lines, exploration);
    for (const auto& find : {top_move, top_move_anywhere}) {
      const TopMove found = find(lines.data(), static_cast<int>(lines.size()), exploration);
      ASSERT_EQ(found.index, expected.index);
      ASSERT_EQ(found.second, expected.second);
    }
  }
}

TEST(TopMove, IsNoneWhereAllAreRuledOut) {
  SelectionTerms terms;
  terms.value.fill(kNever);
  terms.width.fill(1);
  EXPECT_EQ(top_move(&terms, 1, 10).index, -1);
}

}  // namespace
}  // namespace chainshot::host
