#include "host/analysis/complexity.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stop_token>
#include <string>

#include "game/generate.hpp"
#include "game/playout.hpp"
#include "game/reference.hpp"
#include "host/analysis/random_play.hpp"
#include "host/engines/engines.hpp"
#include "tests/support/random_boards.hpp"
#include "tests/support/test_scale.hpp"

namespace chainshot::host {
namespace {

using tests::board_of;
using tests::Dice;

game::Position column_of(const std::string& colors) {
  game::Position board(1, 32);
  for (std::size_t r = 0; r < colors.size(); ++r)
    board.set(0, static_cast<int>(r), colors[r] - 'A');
  return board;
}

// Klein 2015, D.3.1: each segment stays or goes; equal words count once.
void list_words(const std::string& colors, std::size_t from, const std::string& word, std::set<std::string>& words) {
  if (from == colors.size()) {
    words.insert(word);
    return;
  }
  std::size_t end = from;
  while (end < colors.size() && colors[end] == colors[from])
    ++end;
  list_words(colors, end, word, words);
  list_words(colors, end, word + colors.substr(from, end - from), words);
}

// AABA: nothing, AA, B, A, AAB, AAA, BA, AABA. ABA: nothing, A, B, AB, AA, BA, ABA.
TEST(StateSpace, ColumnsByHand) {
  EXPECT_EQ(column_configurations(column_of(""), 0), 1u);
  EXPECT_EQ(column_configurations(column_of("AAA"), 0), 2u);
  EXPECT_EQ(column_configurations(column_of("AABA"), 0), 8u);
  EXPECT_EQ(column_configurations(column_of("ABA"), 0), 7u);
  EXPECT_EQ(column_configurations(column_of("ABCDEFGHIJKLMNO"), 0), 1u << 15);
}

TEST(StateSpace, ColumnsAgreeWithTheListOfTheirWords) {
  Dice dice(1);
  for (int i = 0; i < tests::scaled(300); ++i) {
    std::string colors;
    const int most = dice.between(1, 4);
    for (int n = dice.between(0, 12); n > 0; --n)
      colors += static_cast<char>('A' + dice.below(most));
    std::set<std::string> words;
    list_words(colors, 0, "", words);
    ASSERT_EQ(column_configurations(column_of(colors), 0), words.size()) << colors;
  }
}

// Columns 01, 00 and 1 from below: four, two and two configurations.
TEST(StateSpace, IsTheProductOverTheColumns) {
  const game::Position board = board_of({"10.", "001"});
  EXPECT_NEAR(log10_of_states(board), std::log10(16.0), 1e-12);
}

// Three pairs that never meet: 3, 2, 1 moves to choose from, and 0 at the end: B = 6 / 4, L = 3.
TEST(GameTree, PairsByHand) {
  const GameSums sums = play_random_games(board_of({"001122"}), 10, 1, 0);
  EXPECT_EQ(sums.games, 10u);
  EXPECT_EQ(sums.moves, 30u);
  EXPECT_EQ(sums.branches, 60u);
  EXPECT_NEAR(sums.log10_of_tree(), 3 * std::log10(1.5), 1e-12);
}

TEST(GameTree, ABoardWithoutMovesHasNone) {
  const GameSums sums = play_random_games(board_of({"01"}), 5, 1, 0);
  EXPECT_EQ(sums.moves, 0u);
  EXPECT_EQ(sums.log10_of_tree(), 0);
}

// The upper pair stands on a block: it is pruned while the pair beside it, on the ground, can be played.
TEST(GameTree, PrunedSegmentsAreTheLastMoves) {
  const PrunedGameSums sums = play_pruned_games(board_of({"0..", "01.", "213"}), 20, 1, 0);
  EXPECT_EQ(sums.whole.games, 20u);
  EXPECT_EQ(sums.whole.moves, 40u);     // the pair on the ground, then the upper one
  EXPECT_EQ(sums.whole.branches, 40u);  // without a choice
  EXPECT_EQ(sums.until_all_pruned.games, 20u);
  EXPECT_EQ(sums.until_all_pruned.moves, 20u);
  EXPECT_EQ(sums.until_all_pruned.branches, 20u);
  EXPECT_EQ(play_random_games(board_of({"0..", "01.", "213"}), 20, 1, 0).branches, 60u);
}

// Once all moves are pruned segments, they stay so. Until then the games with and without the rest are the same.
TEST(GameTree, GamesUntilAllIsPrunedAreBeginnings) {
  Dice dice(2);
  std::uint64_t all_rest = 0;
  for (int i = 0; i < tests::scaled(40); ++i) {
    const PrunedGameSums sums = play_pruned_games(full_board(dice, {6, 6, 4}), 4, 1, 0);
    const std::uint64_t rest = sums.whole.moves - sums.until_all_pruned.moves;
    all_rest += rest;
    EXPECT_GE(sums.whole.branches - sums.until_all_pruned.branches, rest);
  }
  EXPECT_GT(all_rest, 0u);
}

// The expected length and number of choices of random games, by the reference rules.
struct Expected {
  double moves = 0, branches = 0;
};
Expected expected_game(const game::ReferenceBoard& board) {
  Expected mean;
  const auto groups = board.groups();
  for (const auto& group : groups) {
    game::ReferenceBoard after = board;
    after.apply(group.front());
    const Expected rest = expected_game(after);
    mean.moves += (1 + rest.moves) / static_cast<double>(groups.size());
    mean.branches += (static_cast<double>(groups.size()) + rest.branches) / static_cast<double>(groups.size());
  }
  return mean;
}

// 20,000 games: a deviation of at most 1 move, or 2 choices, makes these errors four or more standard errors.
TEST(GameTree, MeansAreThoseOfTheReference) {
  Dice dice(3);
  for (int i = 0; i < 4; ++i) {
    const game::Position board = full_board(dice, {4, 3, 3});
    const Expected expected = expected_game(game::ReferenceBoard(board));
    const auto games = static_cast<std::uint64_t>(tests::kSanitized ? 5'000 : 20'000);
    const GameSums sums = play_random_games(board, games, 1, static_cast<std::uint64_t>(i));
    const double tolerance = tests::kSanitized ? 2 : 1;
    EXPECT_NEAR(sums.length(), expected.moves, 0.03 * tolerance);
    EXPECT_NEAR(static_cast<double>(sums.branches) / static_cast<double>(games), expected.branches, 0.06 * tolerance);
  }
}

game::Position random_standard_board(std::uint64_t i) {
  return game::generate_board({.inverted = {}}, 1, i);
}

TEST(MeasureComplexity, DoesNotDependOnTheThreads) {
  const ComplexityTask task{.boards = 5, .board = random_standard_board, .games = 2, .seed = 3, .threads = 1};
  const auto alone = measure_complexity(task);
  ComplexityTask shared = task;
  shared.threads = 3;
  const auto together = measure_complexity(shared);
  ASSERT_EQ(alone.size(), 5u);
  ASSERT_EQ(together.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(alone[i].plain.moves, together[i].plain.moves);
    EXPECT_EQ(alone[i].pruned.whole.branches, together[i].pruned.whole.branches);
    EXPECT_EQ(alone[i].log10_states, log10_of_states(random_standard_board(i)));
  }
}

TEST(MeasureComplexity, AStopKeepsTheBoardsThatAreDone) {
  std::stop_source stop;
  const ComplexityTask task{.boards = 1'000'000,
                            .board =
                                [&](std::uint64_t i) {
                                  if (i == 40) stop.request_stop();
                                  return game::Position(1, 1);
                                },
                            .games = 1,
                            .stop = stop.get_token()};
  EXPECT_EQ(measure_complexity(task).size(), 40u);
}

std::unique_ptr<game::Engine> cpu_engine() {
  return make_engine({.name = "cpu", .threads = 1});
}

TEST(RandomPlay, PairsByHand) {
  const auto engine = cpu_engine();
  const RandomPlayResult found = measure_random_play(
      *engine, {.boards = 30, .board = [](std::uint64_t) { return board_of({"001122"}); }, .games = 2, .threads = 2});
  EXPECT_TRUE(found.complete);
  EXPECT_EQ(found.length.count(), 30u);
  EXPECT_EQ(found.length.mean(), 3);
  EXPECT_EQ(found.length.standard_error(), 0);
  EXPECT_EQ(found.length_by_position.mean(), 3);
  EXPECT_EQ(found.branching.ratio(), 2);             // 3 + 2 + 1 choices in three positions
  EXPECT_EQ(found.branching_with_end.ratio(), 1.5);  // and in four
}

TEST(RandomPlay, LengthsAreThoseOfTheReference) {
  const auto engine = cpu_engine();
  const std::uint64_t boards = 25;
  Moments expected;
  for (std::uint64_t i = 0; i < boards; ++i) {
    const game::Position board = random_standard_board(i);
    const game::PlayoutRules rules({.kind = game::PolicyKind::kRandom}, game::kStandardScoring, board);
    double moves = 0;
    for (std::uint32_t playout = 0; playout < 2; ++playout)
      moves += game::reference_play(board, rules, {.seed = 9, .request = i, .playout = playout}, 0).length;
    expected.add(moves / 2);
  }
  const RandomPlayResult found =
      measure_random_play(*engine, {.boards = boards, .board = random_standard_board, .games = 2, .seed = 9});
  EXPECT_NEAR(found.length.mean(), expected.mean(), 1e-12);
  EXPECT_NEAR(found.length.deviation(), expected.deviation(), 1e-9);
}

TEST(RandomPlay, AStopEndsIt) {
  const auto engine = cpu_engine();
  std::stop_source stop;
  stop.request_stop();
  const RandomPlayResult found = measure_random_play(
      *engine, {.boards = 100'000, .board = random_standard_board, .games = 1000, .stop = stop.get_token()});
  EXPECT_FALSE(found.complete);
  EXPECT_EQ(found.length_by_position.count(), 0u);
}

}  // namespace
}  // namespace chainshot::host
