// Moves as players of CodinGame write them, and lists of nothing but moves.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/program_run.hpp"

namespace chainshot {
namespace {

// Two pairs side by side. When the left one is gone, the other stands in its place. Groups of two score (2 - 2)^2 = 0,
// and the cleared board 1000.
const std::string kBoard = "board pairs\n01\n01\n";

class NotationTest : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    write("pairs.txt", kBoard);
  }
};

TEST_F(NotationTest, VerifyTakesMovesAlone) {
  const std::string cleared = "pairs  1000 points, 2 moves, cleared\n";
  for (const char* moves : {"0 0\\n0 1\\n", "0,0 0,1\\n", "[[0, 0], [0, 1]]"})
    for (const char* notation : {"", " --notation codingame", " --notation columns"})
      EXPECT_EQ(shell("printf '" + std::string(moves) + "' | chainshot verify pairs.txt -" + notation).out, cleared)
          << moves << notation;
  EXPECT_EQ(shell("printf '2 1\\n1 1\\n' | chainshot verify pairs.txt - --notation paper").out, cleared);
}

TEST_F(NotationTest, ShowPrintsMovesToPaste) {
  write("line.txt", "board pairs\nscore 1000\nmoves 0,0 0,1\n");
  EXPECT_EQ(run("show pairs.txt line.txt --notation codingame").out, "0 0\n0 1\n");
  EXPECT_NE(run("show pairs.txt line.txt --notation codingame --step 2").out.find("0 1 takes 2"), std::string::npos);
  write("two.txt", kBoard + "\nboard other\n22\n");
  write("lines.txt", "board pairs\nmoves 0,0 0,1\nboard other\nscore 1000\nmoves 1,0\n");
  EXPECT_EQ(run("show two.txt lines.txt --notation codingame").out,
            "board pairs\n0 0\n0 1\n\nboard other\nscore 1000\n1 0\n");
}

TEST_F(NotationTest, SolvePrintsMovesToPasteAndReportsBeside) {
  const ProgramRun solved = run("solve pairs.txt --preset greedy --notation codingame");
  EXPECT_EQ(solved.exit_code, 0) << solved.err;
  write("moves.txt", solved.out);
  EXPECT_EQ(solved.out.size(), std::string("0 0\n0 0\n").size()) << solved.out;
  EXPECT_EQ(run("verify pairs.txt moves.txt").out, "pairs  1000 points, 2 moves, cleared\n");
  EXPECT_NE(solved.err.find("pairs: 1000 points in 2 moves"), std::string::npos) << solved.err;
}

// One block of each colour scores -(1 - 2)^2 = -1 for each.
TEST_F(NotationTest, ABoardWithoutAGroupHasNothingToPaste) {
  write("q.txt", "board q\n01\n");
  const ProgramRun solved = run("solve q.txt --preset greedy --notation codingame --out best.txt");
  EXPECT_EQ(solved.exit_code, 0) << solved.err;
  EXPECT_EQ(solved.out, "");
  EXPECT_EQ(read("best.txt").substr(read("best.txt").find("score")), "score -2\nmoves\n");
  EXPECT_EQ(run("show q.txt best.txt --notation codingame").out, "");
}

TEST_F(NotationTest, SolvePrintsTheLinesOfSeveralBoardsInANotation) {
  write("two.txt", kBoard + "\nboard other\n22\n11\n");
  for (const std::string notation : {"codingame", "paper"}) {
    const ProgramRun solved = run("solve two.txt --preset greedy --out lines.txt --notation " + notation);
    const std::size_t lines = solved.out.find("\nboard pairs\n");
    ASSERT_NE(lines, std::string::npos) << solved.out;
    write("printed.txt", solved.out.substr(lines));
    const std::string right = run("verify two.txt lines.txt").out;
    EXPECT_NE(right.find("2000 points, 2 solutions\n"), std::string::npos) << right;
    EXPECT_EQ(run("verify two.txt printed.txt --notation " + notation).out, right);
  }
}

TEST_F(NotationTest, SolveStartsFromMovesAlone) {
  write("start.txt", "0 0\n0 1\n");
  EXPECT_NE(run("solve pairs.txt --preset anneal --playouts 10 --from start.txt").out.find("started from 1000 points"),
            std::string::npos);
}

TEST_F(NotationTest, RefusesWhatHasNoEffectOrNoName) {
  EXPECT_EQ(run("solve pairs.txt --json --notation paper").err,
            "chainshot: --notation has no effect on JSON, where moves are [column, row]; expected one of the two "
            "options\n");
  EXPECT_EQ(run("solve pairs.txt --notation codingames").err,
            "chainshot: no notation is called 'codingames'; did you mean 'codingame'?\n");
}

}  // namespace
}  // namespace chainshot
