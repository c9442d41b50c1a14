#include "game/position.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "game/playout.hpp"
#include "game/random.hpp"
#include "game/reference.hpp"
#include "tests/support/arbitrary_boards.hpp"
#include "tests/support/random_boards.hpp"
#include "tests/support/scorings.hpp"
#include "tests/support/test_scale.hpp"

namespace chainshot {
namespace {

using game::Cell;
using game::Group;
using game::Position;
using game::ReferenceBoard;
using tests::board_of;
using tests::Dice;

bool contains(const game::CellSet& set, int column, int row) {
  return set[row] >> column & 1u;
}

// Returns the groups that the reference finds, named and ordered as Position promises.
std::vector<Group> expected_groups(const ReferenceBoard& board) {
  std::vector<Group> groups;
  for (const std::vector<Cell>& cells : board.groups()) {
    const auto lower_left = [](Cell a, Cell b) { return a.row != b.row ? a.row < b.row : a.column < b.column; };
    const Cell name = *std::min_element(cells.begin(), cells.end(), lower_left);
    groups.push_back({name, static_cast<std::uint8_t>(board.color_at(name.column, name.row)),
                      static_cast<std::uint16_t>(cells.size())});
  }
  std::sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) {
    return a.cell.row != b.cell.row ? a.cell.row < b.cell.row : a.cell.column < b.cell.column;
  });
  return groups;
}

void expect_equal_counts(const Position& position, const ReferenceBoard& board) {
  const std::vector<int> counts = board.color_counts();
  const auto found = position.color_counts();
  ASSERT_TRUE(std::equal(found.begin(), found.end(), counts.begin(), counts.end()));
  int blocks = 0, colors = 0, most = 0, height = 0;
  for (int c = 0; c < game::kMaxColors; ++c) {
    blocks += counts[c];
    if (counts[c] > 0) colors = c + 1;
    if (counts[c] > counts[most]) most = c;
  }
  for (int r = 0; r < board.rows(); ++r)
    if (board.color_at(0, r) != game::kEmpty) height = std::max(height, r + 1);
  for (int c = 1; c < board.columns(); ++c)
    for (int r = 0; r < board.rows(); ++r)
      if (board.color_at(c, r) != game::kEmpty) height = std::max(height, r + 1);
  ASSERT_EQ(position.blocks(), blocks);
  ASSERT_EQ(position.colors(), colors);
  ASSERT_EQ(position.most_frequent_color(), most);
  ASSERT_EQ(position.height(), height);
}

void expect_equal_links(const Position& position, const ReferenceBoard& board) {
  const game::Links links = position.links();
  for (int r = 0; r < game::kMaxRows; ++r) {
    std::uint32_t above = 0, right = 0;
    for (int c = 0; c < board.columns(); ++c) {
      const int color = board.color_at(c, r);
      if (color == game::kEmpty) continue;
      above |= static_cast<std::uint32_t>(board.color_at(c, r + 1) == color) << c;
      right |= static_cast<std::uint32_t>(board.color_at(c + 1, r) == color) << c;
    }
    ASSERT_EQ(links.above[r], above) << "row " << r;
    ASSERT_EQ(links.right[r], right) << "row " << r;
  }
}

void expect_equal_component(const Position& position, const ReferenceBoard& board, Cell cell) {
  const game::CellSet found = position.component(cell);
  const std::vector<Cell> cells = board.component(cell);
  ASSERT_EQ(game::count(found), static_cast<int>(cells.size()));
  for (Cell c : cells)
    ASSERT_TRUE(contains(found, c.column, c.row));
}

// Of a built-in scoring, where groups earn most as one and no deduction gives points.
int expected_bound(const ReferenceBoard& board, const game::Scoring& scoring) {
  int bound = 0, blocks = 0;
  bool single = false;
  for (int n : board.color_counts()) {
    if (n == 1) single = true;
    if (n >= 2) bound += scoring.group_points(n);
    blocks += n;
  }
  int end = single ? -scoring.left.at(blocks) : scoring.clear_bonus;
  for (int left = 1; left <= blocks; ++left)
    end = std::max(end, -scoring.left.at(left));
  return bound + end;
}

