// Means, standard errors and paired differences of scores, by arithmetic in comments.
#include "host/analysis/paired_scores.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace chainshot::host {
namespace {

TEST(PairedScores, OnABoardTheErrorIsThatOfTheSeeds) {
  PairedScores scores(2, 1);
  // Search 0: 10, 20, 30: mean 20, deviation 10. Search 1: 11, 23, 35: the differences 1, 3, 5 deviate by 2.
  for (int seed = 1; seed <= 3; ++seed) {
    scores.add(0, 0, static_cast<std::uint64_t>(seed), 10 * seed);
    scores.add(1, 0, static_cast<std::uint64_t>(seed), 12 * seed - 1);
  }
  const ScoreSummary first = scores.on_board(0, 0), second = scores.on_board(1, 0);
  EXPECT_EQ(first.score.samples, 3u);
  EXPECT_DOUBLE_EQ(first.score.mean, 20);
  EXPECT_DOUBLE_EQ(first.score.error.value(), 10 / std::sqrt(3));
  EXPECT_EQ(first.worst, 10);
  EXPECT_EQ(first.best, 30);
  EXPECT_EQ(first.difference.mean, 0);
  EXPECT_DOUBLE_EQ(second.score.mean, 23);
  EXPECT_EQ(second.difference.samples, 3u);
  EXPECT_DOUBLE_EQ(second.difference.mean, 3);
  EXPECT_DOUBLE_EQ(second.difference.error.value(), 2 / std::sqrt(3));
}

// What a board gives to all does not count for the error of several seeds.
TEST(PairedScores, WithSeveralSeedsTheBoardsAreFixed) {
  PairedScores scores(1, 2);
  for (const std::uint64_t seed : {1u, 2u}) {
    const double by_seed = seed == 1 ? -3 : 3;  // deviation sqrt(18), so the error of a board's mean is 3
    scores.add(0, 0, seed, 1000 + by_seed);
    scores.add(0, 1, seed, 3000 + by_seed);
  }
  ASSERT_TRUE(scores.has_repeats());
  const ScoreSummary all = scores.over_boards(0);
  EXPECT_EQ(all.score.samples, 4u);
  EXPECT_DOUBLE_EQ(all.score.mean, 2000);
  EXPECT_DOUBLE_EQ(all.score.error.value(), std::sqrt(9 + 9) / 2);
  EXPECT_DOUBLE_EQ(all.worst, 1997);
  EXPECT_DOUBLE_EQ(all.best, 2003);
}

TEST(PairedScores, WithOneSeedTheBoardsAreTheSamples) {
  PairedScores scores(2, 3);
  for (std::size_t board = 0; board < 3; ++board) {
    scores.add(0, board, 7, 1000 * static_cast<double>(board));
    scores.add(1, board, 7, 1002 * static_cast<double>(board));  // differences 0, 2, 4 deviate by 2
  }
  ASSERT_FALSE(scores.has_repeats());
  EXPECT_DOUBLE_EQ(scores.over_boards(0).score.error.value(), 1000 / std::sqrt(3));
  EXPECT_DOUBLE_EQ(scores.over_boards(1).difference.mean, 2);
  EXPECT_DOUBLE_EQ(scores.over_boards(1).difference.error.value(), 2 / std::sqrt(3));
}

TEST(PairedScores, OnlyRunsWithTheSameSeedArePairs) {
  PairedScores scores(2, 1);
  scores.add(0, 0, 1, 100);
  scores.add(0, 0, 2, 200);
  scores.add(0, 0, 3, 300);
  scores.add(1, 0, 2, 205);
  scores.add(1, 0, 4, 999);
  const ScoreSummary second = scores.on_board(1, 0);
  EXPECT_EQ(second.score.samples, 2u);
  EXPECT_EQ(second.difference.samples, 1u);
  EXPECT_DOUBLE_EQ(second.difference.mean, 5);
  EXPECT_FALSE(second.difference.error.has_value());
}

TEST(PairedScores, ASearchWithoutRunsHasNoMean) {
  PairedScores scores(2, 2);
  scores.add(0, 0, 1, 5);
  EXPECT_EQ(scores.over_boards(1).score.samples, 0u);
  EXPECT_FALSE(scores.over_boards(1).score.error.has_value());
  EXPECT_EQ(scores.over_boards(0).score.samples, 1u);
  EXPECT_DOUBLE_EQ(scores.over_boards(0).score.mean, 5);
}

}  // namespace
}  // namespace chainshot::host
