// Compares how often each first move and each final score comes up with the exact probabilities of the policy.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "game/playout.hpp"
#include "game/reference.hpp"
#include "tests/support/chi_square.hpp"
#include "tests/support/exact_policy.hpp"
#include "tests/support/random_boards.hpp"
#include "tests/support/test_scale.hpp"

namespace chainshot {
namespace {

using game::PlayoutKey;
using game::PlayoutRules;
using game::Policy;
using game::PolicyKind;
using game::Position;
using game::ReferenceBoard;
using tests::board_of;
using tests::Chances;
using tests::Groups;

const int kPlayouts = tests::scaled(10'000);

std::size_t group_of(const Groups& groups, game::Cell cell) {
  for (std::size_t i = 0; i < groups.size(); ++i)
    if (std::find(groups[i].begin(), groups[i].end(), cell) != groups[i].end()) return i;
  ADD_FAILURE() << "no group at " << int{cell.column} << ',' << int{cell.row};
  return 0;
}

std::vector<std::uint64_t> first_moves(const Position& position, const Groups& groups, const Policy& policy) {
  const PlayoutRules rules(policy, game::kStandardScoring, position);
  std::vector<std::uint64_t> counts(groups.size());
  for (int i = 0; i < kPlayouts; ++i) {
    std::vector<game::Cell> moves;
    game::play(position, rules, PlayoutKey{99, 7, static_cast<std::uint32_t>(i)}, 0, &moves);
    ++counts[group_of(groups, moves.front())];
  }
  return counts;
}

// Compares first moves with the exact probabilities of exact_policy.hpp.
void expect_exact_first_moves(const Position& position, const Policy& policy, const std::string& name) {
  SCOPED_TRACE(name + "\n" + tests::drawing(position));
  const ReferenceBoard board(position);
  const Groups groups = board.groups();
  tests::expect_distribution(first_moves(position, groups, policy), tests::first_move_chances(board, groups, policy));
}

// Compares first moves with probabilities worked out by hand, one for the group at each given cell.
void expect_first_moves(const Position& position, const Policy& policy,
                        const std::vector<std::pair<game::Cell, long double>>& by_hand) {
  const Groups groups = ReferenceBoard(position).groups();
  ASSERT_EQ(groups.size(), by_hand.size());
  Chances expected(groups.size());
  for (const auto& [cell, chance] : by_hand)
    expected[group_of(groups, cell)] = chance;
  tests::expect_distribution(first_moves(position, groups, policy), expected);
}

// An arch has two feet and a comb has three teeth, and each of those is a candidate in the draw: without rejection
// these groups would come up two and three times too often. The feet of the tall arch stand in row 0; its other
// candidates stand in rows 8 and above, and the draw numbers those first.
const Position kArch = board_of({"00022", "01033", "01014"});
const Position kComb = board_of({"00000", "01020", "01020"});
const Position kTallArch = board_of({"333", "000", "010", "020", "012", "021", "011", "010", "020", "012", "210"});
const Position kFallback = board_of({"0012", "2100", "1200"});  // only colour 0 has groups

std::vector<Position> positions() {
  std::vector<Position> all = {kArch, kComb, kTallArch, kFallback};
  tests::Dice dice(41);
  while (all.size() < 9) {
    const Position random = random_board(dice, {dice.between(3, 5), dice.between(3, 4), dice.between(2, 4)});
    if (random.groups().size() >= 3) all.push_back(random);
  }
  return all;
}

void expect_exact_everywhere(const Policy& policy, const std::string& name) {
  for (const Position& position : positions())
    expect_exact_first_moves(position, policy, name);
}

TEST(ChiSquare, HasThePublishedCriticalValues) {
  // Any statistics table lists these upper 5 % points.
  for (const auto& [degrees, x] : {std::pair{1, 3.841}, {2, 5.991}, {3, 7.815}, {10, 18.307}})
    EXPECT_NEAR(tests::chi_square_p_value(x, degrees), 0.05, 2e-5);
}

TEST(Random, DrawsEveryGroupEquallyOften) {
  expect_first_moves(kComb, {.kind = PolicyKind::kRandom},
                     {{{0, 0}, 1 / 3.0L}, {{1, 0}, 1 / 3.0L}, {{3, 0}, 1 / 3.0L}});
  expect_exact_everywhere({.kind = PolicyKind::kRandom}, "random");
}

TEST(TabuColorRandom, NeverPlaysTheMostFrequentColourWhileAnotherHasAGroup) {
  // The zeros are tabu, so only the ones and the twos are played.
  expect_first_moves(kComb, {}, {{{0, 0}, 0}, {{1, 0}, 0.5L}, {{3, 0}, 0.5L}});
  expect_exact_everywhere({}, "tabu-color-random");
}

TEST(TabuColorRandom, FallsBackToTheTabuColourWhenNothingElseIsLeft) {
  expect_first_moves(kFallback, {}, {{{0, 2}, 0.5L}, {{2, 0}, 0.5L}});
}

TEST(TabuColorRandom, KeepsTheGivenColour) {
  expect_first_moves(kComb, {.tabu_color = 1}, {{{0, 0}, 0.5L}, {{1, 0}, 0}, {{3, 0}, 0.5L}});
  for (int color = 0; color < 4; ++color)
    expect_exact_everywhere({.tabu_color = color}, "given colour");
}

TEST(TabuColorRandom, IgnoresTheTabuWithProbabilityEpsilon) {
  // A quarter of the moves are uniform over three groups: the tabu colour gets 1/4 * 1/3, and each of the others
  // 3/4 * 1/2 + 1/12.
  expect_first_moves(kComb, {.epsilon = game::epsilon_from(0.25)},
                     {{{0, 0}, 1 / 12.0L}, {{1, 0}, 11 / 24.0L}, {{3, 0}, 11 / 24.0L}});
  expect_exact_everywhere({.epsilon = game::epsilon_from(0.4)}, "epsilon 0.4");
  expect_exact_everywhere({.epsilon = game::epsilon_from(0.003)}, "epsilon 0.003");
}

TEST(TabuRandom, DrawsTheTabuColourUniformlyFromThoseOnTheBoard) {
  // Each colour is tabu in a third of the playouts, in which each of the two others is played half the time.
  expect_first_moves(kComb, {.kind = PolicyKind::kTabuRandom},
                     {{{0, 0}, 1 / 3.0L}, {{1, 0}, 1 / 3.0L}, {{3, 0}, 1 / 3.0L}});
  // The board has colours 0 to 4, and only 0 to 3 have a group: each of those four is played with probability
  // 3 * 1/3 * 1/5 + 1/4 * 1/5.
  expect_first_moves(kArch, {.kind = PolicyKind::kTabuRandom},
                     {{{0, 0}, 0.25L}, {{1, 0}, 0.25L}, {{3, 1}, 0.25L}, {{3, 2}, 0.25L}});
  expect_exact_everywhere({.kind = PolicyKind::kTabuRandom}, "tabu-random");
  expect_exact_everywhere({.kind = PolicyKind::kTabuRandom, .epsilon = game::epsilon_from(0.3)}, "with epsilon");
}

TEST(RandomBelow, SwitchesTheTabuOffWithThatManyBlocksOrFewer) {
  // The comb has 15 blocks.
  expect_first_moves(kComb, {.random_below = 14}, {{{0, 0}, 0}, {{1, 0}, 0.5L}, {{3, 0}, 0.5L}});
  expect_first_moves(kComb, {.random_below = 15}, {{{0, 0}, 1 / 3.0L}, {{1, 0}, 1 / 3.0L}, {{3, 0}, 1 / 3.0L}});
  for (int below : {8, 12, 15})
    expect_exact_everywhere({.random_below = below}, "random below");
}

TEST(Roulette, DrawsAColourByItsPlaceOnTheWheelThenAGroupOfIt) {
  // With beta = 0 and theta = 0, alpha is 1. The comb has 11, 2 and 2 blocks of 15, so the places are 4, 13 and 13 of
  // 30.
  expect_first_moves(kComb, {.kind = PolicyKind::kRoulette, .beta = 0, .theta = 0},
                     {{{0, 0}, 4 / 30.0L}, {{1, 0}, 13 / 30.0L}, {{3, 0}, 13 / 30.0L}});
  // With theta = 1 the counts are 10, 1 and 1 of 12, so the places are 2, 11 and 11 of 24.
  expect_first_moves(kComb, {.kind = PolicyKind::kRoulette, .beta = 0, .theta = 1},
                     {{{0, 0}, 2 / 24.0L}, {{1, 0}, 11 / 24.0L}, {{3, 0}, 11 / 24.0L}});
  for (double beta : {0.0, 1.0, 4.0})
    for (double theta : {0.0, 1.0})
      expect_exact_everywhere({.kind = PolicyKind::kRoulette, .beta = beta, .theta = theta}, "roulette");
  expect_exact_everywhere({.kind = PolicyKind::kRoulette, .beta = 4, .full_cells = 225}, "roulette of a larger board");
}

TEST(Roulette, PlaysTheOnlyColourWithAGroup) {
  expect_first_moves(kFallback, {.kind = PolicyKind::kRoulette}, {{{0, 2}, 0.5L}, {{2, 0}, 0.5L}});
}

TEST(LargestFirst, DrawsEquallyAmongTheLargest) {
  // The board has two groups of three blocks and one of two.
  const Position position = board_of({"00122", "30111", "44332"});
  const Policy policy{.kind = PolicyKind::kLargestFirst};
  expect_exact_first_moves(position, policy, "largest-first");
  expect_exact_everywhere(policy, "largest-first");
}

TEST(TabuColorWeighted, DrawsAGroupInProportionToItsPointsPlusOneAndKeepsTheTabu) {
  // The zeros are tabu; groups of 2, 3 and 4 blocks weigh 0 + 1, 1 + 1 and 4 + 1. Without the tabu the five zeros
  // weigh 9 + 1.
  const Position position = board_of({"00000", "11222", "33330"});
  expect_first_moves(position, {.by_points = true},
                     {{{0, 2}, 0}, {{0, 1}, 1 / 8.0L}, {{2, 1}, 2 / 8.0L}, {{0, 0}, 5 / 8.0L}});
  expect_first_moves(position, {.random_below = 15, .by_points = true},
                     {{{0, 2}, 10 / 18.0L}, {{0, 1}, 1 / 18.0L}, {{2, 1}, 2 / 18.0L}, {{0, 0}, 5 / 18.0L}});
  expect_exact_everywhere({.by_points = true}, "tabu-color-weighted");
  for (PolicyKind kind : {PolicyKind::kRandom, PolicyKind::kTabuRandom, PolicyKind::kRoulette})
    expect_exact_everywhere({.kind = kind, .epsilon = game::epsilon_from(0.3), .by_points = true}, "by points");
}

TEST(VsPruning, SkipsVerticalSegmentsWithNothingAboveAndABlockBelow) {
  // The vertical pair on the left stands on a block and is pruned. The middle pair stands on the ground, and the right
  // pair has a block above it.
  const Position position = board_of({"0.2", "013", "213", "414"});
  const Policy policy{.kind = PolicyKind::kRandom, .vs_pruning = true};
  expect_first_moves(position, policy, {{{0, 2}, 0}, {{1, 0}, 0.5L}, {{2, 1}, 0.5L}});
  for (PolicyKind kind : {PolicyKind::kRandom, PolicyKind::kTabuRandom, PolicyKind::kTabuColorRandom,
                          PolicyKind::kRoulette, PolicyKind::kLargestFirst})
    expect_exact_everywhere({.kind = kind, .vs_pruning = true}, "vs-pruning");
}

TEST(VsPruning, KeepsVerticalSegmentsWhenThereIsNothingElse) {
  const Position position = board_of({"0.2", "0.2", "141"});
  expect_first_moves(position, {.kind = PolicyKind::kRandom, .vs_pruning = true}, {{{0, 1}, 0.5L}, {{2, 1}, 0.5L}});
}

// The exact distribution of the final score comes from going through every possible game.
TEST(FinalScores, FollowTheExactDistributionOfAllGames) {
  tests::Dice dice(42);
  const game::NamedPolicy* named = game::kPolicies.data();
  for (int i = 0; i < 28; ++i, named = named + 1 == game::kPolicies.end() ? game::kPolicies.data() : named + 1) {
    Policy policy = named->policy;
    if (policy.random_below > 0) policy.random_below = 6;
    if (i % 2 == 1) policy.epsilon = game::epsilon_from(0.2);
    policy.vs_pruning = i % 5 == 4;
    const Position position = tests::full_board(dice, {4, 3, 3});
    SCOPED_TRACE(std::string(named->name) + "\n" + tests::drawing(position));
    const tests::ScoreChances exact = tests::score_chances(ReferenceBoard(position), policy, game::kStandardScoring);
    std::map<int, std::uint64_t> observed;
    const PlayoutRules rules(policy, game::kStandardScoring, position);
    for (int p = 0; p < kPlayouts; ++p)
      ++observed[game::play(position, rules, {5, 6, static_cast<std::uint32_t>(p)}, 0).score];
    std::vector<std::uint64_t> counts;
    Chances chances;
    for (const auto& [score, chance] : exact) {
      chances.push_back(chance);
      counts.push_back(observed[score]);
    }
    EXPECT_EQ(observed.size(), exact.size()) << "a score came up that no game can reach";
    tests::expect_distribution(counts, chances);
  }
}

}  // namespace
}  // namespace chainshot
