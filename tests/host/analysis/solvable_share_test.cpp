#include "host/analysis/solvable_share.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stop_token>

#include "game/generate.hpp"
#include "game/reference.hpp"
#include "game/scoring.hpp"
#include "tests/support/brute_force.hpp"
#include "tests/support/random_boards.hpp"
#include "tests/support/test_scale.hpp"

namespace chainshot::host {
namespace {

constexpr std::uint64_t kAll = std::uint64_t{1} << 40;

// In Clickomania every block left costs a point, so a board can be cleared if its best score is 0.
tests::BruteForce clearing_brute_force() {
  return tests::BruteForce(*std::find_if(game::kScorings.begin(), game::kScorings.end(),
                                         [](const game::Scoring& scoring) { return scoring.name() == "clickomania"; }));
}

// Every board of the size, without symmetries, by the reference rules.
std::uint64_t solvable_by_brute_force(int columns, int rows, int colors) {
  tests::BruteForce brute_force = clearing_brute_force();
  const std::uint64_t boards = number_of_boards(columns, rows, colors).value();
  std::uint64_t solvable = 0;
  for (std::uint64_t number = 0; number < boards; ++number) {
    game::Position board(columns, rows);
    std::uint64_t rest = number;
    for (int c = 0; c < columns; ++c)
      for (int r = 0; r < rows; ++r, rest /= static_cast<std::uint64_t>(colors))
        board.set(c, r, static_cast<int>(rest % static_cast<std::uint64_t>(colors)));
    solvable += brute_force.best(game::ReferenceBoard(board)) == 0 ? 1 : 0;
  }
  return solvable;
}

ShareResult count(int columns, int rows, int colors, int threads = 1) {
  return solvable_share({.columns = columns, .rows = rows, .colors = colors, .count_up_to = kAll, .threads = threads});
}

TEST(SolvableShare, CountsWhatBruteForceCounts) {
  const auto most = static_cast<std::uint64_t>(tests::scaled(1000));
  for (int colors = 1; colors <= 4; ++colors) {
    for (int columns = 1; columns <= 6; ++columns) {
      for (int rows = 1; rows <= 6; ++rows) {
        const auto boards = number_of_boards(columns, rows, colors);
        if (!boards || *boards > most) continue;
        const ShareResult found = count(columns, rows, colors);
        EXPECT_TRUE(found.counted);
        EXPECT_TRUE(found.complete);
        EXPECT_EQ(found.boards, *boards);
        EXPECT_EQ(found.undecided, 0u);
        ASSERT_EQ(found.solvable, solvable_by_brute_force(columns, rows, colors))
            << columns << 'x' << rows << ", " << colors;
      }
    }
  }
}

// One row: AA of 4 boards, AAA of 8, and AAAA, AABB and ABBA of 16, each in two colourings; with three colours AA in
// three of 9.
TEST(SolvableShare, OneRowByHand) {
  EXPECT_EQ(count(1, 1, 2).solvable, 0u);
  EXPECT_EQ(count(2, 1, 2).solvable, 2u);
  EXPECT_EQ(count(3, 1, 2).solvable, 2u);
  EXPECT_EQ(count(4, 1, 2).solvable, 6u);
  EXPECT_EQ(count(2, 1, 3).solvable, 3u);
  EXPECT_EQ(count(4, 1, 1).solvable, 1u);
}

// Takes 2009, table 1, whose figures are rounded or cut to one decimal. (Some of its entries do not fit a count: two of
// H=4 W=2 with 68.7 %, where brute force finds 174 of 256.)
TEST(SolvableShare, CountsAgreeWithThePaper) {
  struct Entry {
    int rows, columns;
    double percent;
  };
  for (const Entry& entry : {Entry{1, 1, 0.0},
                             {1, 2, 50.0},
                             {1, 3, 25.0},
                             {1, 5, 37.5},
                             {1, 7, 45.3},
                             {7, 1, 45.3},
                             {2, 2, 37.5},
                             {2, 3, 59.3},
                             {3, 2, 59.3},
                             {5, 2, 76.6},
                             {3, 3, 77.3},
                             {3, 4, 81.6},
                             {2, 7, 81.9},
                             {5, 3, 88.0}})
    EXPECT_NEAR(100 * count(entry.columns, entry.rows, 2).share(), entry.percent, 0.1)
        << entry.rows << " x " << entry.columns;
  EXPECT_EQ(count(2, 4, 2).solvable, 174u);
}

// Half of the boards of two colours are the other half with colours swapped, and nearly half of those are mirror
// images.
TEST(SolvableShare, ACountSearchesOneBoardOfEachKind) {
  const ShareResult found = count(4, 3, 2, 3);
  EXPECT_EQ(found.boards, 4096u);
  // Lists that begin with the first colour: 2048. Of the 4^3 boards that are their own mirror image 32 begin so, and so
  // do 32 of those whose mirror image has swapped colours; all others come in pairs.
  EXPECT_EQ(found.searched, (2048u - 64u) / 2 + 64u);
  EXPECT_EQ(count(4, 3, 2).solvable, found.solvable);
}

TEST(SolvableShare, SamplesAreTheBoardsOfGenerate) {
  const auto samples = static_cast<std::uint64_t>(tests::scaled(200));
  tests::BruteForce brute_force = clearing_brute_force();
  std::uint64_t expected = 0;
  for (std::uint64_t i = 0; i < samples; ++i) {
    const game::Position board = game::generate_board({.columns = 4, .rows = 3, .colors = 3, .inverted = {}}, 5, i);
    expected += brute_force.best(game::ReferenceBoard(board)) == 0 ? 1 : 0;
  }
  for (const int threads : {1, 3}) {
    const ShareResult found = solvable_share(
        {.columns = 4, .rows = 3, .colors = 3, .samples = samples, .nodes = 100'000, .seed = 5, .threads = threads});
    EXPECT_FALSE(found.counted);
    EXPECT_TRUE(found.complete);
    EXPECT_EQ(found.boards, samples);
    EXPECT_EQ(found.solvable, expected);
    EXPECT_EQ(found.interval().low, wilson_interval(expected, samples).low);
  }
}

TEST(SolvableShare, UndecidedBoardsWidenTheInterval) {
  const ShareTask task{.columns = 6, .rows = 6, .colors = 5, .samples = 50, .nodes = 10};
  const ShareResult found = solvable_share(task);
  ASSERT_GT(found.undecided, 0u);
  EXPECT_EQ(found.interval().low, wilson_interval(found.solvable, 50).low);
  EXPECT_EQ(found.interval().high, wilson_interval(found.solvable + found.undecided, 50).high);
}

TEST(SolvableShare, AStopEndsTheWork) {
  std::stop_source stop;
  stop.request_stop();
  const ShareResult counted = solvable_share(
      {.columns = 7, .rows = 8, .count_up_to = ~std::uint64_t{0}, .threads = 2, .stop = stop.get_token()});
  EXPECT_TRUE(counted.counted);
  EXPECT_FALSE(counted.complete);
  const ShareResult sampled =
      solvable_share({.columns = 8, .rows = 8, .samples = 1'000'000'000, .nodes = 100, .stop = stop.get_token()});
  EXPECT_FALSE(sampled.complete);
  EXPECT_EQ(sampled.boards, 0u);
}

TEST(SolvableShare, NumbersOfBoardsThatDoNotFitAreNone) {
  EXPECT_EQ(number_of_boards(2, 3, 2), 64u);
  EXPECT_EQ(number_of_boards(31, 2, 2), std::uint64_t{1} << 62);
  EXPECT_EQ(number_of_boards(9, 7, 2), std::nullopt);
  EXPECT_EQ(number_of_boards(31, 32, 1), 1u);
}

// Newcombe 1998, Two-sided confidence intervals for the single proportion, table I, method 3.
TEST(Wilson, IntervalsOfNewcombe) {
  const auto expect_interval = [](std::uint64_t successes, std::uint64_t trials, double low, double high) {
    const Interval interval = wilson_interval(successes, trials);
    EXPECT_NEAR(interval.low, low, 0.00005);
    EXPECT_NEAR(interval.high, high, 0.00005);
  };
  expect_interval(81, 263, 0.2553, 0.3662);
  expect_interval(15, 148, 0.0624, 0.1605);
  expect_interval(0, 20, 0, 0.1611);
  expect_interval(1, 29, 0.0061, 0.1718);
  EXPECT_EQ(wilson_interval(0, 0).high, 1);
  EXPECT_NEAR(share_error(0, 20), 0.1611 / 2 / 1.96, 0.00005);
  EXPECT_NEAR(share_error(15.0 / 148, 148), (0.1605 - 0.0624) / 2 / 1.96, 0.00005);
  EXPECT_NEAR(wilson_interval(20, 20).low, 1 - 0.1611, 0.00005);
}

// 2, 4, 4, 4, 5, 5, 7, 9 have the mean 5, and squares around it that sum to 32.
TEST(Statistics, MomentsAndRatiosByHand) {
  Moments moments;
  for (const double x : {2, 4, 4, 4, 5, 5, 7, 9})
    moments.add(x);
  EXPECT_DOUBLE_EQ(moments.mean(), 5);
  EXPECT_NEAR(moments.deviation(), std::sqrt(32.0 / 7), 1e-12);
  EXPECT_NEAR(moments.standard_error(), std::sqrt(32.0 / 7 / 8), 1e-12);
  // (1 + 3) / (1 + 2); residuals 1 - 4/3 and 3 - 8/3, whose squares sum to 2/9: sqrt(2/9 * 2/1) / 3.
  RatioMoments ratio;
  ratio.add(1, 1);
  ratio.add(3, 2);
  EXPECT_DOUBLE_EQ(ratio.ratio(), 4.0 / 3);
  EXPECT_NEAR(ratio.standard_error(), 2.0 / 9, 1e-12);
}

TEST(Statistics, FiguresAgreeWithinTwoErrorsAndRounding) {
  EXPECT_TRUE(compare({1.9, 0.6}, {1.0, 0.8}, 0).agrees());  // the error of the difference is 1
  EXPECT_TRUE(compare({3.0, 0.6}, {1.0, 0.8}, 0).agrees());
  EXPECT_FALSE(compare({3.1, 0.6}, {1.0, 0.8}, 0).agrees());
  EXPECT_FALSE(compare({-1.1, 0.6}, {1.0, 0.8}, 0).agrees());
  EXPECT_TRUE(compare({3.1, 0.6}, {1.0, 0.8}, 0.2).agrees());
}

}  // namespace
}  // namespace chainshot::host
