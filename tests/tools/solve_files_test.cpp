// The contract of `solve --out` and `solve --log`: what the files hold, keep and refuse.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/solve_test.hpp"

namespace chainshot {
namespace {

using nlohmann::json;

class SolveFiles : public SolveTest {};

TEST_F(SolveFiles, SolutionFilesAndAnswersVerify) {
  const ProgramRun solved = shell(
      "chainshot solve standard --preset anneal --playouts 200 --threads 1 --out best.txt "
      ">/dev/null && chainshot verify standard best.txt --json");
  EXPECT_EQ(solved.exit_code, 0) << solved.err;
  EXPECT_EQ(json::parse(solved.out)["boards"].size(), 20u);
  EXPECT_EQ(
      shell("chainshot solve standard-04 standard-05 --json" + kBrief + " | chainshot verify standard -").exit_code, 0);
  // A file that is only appended to gets every solution once.
  EXPECT_EQ(shell("chainshot solve standard-04 standard-05 --json" + kBrief +
                  " --out /dev/fd/3 3>two.txt >/dev/null && "
                  "grep -c board two.txt")
                .out,
            "2\n");
}

TEST_F(SolveFiles, AFileKeepsTheBestLineOfEveryRun) {
  const auto solve = [&](const std::string& arguments) {
    EXPECT_EQ(run("solve --preset anneal --threads 1 --out best.txt " + arguments).exit_code, 0) << arguments;
    return read("best.txt");
  };
  const std::string good = solve("standard-01 --playouts 50000");
  EXPECT_EQ(solve("standard-01 --playouts 10"), good);
  const std::string two = solve("standard-02 --playouts 10");
  EXPECT_TRUE(two.starts_with(good + "board standard-02\n")) << two;
  const std::string better = solve("standard-02 standard-01 --playouts 60000 --seed 2");
  EXPECT_EQ(run("verify standard best.txt").exit_code, 0);
  EXPECT_EQ(json::parse(run("verify standard best.txt --json").out)["boards"].size(), 2u);
  EXPECT_NE(better, two);
}

TEST_F(SolveFiles, RefusesAFileWhoseLinesAreOfOtherBoards) {
  write("mine.txt", "board mine\n0011\n");
  write("best.txt", "board mine\nscore 1000\nmoves 0,0 0,0 0,0\n");
  EXPECT_EQ(complaint("mine.txt --out best.txt --log run.jsonl"),
            "chainshot: best.txt:1:7: move 3 of this line is illegal on board mine as given; expected lines of that "
            "board, or another file\n");
  EXPECT_EQ(complaint("standard-01 --out mine.txt").rfind("chainshot: mine.txt:2:1: '0011' is no move; expected ", 0),
            0u);
  EXPECT_EQ(read("mine.txt"), "board mine\n0011\n");
  EXPECT_EQ(shell("ls -A | grep -c 'lock\\|run'").out, "0\n");
}

TEST_F(SolveFiles, LinesOfSeveralBoardsArePrintedIfNoFileHoldsThem) {
  const std::string brief = "standard-01 standard-02 --preset anneal" + kBrief;
  const ProgramRun printed = run("solve " + brief);
  const std::size_t lines = printed.out.find("\n\nboard standard-01\n");
  ASSERT_NE(lines, std::string::npos) << printed.out;
  write("lines.txt", printed.out.substr(lines));
  EXPECT_EQ(run("verify standard lines.txt").exit_code, 0);
  EXPECT_EQ(run("solve " + brief + " --out best.txt").out.find("\nmoves "), std::string::npos);
  EXPECT_EQ(printed.out.substr(lines + 2), read("best.txt"));
}

// A killed program leaves a line that is at most a second old.
TEST_F(SolveFiles, TheFileHasTheBestLineWhileTheSearchGoesOn) {
  const ProgramRun killed =
      run_until("test -e line.txt", "solve standard-03 --time 1h --threads 1 --out line.txt --log run.jsonl", "KILL");
  EXPECT_EQ(killed.exit_code, 137);
  EXPECT_EQ(run("verify standard-03 line.txt").exit_code, 0);
  EXPECT_NE(read("run.jsonl").find("\"line\":[["), std::string::npos);
}

TEST_F(SolveFiles, TheLogRecordsTheRun) {
  const json found = answer("standard-06 --preset set --log run.jsonl --seed 18446744073709551615" + kBrief);
  std::vector<json> lines;
  std::istringstream text(read("run.jsonl"));
  for (std::string line; std::getline(text, line);)
    lines.push_back(json::parse(line));
  ASSERT_GE(lines.size(), 4u);
  EXPECT_EQ(lines[0]["event"], "run");
  EXPECT_EQ(lines[0]["version"], 1);
  EXPECT_EQ(lines[0]["boards"], json({"standard-06"}));
  EXPECT_EQ(lines[0]["preset"], "set");
  EXPECT_EQ(lines[0]["seed"], 18446744073709551615u);
  EXPECT_EQ(lines[0]["settings"]["parallel"], "set");
  EXPECT_EQ(lines[0]["budget"]["playouts"], 2000);
  EXPECT_EQ(lines.back()["event"], "end");
  EXPECT_EQ(lines.back()["moves"], found["boards"][0]["moves"]);
  const json& status = lines[lines.size() - 2];
  EXPECT_EQ(status["event"], "status");
  EXPECT_EQ(status["playouts"], found["boards"][0]["playouts"]);
  for (const char* field : {"busy_share", "batch_fill", "in_flight", "mean_depth"})
    EXPECT_GT(status[field].get<double>(), 0) << field;
  // A rate covers the time since the previous line; the last line may have no new playouts.
  EXPECT_TRUE(std::any_of(lines.begin(), lines.end(), [](const json& line) {
    return line["event"] == "status" && line["playouts_per_second"].get<double>() > 0;
  }));
}

TEST_F(SolveFiles, EveryRunIsAppendedToTheLogWithItsHead) {
  for (const std::string seed : {"1", "2"})
    answer("standard-06 --preset anneal --log run.jsonl --seed " + seed + kBrief);
  std::vector<json> heads;
  std::istringstream text(read("run.jsonl"));
  for (std::string line; std::getline(text, line);)
    if (const json event = json::parse(line); event["event"] == "run") heads.push_back(event);
  ASSERT_EQ(heads.size(), 2u);
  for (const json& head : heads) {
    EXPECT_EQ(head["date"].get<std::string>().size(), std::string("2026-11-18T14:51:10Z").size());
    EXPECT_EQ(head["date"].get<std::string>().back(), 'Z');
    EXPECT_NE(head["host"], "");
    EXPECT_EQ(head["command"][1], "solve");
    EXPECT_EQ(head["command"].back(), "--json");
    EXPECT_TRUE(head["program"].is_string());
  }
  EXPECT_EQ(heads[0]["seed"], 1);
  EXPECT_EQ(heads[1]["seed"], 2);
}

}  // namespace
}  // namespace chainshot
