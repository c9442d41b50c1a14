#include "game/board_text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "game/generate.hpp"

namespace chainshot::game {
namespace {

// Returns the message of the parse error, or an empty string when the text parses.
std::string error_of(std::string_view text) {
  try {
    parse_boards(text, "b.txt");
  } catch (const ParseError& error) {
    return error.what();
  }
  return {};
}

std::string codingame_rows(int rows, const std::string& row) {
  std::string text;
  for (int r = 0; r < rows; ++r)
    text += row + '\n';
  return text;
}

const std::string kFifteen = "0 1 2 3 4 0 1 2 3 4 0 1 2 3 4";

TEST(BoardText, ReadsSeveralBoardsTopRowFirst) {
  const auto boards = parse_boards("# two boards\nboard one\n3.\n10  # its bottom row\n\nboard two\nE\n", "b.txt");
  ASSERT_EQ(boards.size(), 2u);
  EXPECT_EQ(boards[0].name, "one");
  EXPECT_EQ(boards[0].position.columns(), 2);
  EXPECT_EQ(boards[0].position.rows(), 2);
  EXPECT_EQ(boards[0].position.color_at(0, 1), 3);
  EXPECT_EQ(boards[0].position.color_at(1, 1), kEmpty);
  EXPECT_EQ(boards[0].position.color_at(0, 0), 1);
  EXPECT_EQ(boards[0].position.color_at(1, 0), 0);
  EXPECT_EQ(boards[1].name, "two");
  EXPECT_EQ(boards[1].position.color_at(0, 0), 14);
}

TEST(BoardText, EndsABoardAtABlankLineOrTheNextBoard) {
  EXPECT_EQ(parse_boards("board a\n0\nboard b\n1\n\n\n", "b.txt").size(), 2u);
  EXPECT_EQ(error_of("board a\n0\n\n1\n"),
            "b.txt:4:1: '1' outside a board; expected a line `board NAME` before its rows");
}

TEST(BoardText, KeepsABoardOpenAcrossAComment) {
  EXPECT_EQ(parse_boards("board a\n0\n# half way\n1\n", "b.txt")[0].position.rows(), 2);
}

TEST(BoardText, ReadsFilesWithCarriageReturnsAndWithoutALastNewline) {
  const auto boards = parse_boards("board a\r\n01\r\n10\r\n\r\nboard b\r\n2", "b.txt");
  ASSERT_EQ(boards.size(), 2u);
  EXPECT_EQ(boards[0].position.columns(), 2);
  EXPECT_EQ(boards[1].position.color_at(0, 0), 2);
}

TEST(BoardText, ReadsAClearedBoard) {
  EXPECT_EQ(parse_boards("board a\n..\n..\n", "b.txt")[0].position.blocks(), 0);
}

TEST(BoardText, PointsAtACharacterThatIsNotAColour) {
  EXPECT_EQ(error_of("board a\n01234567\n0123456!\n"),
            "b.txt:3:8: '!' is no colour; expected a digit or letter 0-9, A-E, or '.' for empty");
  EXPECT_EQ(error_of("board a\n  0F\n"),
            "b.txt:2:4: 'F' is no colour; expected a digit or letter 0-9, A-E, or '.' for empty");
  EXPECT_EQ(error_of("board a\n0\xEF\n"),
            "b.txt:2:2: byte 0xEF is no colour; expected a digit or letter 0-9, A-E, or '.' for empty");
}

TEST(BoardText, AcceptsTabsBetweenTheNumbersOfCodingameInput) {
  std::string text = codingame_rows(15, kFifteen);
  const auto with_blanks = parse_boards(text, "b.txt");
  std::replace(text.begin(), text.end(), ' ', '\t');
  EXPECT_TRUE(parse_boards(text, "b.txt")[0].position == with_blanks[0].position);
}

TEST(BoardText, AcceptsSmallLettersAndWritesCapitals) {
  EXPECT_EQ(to_text(parse_boards("board a\naE\n", "b.txt")[0]), "board a\nAE\n");
}

TEST(BoardText, AcceptsAByteOrderMark) {
  for (const std::string& text :
       {std::string("board a\n0\n"), codingame_rows(15, kFifteen), std::string(R"({"name": "a", "cells": ["0"]})")})
    EXPECT_EQ(parse_boards("\xEF\xBB\xBF" + text, "b.txt").size(), 1u) << text;
  EXPECT_EQ(error_of("\xEF\xBB\xBF!\n").substr(0, 10), "b.txt:1:1:");
}

TEST(BoardText, RefusesAnUnknownVersion) {
  EXPECT_EQ(error_of(R"({"version": 2, "boards": [{"name": "a", "cells": ["0"]}]})"),
            "b.txt:1:13: an unknown version of the format; expected 1");
  EXPECT_NE(error_of(R"({"version": "1", "boards": [{"name": "a", "cells": ["0"]}]})"), "");
}

TEST(BoardText, RefusesRowsOfDifferentWidth) {
  EXPECT_EQ(error_of("board a\n000\n00\n"), "b.txt:3:1: a row of 2 columns; expected 3 as in the first row of board a");
  EXPECT_EQ(error_of("board a\n0\n00\n"), "b.txt:3:2: a row of 2 columns; expected 1 as in the first row of board a");
  EXPECT_EQ(error_of("board a\n000\n00 0\n"),
            "b.txt:3:1: a row of 2 columns; expected 3 as in the first row of board a");
}

TEST(BoardText, AcceptsTheLargestBoardAndRefusesALargerOne) {
  std::string largest = "board a\n";
  for (int r = 0; r < kMaxRows; ++r)
    largest += std::string(kMaxColumns, '0') + '\n';
  EXPECT_EQ(parse_boards(largest, "b.txt")[0].position.blocks(), 31 * 32);
  EXPECT_EQ(error_of(largest + std::string(kMaxColumns, '0')), "b.txt:34:1: board a goes on; expected at most 32 rows");
  EXPECT_EQ(error_of("board a\n" + std::string(32, '0')), "b.txt:2:32: a row of 32 columns; expected at most 31");
}

TEST(BoardText, RefusesBoardsThatAreNotSettled) {
  EXPECT_EQ(
      error_of("board a\n00\n0.\n"),
      "b.txt:2:2: the block in column 1, row 1 (from the bottom left, counting from 0) hangs in the air; expected "
      "a block below it");
  EXPECT_EQ(error_of("board a\n0.1\n"),
            "b.txt:2:3: the block in column 2, row 0 (from the bottom left, counting from 0) stands right of an empty "
            "column; expected empty columns at the right only");
}

TEST(BoardText, RefusesMissingDuplicateAndInvalidNames) {
  EXPECT_EQ(error_of("board\n0\n"), "b.txt:1:6: `board` without a name; expected `board NAME`");
  EXPECT_EQ(error_of("board a\n0\n\nboard a\n1\n"), "b.txt:4:7: a second board called 'a'; expected a name of its own");
  EXPECT_EQ(error_of("board a:b\n0\n"),
            "b.txt:1:8: ':' in the name of a board; expected letters, digits, '-', '_' or '.'");
  EXPECT_EQ(error_of("board a b\n0\n"), "b.txt:1:9: more than a name after `board`; expected the end of the line");
}

TEST(BoardText, RefusesEmptyFilesAndEmptyBoards) {
  EXPECT_EQ(error_of(""), "b.txt:1:1: no board; expected a line `board NAME` and its rows");
  EXPECT_EQ(error_of("# only this\n\n"), "b.txt:3:1: no board; expected a line `board NAME` and its rows");
  EXPECT_EQ(error_of("board a\nboard b\n0\n"), "b.txt:2:1: board a has no rows; expected its top row here");
  EXPECT_EQ(error_of("0123\nboard a\n0\n"),
            "b.txt:2:1: `board` after rows without a name; expected a name for every board or for none");
}

TEST(BoardText, ReadsNothingFromABadFile) {
  EXPECT_THROW(parse_boards("board good\n0\n\nboard bad\n?\n", "b.txt"), ParseError);
}

TEST(BoardText, ReadsCodingameInput) {
  std::string text = "-1" + std::string(" -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 14\n") + codingame_rows(14, kFifteen);
  const auto boards = parse_boards(text, "b.txt");
  ASSERT_EQ(boards.size(), 1u);
  EXPECT_EQ(boards[0].name, "codingame");
  EXPECT_EQ(boards[0].position.color_at(14, 14), 14);
  EXPECT_EQ(boards[0].position.color_at(0, 14), kEmpty);
  EXPECT_EQ(boards[0].position.color_at(3, 0), 3);
  EXPECT_EQ(to_codingame(boards[0].position), text);
}

TEST(BoardText, ReadsSeveralBoardsOfCodingameInput) {
  const std::string other = "4 3 2 1 0 4 3 2 1 0 4 3 2 1 0";
  for (const std::string between : {"", "\n", "# the next board\n"}) {
    const auto boards = parse_boards(codingame_rows(15, kFifteen) + between + codingame_rows(15, other), "b.txt", "s");
    ASSERT_EQ(boards.size(), 2u);
    EXPECT_EQ(boards[0].name, "codingame-1");
    EXPECT_EQ(boards[1].name, "codingame-2");
    EXPECT_EQ(to_codingame(boards[0].position), codingame_rows(15, kFifteen));
    EXPECT_EQ(to_codingame(boards[1].position), codingame_rows(15, other));
  }
  const auto spaced = parse_boards(codingame_rows(7, kFifteen) + "\n" + codingame_rows(8, kFifteen), "b.txt", "s");
  ASSERT_EQ(spaced.size(), 1u);
  EXPECT_EQ(spaced[0].name, "codingame");
}

TEST(BoardText, ReadsOtherNumbersOfRowsAsOneBoardOfTheFile) {
  const auto boards = parse_boards(codingame_rows(14, kFifteen), "b.txt", "s");
  ASSERT_EQ(boards.size(), 1u);
  EXPECT_EQ(boards[0].name, "s");
  EXPECT_EQ(boards[0].position.rows(), 14);
  EXPECT_EQ(error_of(codingame_rows(14, kFifteen) + kFifteen + " 0\n"),
            "b.txt:15:31: a row of 16 columns; expected 15 as in the first row of board board");
}

// 29 rows are likely two boards of which a copy lost a row.
TEST(BoardText, RefusesRowsOfCodingameInputThatAreNoBoards) {
  const std::string sentence =
      " rows of 15 numbers; expected a multiple of 15 as CodinGame has them, or a first line with their size or `board "
      "NAME`";
  EXPECT_EQ(error_of(codingame_rows(29, kFifteen)), "b.txt:29:1: 29" + sentence);
  EXPECT_EQ(error_of(codingame_rows(16, kFifteen)), "b.txt:16:1: 16" + sentence);
  EXPECT_EQ(error_of(codingame_rows(15, kFifteen) + '\n' + codingame_rows(14, kFifteen)), "b.txt:30:1: 29" + sentence);
  for (const std::string head : {"15 29\n", "board a\n"}) {
    const auto boards = parse_boards(head + codingame_rows(29, kFifteen), "b.txt");
    ASSERT_EQ(boards.size(), 1u);
    EXPECT_EQ(boards[0].position.rows(), 29);
  }
}

TEST(BoardText, ReadsJson) {
  const std::string board = R"({"name": "a", "columns": 2, "rows": 2, "cells": ["3.", "10"]})";
  for (const std::string& text : {board, '[' + board + ']', R"({"version": 1, "boards": [)" + board + "]}"}) {
    const auto boards = parse_boards(text, "b.json");
    ASSERT_EQ(boards.size(), 1u);
    EXPECT_EQ(boards[0].name, "a");
    EXPECT_EQ(boards[0].position.color_at(0, 1), 3);
    EXPECT_EQ(boards[0].position.color_at(1, 0), 0);
  }
}

TEST(BoardText, PointsAtTheMistakeInsideJson) {
  EXPECT_EQ(error_of("{\"name\": \"a\",\n \"cells\": [\"01\",\n            \"0!\"]}"),
            "b.txt:3:15: '!' is no colour; expected a digit or letter 0-9, A-E, or '.' for empty");
  EXPECT_EQ(error_of("{\"name\": \"a\",\n \"columns\": 3, \"cells\": [\"01\"]}"),
            "b.txt:2:13: the cells have 2 columns; expected the same number here");
  EXPECT_EQ(error_of("{\"name\": \"a\", \"name\": \"b\", \"cells\": [\"0\"]}"),
            "b.txt:1:15: the key 'name' is here twice; expected it once");
  EXPECT_EQ(error_of("[\n  {\"name\": \"a\"}\n]"),
            "b.txt:2:3: no board; expected an object with \"name\" and \"cells\"");
  EXPECT_EQ(error_of("{\"name\": \"a b\", \"cells\": [\"0\"]}"),
            "b.txt:1:12: a space in the name of a board; expected letters, digits, '-', '_' or '.'");
  EXPECT_EQ(error_of("{\"name\": \"a\", \"cells\": [0]}"),
            "b.txt:1:25: expected a row in quotes, or an array of cells");
  EXPECT_EQ(error_of("[]"), "b.txt:1:1: no board; expected an object with \"name\" and \"cells\"");
}

TEST(BoardText, CountsColumnsOfJsonInCharactersAsItIsWritten) {
  const std::string wrong = "'!' is no colour; expected a digit or letter 0-9, A-E, or '.' for empty";
  // An escape of six characters is one letter, and so is one of two bytes.
  EXPECT_EQ(error_of(R"({"name":"a","cells":["\u00301!"]})"), "b.txt:1:30: " + wrong);
  EXPECT_EQ(error_of("{\"by\":\"\u00e9\", \"name\":\"a\",\"cells\":[\"1!\"]}"), "b.txt:1:34: " + wrong);
}

TEST(BoardText, PointsAtBrokenJson) {
  EXPECT_EQ(error_of("{\"name\": \"a\",\n \"cells\": [\"0\" \"1\"]}").substr(0, 46),
            "b.txt:2:16: '\"1\"' does not belong here in JSON");
  EXPECT_EQ(error_of("{\"name\": nil}").substr(0, 11), "b.txt:1:11:");
  EXPECT_EQ(error_of("{\"name\": \"a\",\n"), "b.txt:2:1: the text ends in the middle of JSON; expected string literal");
  // The message quotes a bracket or comma by itself, without the literal before it.
  EXPECT_EQ(error_of("{\n  \"name\": \"q\",\n  \"cells\": [\n    \"00\",\n    \"11\"\n  ],\n}\n"),
            "b.txt:7:1: '}' does not belong here in JSON; expected string literal");
  EXPECT_EQ(error_of("{\"name\": \"q\", \"cells\": [\"00\",\n \"11\",\n]}").substr(0, 44),
            "b.txt:3:1: ']' does not belong here in JSON;");
  EXPECT_EQ(error_of("[{\"name\": \"q\"} {}]").substr(0, 45), "b.txt:1:16: '{' does not belong here in JSON;");
  EXPECT_EQ(error_of("{\"name\": \"\x01\"}"),
            "b.txt:1:11: byte 0x01 does not belong here in JSON; expected valid JSON");
  EXPECT_EQ(error_of(std::string(100000, '[')),
            "b.txt:1:17: nested deeper than any board or solution; expected at most 16 levels of brackets");
}

TEST(BoardText, WritesWhatItReads) {
  for (const NamedBoardKind& kind : kBoardKinds) {
    BoardRecipe recipe;
    recipe.kind = kind.kind;
    recipe.columns = 9;
    recipe.rows = 7;
    recipe.colors = kind.kind == BoardKind::kChessboard || kind.kind == BoardKind::kHalfChessboard ? 2 : 13;
    const NamedBoard board{"some-board_1.2", generate_board(recipe, 1, 0)};
    const auto from_text = parse_boards(to_text(board), "t");
    const auto from_json = parse_boards(to_json(board).dump(), "j");
    EXPECT_EQ(from_text[0].name, board.name);
    EXPECT_EQ(from_json[0].name, board.name);
    EXPECT_TRUE(from_text[0].position == board.position);
    EXPECT_TRUE(from_json[0].position == board.position);
  }
}

// In the papers boards 1-10 are random, 11-15 hold 45 blocks of each colour, and 16-20 hold 65 blocks of one colour and
// 40 of each other.
TEST(StandardBoards, AreTheTwentyBoardsOfThePapers) {
  const auto& boards = standard_boards();
  ASSERT_EQ(boards.size(), 20u);
  EXPECT_EQ(boards.front().name, "standard-01");
  EXPECT_EQ(boards.back().name, "standard-20");
  for (std::size_t i = 0; i < boards.size(); ++i) {
    const Position& position = boards[i].position;
    EXPECT_EQ(position.columns(), 15);
    EXPECT_EQ(position.rows(), 15);
    EXPECT_EQ(position.blocks(), 225);
    EXPECT_EQ(position.colors(), 5);
    const auto counts = position.color_counts();
    for (int color = 0; i >= 10 && color < 5; ++color) {
      const int expected = i < 15 ? 45 : color == position.most_frequent_color() ? 65 : 40;
      EXPECT_EQ(counts[static_cast<std::size_t>(color)], expected);
    }
  }
}

}  // namespace
}  // namespace chainshot::game
