// Compares the functions over Word with definitions that go cell by cell, on rows of random cells.
#include "game/rules.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/random_boards.hpp"
#include "tests/support/test_scale.hpp"

namespace chainshot::game {
namespace {

using tests::Dice;

template <class GeometryType, class WordType>
struct Case {
  using Geometry = GeometryType;
  using Word = WordType;
  static constexpr int kBits = 8 * sizeof(typename Word::Lane);
};

// A row as colour codes, with 0 for empty: one entry per bit of the word. The last entry is the pad.
using Codes = std::vector<int>;

template <class C>
class Rules : public ::testing::Test {
 public:
  using Word = typename C::Word;
  using Row = Cells<Word, C::Geometry::kPlanes>;
  static constexpr int kBits = C::kBits;

  Codes random_codes() {
    Codes codes(kBits);
    const int colors = dice.between(1, (1 << C::Geometry::kPlanes) - 1);
    const int empty_share = dice.between(1, 8);
    for (int c = 0; c < C::Geometry::kColumns; ++c)
      codes[c] = dice.one_in(empty_share) ? 0 : dice.between(1, colors);
    return codes;
  }
  Row row_of(const Codes& codes) {
    Row row{};
    for (int p = 0; p < C::Geometry::kPlanes; ++p)
      row.plane[p] = word_of([&](int c) { return codes[c] >> p & 1; });
    return row;
  }
  template <class Predicate>
  Word word_of(const Predicate& is_set) {
    typename Word::Lane bits = 0;
    for (int c = 0; c < kBits; ++c)
      if (is_set(c)) bits = static_cast<typename Word::Lane>(bits | typename Word::Lane{1} << c);
    return {bits};
  }
  std::vector<bool> random_bits(int share = 2) {
    std::vector<bool> bits(kBits);
    for (int c = 0; c + 1 < kBits; ++c)
      bits[c] = dice.one_in(share);
    return bits;
  }

