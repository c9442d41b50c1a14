#include "host/tree/moves/move_shares.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace chainshot::host {
namespace {

TEST(MoveShares, GivesAWholeGameToItsFirstMove) {
  EXPECT_EQ(spent_after_moves(Allocation::kPerGame, 0), std::vector<double>{1});
}

TEST(MoveShares, IsTheOneKleinDefines) {
  // Uniform: R/30 each.
  const auto uniform = spent_after_moves(Allocation::kUniform, 0);
  ASSERT_EQ(uniform.size(), 30U);
  EXPECT_NEAR(uniform[0], 1 / 30.0, 1e-12);
  EXPECT_NEAR(uniform[14], 0.5, 1e-12);
  // Linear: A = 1/12.2, B = 1/64, C = 1/30 - (A + B)/2; the first move has A + C, the last B + C.
  const double a = 1 / 12.2, b = 1 / 64.0, c = 1 / 30.0 - (a + b) / 2;
  const auto linear = spent_after_moves(Allocation::kLinear, 0);
  ASSERT_EQ(linear.size(), 30U);
  EXPECT_NEAR(linear[0], a + c, 1e-12);
  EXPECT_NEAR(linear[29] - linear[28], b + c, 1e-12);
  // Exponential: (6/7)^i / 7, which adds up to 1 - (6/7)^(i + 1); what is left over goes to a 31st move.
  const auto exponential = spent_after_moves(Allocation::kExponential, 0);
  ASSERT_EQ(exponential.size(), 31U);
  for (int i = 0; i < 30; ++i)
    EXPECT_NEAR(exponential[static_cast<std::size_t>(i)], 1 - std::pow(6 / 7.0, i + 1), 1e-12);
  EXPECT_EQ(exponential.back(), 1);
}

TEST(MoveShares, OfEveryMoveIsWhatSchaddGivesIt) {
  const auto spent = spent_after_moves(Allocation::kEveryMove, 0);
  ASSERT_EQ(spent.size(), 65U);
  for (std::size_t i = 0; i < 64; ++i)
    EXPECT_NEAR(spent[i], static_cast<double>(i + 1) / 64.4, 1e-12);
  EXPECT_EQ(spent.back(), 1);
}

TEST(MoveShares, GivesNoMoveLessThanTheLeast) {
  // 2^11 units are 0.32 % of 640,000: the exponential falls below that at move 25, and all is spent before the 31st.
  const double least = 2048 / 640000.0;
  const auto spent = spent_after_moves(Allocation::kExponential, least);
  for (std::size_t i = 1; i + 1 < spent.size(); ++i)
    EXPECT_GE(spent[i] - spent[i - 1], least - 1e-12);
  EXPECT_EQ(spent.back(), 1);
  // A budget that is not even one move's is spent by the first.
  EXPECT_EQ(spent_after_moves(Allocation::kExponential, 2), std::vector<double>{1});
}

// Klein 2015, 3.7.1: k searches, each with 1/k of the resources.
TEST(SearchShares, AddUpToTheWholeBudget) {
  const auto sum = [](const std::vector<SearchShare>& shares) {
    double end = 0;
    for (const SearchShare& search : shares) {
      EXPECT_NEAR(search.begin, end, 1e-12);  // one begins where the one before ends
      end = search.begin + search.share;
    }
    return end;
  };
  const std::vector<SearchShare> five = search_shares(5, 0);
  ASSERT_EQ(five.size(), 5U);
  for (const SearchShare& search : five)
    EXPECT_NEAR(search.share, 0.2, 1e-12);
  EXPECT_NEAR(sum(five), 1, 1e-12);
  EXPECT_NEAR(sum(search_shares(1, 0)), 1, 1e-12);
  // Klein 2015, 8.1.2: 448/16 and 448/14, each with half of the budget.
  const std::vector<SearchShare> both = search_shares(16, 14);
  ASSERT_EQ(both.size(), 30U);
  for (std::size_t i = 0; i < both.size(); ++i)
    EXPECT_NEAR(both[i].share, i < 16 ? 1.0 / 32 : 1.0 / 28, 1e-12);
  EXPECT_NEAR(sum(both), 1, 1e-12);
}

}  // namespace
}  // namespace chainshot::host
