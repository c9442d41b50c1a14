#include "host/nested/call_forest.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "game/playout.hpp"
#include "game/reference.hpp"
#include "tests/host/nested/nmcs_reference.hpp"
#include "tests/support/random_boards.hpp"
#include "tests/support/random_policies.hpp"

namespace chainshot::host::nested {
namespace {

using tests::Dice;

struct Answered {
  int playouts = 0;
  int best = kNoScore;
};

game::Result result_of(const SearchTask& task, const game::Request& request) {
  game::Result result;
  const game::PlayoutRules rules(request.policy, task.scoring, request.position);
  for (std::uint32_t i = 0; i < request.playouts; ++i) {
    const game::PlayoutKey key{task.seed, request.key, request.first_playout + i};
    const game::Playout playout = game::play(request.position, rules, key, request.points);
    result.add(key, playout.score, playout.length);
  }
  return result;
}

// Ends all roots. Up to `most` leaves wait at a time, and the dice decide which is answered next.
Answered answer_all(CallForest& forest, const SearchTask& task, Dice& dice, int most) {
  Answered answered;
  std::vector<Leaf> waiting;
  for (;;) {
    for (int i = dice.between(1, most); static_cast<int>(waiting.size()) < i;) {
      const std::optional<Leaf> leaf = forest.next_leaf();
      if (!leaf) break;
      waiting.push_back(*leaf);
    }
    if (waiting.empty()) return answered;
    std::swap(waiting[static_cast<std::size_t>(dice.below(static_cast<int>(waiting.size())))], waiting.back());
    const Leaf leaf = waiting.back();
    waiting.pop_back();
    const game::Result result = result_of(task, forest.request_of(leaf));
    answered.playouts += static_cast<int>(result.count);
    answered.best = std::max(answered.best, result.best);
    forest.answer(leaf, result);
  }
}

NmcsSettings random_settings(Dice& dice, const game::Position& board) {
  NmcsSettings settings{.policy = tests::random_lane_policy(dice, board)};
  settings.levels = dice.between(1, 3);
  settings.keep_best = dice.one_in(2);
  settings.leaf_playouts = dice.one_in(3) ? 3 : 1;
  settings.keep_tabu = dice.one_in(2);
  return settings;
}

TEST(CallForest, PlaysTheGameOfTheRecursionInWhateverOrderPlayoutsAreAnswered) {
  Dice dice(2009);
  for (int i = 0; i < 500; ++i) {
    const SearchTask task{.board = tests::random_board(dice, {dice.between(1, 6), dice.between(2, 4), 3}),
                          .scoring = tests::random_scoring(dice),
                          .seed = dice.word()};
    if (!task.board.has_moves()) continue;
    const NmcsSettings settings = random_settings(dice, task.board);
    tests::ReferenceNmcs reference(task, settings);
    const std::uint64_t root = dice.word() % 5;
    const ScoredLine expected = reference.run(root);
    CallForest forest(task, settings);
    forest.open_root(root);
    const Answered answered = answer_all(forest, task, dice, dice.one_in(2) ? 1 : 50);
    ASSERT_EQ(forest.roots_ended(), 1u);
    ASSERT_EQ(forest.best_root().score, expected.score) << tests::drawing(task.board) << " level " << settings.levels;
    ASSERT_EQ(forest.best_root().moves, expected.moves) << tests::drawing(task.board) << " level " << settings.levels;
    ASSERT_EQ(answered.playouts, reference.playouts);
    ASSERT_EQ(answered.best, reference.best_playout);
  }
}

// A call can play the best line it has seen, because it keeps it; without it, later playouts may all be worse.
TEST(CallForest, NoPlayoutIsBetterThanTheGameIfTheBestLineIsKept) {
  Dice dice(7);
  int fell_short = 0;
  for (int i = 0; i < 40; ++i) {
    const SearchTask task{.board = tests::full_board(dice, {6, 6, 4}), .seed = dice.word()};
    for (const bool keeps : {true, false}) {
      const NmcsSettings settings{.levels = 1, .keep_best = keeps};
      CallForest forest(task, settings);
      forest.open_root(0);
      const Answered answered = answer_all(forest, task, dice, 20);
      if (keeps) {
        ASSERT_EQ(forest.best_root().score, answered.best);
      } else {
        ASSERT_LE(forest.best_root().score, answered.best);
        fell_short += forest.best_root().score < answered.best ? 1 : 0;
      }
    }
  }
  EXPECT_GT(fell_short, 0);
}

TEST(CallForest, SearchesOfTheWholeBoardDoNotDisturbEachOther) {
  Dice dice(8);
  const SearchTask task{.board = tests::full_board(dice, {6, 5, 3}), .seed = 4};
  const NmcsSettings settings{.levels = 2};
  CallForest forest(task, settings);
  ScoredLine best;
  int playouts = 0;
  for (std::uint64_t root = 0; root < 6; ++root) {
    forest.open_root(root);
    tests::ReferenceNmcs reference(task, settings);
    const ScoredLine line = reference.run(root);
    if (line.score > best.score) best = line;
    playouts += reference.playouts;
  }
  EXPECT_EQ(answer_all(forest, task, dice, 300).playouts, playouts);
  EXPECT_EQ(forest.roots_ended(), 6u);
  EXPECT_EQ(forest.best_root().score, best.score);
}

// 0 1 1 0 0 2 has two groups. Without the ones the three zeros meet: 1 point, and the two loses (1-2)^2. Without the
// zeros on the right the ones can follow, and 0 and 2 lose a point each. No playout has a choice.
TEST(CallForest, LevelOneMakesTheMoveWithTheBestPlayout) {
  const SearchTask task{.board = tests::board_of({"011002"})};
  Dice dice(1);
  for (const int levels : {1, 2, 3, 4})
    for (const bool keeps_tabu : {false, true}) {
      const NmcsSettings settings{.levels = levels, .keep_tabu = keeps_tabu};
      CallForest forest(task, settings);
      forest.open_root(0);
      const Answered answered = answer_all(forest, task, dice, 4);
      EXPECT_EQ(forest.best_root().score, 0) << levels;
      EXPECT_EQ(forest.best_root().moves, (std::vector<game::Cell>{{1, 0}, {0, 0}})) << levels;
      // Level 1 plays a game after each of the two moves and one after the three zeros. Higher levels make the second
      // move of the first two games themselves, and the playouts that value it have no moves. The zeros are the tabu
      // colour: if that is kept for last, the first step has one move.
      EXPECT_EQ(answered.playouts, keeps_tabu ? 2 : 3) << levels;
    }
}

TEST(CallForest, FirstSearchesFollowTheStarts) {
  Dice dice(5);
  const game::Position board = tests::full_board(dice, {8, 8, 5});
  ScoredLine start;  // the best of many playouts
  const game::PlayoutRules rules(game::Policy{}, game::kStandardScoring, board);
  for (std::uint32_t i = 0; i < 3'000; ++i) {
    ScoredLine line;
    line.score = game::play(board, rules, {1, 2, i}, 0, &line.moves).score;
    if (line.score > start.score) start = line;
  }
  const SearchTask task{.board = board, .starts = {start.moves}};
  for (const int levels : {1, 2}) {
    const NmcsSettings settings{.levels = levels};
    CallForest with_start(task, settings), without(task, settings);
    with_start.open_root(0);
    const Answered answered = answer_all(with_start, task, dice, 30);
    EXPECT_EQ(with_start.best_root().score, std::max(start.score, answered.best));
    without.open_root(1);
    EXPECT_EQ(answer_all(without, task, dice, 30).best, without.best_root().score);
  }
}

// Where the end of a game earns nothing, three zeros are worth a point, and no game is worth more.
TEST(CallForest, StartsThatStopBeforeTheEndAreNotFollowed) {
  const game::Scoring scoring = game::scoring_named("points").value();
  const SearchTask task{.board = tests::board_of({"00011"}), .scoring = scoring, .starts = {{{0, 0}}}};
  ASSERT_EQ(game::replay(task.board, task.starts[0], scoring).score, 1);
  const NmcsSettings settings{.levels = 1};
  CallForest forest(task, settings);
  forest.open_root(0);
  Dice dice(5);
  answer_all(forest, task, dice, 3);
  EXPECT_EQ(forest.best_root().score, 1);
  EXPECT_EQ(forest.best_root().moves.size(), 2u);
}

TEST(CallForest, ResultsThatAreNotTrueAreNoticed) {
  Dice dice(6);
  const SearchTask task{.board = tests::full_board(dice, {5, 5, 3})};
  for (const int levels : {1, 2}) {
    const NmcsSettings settings{.levels = levels};
    CallForest forest(task, settings);
    forest.open_root(0);
    const auto lie = [&] {
      while (const std::optional<Leaf> leaf = forest.next_leaf()) {
        game::Result result = result_of(task, forest.request_of(*leaf));
        result.best += 3;
        forest.answer(*leaf, result);
      }
    };
    EXPECT_THROW(lie(), std::runtime_error);
  }
}

TEST(CallForest, AWayLeadsToTheRequest) {
  Dice dice(9);
  const SearchTask task{.board = tests::full_board(dice, {7, 7, 4}), .seed = 9};
  const NmcsSettings settings{.levels = 3};
  CallForest forest(task, settings);
  forest.open_root(0);
  for (int i = 0; i < 2'000; ++i) {
    const std::optional<Leaf> leaf = forest.next_leaf();
    if (!leaf) break;
    const game::Request request = forest.request_of(*leaf);
    if (i % 50 == 0) {
      game::Position position = task.board;
      int points = 0;
      for (const game::Cell cell : forest.way_to(*leaf))
        points += task.scoring.group_points(position.apply(cell));
      ASSERT_EQ(position, request.position);
      ASSERT_EQ(points, request.points);
    }
    forest.answer(*leaf, result_of(task, request));
  }
}

}  // namespace
}  // namespace chainshot::host::nested
