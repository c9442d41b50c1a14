// The contract of `chainshot verify` beyond single scores: sums of any size, and games that are not over.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/program_run.hpp"

namespace chainshot {
namespace {

using nlohmann::json;

using VerifyCommand = ProgramTest;

// One group of 31 * 32 = 992 blocks earns 990^2 and the bonus of 1000: 981,100 points.
TEST_F(VerifyCommand, TheSumOfManyLargeBoardsIsRight) {
  std::string boards, solutions;
  for (int i = 0; i < 3000; ++i) {
    boards += "board b" + std::to_string(i) + '\n';
    for (int row = 0; row < 32; ++row)
      boards += std::string(31, '0') + '\n';
    boards += '\n';
    solutions += "board b" + std::to_string(i) + "\nmoves 0,0\n\n";
  }
  write("boards.txt", boards);
  write("solutions.txt", solutions);
  const ProgramRun verified = run("verify boards.txt solutions.txt --json");
  EXPECT_EQ(verified.exit_code, 0) << verified.err;
  EXPECT_EQ(json::parse(verified.out)["sum"], std::int64_t{3000} * 981'100);
  EXPECT_NE(run("verify boards.txt solutions.txt").out.find("2943300000 points"), std::string::npos);
}

TEST_F(VerifyCommand, AGameThatIsNotOverIsNoSolution) {
  write("b.txt", "board a\n00\n11\n");
  write("s.txt", "moves 0,0\n");  // the group of colour 1 is left
  const ProgramRun refused = run("verify b.txt s.txt");
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_EQ(refused.out,
            "a  0 points, 1 move, 2 blocks left, game not over; expected a finished game, or --unfinished\n");
  const json answer = json::parse(run("verify b.txt s.txt --json").out);
  EXPECT_EQ(answer["over"], false);
  EXPECT_TRUE(answer.contains("error"));
  const ProgramRun accepted = run("verify b.txt s.txt --unfinished");
  EXPECT_EQ(accepted.exit_code, 0);
  EXPECT_EQ(accepted.out, "a  0 points, 1 move, 2 blocks left, game not over\n");
  EXPECT_FALSE(json::parse(run("verify b.txt s.txt --unfinished --json").out).contains("error"));
}

TEST_F(VerifyCommand, AWrongScoreIsNamedBeforeAnUnfinishedGame) {
  write("b.txt", "board a\n00\n11\n");
  write("s.txt", "score 5\nmoves 0,0\n");
  EXPECT_EQ(run("verify b.txt s.txt").out, "a  the moves score 0, but the solution states 5\n");
}

}  // namespace
}  // namespace chainshot
