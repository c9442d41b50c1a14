// Files of boards as people have them, given to the program: their names, and names that several files share.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/program_run.hpp"

namespace chainshot {
namespace {

using nlohmann::json;

// Boards of two columns need no search.
class BoardFilesTest : public ProgramTest {
 protected:
  std::vector<std::string> solved_names(const std::string& boards) const {
    const ProgramRun solved = run("solve " + boards + " --preset greedy --json");
    EXPECT_EQ(solved.exit_code, 0) << solved.err;
    std::vector<std::string> names;
    const json answer = json::parse(solved.out);
    for (const json& board : answer["boards"])
      names.push_back(board["name"]);
    return names;
  }
};

using Names = std::vector<std::string>;

TEST_F(BoardFilesTest, TheStemNamesABareBoard) {
  write("my board.v2.txt", "RRG\nGGR\n");
  EXPECT_EQ(json::parse(run("show 'my board.v2.txt' --json").out)["name"], "my_board.v2");
  EXPECT_EQ(json::parse(run("show 'my board.v2.txt:my_board.v2' --json").out)["cells"], (json{"110", "001"}));
  EXPECT_EQ(json::parse(shell("chainshot show - --json <'my board.v2.txt'").out)["name"], "board");
}

TEST_F(BoardFilesTest, BoardsOfOneNameGetTheirFilesAsPrefixes) {
  write("a.txt", "board x\n00\n\nboard y\n11\n");
  write("b.txt", "board x\n11\n");
  EXPECT_EQ(solved_names("a.txt b.txt"), (Names{"a-x", "y", "b-x"}));
  EXPECT_EQ(solved_names("a.txt"), (Names{"x", "y"}));
}

TEST_F(BoardFilesTest, ABuiltInBoardKeepsItsName) {
  write("a.txt", "board standard-01\n00\n");
  EXPECT_EQ(solved_names("standard-01 a.txt"), (Names{"standard-01", "a-standard-01"}));
}

TEST_F(BoardFilesTest, TheSameBoardTwiceKeepsItsName) {
  write("a.txt", "board x\n00\n");
  write("b.txt", "board x\n00\n");
  EXPECT_EQ(solved_names("a.txt b.txt"), (Names{"x", "x"}));
}

// The two groups of two of board x of a.txt score 0, and 1000 when it is cleared. That of b.txt has one group of four:
// (4 - 2)^2 = 4.
class LongNames : public BoardFilesTest {
 protected:
  void SetUp() override {
    BoardFilesTest::SetUp();
    write("a.txt", "board x\n11\n00\n");
    write("b.txt", "board x\n11\n11\n");
    ASSERT_EQ(run("solve a.txt b.txt --preset greedy --out best.txt --log run.jsonl").exit_code, 0);
    ASSERT_NE(read("best.txt").find("board a-x\n"), std::string::npos) << read("best.txt");
  }
};

TEST_F(LongNames, FitTheBoardsOfEitherFile) {
  EXPECT_EQ(run("verify a.txt best.txt").out, "x  1000 points, 2 moves, cleared\n");
  EXPECT_EQ(run("verify b.txt best.txt").out, "x  1004 points, 1 move, cleared\n");
  EXPECT_EQ(run("verify a.txt:x best.txt").out, "x  1000 points, 2 moves, cleared\n");
  EXPECT_EQ(run("show b.txt best.txt --notation codingame").exit_code, 0);
  EXPECT_EQ(run("archive import a.db best.txt --boards a.txt").exit_code, 1);  // no board is known for b-x
  EXPECT_EQ(json::parse(run("archive best a.db --json").out)["boards"][0]["board"], "x");
  const json from = json::parse(run("solve b.txt --preset greedy --from best.txt --json").out);
  EXPECT_EQ(from["boards"][0]["start"], 1004) << from;
  const json both = json::parse(run("solve a.txt b.txt --preset greedy --from best.txt --json").out);
  EXPECT_EQ(both["boards"][0]["start"], 1000) << both;
}

TEST_F(LongNames, OfALogFitTheBoardsOfAReport) {
  for (const std::string arguments : {"", "--boards a.txt --boards b.txt "}) {
    const json page = json::parse(run("report run.jsonl " + arguments + "--json").out);
    ASSERT_EQ(page["boards"].size(), 2u);
    for (const json& board : page["boards"])
      EXPECT_EQ(board.contains("cells"), !arguments.empty()) << board;
  }
}

TEST_F(LongNames, DoNotGoBeforeNames) {
  write("a.txt", read("a.txt") + "\nboard a-x\n22\n22\n");
  write("line.txt", "board a-x\nmoves 0,0\n");
  EXPECT_EQ(run("verify a.txt line.txt").out, "a-x  1004 points, 1 move, cleared\n");
}

TEST_F(LongNames, AreThoseOfARecordRunToo) {
  const ProgramRun run_of_both = run("record a.txt b.txt --archive r.db --rounds 1 --turn-playouts 5 --threads 1");
  EXPECT_EQ(run_of_both.exit_code, 0) << run_of_both.err;
  std::vector<std::string> names;
  const json best = json::parse(run("archive best r.db --json").out);
  for (const json& board : best["boards"])
    names.push_back(board["board"]);
  EXPECT_EQ(names, (Names{"a-x", "b-x"}));
}

TEST_F(BoardFilesTest, FilesOfOneNameAreRefusedWhereTheirBoardsDiffer) {
  EXPECT_EQ(shell("mkdir d && printf '00\\n' >a.txt && printf '11\\n' >d/a.txt").exit_code, 0);
  EXPECT_EQ(run("solve a.txt d/a.txt --preset greedy").err,
            "chainshot: board 'a' of a.txt and board 'a' of d/a.txt differ, but both would be called 'a-a'; expected "
            "another name for one of the boards or files\n");
}

}  // namespace
}  // namespace chainshot
