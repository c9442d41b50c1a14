// The contract of `solve --from`: which lines a search starts from, what it reports about them, and what it refuses.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/solve_test.hpp"

namespace chainshot {
namespace {

using nlohmann::json;

// Two pairs of either colour in four rows. `kZerosJoin` takes the lower ones first: 0 points for a pair, (4 - 2)^2 = 4
// for the four zeros, 0 for the other pair, 1000 for the cleared board. `kPairs` takes pair after pair: 1000.
const std::string kTiny = "board tiny\n11\n00\n11\n00\n";
const std::string kZerosJoin = "board tiny\nscore 1004\nmoves 0,1 0,0 0,0\n";
const std::string kPairs = "board tiny\nscore 1000\nmoves 0,0 0,0 0,0 0,0\n";

class SolveFrom : public SolveTest {
 protected:
  // Writes a line of standard-01 that no search of a few hundred evaluations finds, and returns its score.
  int write_good_line(const std::string& name) const {
    return answer("standard-01 --preset anneal --playouts 100000 --seed 3 --out " + name)["boards"][0]["score"];
  }
};

TEST_F(SolveFrom, NoSearchEndsBelowItsStart) {
  const int start = write_good_line("best.txt");
  for (const char* preset : {"auto", "anneal", "set", "uct", "sp-mcts-per-move", "mc-avg"})
    for (const char* deterministic : {"", " --deterministic"}) {
      const json board = answer("standard-01 --engine cpu --threads 1 --playouts 300 --from best.txt --preset " +
                                std::string(preset) + deterministic)["boards"][0];
      EXPECT_EQ(board["start"], start) << preset << deterministic;
      EXPECT_GE(board["score"], start) << preset << deterministic;
    }
}

// A tree has the start as a path, so the game that is played move by move follows it unless a better line is found.
TEST_F(SolveFrom, TheGameOfATreeSearchDoesNotEndBelowTheStart) {
  const int start = write_good_line("best.txt");
  const std::string arguments = "standard-01 --preset base-exp+tabu48 --engine cpu --threads 1 --playouts 3000";
  ASSERT_LT(answer(arguments)["boards"][0]["played_score"], start);
  for (const char* deterministic : {"", " --deterministic"})
    EXPECT_GE(answer(arguments + " --from best.txt" + deterministic)["boards"][0]["played_score"], start);
}

TEST_F(SolveFrom, AnnealingImprovesTheStart) {
  const int start = write_good_line("best.txt");
  const std::string arguments = "standard-01 --preset anneal --playouts 100000 --seed 4";
  const json board = answer(arguments + " --from best.txt")["boards"][0];
  EXPECT_GT(board["score"], start);
  EXPECT_EQ(board["source"], "anneal");
  EXPECT_EQ(answer(arguments + " --from best.txt --threads 1")["boards"][0]["moves"], board["moves"]);
}

TEST_F(SolveFrom, TheStartMayComeFromTheFileThatTheRunImproves) {
  const int start = write_good_line("best.txt");
  EXPECT_EQ(answer("standard-01 --preset anneal --playouts 200 --from best.txt --out best.txt")["boards"][0]["start"],
            start);
  EXPECT_EQ(run("verify standard-01 best.txt").exit_code, 0);
}

TEST_F(SolveFrom, TakesTheBestOfAllFilesAndSkipsOtherBoards) {
  write("tiny.txt", kTiny);
  write("a.txt", kPairs + "board other\nscore 1\nmoves 30,30\n");
  write("b.json", R"({"board": "tiny", "score": 1004, "moves": [[0, 1], [0, 0], [0, 0]]})");
  EXPECT_EQ(answer("tiny.txt --from a.txt --from b.json" + kBrief)["boards"][0]["start"], 1004);
  EXPECT_EQ(answer("tiny.txt --from a.txt" + kBrief)["boards"][0]["start"], 1000);
  EXPECT_FALSE(answer("standard-01 --from a.txt" + kBrief)["boards"][0].contains("start"));
  write("nameless.txt", "moves 0,0 0,0\n");  // two of either colour are left: -(2 - 2)^2 for each
  EXPECT_EQ(answer("tiny.txt --from nameless.txt" + kBrief)["boards"][0]["start"], 0);
}

TEST_F(SolveFrom, ALineOfAnotherScoringCountsByTheScoringOfTheRun) {
  write("tiny.txt", kTiny);
  write("blocks.txt", "board tiny\nscoring clickomania\nscore 0\nmoves 0,1 0,0 0,0\n");
  EXPECT_EQ(answer("tiny.txt --from blocks.txt" + kBrief)["boards"][0]["start"], 1004);
}

TEST_F(SolveFrom, ReportsWhereItBegan) {
  write("tiny.txt", kTiny);
  write("best.txt", kZerosJoin);
  write("three.txt", "board three\n000\n");
  const std::string report = run("solve tiny.txt --preset mc-avg --playouts 10 --threads 1 --from best.txt").out;
  EXPECT_NE(report.find(
                "\nstarted from 1004 points (best.txt)\nthe search finished early without a proof; no line better than "
                "the start was found\n"),
            std::string::npos)
      << report;
  std::istringstream table(run("solve tiny.txt three.txt --from best.txt" + kBrief).out);
  std::string line, head, tiny, three;
  while (std::getline(table, line))
    (line.starts_with("board ") && head.empty() ? head
     : line.starts_with("tiny ")                ? tiny
     : line.starts_with("three ")               ? three
                                                : line) = line;
  const std::size_t end = head.find(" start ") + 6;  // numbers are aligned to the right
  ASSERT_LT(end, head.size());
  EXPECT_EQ(tiny.substr(end - 4, 4), "1004") << tiny;
  EXPECT_EQ(three.substr(end - 4, 4), "   -") << three;
}

TEST_F(SolveFrom, TheLogNamesTheFilesAndHasTheStart) {
  write("tiny.txt", kTiny);
  write("best.txt", kPairs);
  answer("tiny.txt --from best.txt --log run.jsonl" + kBrief);
  std::istringstream log(read("run.jsonl"));
  std::string line;
  std::getline(log, line);
  EXPECT_EQ(json::parse(line)["from"], json::array({"best.txt"}));
  std::getline(log, line);
  const json best = json::parse(line);
  EXPECT_EQ(best["event"], "best");
  EXPECT_EQ(best["source"], "start");
  EXPECT_EQ(best["score"], 1000);
}

TEST_F(SolveFrom, RefusesLinesThatDoNotReplay) {
  write("tiny.txt", kTiny);
  write("illegal.txt", kPairs + "board tiny\nmoves 0,0 1,3\n");
  EXPECT_EQ(complaint("tiny.txt --from illegal.txt --log run.jsonl --out out.txt"),
            "chainshot: illegal.txt:4:7: this line does not replay on board tiny: move 2 at column 1, row 3 is "
            "illegal: the cell is empty; expected a line of that board\n");
  write("wrong.txt", "# mine\nboard tiny\nscore 1005\nmoves 0,1 0,0 0,0\n");
  EXPECT_EQ(complaint("tiny.txt --from wrong.txt"),
            "chainshot: wrong.txt:2:7: the moves score 1004 on board tiny, but the line states 1005; expected the "
            "score of its moves\n");
  EXPECT_EQ(shell("ls -A | grep -c 'lock\\|run\\|out.txt'").out, "0\n");
}

TEST_F(SolveFrom, RefusesWhatItCannotMatchOrRead) {
  write("nameless.txt", "moves 0,0 0,0\n");
  EXPECT_EQ(complaint("standard --from nameless.txt"),
            "chainshot: nameless.txt:1:7: this solution names no board; expected one BOARD, or a line `board NAME` "
            "before `moves`\n");
  EXPECT_EQ(complaint("standard --from missing.txt").find("chainshot: cannot read missing.txt"), 0u)
      << complaint("standard --from missing.txt");
  EXPECT_EQ(complaint("- --from -"), "chainshot: the standard input (-) is given twice; expected it once\n");
  write("best.txt", kPairs);
  EXPECT_NE(complaint("standard --from best.txt --log best.txt"), "");
  EXPECT_EQ(read("best.txt"), kPairs);
}

}  // namespace
}  // namespace chainshot