  Dice dice{11};
  int rounds = tests::scaled(20'000);
};

using Cases =
    ::testing::Types<Case<SmallGeometry, Scalar16>, Case<WideGeometry, Scalar32>, Case<SmallGeometry, Scalar32>>;
TYPED_TEST_SUITE(Rules, Cases);

TYPED_TEST(Rules, OccupiedFindsTheCellsWithACode) {
  for (int i = 0; i < this->rounds; ++i) {
    const Codes codes = this->random_codes();
    ASSERT_EQ(occupied(this->row_of(codes)).bits, this->word_of([&](int c) { return codes[c] != 0; }).bits);
  }
}

TYPED_TEST(Rules, WallsStandBetweenCellsOfDifferentCodes) {
  for (int i = 0; i < this->rounds; ++i) {
    const Codes a = this->random_codes(), b = this->random_codes();
    ASSERT_EQ(walls(this->row_of(a), this->row_of(b)).bits, this->word_of([&](int c) { return a[c] != b[c]; }).bits);
  }
}

TYPED_TEST(Rules, WallsOnLeftCompareWithTheCellBeforeAndWithEmptyInColumnZero) {
  for (int i = 0; i < this->rounds; ++i) {
    const Codes codes = this->random_codes();
    const auto differs = [&](int c) { return codes[c] != (c > 0 ? codes[c - 1] : 0); };
    ASSERT_EQ(walls_on_left(this->row_of(codes)).bits, this->word_of(differs).bits);
  }
}

TYPED_TEST(Rules, SelectTakesEachCellFromOneOfTwoRows) {
  for (int i = 0; i < this->rounds; ++i) {
    const Codes a = this->random_codes(), b = this->random_codes();
    const std::vector<bool> mask = this->random_bits();
    Codes expected(a.size());
    for (std::size_t c = 0; c < a.size(); ++c)
      expected[c] = mask[c] ? a[c] : b[c];
    const auto found = select(this->word_of([&](int c) { return mask[c]; }), this->row_of(a), this->row_of(b));
    const auto wanted = this->row_of(expected);
    for (int p = 0; p < TypeParam::Geometry::kPlanes; ++p)
      ASSERT_EQ(found.plane[p].bits, wanted.plane[p].bits);
  }
}

TYPED_TEST(Rules, CandidatesHaveNothingEqualBelowOrLeftAndNoCornerBelowRight) {
  for (int i = 0; i < this->rounds; ++i) {
    const Codes low = this->random_codes(), codes = this->random_codes(), high = this->random_codes();
    const auto at = [](const Codes& row, int c) { return c < 0 || c >= static_cast<int>(row.size()) ? -1 : row[c]; };
    const auto is_candidate = [&](int c) {
      const int code = codes[c];
      if (code == 0 || at(codes, c - 1) == code || at(low, c) == code) return false;
      if (at(codes, c + 1) == code) return at(low, c + 1) != code;
      return at(high, c) == code;
    };
    const auto row = this->row_of(codes);
    const auto left = walls_on_left(row);
    const auto found =
        candidates(left, shr<1>(left), walls(this->row_of(low), row), walls(row, this->row_of(high))) & occupied(row);
    ASSERT_EQ(found.bits, this->word_of(is_candidate).bits);
  }
}

TYPED_TEST(Rules, FillRightReachesEveryCellBeforeTheNextWall) {
  for (int i = 0; i < this->rounds; ++i) {
    const std::vector<bool> right = this->random_bits(), cells = this->random_bits(4);
    std::vector<bool> reached = cells;
    for (std::size_t c = 0; c + 1 < reached.size(); ++c)
      if (reached[c] && right[c]) reached[c + 1] = true;
    const auto found =
        fill_right(this->word_of([&](int c) { return cells[c]; }), this->word_of([&](int c) { return !right[c]; }));
    ASSERT_EQ(found.bits, this->word_of([&](int c) { return reached[c]; }).bits);
  }
}

TYPED_TEST(Rules, StepLeftReachesTheLinkedCellOnTheLeft) {
  for (int i = 0; i < this->rounds; ++i) {
    const std::vector<bool> right = this->random_bits(), cells = this->random_bits(4);
    const auto is_reached = [&](int c) {
      return cells[c] || (c + 1 < this->kBits && right[c] && cells[static_cast<std::size_t>(c) + 1]);
    };
    const auto found =
        step_left(this->word_of([&](int c) { return cells[c]; }), this->word_of([&](int c) { return !right[c]; }));
    ASSERT_EQ(found.bits, this->word_of(is_reached).bits);
  }
}

TYPED_TEST(Rules, ClosingMovesEverythingRightOfTheFirstGapLeftByOne) {
  for (int i = 0; i < this->rounds; ++i) {
    const Codes bottom = this->random_codes();
    Codes codes = this->random_codes();
    const int size = static_cast<int>(bottom.size());
    int gap = 0;
    while (bottom[gap] != 0)
      ++gap;
    codes[gap] = 0;  // nothing stands on an empty cell
    bool has_gap = false;
    for (int c = gap; c < size; ++c)
      has_gap |= bottom[c] != 0;
    Codes closed = codes;
    for (int c = gap; c < size; ++c)
      closed[c] = c + 1 < size ? codes[c + 1] : 0;

    const auto row = occupied(this->row_of(bottom));
    ASSERT_EQ(gaps(row).bits != 0, has_gap);
    const auto before = columns_before_gap(row);
    ASSERT_EQ(before.bits, this->word_of([&](int c) { return c < gap; }).bits);
    const auto found = this->row_of(codes), wanted = this->row_of(closed);
    for (int p = 0; p < TypeParam::Geometry::kPlanes; ++p)
      ASSERT_EQ(shift_above(found.plane[p], before).bits, wanted.plane[p].bits);
  }
}

TYPED_TEST(Rules, ThreeInputFunctionsHaveTheTruthTablesOfTheirNames) {
  using W = typename TypeParam::Word;
  // Bit 4a + 2b + c of each argument is one of the eight cases.
  const W a{0b11110000}, b{0b11001100}, c{0b10101010};
  const auto low_byte = [](W w) { return static_cast<int>(w.bits & 0xff); };
  EXPECT_EQ(low_byte(select(a, b, c)), 0b11001010);
  EXPECT_EQ(low_byte(or3(a, b, c)), 0b11111110);
  EXPECT_EQ(low_byte(or_and(a, b, c)), 0b11111000);
  EXPECT_EQ(low_byte(or_xor(a, b, c)), 0b11110110);
  EXPECT_EQ(low_byte(or_and_not(a, b, c)), 0b11110100);
  EXPECT_EQ(low_byte(and_or(a, b, c)), 0b11100000);
  EXPECT_EQ(low_byte(and3(a, b, c)), 0b10000000);
  EXPECT_EQ(low_byte(and_not(a, b)), 0b00110000);
}

TYPED_TEST(Rules, SignSpreadsTheHighestBitOverTheLane) {
  using W = typename TypeParam::Word;
  using Lane = typename W::Lane;
  constexpr auto kHighest = static_cast<Lane>(Lane{1} << (TypeParam::kBits - 1));
  EXPECT_EQ(sign(W{kHighest}).bits, static_cast<Lane>(~Lane{0}));
  EXPECT_EQ(sign(W{static_cast<Lane>(kHighest - 1)}).bits, Lane{0});
  EXPECT_EQ(unsigned_min(W{kHighest}, W{1}).bits, Lane{1});
  EXPECT_EQ(popcount(W{static_cast<Lane>(kHighest | 5)}).bits, Lane{3});
}

TEST(DrawOrder, VisitsEveryRowOnceInTheOrderOfDeviceWords) {
  const std::vector<int> expected = {0,  8,  1,  9,  2,  10, 3,  11, 4,  12, 5,  13, 6,  14, 7,  15,
                                     16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
  for (int i = 0; i < kMaxRows; ++i)
    EXPECT_EQ(row_in_draw_order(i), expected[i]);
}

}  // namespace
}  // namespace chainshot::game
