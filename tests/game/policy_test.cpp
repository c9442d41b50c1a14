#include "game/policy.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace chainshot::game {
namespace {

// Takes 2009, section 4: (f - theta)^alpha with alpha = 1 + beta / N * (blocks left), relative to (L - theta)^alpha.
long double takes_weight(int full_cells, double beta, double theta, int left, int of_color) {
  if (of_color <= theta) return 0;
  const long double alpha = 1 + static_cast<long double>(beta) / full_cells * left;
  return std::pow((of_color - static_cast<long double>(theta)) / (left - static_cast<long double>(theta)), alpha);
}

void expect_table_of_takes(int full_cells, double beta, double theta) {
  const RouletteTable table(full_cells, beta, theta);
  for (int left = 1; left <= full_cells; ++left) {
    for (int f = 0; f <= left; ++f) {
      const long double exact =
          std::ldexp(takes_weight(full_cells, beta, theta, left, f), RouletteTable::kFractionBits);
      // The table rounds to the nearest unit; the powers themselves add a little rounding.
      ASSERT_NEAR(static_cast<double>(table.weight(left, f)), static_cast<double>(exact), 0.500001)
          << f << " of " << left << " of " << full_cells << ", beta " << beta << ", theta " << theta;
    }
  }
}

TEST(RouletteTable, HoldsThePowersOfTakes2009) {
  for (int full_cells : {1, 2, 9, 100, 225})
    for (double beta : {0.0, 1.0, 4.0, 7.5})
      for (double theta : {0.0, 1.0, 1.5, 3.0})
        expect_table_of_takes(full_cells, beta, theta);
}

TEST(RouletteTable, CoversTheLargestBoard) {
  expect_table_of_takes(kMaxCells, 4, 1);
  const RouletteTable table(kMaxCells, 4, 1);
  EXPECT_EQ(table.weight(kMaxCells, kMaxCells), 1u << RouletteTable::kFractionBits);
}

TEST(RouletteTable, GivesNothingToColoursAtOrBelowTheThreshold) {
  const RouletteTable table(225, 4, 1);
  for (int left = 1; left <= 225; ++left) {
    EXPECT_EQ(table.weight(left, 0), 0u);
    EXPECT_EQ(table.weight(left, 1), 0u);
  }
}

TEST(RouletteTable, WheelOfFifteenColoursFitsInThirtyBits) {
  // With alpha = 1 and theta = 0 the weights of all colours add up to 2^26, the maximum. The places of the wheel add up
  // to 15 times that sum, less each weight once.
  const RouletteTable table(225, 0, 0);
  const std::uint64_t sum = 15 * std::uint64_t{table.weight(225, 15)} + 1;
  EXPECT_NEAR(static_cast<double>(sum), 0x1p26, 16);
  EXPECT_LT(15 * sum, std::uint64_t{1} << 30);
}

TEST(Epsilon, IsStoredInUnitsOfTwoToTheMinus32) {
  EXPECT_EQ(epsilon_from(0), 0u);
  EXPECT_EQ(epsilon_from(0.5), 0x80000000u);
  EXPECT_EQ(epsilon_from(0.003), 12884902u);  // 0.003 * 2^32 = 12884901.888
  EXPECT_EQ(epsilon_from(1), 0xffffffffu);
  EXPECT_EQ(epsilon_from(-1), 0u);
  EXPECT_EQ(epsilon_from(7), 0xffffffffu);
}

TEST(PolicyNames, AreUniqueAndFindTheirPolicy) {
  std::set<std::string_view> names;
  for (const NamedPolicy& named : kPolicies) {
    EXPECT_EQ(policy_named(named.name), named.policy);
    EXPECT_TRUE(names.insert(named.name).second) << named.name;
  }
  EXPECT_EQ(policy_named("Random"), std::nullopt);
  EXPECT_EQ(policy_named(""), std::nullopt);
}

TEST(PolicyNames, StandForThePapersParameters) {
  EXPECT_EQ(policy_named("random")->kind, PolicyKind::kRandom);
  EXPECT_EQ(policy_named("tabu-random")->kind, PolicyKind::kTabuRandom);
  EXPECT_EQ(policy_named("tabu-color-random")->kind, PolicyKind::kTabuColorRandom);
  EXPECT_EQ(policy_named("tabu-color-random")->random_below, 0);
  EXPECT_EQ(policy_named("tabu48")->kind, PolicyKind::kTabuColorRandom);
  EXPECT_EQ(policy_named("tabu48")->random_below, 48);  // Klein 2015, 7.0.6
  EXPECT_EQ(policy_named("tabu-color-weighted"), (Policy{.kind = PolicyKind::kTabuColorRandom, .by_points = true}));
  EXPECT_EQ(policy_named("roulette")->kind, PolicyKind::kRoulette);
  EXPECT_EQ(policy_named("roulette")->beta, 4);   // Takes 2009, 4
  EXPECT_EQ(policy_named("roulette")->theta, 1);  // "the size of the smallest group divided by 2"
  EXPECT_EQ(policy_named("largest-first")->kind, PolicyKind::kLargestFirst);
}

TEST(Policy, PlaysInLanesUnlessItMustSeeEveryGroup) {
  for (const NamedPolicy& named : kPolicies) {
    Policy policy = named.policy;
    const bool sees_every_group = named.name == "largest-first" || named.name == "tabu-color-weighted";
    EXPECT_EQ(policy.plays_in_lanes(), !sees_every_group) << named.name;
    policy.vs_pruning = true;
    EXPECT_FALSE(policy.plays_in_lanes()) << named.name;
  }
}

TEST(Policy, DrawsASecondWordOnlyForASecondDecision) {
  Policy policy{.kind = PolicyKind::kRandom, .epsilon = 1};
  EXPECT_EQ(policy.draws_per_pick(), 1);
  policy.kind = PolicyKind::kTabuRandom;
  EXPECT_EQ(policy.draws_per_pick(), 2);
  policy.epsilon = 0;
  EXPECT_EQ(policy.draws_per_pick(), 1);
  policy.kind = PolicyKind::kRoulette;
  EXPECT_EQ(policy.draws_per_pick(), 2);
}

TEST(Policy, UsesTheCellsOfTheBoardAsFullCellsByDefault) {
  EXPECT_EQ(Policy{}.full_cells_of(Position(7, 9)), 63);
  EXPECT_EQ(Policy{.full_cells = 225}.full_cells_of(Position(7, 9)), 225);
}

}  // namespace
}  // namespace chainshot::game
