#include "game/playout.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "game/reference.hpp"
#include "tests/support/arbitrary_boards.hpp"
#include "tests/support/random_boards.hpp"
#include "tests/support/random_policies.hpp"
#include "tests/support/test_scale.hpp"

namespace chainshot {
namespace {

using game::Playout;
using game::PlayoutKey;
using game::PlayoutRules;
using game::Policy;
using game::PolicyKind;
using game::Position;
using tests::board_of;
using tests::Dice;

std::string description(const Position& position, const Policy& policy, const PlayoutKey& key) {
  return tests::drawing(position) + "policy " + std::to_string(static_cast<int>(policy.kind)) + " epsilon " +
         std::to_string(policy.epsilon) + " colour " + std::to_string(policy.tabu_color) + " below " +
         std::to_string(policy.random_below) + (policy.by_points ? " by points" : "") + " key " + to_string(key);
}

void expect_equals_reference(Dice& dice, const tests::Shape& shape) {
  const Position position = random_board(dice, shape);
  Policy policy = tests::random_lane_policy(dice, position);
  policy.by_points = dice.one_in(5);
  const PlayoutKey key = tests::random_key(dice);
  const PlayoutRules rules(policy, tests::random_scoring(dice), position);
  const int points = dice.below(5'000);
  const Playout fast = game::play(position, rules, key, points);
  const Playout slow = game::reference_play(position, rules, key, points);
  ASSERT_EQ(fast.score, slow.score) << description(position, policy, key);
  ASSERT_EQ(fast.length, slow.length) << description(position, policy, key);
}

TEST(Play, EqualsTheReferenceOnSmallBoards) {
  Dice dice(31);
  for (int i = 0; i < tests::scaled(40'000); ++i)
    ASSERT_NO_FATAL_FAILURE(expect_equals_reference(dice, tests::random_small_shape(dice)));
}

TEST(Play, EqualsTheReferenceOnBoardsOfEverySize) {
  Dice dice(32);
  for (int i = 0; i < tests::scaled(5'000); ++i)
    ASSERT_NO_FATAL_FAILURE(expect_equals_reference(dice, tests::random_shape(dice)));
}

TEST(Play, EqualsTheReferenceOnTinyBoards) {
  Dice dice(33);
  for (int i = 0; i < tests::scaled(100'000); ++i)
    ASSERT_NO_FATAL_FAILURE(expect_equals_reference(dice, tests::random_shape(dice, 5, 5, 4)));
}

TEST(Play, MakesNoMoveOnABoardWithoutGroups) {
  for (const game::NamedPolicy& named : game::kPolicies) {
    for (const Position& position : {Position(15, 15), Position(31, 32), board_of({"01", "10"})}) {
      const PlayoutRules rules(named.policy, game::kStandardScoring, position);
      const Playout playout = game::play(position, rules, {1, 2, 3}, 7);
      EXPECT_EQ(playout.length, 0) << named.name;
      // The cleared board earns the bonus. The other keeps two blocks of each of two colours and loses (2-2)^2 twice.
      EXPECT_EQ(playout.score, position.blocks() == 0 ? 1007 : 7) << named.name;
    }
  }
}

TEST(Play, DependsOnEveryPartOfItsKey) {
  Dice dice(34);
  const Position position = tests::full_board(dice, {15, 15, 5});
  const PlayoutRules rules({}, game::kStandardScoring, position);
  const auto moves_of = [&](const PlayoutKey& key) {
    std::vector<game::Cell> moves;
    game::play(position, rules, key, 0, &moves);
    return moves;
  };
  const PlayoutKey key{1, 2, 3};
  EXPECT_EQ(moves_of(key), moves_of(key));
  for (const PlayoutKey& other : {PlayoutKey{1ull << 32 | 1, 2, 3}, PlayoutKey{2, 2, 3}, PlayoutKey{1, 3, 3},
                                  PlayoutKey{1, 1ull << 32 | 2, 3}, PlayoutKey{1, 2, 4}})
    EXPECT_NE(moves_of(key), moves_of(other)) << to_string(other);
}

TEST(PlayoutSteps, AreTheMovesOfThePlayout) {
  Dice dice(34);
  for (int i = 0; i < tests::scaled(3'000); ++i) {
    Position position = random_board(dice, tests::random_small_shape(dice));
    const Policy policy = tests::random_policy(dice, position);
    const PlayoutKey key = tests::random_key(dice);
    const PlayoutRules rules(policy, game::kStandardScoring, position);
    std::vector<game::Cell> expected, moves;
    game::play(position, rules, key, 0, &expected);
    game::PlayoutSteps steps(position, rules, key);
    while (const std::optional<game::Cell> next = steps.next(position)) {
      moves.push_back(*next);
      position.apply(*next);
    }
    ASSERT_EQ(moves, expected) << description(position, policy, key);
  }
}

TEST(TabuColor, IsTheGivenOneOrElseTheLowestOfTheMostFrequent) {
  const Position position = board_of({"2233", "2311"});
  EXPECT_EQ(game::tabu_color(position, {.kind = PolicyKind::kTabuColorRandom}, {}), 2);
  EXPECT_EQ(game::tabu_color(position, {.kind = PolicyKind::kTabuColorRandom, .tabu_color = 1}, {}), 1);
  EXPECT_EQ(game::tabu_color(position, {.kind = PolicyKind::kRandom}, {}), -1);
  EXPECT_EQ(game::tabu_color(Position(4, 4), {.kind = PolicyKind::kTabuRandom}, {}), -1);
}

TEST(Digest, TellsScoreLengthAndPlayoutApart) {
  const std::uint64_t digest = game::playout_digest({1, 2, 3}, 40, 50);
  EXPECT_NE(digest, game::playout_digest({1, 2, 4}, 40, 50));
  EXPECT_NE(digest, game::playout_digest({1, 3, 3}, 40, 50));
  EXPECT_NE(digest, game::playout_digest({1, 2, 3}, 41, 50));
  EXPECT_NE(digest, game::playout_digest({1, 2, 3}, -40, 50));
  EXPECT_NE(digest, game::playout_digest({1, 2, 3}, 40, 51));
}

RC_GTEST_PROP(PlayProperty, MovesReplayByTheReferenceRulesToTheScore, ()) {
  Dice dice = tests::arbitrary_dice();
  const Position position = random_board(dice, tests::random_shape(dice, 15, 15));
  const Policy policy = tests::random_policy(dice, position);
  const PlayoutRules rules(policy, tests::random_scoring(dice), position);
  const int points = dice.below(1'000);
  std::vector<game::Cell> moves;
  const Playout playout = game::play(position, rules, tests::random_key(dice), points, &moves);
  const game::ReplayResult replayed = game::replay(position, moves, rules.scoring(), points);
  RC_ASSERT(replayed.error == "");
  RC_ASSERT(replayed.over);
  RC_ASSERT(replayed.score == playout.score);
  RC_ASSERT(replayed.moves == playout.length);
}

RC_GTEST_PROP(PlayProperty, AskingForTheMovesDoesNotChangeThePlayout, ()) {
  Dice dice = tests::arbitrary_dice();
  const Position position = random_board(dice, tests::random_shape(dice, 12, 12));
  const PlayoutRules rules(tests::random_policy(dice, position), game::kStandardScoring, position);
  const PlayoutKey key = tests::random_key(dice);
  std::vector<game::Cell> moves;
  const Playout with = game::play(position, rules, key, 0, &moves);
  const Playout without = game::play(position, rules, key, 0);
  RC_ASSERT(with.score == without.score);
  RC_ASSERT(with.length == without.length);
}

}  // namespace
}  // namespace chainshot