// Compares every property of a position with the reference, and again after each of the next few moves.
void expect_equals_reference(Position position, Dice& dice, int moves) {
  ReferenceBoard board(position);
  for (; moves >= 0; --moves) {
    SCOPED_TRACE(tests::drawing(position));
    ASSERT_EQ(position, board.to_position());
    ASSERT_TRUE(position.is_settled());
    ASSERT_NO_FATAL_FAILURE(expect_equal_counts(position, board));
    ASSERT_NO_FATAL_FAILURE(expect_equal_links(position, board));
    const std::vector<Group> groups = expected_groups(board);
    ASSERT_EQ(position.groups(), groups);
    ASSERT_EQ(position.has_moves(), !groups.empty());
    const Cell cell{static_cast<std::uint8_t>(dice.below(position.columns())),
                    static_cast<std::uint8_t>(dice.below(position.rows()))};
    ASSERT_NO_FATAL_FAILURE(expect_equal_component(position, board, cell));
    const game::Scoring& scoring = game::kScorings[static_cast<std::size_t>(dice.below(5))];
    ASSERT_EQ(position.upper_bound(scoring), expected_bound(board, scoring));
    ASSERT_EQ(position.final_points(scoring), game::replay(position, {}, scoring).score);
    const Cell move = groups.empty() ? cell : groups[dice.below(static_cast<int>(groups.size()))].cell;
    ASSERT_EQ(position.apply(move), board.apply(move));
  }
}

