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

TEST_F(BoardFilesTest, FilesOfOneNameAreRefusedWhereTheirBoardsDiffer) {
  EXPECT_EQ(shell("mkdir d && printf '00\\n' >a.txt && printf '11\\n' >d/a.txt").exit_code, 0);
  EXPECT_EQ(run("solve a.txt d/a.txt --preset greedy").err,
            "chainshot: two different boards are called 'a-a'; expected a different name for each\n");
}

}  // namespace
}  // namespace chainshot
