// Weights, policy, playouts and nested runs of NRPA against the slow reference.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <set>

#include "game/board_text.hpp"
#include "host/nrpa/branched_run.hpp"
#include "host/nrpa/nested_run.hpp"
#include "host/nrpa/player.hpp"
#include "host/nrpa/policy.hpp"
#include "tests/host/nrpa/nrpa_reference.hpp"
#include "tests/support/random_boards.hpp"
#include "tests/support/scorings.hpp"

namespace chainshot::host::nrpa {
namespace {

using tests::Dice;
using tests::NamedGroup;
using tests::ReferenceNrpa;
using tests::ReferenceRollout;

constexpr std::uint64_t kMemory = 16 << 20;

std::vector<game::Cell> cells_of(const ReferenceRollout& rollout) {
  std::vector<game::Cell> cells;
  for (const NamedGroup& group : rollout.moves)
    cells.push_back({static_cast<std::uint8_t>(group.first().first), static_cast<std::uint8_t>(group.first().second)});
  return cells;
}

std::vector<game::Cell> cells_of(const Rollout& rollout) {
  return {rollout.moves.begin(), rollout.moves.end()};
}

PlayerRules random_rules(Dice& dice, const game::Position& board) {
  PlayerRules rules;
  rules.scoring = tests::scoring_case(dice.below(100));
  if (!dice.one_in(3)) rules.tabu_color = dice.one_in(2) ? board.most_frequent_color() : dice.below(game::kMaxColors);
  if (dice.one_in(2)) rules.size_bias = dice.between(-20000, 20000);
  if (dice.one_in(3)) {
    rules.biased_color = dice.below(5);
    rules.color_bias = dice.between(-300000, 300000);
  }
  return rules;
}

TEST(NrpaWeights, AreExponentials) {
  for (Logit logit = kLowest; logit <= kHighest; logit += 997) {
    const double exact = std::exp(static_cast<double>(logit) / kOne) * (1 << kWeightBits);
    const auto weight = static_cast<double>(weight_of(logit));
    EXPECT_LE(std::abs(weight - std::max(1.0, exact)), 1 + exact * 3e-5) << logit;
  }
  EXPECT_EQ(weight_of(0), Weight{1} << kWeightBits);
}

TEST(NrpaWeights, NeverFallWhenTheLogitRises) {
  for (Logit logit = kLowest; logit < kHighest; ++logit)
    ASSERT_LE(weight_of(logit), weight_of(logit + 1)) << logit;
}

TEST(NrpaWeights, SumsOfAFullBoardFit) {
  const Wide most = static_cast<Wide>(weight_of(kHighest)) * (game::kMaxCells / 2);
  EXPECT_TRUE(most >> 64 == 0);
}

// Rosin 2011: the move played gains alpha (1 - p), another loses alpha p.
TEST(NrpaWeights, AdaptByTheProbabilities) {
  const Weight heavy = weight_of(2 * kOne), light = weight_of(0), sum = heavy + light;
  const double p = std::exp(2.0) / (std::exp(2.0) + 1);
  EXPECT_NEAR(adapted(2 * kOne, heavy, share_of_step(sum), 1, kOne), (2 + 1 - p) * kOne, 8);
  EXPECT_NEAR(adapted(0, light, share_of_step(sum), 0, kOne / 2), -0.5 * (1 - p) * kOne, 8);
  EXPECT_EQ(adapted(kHighest, 1, 0, 1, kOne), kHighest);
  EXPECT_EQ(adapted(kLowest, heavy, share_of_step(heavy), 0, kOne), kLowest);
}

// Plays and adapts on both sides and compares every playout and, at the end, every logit.
void compare_with_reference(const game::Position& board, const PlayerRules& rules, Dice& dice, PlayerCode code,
                            PlayerGeometry geometry) {
  const ReferenceNrpa reference(board, rules);
  const auto player = make_player(board, rules, code, geometry);
  Policy policy(kMemory);
  policy.open_level();
  ReferenceNrpa::Policy expected_policy;
  Rollout rollout;
  std::map<NamedGroup, Code> codes;
  for (std::uint32_t i = 0; i < 6; ++i) {
    const game::PlayoutKey key{7, 3, i};
    const Logit alpha = dice.between(1, 4 * kOne);
    const ReferenceRollout expected = reference.play(expected_policy, key);
    player->play(policy, key, rollout);
    ASSERT_EQ(rollout.score, expected.score);
    ASSERT_EQ(cells_of(rollout), cells_of(expected));
    for (std::size_t step = 0; step < expected.moves.size(); ++step)
      codes[expected.moves[step]] = rollout.lives[rollout.played[step]].code;
    reference.adapt(expected_policy, expected, alpha);
    Lesson lesson = policy.prepare(rollout);
    policy.adapt(rollout, lesson, alpha);
    if (dice.one_in(2)) {
      reference.adapt(expected_policy, expected, alpha);
      policy.adapt(rollout, lesson, alpha);
    }
  }
  std::set<Code> distinct;
  for (const auto& [group, group_code] : codes) {
    ASSERT_EQ(policy.logit(group_code, 0), expected_policy.at(group));
    ASSERT_TRUE(distinct.insert(group_code).second) << "two groups have one code";
  }
}

TEST(NrpaPlayer, AgreesWithTheReferenceOnBoardsOfEveryKind) {
  Dice dice(101);
  for (int i = 0; i < 120; ++i) {
    const game::Position board = tests::random_board(
        dice, i % 4 == 0 ? tests::random_shape(dice) : tests::random_shape(dice, 15, 16, dice.between(2, 7)));
    const PlayerRules rules = random_rules(dice, board);
    SCOPED_TRACE(tests::drawing(board));
    const PlayerCode code = dice.one_in(3) ? PlayerCode::kPortable : PlayerCode::kFastest;
    const PlayerGeometry geometry = dice.one_in(5) ? PlayerGeometry::kWide : PlayerGeometry::kFitting;
    ASSERT_NO_FATAL_FAILURE(compare_with_reference(board, rules, dice, code, geometry));
  }
}

TEST(NrpaPlayer, RecordsTheStepsAtWhichEachGroupWasLegal) {
  Dice dice(102);
  for (int i = 0; i < 30; ++i) {
    const game::Position board = tests::random_board(dice, {dice.between(2, 12), dice.between(2, 12), 4});
    const PlayerRules rules = random_rules(dice, board);
    const ReferenceRollout expected = ReferenceNrpa(board, rules).play({}, {1, 2, 3});
    Rollout rollout;
    make_player(board, rules)->play(Policy(kMemory), {1, 2, 3}, rollout);
    ASSERT_EQ(rollout.moves.size(), expected.moves.size());
    for (std::size_t step = 0; step < expected.legal.size(); ++step) {
      const auto alive = std::count_if(rollout.lives.begin(), rollout.lives.end(),
                                       [&](const Life& life) { return life.birth <= step && step < life.death; });
      EXPECT_EQ(alive, static_cast<std::ptrdiff_t>(expected.legal[step].size())) << "step " << step;
    }
  }
}

struct Worker {
  Worker(const SearchTask& task, const PlayerRules& rules, const NrpaSettings& settings)
      : incumbent(task), shared(incumbent, 1 << 30, false, "nrpa"), ledger(shared) {
    run = std::make_unique<NestedRun>(make_player(task.board, rules), LevelRules(settings), kMemory, ledger);
    run->begin({task.seed, 0});
  }
  Incumbent incumbent;
  SharedProgress shared;
  Ledger ledger;
  std::unique_ptr<NestedRun> run;
};

TEST(NestedRun, IsAlgorithmOne) {
  Dice dice(103);
  for (int i = 0; i < 12; ++i) {
    const game::Position board = tests::full_board(dice, {dice.between(3, 9), dice.between(3, 9), dice.between(2, 5)});
    const PlayerRules rules = random_rules(dice, board);
    const NrpaSettings settings{.levels = 3, .iterations = 4, .alpha = 0.75};
    Worker worker({.board = board, .seed = 9}, rules, settings);
    Rollout best;
    EXPECT_TRUE(worker.run->run_level(settings.levels, best));
    game::PlayoutKey key{9, 0, 0};
    const ReferenceRollout expected = ReferenceNrpa(board, rules).run(3, {}, 4, kOne * 3 / 4, key);
    EXPECT_EQ(best.score, expected.score);
    EXPECT_EQ(cells_of(best), cells_of(expected));
    EXPECT_EQ(worker.shared.playouts(), 64u);  // 4^3
    EXPECT_EQ(worker.run->policy().open_levels(), 0);
  }
}

TEST(NestedRun, LimitedRepetitionsEndALevelEarly) {
  // One move, so that every playout repeats the first: each level ends after 1 + 3 calls.
  const game::Position board = tests::board_of({"00"});
  Worker worker({.board = board}, {}, {.levels = 2, .iterations = 50, .repetitions = 3});
  Rollout best;
  EXPECT_TRUE(worker.run->run_level(2, best));
  EXPECT_EQ(worker.shared.playouts(), 16u);
}

TEST(NestedRun, StabilisedLevelsPlaySeveralPlayoutsPerAdaptation) {
  const game::Position board = game::standard_boards()[0].position;
  Worker worker({.board = board}, {}, {.levels = 2, .iterations = 5, .adapt_playouts = 3});
  Rollout best;
  EXPECT_TRUE(worker.run->run_level(2, best));
  EXPECT_EQ(worker.shared.playouts(), 75u);  // 5 x 5 x 3
}

TEST(NestedRun, ABeamCallsTheLevelBelowForEveryMember) {
  const game::Position board = game::standard_boards()[0].position;
  Worker worker({.board = board}, {}, {.levels = 2, .iterations = 4, .beam = 2, .diversity = NrpaDiversity::kSequence});
  Rollout best;
  EXPECT_TRUE(worker.run->run_level(2, best));
  EXPECT_EQ(worker.shared.playouts(), 4u * (1 + 1 + 2 + 2));  // the beam fills from the second iteration on
  EXPECT_EQ(best.score, worker.ledger.best_score());
}

TEST(Policy, AClosedLevelTakesBackAllItLearned) {
  const game::Position board = game::standard_boards()[4].position;
  const auto player = make_player(board, {});
  Policy policy(kMemory);
  Rollout outer, inner, before, after;
  const auto learn = [&](const Rollout& rollout, int times) {
    Lesson lesson = policy.prepare(rollout);
    for (int i = 0; i < times; ++i)
      policy.adapt(rollout, lesson, kOne);
  };
  policy.open_level();
  player->play(policy, {1, 1, 1}, outer);
  learn(outer, 3);
  player->play(policy, {1, 1, 2}, before);
  policy.open_level();
  // Many playouts make the table grow while both levels are open.
  for (std::uint32_t i = 0; i < 60; ++i) {
    player->play(Policy(kMemory), {2, i, 3}, inner);
    learn(inner, 5);
  }
  learn(outer, 2);
  player->play(policy, {1, 1, 2}, after);
  EXPECT_NE(cells_of(after), cells_of(before));
  policy.close_level();
  player->play(policy, {1, 1, 2}, after);
  EXPECT_EQ(cells_of(after), cells_of(before));
  policy.close_level();
  for (const Life& life : outer.lives)
    EXPECT_EQ(policy.logit(life.code, 12345), 12345);
}

TEST(Policy, StaysWithinItsMemory) {
  const game::Position board = game::standard_boards()[4].position;
  const auto player = make_player(board, {});
  Policy policy(512 << 10);
  policy.open_level();
  Rollout rollout;
  for (std::uint32_t i = 0; i < 300; ++i) {
    player->play(policy, {2, i, 3}, rollout);
    Lesson lesson = policy.prepare(rollout);
    policy.adapt(rollout, lesson, kOne);
  }
  EXPECT_LE(policy.bytes(), 512u << 10);
}

TEST(BranchedRun, DoesNotDependOnThreads) {
  const SearchTask task{.board = game::standard_boards()[2].position, .seed = 4};
  for (const NrpaParallel parallel : {NrpaParallel::kShared, NrpaParallel::kLocal})
    for (const int level : {1, 2}) {
      const NrpaSettings settings{
          .levels = 2, .iterations = 12, .parallel = parallel, .parallel_level = level, .branches = 4};
      std::vector<game::Cell> expected;
      for (const int threads : {1, 3, 4}) {
        Incumbent incumbent(task);
        SharedProgress shared(incumbent, 1 << 30, false, "nrpa");
        Ledger ledger(shared);
        BranchedRun run([&] { return make_player(task.board, {}); }, settings, kMemory, ledger, threads);
        run.begin_run(task.seed, 0);
        Rollout best;
        EXPECT_TRUE(run.run_level(2, best));
        EXPECT_EQ(shared.playouts(), 144u);
        EXPECT_EQ(best.score, ledger.best_score());
        if (expected.empty()) expected = cells_of(best);
        EXPECT_EQ(cells_of(best), expected) << threads << " threads";
      }
    }
}

}  // namespace
}  // namespace chainshot::host::nrpa
