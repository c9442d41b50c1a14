#include "host/tree/parallel/open_set.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "game/board_text.hpp"
#include "game/reference.hpp"
#include "tests/support/random_boards.hpp"

namespace chainshot::host {
namespace {

constexpr std::size_t kAny = 1'000'000;

OpenSet layer_of(const game::Position& board, int points, std::size_t wanted, const TreeSettings& settings,
                 const game::Scoring& scoring, std::size_t most = kAny) {
  return open_positions(board, points, {.wanted = wanted, .most = most}, settings, scoring, [] { return false; });
}

TEST(OpenSet, IsNoLargerThanAllowed) {
  const game::Position board = game::standard_boards().front().position;
  const std::size_t moves = board.groups().size();
  EXPECT_EQ(layer_of(board, 0, moves + 1, {}, game::kStandardScoring, moves).open.size(), moves);
  EXPECT_EQ(layer_of(board, 0, moves, {}, game::kStandardScoring, moves - 1).open.size(), 1U);
}

TEST(OpenSet, IsTheLastWholeLayerWhenItIsHalted) {
  const game::Position board = game::standard_boards().front().position;
  int looks = 0;
  const OpenSet set = open_positions(board, 0, {.wanted = kAny, .most = kAny}, {}, game::kStandardScoring,
                                     [&] { return ++looks > 10; });
  EXPECT_EQ(set.open.size(), board.groups().size());
}

TEST(OpenSet, IsTheFirstLayerThatIsLargeEnough) {
  const game::Position board = game::standard_boards().front().position;
  const std::size_t moves = board.groups().size();
  const OpenSet one = layer_of(board, 0, moves, {}, game::kStandardScoring);
  EXPECT_EQ(one.open.size(), moves);
  const OpenSet two = layer_of(board, 0, moves + 1, {}, game::kStandardScoring);
  EXPECT_GT(two.open.size(), moves);
  for (const OpenPosition& open : two.open)
    EXPECT_EQ(open.way.size(), 2U);
}

TEST(OpenSet, HasEveryPositionOnceByItsBestWay) {
  tests::Dice dice(1);
  int bettered = 0;  // positions that a later way leads to with more points
  for (int i = 0; i < 100; ++i) {
    const game::Position board = tests::full_board(dice, {6, 6, 2});
    const OpenSet set = layer_of(board, 5, 300, {}, game::kStandardScoring);
    if (set.open.empty()) continue;
    std::map<std::string, int> points_of = {{tests::drawing(board), 5}};
    std::map<std::string, game::Position> layer = {{tests::drawing(board), board}};
    for (std::size_t step = 0; step < set.open.front().way.size(); ++step) {
      std::map<std::string, int> next_points;
      std::map<std::string, game::Position> next;
      for (const auto& [drawing, position] : layer) {
        for (const game::Group& group : position.groups()) {
          game::Position after = position;
          const int points = points_of[drawing] + game::kStandardScoring.group_points(after.apply(group.cell));
          if (!after.has_moves()) continue;
          const auto [known, is_new] = next_points.try_emplace(tests::drawing(after), points);
          bettered += known->second < points;
          known->second = std::max(known->second, points);
          next.emplace(known->first, after);
        }
      }
      points_of = std::move(next_points);
      layer = std::move(next);
    }
    EXPECT_EQ(set.open.size(), layer.size());
    for (const OpenPosition& open : set.open) {
      const game::ReplayResult replayed = game::replay(board, open.way, game::kStandardScoring, 5);
      EXPECT_TRUE(replayed.error.empty()) << replayed.error;
      EXPECT_EQ(open.points, points_of.at(tests::drawing(open.position)));
    }
  }
  EXPECT_GT(bettered, 0);
}

TEST(OpenSet, KeepsGamesThatEndBeforeTheLayer) {
  // One group of two, and a lone block that stays: the only game earns (2 - 2)^2 and loses (1 - 2)^2.
  const game::Position board = tests::board_of({"112"});
  const OpenSet set = layer_of(board, 10, 4, {}, game::kStandardScoring);
  EXPECT_TRUE(set.open.empty());
  ASSERT_EQ(set.ended.size(), 1U);
  EXPECT_EQ(set.ended.front().points, 10 + 0 - 1);
}

TEST(OpenSet, HoldsPositionsThatDifferByColoursOnceIfAsked) {
  // Either pair can go, and the other is left, at the left: the same but for the name of its colour.
  const game::Position board = tests::board_of({"1122"});
  TreeSettings settings;
  EXPECT_EQ(layer_of(board, 0, 2, settings, game::kStandardScoring).open.size(), 2U);
  settings.merges_symmetric = true;
  const OpenSet merged = layer_of(board, 0, 2, settings, game::kStandardScoring);
  EXPECT_TRUE(merged.open.empty());  // layer 1 has one position, layer 2 none
  EXPECT_EQ(merged.ended.size(), 1U);
}

}  // namespace
}  // namespace chainshot::host
