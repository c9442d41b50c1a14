#include "game/solution_text.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace chainshot::game {
namespace {

std::vector<Solution> parse(std::string_view text, Notation notation = Notation::kColumnRow) {
  return parse_solutions(text, "s.txt", notation, 15);
}

std::string error_of(std::string_view text, Notation notation = Notation::kColumnRow) {
  try {
    parse(text, notation);
  } catch (const ParseError& error) {
    return error.what();
  }
  return {};
}

Cell cell(int column, int row) {
  return {static_cast<std::uint8_t>(column), static_cast<std::uint8_t>(row)};
}

TEST(SolutionText, ReadsBoardScoreAndMovesOverSeveralLines) {
  const auto solutions = parse("# found by hand\nboard a\nscore -12\nmoves 0,1 14,0\n3,4 5,6\n\nboard b\nmoves 1,1\n");
  ASSERT_EQ(solutions.size(), 2u);
  EXPECT_EQ(solutions[0].board, "a");
  EXPECT_EQ(solutions[0].score, -12);
  EXPECT_EQ(solutions[0].moves, (std::vector<Cell>{cell(0, 1), cell(14, 0), cell(3, 4), cell(5, 6)}));
  EXPECT_EQ(solutions[1].board, "b");
  EXPECT_EQ(solutions[1].score, std::nullopt);
}

TEST(SolutionText, ReadsTheScoringThatItsScoreIsFor) {
  const auto solutions = parse("board a\nscoring clickomania\nscore -2\nmoves 0,0\n\nboard b\nscore 3\nmoves 0,0\n");
  const Scoring clickomania = *scoring_named("clickomania");
  EXPECT_EQ(solutions[0].scoring, clickomania);
  EXPECT_EQ(solutions[0].score_by(clickomania), -2);
  EXPECT_EQ(solutions[0].score_by(kStandardScoring), std::nullopt);
  EXPECT_EQ(solutions[1].scoring, std::nullopt);
  EXPECT_EQ(solutions[1].score_by(clickomania), 3);
  EXPECT_EQ(error_of("scoring clicks\nmoves 0,0\n"),
            "s.txt:1:9: 'clicks' is no scoring; expected standard, total, bubble-breaker, clickomania, points or a "
            "formula like points=(n-2)^2");
  EXPECT_EQ(error_of("scoring total\nscoring total\nmoves 0,0\n"),
            "s.txt:2:9: a second `scoring` for one board; expected `board NAME` before it");
}

TEST(SolutionText, ReadsTheScoringFromJson) {
  const std::string own = R"({"scoring": "total", "moves": []})";
  EXPECT_EQ(parse(own)[0].scoring, scoring_named("total"));
  const auto solutions = parse(R"({"scoring": "points", "boards": [{"name": "a", "moves": []}, )" + own + "]}");
  EXPECT_EQ(solutions[0].scoring, scoring_named("points"));
  EXPECT_EQ(solutions[1].scoring, scoring_named("total"));
  EXPECT_EQ(parse(R"({"scoring": "points", "board": "a", "best": {"score": 1, "moves": []}})")[0].scoring,
            scoring_named("points"));
  EXPECT_EQ(error_of("{\"scoring\": 1, \"moves\": []}"),
            "s.txt:1:13: expected the name or the formula of a scoring in quotes");
  EXPECT_EQ(error_of("{\"scoring\": \"x\", \"moves\": []}").substr(0, 30), "s.txt:1:14: 'x' is no scoring;");
}

TEST(SolutionText, NeedsNeitherNameNorScore) {
  const auto solutions = parse("moves 2,3\r\n4,5\r\n");
  ASSERT_EQ(solutions.size(), 1u);
  EXPECT_EQ(solutions[0].board, "");
  EXPECT_EQ(solutions[0].moves.size(), 2u);
  EXPECT_TRUE(parse("moves\n")[0].moves.empty());
}

// In the papers row 1 is the top row. On a board of 15 rows it is our row 14, and row 15 is our row 0.
TEST(SolutionText, ReadsThePapersNotation) {
  const auto moves = parse("moves 1,1 15,15 12,6", Notation::kPaper)[0].moves;
  EXPECT_EQ(moves, (std::vector<Cell>{cell(0, 14), cell(14, 0), cell(5, 3)}));
}

TEST(SolutionText, CountsPaperRowsFromTheTopOfEachBoard) {
  const auto rows_of = [](const std::string& board) { return board == "low" ? 4 : 9; };
  const auto solutions =
      parse_solutions("board low\nmoves 4,1\nboard high\nmoves 4,1\n", "s", Notation::kPaper, rows_of);
  EXPECT_EQ(solutions[0].moves[0], cell(0, 0));
  EXPECT_EQ(solutions[1].moves[0], cell(0, 5));
}

// The parser leaves it to the rules to refuse a cell outside the board, in both notations.
TEST(SolutionText, ReadsAPaperRowBelowTheBoardAsACellOutsideIt) {
  for (int row = 16; row <= kMaxRows; ++row) {
    const std::string text = std::to_string(row) + ",1";
    const Cell outside = parse("moves " + text, Notation::kPaper)[0].moves[0];
    EXPECT_GE(outside.row, 15);
    EXPECT_EQ(to_text(outside, Notation::kPaper, 15), text);
  }
}

TEST(SolutionText, AcceptsTabsAndAByteOrderMark) {
  EXPECT_EQ(parse("\xEF\xBB\xBF"
                  "board\ta\nmoves\t1,2\t3,4\n")[0]
                .moves,
            (std::vector<Cell>{cell(1, 2), cell(3, 4)}));
  EXPECT_EQ(parse("\xEF\xBB\xBF{\"moves\": [[1, 2]]}")[0].moves.size(), 1u);
}

TEST(SolutionText, RefusesMovesOutsideEveryBoard) {
  EXPECT_EQ(error_of("moves 0,0 31,0"), "s.txt:1:11: column 31 is outside every board; expected 0 to 30");
  EXPECT_EQ(error_of("moves 0,32"), "s.txt:1:9: row 32 is outside every board; expected 0 to 31");
  EXPECT_EQ(error_of("moves 0,-1"), "s.txt:1:9: row -1 is outside every board; expected 0 to 31");
  EXPECT_EQ(error_of("moves 33,1", Notation::kPaper), "s.txt:1:7: row 33 is outside every board; expected 1 to 32");
  EXPECT_EQ(error_of("moves 0,1", Notation::kPaper), "s.txt:1:7: row 0 is outside every board; expected 1 to 32");
}

TEST(SolutionText, RefusesMalformedMoves) {
  EXPECT_EQ(error_of("moves 1,2 3"), "s.txt:1:11: '3' is no move; expected COLUMN,ROW");
  EXPECT_EQ(error_of("moves 1,2,3"), "s.txt:1:7: '1,2,3' is no move; expected COLUMN,ROW");
  EXPECT_EQ(error_of("moves 1,"), "s.txt:1:7: '1,' is no move; expected COLUMN,ROW");
  EXPECT_EQ(error_of("moves 9,6*", Notation::kPaper), "s.txt:1:7: '9,6*' is no move; expected ROW,COLUMN");
  EXPECT_EQ(error_of("moves 99999999999999999999,1"),
            "s.txt:1:7: '99999999999999999999,1' is no move; expected COLUMN,ROW");
}

TEST(SolutionText, RefusesIncompleteSolutions) {
  EXPECT_EQ(error_of(""), "s.txt:1:1: no solution; expected a line `moves COLUMN,ROW ...`");
  EXPECT_EQ(error_of("board a\nscore 3\n"),
            "s.txt:3:1: a solution without moves; expected a line `moves COLUMN,ROW ...`");
  EXPECT_EQ(error_of("board a\nboard b\nmoves 1,1\n").substr(0, 10), "s.txt:2:1:");
  EXPECT_EQ(error_of("moves 1,1\nmoves 2,2\n"),
            "s.txt:2:1: a second `moves` for one board; expected `board NAME` before it");
  EXPECT_EQ(error_of("score 1\nscore 2\nmoves 1,1\n"),
            "s.txt:2:7: a second `score` for one board; expected `board NAME` before it");
  EXPECT_EQ(error_of("score many\nmoves 1,1\n"), "s.txt:1:7: 'many' is no score; expected a whole number");
  EXPECT_EQ(error_of("score 3000000000\nmoves 1,1\n"), "s.txt:1:7: '3000000000' is no score; expected a whole number");
  EXPECT_EQ(error_of("go 1,2\n"),
            "s.txt:1:1: 'go'; expected `board NAME`, `scoring NAME`, `score N` or `moves COLUMN,ROW ...`");
}

// There is nothing to paste, but a reader needs the word after a head.
TEST(SolutionText, WritesNoMovesAsNothingForCodingame) {
  EXPECT_EQ(to_text(Solution{}, Notation::kCodingame, 2), "");
  EXPECT_EQ(to_text(Solution{}, Notation::kColumnRow, 2), "moves\n");
  Solution named;
  named.board = "a";
  EXPECT_EQ(to_text(named, Notation::kCodingame, 2), "board a\nmoves\n");
}

TEST(SolutionText, ReadsMovesAlone) {
  const std::vector<Cell> moves = {cell(0, 1), cell(14, 0), cell(3, 4)};
  for (const char* text : {"0,1 14,0 3,4", "0,1\n14,0\n3,4\n", "# mine\n0,1 14,0\n\n3,4\n", "[[0, 1], [14, 0], [3, 4]]",
                           "0 1\n14 0\n3 4\n", "  0\t1\r\n14 0\r\n3,4\r\n"}) {
    const auto solutions = parse(text);
    ASSERT_EQ(solutions.size(), 1u) << text;
    EXPECT_EQ(solutions[0].board, "") << text;
    EXPECT_EQ(solutions[0].moves, moves) << text;
  }
  const auto named = parse("board a\nscore 3\n0 1\n14 0\nboard b\n3,4\n");
  ASSERT_EQ(named.size(), 2u);
  EXPECT_EQ(named[0].moves, (std::vector<Cell>{cell(0, 1), cell(14, 0)}));
  EXPECT_EQ(named[1].moves, (std::vector<Cell>{cell(3, 4)}));
}

// Both count from 0 at the bottom left.
TEST(SolutionText, ReadsCodingamesMovesAsColumnAndRow) {
  for (const char* text : {"2 11\n5 0\n", "2,11 5,0\n", "moves 2,11\n5 0\n", "[[2, 11], [5, 0]]"})
    EXPECT_EQ(parse(text, Notation::kCodingame)[0].moves, (std::vector<Cell>{cell(2, 11), cell(5, 0)})) << text;
}

TEST(SolutionText, ReadsThePapersMovesWithoutACommaAsRowAndColumn) {
  EXPECT_EQ(parse("12 6\n", Notation::kPaper)[0].moves, (std::vector<Cell>{cell(5, 3)}));
}

TEST(SolutionText, PointsAtTheMistakeInMovesWithoutAComma) {
  EXPECT_EQ(error_of("3 4\n5\n", Notation::kCodingame), "s.txt:2:1: '5' is no move; expected COLUMN ROW");
  EXPECT_EQ(error_of("3 4 5 6\n"), "s.txt:1:5: expected the end of the line");
  EXPECT_EQ(error_of("3 x\n"), "s.txt:1:1: '3' is no move; expected COLUMN,ROW");
  EXPECT_EQ(error_of("3 4\n31 0\n"), "s.txt:2:1: column 31 is outside every board; expected 0 to 30");
  EXPECT_EQ(error_of("3 4\n0 32\n"), "s.txt:2:3: row 32 is outside every board; expected 0 to 31");
  EXPECT_EQ(error_of("[[3, 4], [5]]"), "s.txt:1:10: no move; expected [COLUMN,ROW]");
}

TEST(SolutionText, WritesCodingamesMovesOnLinesOfTheirOwn) {
  const Solution moves{"", {}, {}, {cell(2, 11), cell(5, 0)}};
  EXPECT_EQ(to_text(moves, Notation::kCodingame, 15), "2 11\n5 0\n");
  const Solution named{"a", {}, 7, {cell(2, 11)}};
  EXPECT_EQ(to_text(named, Notation::kCodingame, 15), "board a\nscore 7\n2 11\n");
  EXPECT_EQ(to_text(Solution{"a", {}, {}, {}}, Notation::kCodingame, 15), "board a\nmoves\n");
}

TEST(SolutionText, ReadsJson) {
  const std::string one = R"({"board": "a", "score": 7, "moves": [[1, 2], [3, 4]]})";
  for (const std::string& text : {one, '[' + one + ']', R"({"version": 1, "boards": [)" + one + "]}"}) {
    const auto solutions = parse(text);
    ASSERT_EQ(solutions.size(), 1u);
    EXPECT_EQ(solutions[0].board, "a");
    EXPECT_EQ(solutions[0].score, 7);
    EXPECT_EQ(solutions[0].moves, (std::vector<Cell>{cell(1, 2), cell(3, 4)}));
  }
}

TEST(SolutionText, ReadsTheBestLineFromTheOutputOfPlay) {
  const auto solutions = parse(
      R"({"version": 1, "board": "a", "score": {"mean": 1.5}, "moves": {"mean": 60},
          "best": {"score": 9, "key": "1:0:5", "moves": [[0, 0]]}})");
  ASSERT_EQ(solutions.size(), 1u);
  EXPECT_EQ(solutions[0].board, "a");
  EXPECT_EQ(solutions[0].score, 9);
  EXPECT_EQ(solutions[0].moves.size(), 1u);
}

