// Boards as people have them: without names, with letters, numbers of any size, separators, sizes, JSON arrays and BGF.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "game/board_text.hpp"

namespace chainshot::game {
namespace {

std::string error_of(std::string_view text) {
  try {
    parse_boards(text, "b.txt", "stem");
  } catch (const ParseError& error) {
    return error.what();
  }
  return {};
}

// The rows of every board, each board followed by a blank line, in the letters of our own format.
std::string rows_of(std::string_view text) {
  std::string out;
  for (const NamedBoard& board : parse_boards(text, "b.txt", "stem")) {
    for (const std::string& row : letter_rows(board.position))
      out += row + '\n';
    out += '\n';
  }
  return out;
}

std::vector<std::string> names_of(std::string_view text) {
  std::vector<std::string> names;
  for (const NamedBoard& board : parse_boards(text, "b.txt", "stem"))
    names.push_back(board.name);
  return names;
}

using Names = std::vector<std::string>;

TEST(BareRows, AreNamedAfterTheFile) {
  EXPECT_EQ(names_of("# mine\n3.\n10\n"), Names{"stem"});
  EXPECT_EQ(rows_of("# mine\n3.\n10\n"), "3.\n10\n\n");
  EXPECT_EQ(names_of("0\n\n1\n2\n\n\n3"), (Names{"stem-1", "stem-2", "stem-3"}));
  EXPECT_EQ(parse_boards("0\n", "b.txt")[0].name, "board");
}

// CodinGame's numbers stand apart.
TEST(BareRows, OfFifteenDigitsAreNamedAfterTheFileToo) {
  std::string rows;
  for (int r = 0; r < 15; ++r)
    rows += "012340123401234\n";
  EXPECT_EQ(names_of(rows), Names{"stem"});
}

TEST(BareRows, TakeTheirNameFromAnyStem) {
  EXPECT_EQ(board_name_of("night_2.b-1"), "night_2.b-1");
  EXPECT_EQ(board_name_of("my board (1)"), "my_board__1_");
  EXPECT_EQ(board_name_of("\xC3\xA9t\xC3\xA9"), "__t__");
  EXPECT_EQ(board_name_of(""), "board");
}

TEST(CellsOfRows, MayStandApart) {
  const std::string expected = "012\n340\n\n";
  for (const char* text : {"0 1 2\n3 4 0\n", "0,1,2\n3,4,0\n", "0\t1\t2\n3\t4\t0\n", "  0 , 1,\t2\n3, 4 ,0,\n",
                           "012\n3 4 0\n", "board a\n0 1 2\n3,4,0\n"})
    EXPECT_EQ(rows_of(text), expected) << text;
}

TEST(CellsOfRows, AreEmptyAtADotAndMinusOne) {
  EXPECT_EQ(rows_of("-1 . 3\n1 2 10\n"), "..3\n12A\n\n");
  EXPECT_EQ(rows_of("-1\n5\n"), ".\n5\n\n");
  EXPECT_EQ(rows_of("R -1\nG B\n"), "2.\n10\n\n");
}

// B, G, P, R, Y are colours 0 to 4.
TEST(Letters, AreColoursInAlphabeticalOrder) {
  EXPECT_EQ(rows_of("RGBYP\nPYBGR\n"), "31042\n24013\n\n");
  EXPECT_EQ(rows_of("r g b y p\n"), "31042\n\n");
  EXPECT_EQ(rows_of("board a\nRG.\nGBR\n"), "21.\n102\n\n");
}

// The second board has no B, but its colours are those of the whole file.
TEST(Letters, MeanTheSameInAllBoardsOfAFile) {
  EXPECT_EQ(rows_of("BG\n\nGR\n"), "01\n\n12\n\n");
}

TEST(Letters, FromAToEKeepTheirColours) {
  EXPECT_EQ(rows_of("ABCDE\n"), "ABCDE\n\n");
  EXPECT_EQ(rows_of("0AbC9\n"), "0ABC9\n\n");
  EXPECT_EQ(rows_of("ABCDEF\n"), "012345\n\n");
}

TEST(Letters, AreAtMostFifteen) {
  EXPECT_EQ(rows_of("ABCDEFGHIJKLMNO\n"), "0123456789ABCDE\n\n");
  EXPECT_EQ(error_of("ABCDEFGHIJKLMNO\n\nZ\n"),
            "b.txt:3:1: 'Z' is one of 16 different letters in this file; expected at most 15");
}

TEST(Letters, DoNotMixWithNumbers) {
  EXPECT_EQ(error_of("01F\n"), "b.txt:1:3: 'F' is no colour; expected a digit or letter 0-9, A-E, or '.' for empty");
  EXPECT_EQ(error_of("A 12\n"), "b.txt:1:3: '12' among letters; expected a single digit or letter, or numbers only");
  EXPECT_EQ(error_of("red green\n"),
            "b.txt:1:1: 'red' is no colour; expected a digit or letter 0-9, A-E, or '.' for empty");
  EXPECT_EQ(error_of("0 1\n2 3.5\n"),
            "b.txt:2:3: '3.5' is no colour; expected a digit or letter 0-9, A-E, or '.' for empty");
}

TEST(Numbers, UpTo14AreColours) {
  EXPECT_EQ(rows_of("14 0 10\n007 5 9\n"), "E0A\n759\n\n");
}

// -30, -2, 0, 7 and 16711680 are colours 0 to 4.
TEST(Numbers, OfAnySizeAreColoursInAscendingOrder) {
  EXPECT_EQ(rows_of("7 -30 16711680\n0 -2 7\n"), "304\n213\n\n");
  EXPECT_EQ(rows_of("99999999999999999999999,-99999999999999999999999,100000000000000000000000\n"), "102\n\n");
  EXPECT_EQ(rows_of("-5 3\n"), "01\n\n");
  EXPECT_EQ(rows_of("-1 -1 15\n15 1 15\n"), "..1\n101\n\n");
  EXPECT_EQ(rows_of("100 0100 -0 0\n"), "1100\n\n");
}

TEST(Numbers, AreAtMostFifteen) {
  EXPECT_EQ(rows_of("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n"), "0123456789ABCDE\n\n");
  EXPECT_EQ(error_of("0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n"),
            "b.txt:1:36: '15' is one of 16 different numbers in this file; expected at most 15");
}

TEST(CellsOfRows, RefuseACommaWithoutACell) {
  EXPECT_EQ(error_of("0,1\n2,,3\n"), "b.txt:2:3: a comma without a cell before it");
  EXPECT_EQ(error_of(",1\n"), "b.txt:1:1: a comma without a cell before it");
}

TEST(SizeLine, IsNoRow) {
  EXPECT_EQ(rows_of("3 2\n012\n340\n"), "012\n340\n\n");
  EXPECT_EQ(rows_of("3 2\n\n0 1 2\n3 4 0\n"), "012\n340\n\n");
  EXPECT_EQ(rows_of("# size\n3,2\n0,1,2\n3,4,0\n"), "012\n340\n\n");
  EXPECT_EQ(rows_of("board a\n3 2\nRRG\nGGR\n"), "110\n001\n\n");
  EXPECT_EQ(rows_of("2 1\n5 6\n"), "56\n\n");
  EXPECT_EQ(rows_of("31 1\n" + std::string(31, '0') + "\n"), std::string(31, '0') + "\n\n");
}

TEST(SizeLine, EndsItsBoard) {
  EXPECT_EQ(rows_of("3 1\n012\n2 2\n34\n43\n"), "012\n\n34\n43\n\n");
  EXPECT_EQ(names_of("3 1\n012\n2 2\n34\n43\n"), (Names{"stem-1", "stem-2"}));
}

// Above rows of two cells apart it may be such a row itself.
TEST(SizeLine, OfTwoColumnsHasExactlyItsRowsBelow) {
  EXPECT_EQ(rows_of("2 2\n1 0\n0 1\n"), "10\n01\n\n");
  EXPECT_EQ(rows_of("2 2\n\n1 0\n0 1\n"), "10\n01\n\n");
  EXPECT_EQ(rows_of("2 2\n1 2\n"), "22\n12\n\n");
  EXPECT_EQ(rows_of("2 1\n1 2\n2 1\n"), "21\n12\n21\n\n");
  EXPECT_EQ(rows_of("3 4\n1 2\n"), "34\n12\n\n");
  EXPECT_EQ(rows_of("3 1\n1 2\n"), "31\n12\n\n");
}

TEST(SizeLine, OfTwoColumnsIsARowInABoardWithAName) {
  EXPECT_EQ(rows_of("board a\n2 2\n1 1\n2 1\n"), "22\n11\n21\n\n");
  EXPECT_EQ(rows_of("board a\n2 2\n11\n21\n"), "11\n21\n\n");
}

TEST(SizeLine, IsTwoNumbersApart) {
  EXPECT_EQ(rows_of("0 1\n"), "01\n\n");
  EXPECT_EQ(rows_of("12\n21\n"), "12\n21\n\n");
  EXPECT_EQ(error_of("12\n345\n"), "b.txt:2:3: a row of 3 columns; expected 2 as in the first row of board stem");
}

TEST(SizeLine, NeedsABoard) {
  EXPECT_EQ(error_of("15 15\n"), "b.txt:1:1: a size without a board; expected 15 rows below it");
  EXPECT_EQ(error_of("2 1\n00\n\n1 20\n"), "b.txt:4:1: a size without a board; expected 20 rows below it");
  EXPECT_EQ(rows_of("14 14\n"), "EE\n\n");
  EXPECT_EQ(rows_of("100 200\n"), "01\n\n");
  EXPECT_EQ(rows_of("board a\n15 15\n"), "00\n\n");
}

TEST(SizeLine, MustBeRight) {
  EXPECT_EQ(error_of("3 2\n012\n"), "b.txt:2:1: the board ends after 1 row; expected 2 as its first line says");
  EXPECT_EQ(error_of("3 1\n0123\n"), "b.txt:2:1: a row of 4 columns; expected 3 as the first line of the board says");
  EXPECT_EQ(error_of("3 2\n01\n10\n11\n"),
            "b.txt:2:1: a row of 2 columns; expected 3 as the first line of the board says");
  EXPECT_EQ(error_of("board a\n3 1\n012\n210\n"), "b.txt:4:1: board a goes on; expected 1 row as its first line says");
}

TEST(JsonArrays, AreBoards) {
  EXPECT_EQ(rows_of("[[0, 1, 2], [3, 4, 0]]"), "012\n340\n\n");
  EXPECT_EQ(names_of("[[0, 1, 2], [3, 4, 0]]"), Names{"stem"});
  EXPECT_EQ(rows_of("[[[0, 1]], [[1], [0]]]"), "01\n\n1\n0\n\n");
  EXPECT_EQ(names_of("[[[0, 1]], [[1], [0]]]"), (Names{"stem-1", "stem-2"}));
  EXPECT_EQ(rows_of(R"([["R", null], ["B", "g"]])"), "2.\n01\n\n");
  EXPECT_EQ(rows_of(R"(["3.", "10"])"), "3.\n10\n\n");
  EXPECT_EQ(rows_of("[[-1, null, 16711680], [255, 255, 12345678901234567890123]]"), "..1\n002\n\n");
}

TEST(JsonArrays, MayBeTheCellsOfObjects) {
  EXPECT_EQ(rows_of(R"({"name": "a", "columns": 2, "rows": 1, "cells": [[5, 6]]})"), "56\n\n");
  EXPECT_EQ(names_of(R"({"boards": [{"cells": ["0"]}, {"name": "b", "cells": [[0]]}]})"), (Names{"stem-1", "b"}));
  EXPECT_EQ(names_of(R"({"cells": ["0"]})"), Names{"stem"});
}

TEST(JsonArrays, PointAtTheirMistakes) {
  EXPECT_EQ(error_of("[[0, 1],\n [2, 1.5]]"),
            "b.txt:2:6: no cell; expected a whole number, a letter in quotes, or -1 or null for empty");
  EXPECT_EQ(error_of("[[0, 1],\n [2]]"), "b.txt:2:2: a row of 1 column; expected 2 as in the first row of board stem");
  EXPECT_EQ(error_of("[[0, 1], 2]"), "b.txt:1:10: expected a row in quotes, or an array of cells");
  EXPECT_EQ(error_of("[[0, \"red\"]]"),
            "b.txt:1:7: 'red' is no cell; expected one digit or letter, or '.' or '-1' for empty");
  EXPECT_EQ(error_of("[[]]"), "b.txt:1:2: an empty row; expected at least one column");
}

// A list of rows in quotes is a board, but a list of such lists could be read as a board of two-digit cells.
TEST(JsonArrays, HaveCellsOfOneCharacter) {
  EXPECT_EQ(error_of(R"([["01", "10"], ["11", "00"]])"),
            "b.txt:1:4: '01' is no cell; expected one digit or letter, or '.' or '-1' for empty");
  EXPECT_EQ(error_of(R"({"cells": [["012"], ["210"]]})"),
            "b.txt:1:14: '012' is no cell; expected one digit or letter, or '.' or '-1' for empty");
  EXPECT_EQ(error_of(R"([["0", ""]])"),
            "b.txt:1:9: '' is no cell; expected one digit or letter, or '.' or '-1' for empty");
  EXPECT_EQ(rows_of(R"([["-1", "."], ["1", "A"]])"), "..\n1A\n\n");
}

// Four bytes of magic, 3 columns, 2 rows, groups of 2, and the cells with the top row first.
const std::string kBgf = std::string("BGF2\x03\x02\x02", 7) + std::string("\x00\x00\x07\x01\x02\x0F", 6);

TEST(Bgf, IsReadFromTheTopRow) {
  EXPECT_EQ(names_of(kBgf), Names{"stem"});
  EXPECT_EQ(rows_of(kBgf), "..6\n01E\n\n");
}

TEST(Bgf, PointsAtTheByteThatIsWrong) {
  const auto with_byte = [](std::size_t at, char byte) {
    std::string bytes = kBgf;
    bytes[at] = byte;
    return bytes;
  };
  EXPECT_EQ(error_of("BGF2\x03"), "b.txt:1:6: the BGF file ends in its head; expected columns, rows and a group size");
  EXPECT_EQ(error_of(with_byte(4, 0)), "b.txt:1:5: a BGF board of 0 columns; expected 1 to 31");
  EXPECT_EQ(error_of(with_byte(4, 32)), "b.txt:1:5: a BGF board of 32 columns; expected 1 to 31");
  EXPECT_EQ(error_of(with_byte(5, 33)), "b.txt:1:6: a BGF board of 33 rows; expected 1 to 32");
  EXPECT_EQ(error_of(with_byte(6, 3)),
            "b.txt:1:7: a BGF board whose smallest group has 3 blocks; expected 2, the rule of SameGame");
  EXPECT_EQ(error_of(with_byte(9, 16)), "b.txt:1:10: 16 colours; expected a cell from 0, empty, to 15");
  EXPECT_EQ(error_of(kBgf + '\0'), "b.txt:1:14: a BGF file of 14 bytes; expected 13 for 3x2 cells");
  EXPECT_EQ(error_of(kBgf.substr(0, 12)), "b.txt:1:13: a BGF file of 12 bytes; expected 13 for 3x2 cells");
  EXPECT_EQ(error_of(with_byte(10, 0)),
            "b.txt:1:12: the block in column 1, row 0 (from the bottom left, counting from 0) stands right of an empty "
            "column; expected empty columns at the right only");
}

}  // namespace
}  // namespace chainshot::game