TEST(Position, EqualsTheReferenceOnBoardsOfEverySizeAndColourCount) {
  Dice dice(1);
  for (int i = 0; i < tests::scaled(12'000); ++i)
    ASSERT_NO_FATAL_FAILURE(expect_equals_reference(random_board(dice, tests::random_shape(dice)), dice, 3));
}

TEST(Position, EqualsTheReferenceOnSmallBoards) {
  Dice dice(2);
  for (int i = 0; i < tests::scaled(12'000); ++i)
    ASSERT_NO_FATAL_FAILURE(expect_equals_reference(random_board(dice, tests::random_small_shape(dice)), dice, 4));
}

TEST(Position, EqualsTheReferenceOnTinyBoards) {
  Dice dice(3);
  for (int i = 0; i < tests::scaled(20'000); ++i)
    ASSERT_NO_FATAL_FAILURE(expect_equals_reference(random_board(dice, tests::random_shape(dice, 4, 4, 3)), dice, 2));
}

TEST(Settle, DropsHangingBlocksAndClosesEmptyColumns) {
  Position position = board_of({"0..1..", "......", "..2..3", "......", "0..4.."});
  EXPECT_FALSE(position.is_settled());
  position.settle();
  EXPECT_EQ(position, board_of({"......", "......", "......", "0.1...", "0243.."}));
  EXPECT_TRUE(position.is_settled());
}

TEST(Settle, EqualsTheReferenceOnScatteredBlocks) {
  Dice dice(4);
  for (int i = 0; i < tests::scaled(10'000); ++i) {
    const tests::Shape shape = tests::random_shape(dice);
    Position scattered(shape.columns, shape.rows);
    for (int blocks = dice.below(shape.columns * shape.rows + 1); blocks > 0; --blocks)
      scattered.set(dice.below(shape.columns), dice.below(shape.rows), dice.below(shape.colors));
    const Position expected = ReferenceBoard(scattered).to_position();
    ASSERT_EQ(scattered.is_settled(), scattered == expected);
    scattered.settle();
    ASSERT_EQ(scattered, expected);
  }
}

TEST(Apply, RefusesCellsWithoutAGroupAndChangesNothing) {
  const Position start = board_of({"0..", "121"});
  for (Cell cell :
       {Cell{0, 0}, Cell{0, 1}, Cell{1, 1}, Cell{3, 0}, Cell{0, 2}, Cell{31, 0}, Cell{0, 32}, Cell{255, 255}}) {
    Position position = start;
    EXPECT_EQ(position.apply(cell), 0);
    EXPECT_EQ(position, start);
  }
}

TEST(UpperBound, CountsEachColourAsOneGroupAndTheBonusUnlessAColourHasOneBlock) {
  // 5 zeros and 4 ones give (5-2)^2 + (4-2)^2 + 1000.
  EXPECT_EQ(board_of({"010", "101", "010"}).upper_bound(game::kStandardScoring), 9 + 4 + 1000);
  // 7 zeros give (7-2)^2; the single 1 earns nothing and rules out the bonus.
  EXPECT_EQ(board_of({"0001", "0000"}).upper_bound(game::kStandardScoring), 25);
  EXPECT_EQ(Position(3, 3).upper_bound(game::kStandardScoring), 1000);
}

TEST(UpperBound, IsNeverExceededByAPlayout) {
  Dice dice(5);
  for (int i = 0; i < tests::scaled(2'000); ++i) {
    const Position position = random_board(dice, tests::random_shape(dice, 8, 8, 4));
    for (const game::Scoring& scoring : tests::scoring_cases()) {
      const game::PlayoutRules rules({.kind = game::PolicyKind::kLargestFirst}, scoring, position);
      const game::Playout playout = game::play(position, rules, {1, 2, static_cast<std::uint32_t>(i)}, 0);
      ASSERT_LE(playout.score, position.upper_bound(scoring)) << scoring.name() << '\n' << tests::drawing(position);
    }
  }
}

TEST(Hash, DiffersBetweenDifferentPositions) {
  Dice dice(6);
  std::map<std::uint64_t, Position> seen;
  for (int i = 0; i < tests::scaled(50'000); ++i) {
    const Position position = random_board(dice, tests::random_shape(dice, 6, 6, 4));
    const auto [entry, is_new] = seen.emplace(position.hash(), position);
    ASSERT_TRUE(is_new || entry->second == position) << tests::drawing(position);
  }
}

TEST(Hash, ChangesWithTheColourOfEveryCell) {
  Dice dice(7);
  const Position start = tests::full_board(dice, {31, 32, 15});
  std::set<std::uint64_t> hashes = {start.hash()};
  for (int c = 0; c < 31; ++c) {
    for (int r = 0; r < 32; ++r) {
      for (int color = 0; color < game::kMaxColors; ++color) {
        if (color == start.color_at(c, r)) continue;
        Position changed = start;
        changed.set(c, r, color);
        hashes.insert(changed.hash());
      }
    }
  }
  EXPECT_EQ(hashes.size(), 1u + 31 * 32 * 14);
}

TEST(Hash, DiffersBetweenBoardsOfDifferentSizes) {
  std::set<std::uint64_t> hashes;
  for (int columns = 1; columns <= game::kMaxColumns; ++columns)
    for (int rows = 1; rows <= game::kMaxRows; ++rows)
      hashes.insert(Position(columns, rows).hash());
  EXPECT_EQ(hashes.size(), 31u * 32u);
}

TEST(SymmetricHash, DiffersBetweenBoardsThatNoRecolouringMakesEqual) {
  std::set<std::uint64_t> hashes;
  std::set<std::string> shapes;
  for (int i = 0; i < 3 * 3 * 3 * 3 * 3 * 3; ++i) {
    Position position(3, 2);
    for (int cell = 0, rest = i; cell < 6; ++cell, rest /= 3)
      position.set(cell % 3, cell / 3, rest % 3);
    hashes.insert(position.symmetric_hash());
    shapes.insert(tests::drawing(position.canonical()));
  }
  // Six cells have S(6,1) + S(6,2) + S(6,3) = 1 + 31 + 90 partitions into at most three sets.
  EXPECT_EQ(shapes.size(), 122u);
  EXPECT_EQ(hashes.size(), 122u);
  for (int columns = 1; columns <= game::kMaxColumns; ++columns)
    for (int rows = 1; rows <= game::kMaxRows; ++rows)
      hashes.insert(Position(columns, rows).symmetric_hash());
  EXPECT_EQ(hashes.size(), 122u + 31 * 32);
}

TEST(SymmetricHash, DiffersBetweenBoardsThatDifferInTwoCellsOfAColumn) {
  Dice dice(17);
  for (const auto& [columns, rows] : {std::pair{15, 15}, {16, 16}, {31, 32}}) {
    Position position = tests::full_board(dice, {columns, rows, 5});
    const std::uint64_t hash = position.symmetric_hash();
    for (int c = 0; c < columns; ++c) {
      for (int a = 0; a < rows; ++a) {
        for (int b = 0; b < a; ++b) {
          const int low = position.color_at(c, b), high = position.color_at(c, a);
          if (low == high) continue;
          position.set(c, b, high);
          position.set(c, a, low);
          ASSERT_NE(position.symmetric_hash(), hash) << "column " << c << ", rows " << b << " and " << a;
          position.set(c, b, low);
          position.set(c, a, high);
        }
      }
    }
  }
}

TEST(Canonical, NumbersColoursFromTheLowerLeft) {
  EXPECT_EQ(board_of({"E..", "4E7"}).canonical(), board_of({"1..", "012"}));
}

RC_GTEST_PROP(PositionProperty, GravityLeavesNoHoleAndNoEmptyColumnBetweenFullOnes, ()) {
  Position position = tests::arbitrary_board();
  for (auto groups = position.groups(); !groups.empty(); groups = position.groups()) {
    position.apply(groups[*rc::gen::inRange<std::size_t>(0, groups.size())].cell);
    for (int c = 0; c < position.columns(); ++c) {
      for (int r = 1; r < position.rows(); ++r)
        RC_ASSERT(position.color_at(c, r) == game::kEmpty || position.color_at(c, r - 1) != game::kEmpty);
      if (c > 0) RC_ASSERT(position.color_at(c, 0) == game::kEmpty || position.color_at(c - 1, 0) != game::kEmpty);
    }
  }
}

RC_GTEST_PROP(PositionProperty, BlockCountFallsByTheSizeOfTheGroup, ()) {
  Position position = tests::arbitrary_board();
  for (auto groups = position.groups(); !groups.empty(); groups = position.groups()) {
    const Group group = groups[*rc::gen::inRange<std::size_t>(0, groups.size())];
    const auto before = position.color_counts();
    const int blocks = position.blocks();
    RC_ASSERT(position.apply(group.cell) == group.size);
    RC_ASSERT(position.blocks() == blocks - group.size);
    RC_ASSERT(position.color_counts()[group.color] == before[group.color] - group.size);
  }
}

// Goes through all positions reachable by n moves: equal positions reached in different orders must share a hash, and
// different positions must not.
RC_GTEST_PROP(PositionProperty, HashesAreEqualExactlyForEqualPositions, ()) {
  Dice dice = tests::arbitrary_dice();
  std::vector<Position> level = {random_board(dice, {dice.between(3, 6), dice.between(3, 6), dice.between(2, 4)})};
  std::map<std::uint64_t, std::string> name_of;
  int transpositions = 0;
  for (int depth = 0; depth < 3; ++depth) {
    std::map<std::string, Position> next;
    for (const Position& from : level) {
      for (const Group& group : from.groups()) {
        Position to = from;
        to.apply(group.cell);
        const auto [entry, is_new] = next.emplace(tests::drawing(to), to);
        transpositions += !is_new;
        RC_ASSERT(entry->second.hash() == to.hash());
        RC_ASSERT(entry->second == to);
        RC_ASSERT(name_of.emplace(to.hash(), tests::drawing(to)).first->second == tests::drawing(to));
      }
    }
    level.clear();
    for (const auto& [name, position] : next)
      level.push_back(position);
  }
  RC_CLASSIFY(transpositions > 0, "transpositions");
}

RC_GTEST_PROP(PositionProperty, CanonicalFormIsTheSameUnderEveryRecolouring, ()) {
  const Position position = tests::arbitrary_board();
  std::vector<int> names(game::kMaxColors);
  for (int c = 0; c < game::kMaxColors; ++c)
    names[c] = c;
  Dice dice = tests::arbitrary_dice();
  for (int c = game::kMaxColors - 1; c > 0; --c)
    std::swap(names[c], names[dice.below(c + 1)]);
  Position recolored(position.columns(), position.rows());
  for (int c = 0; c < position.columns(); ++c)
    for (int r = 0; r < position.rows(); ++r)
      if (position.color_at(c, r) != game::kEmpty) recolored.set(c, r, names[position.color_at(c, r)]);
  RC_ASSERT(recolored.canonical() == position.canonical());
  RC_ASSERT(recolored.canonical().hash() == position.canonical().hash());
  RC_ASSERT(recolored.symmetric_hash() == position.symmetric_hash());
  RC_ASSERT(position.canonical().canonical() == position.canonical());
  // Recolouring neither merges nor splits groups.
  const auto sizes = [](const Position& p) {
    std::vector<std::pair<int, int>> out;
    for (const Group& g : p.groups())
      out.emplace_back(g.cell.row * 32 + g.cell.column, g.size);
    return out;
  };
  RC_ASSERT(sizes(position.canonical()) == sizes(position));
}

}  // namespace
}  // namespace chainshot