TEST(SolutionText, PointsAtTheMistakeInsideJson) {
  EXPECT_EQ(error_of("{\"moves\": [[1, 2],\n [1, 32]]}"), "s.txt:2:6: row 32 is outside every board; expected 0 to 31");
  EXPECT_EQ(error_of("{\"moves\": [[1, 2],\n [1]]}"), "s.txt:2:2: no move; expected [COLUMN,ROW]");
  EXPECT_EQ(error_of("{\"moves\": [[1, 1e3]]}"), "s.txt:1:12: no move; expected [COLUMN,ROW]");
  EXPECT_EQ(error_of("{\"moves\": 47}"), "s.txt:1:11: expected an array of moves [COLUMN,ROW]");
  EXPECT_EQ(error_of("{\"score\": 18446744073709551615, \"moves\": []}"),
            "s.txt:1:11: no score; expected a whole number");
  EXPECT_EQ(error_of("{\"score\": true, \"moves\": []}"), "s.txt:1:11: no score; expected a whole number");
  EXPECT_EQ(error_of("{}"), "s.txt:1:1: no solution; expected an object with \"moves\"");
}

TEST(SolutionText, WritesWhatItReads) {
  Solution solution{"a", *scoring_named("total"), 4707, {}};
  for (int i = 0; i < 40; ++i)
    solution.moves.push_back(cell(i % 15, i * 7 % 15));
  for (Notation notation : {Notation::kColumnRow, Notation::kPaper, Notation::kCodingame}) {
    const std::string text = to_text(solution, notation, 15);
    const auto back = parse(text, notation);
    ASSERT_EQ(back.size(), 1u);
    EXPECT_EQ(back[0].board, solution.board);
    EXPECT_EQ(back[0].scoring, solution.scoring);
    EXPECT_EQ(back[0].score, solution.score);
    EXPECT_EQ(back[0].moves, solution.moves);
    for (std::size_t at = 0, end; at < text.size(); at = end + 1) {
      end = text.find('\n', at);
      EXPECT_LE(end - at, 80u);
    }
  }
  EXPECT_EQ(parse(to_json(solution).dump())[0].moves, solution.moves);
  EXPECT_EQ(parse(to_json(solution).dump())[0].scoring, solution.scoring);
}

TEST(SolutionText, ReadsACell) {
  EXPECT_EQ(parse_cell("30,31"), cell(30, 31));
  for (const char* text : {"", "1", "1,", ",1", "1,1,1", "31,0", "0,32", "-1,0", "1, 1", "a,b"})
    EXPECT_EQ(parse_cell(text), std::nullopt) << text;
}

}  // namespace
}  // namespace chainshot::game
