// The contract of `chainshot solve` over several seeds and settings: which runs there are, what the tables say of them,
// and that nothing is lost after Ctrl-C.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <tuple>

#include "tests/support/solve_test.hpp"

namespace chainshot {
namespace {

using nlohmann::json;

const std::string kTiny = " --playouts 200 --threads 1";

class SolveGrid : public SolveTest {};

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

TEST_F(SolveGrid, EveryCombinationSearchesEveryBoardWithEverySeed) {
  const json found = answer("standard-01 standard-02 --seed 3..5,9 --preset uct,sp-mcts --c 0.1,0.5" + kTiny);
  EXPECT_EQ(found["version"], 1);
  EXPECT_EQ(found["complete"], true);
  EXPECT_EQ(found["seeds"], json({3, 4, 5, 9}));
  ASSERT_EQ(found["combinations"].size(), 4u);
  EXPECT_EQ(found["combinations"][1]["label"], "uct, c 0.5");
  EXPECT_EQ(found["combinations"][2]["preset"], "sp-mcts");
  EXPECT_EQ(found["combinations"][2]["varied"], json({{"c", 0.1}}));
  std::set<std::tuple<int, std::string, int>> runs;
  for (const json& run : found["runs"])
    runs.emplace(run["combination"], run["board"], run["seed"]);
  EXPECT_EQ(runs.size(), 32u);
  EXPECT_EQ(found["runs"].size(), 32u);
}

TEST_F(SolveGrid, RunsAreThoseOfASingleSearch) {
  const json found = answer("standard-03 --seed 4,6 --preset anneal,uct --deterministic" + kTiny);
  ASSERT_EQ(found["runs"].size(), 4u);
  for (const json& run : found["runs"]) {
    const std::string preset = found["combinations"][run["combination"].get<std::size_t>()]["preset"];
    const json alone = answer("standard-03 --deterministic --seed " + std::to_string(run["seed"].get<int>()) +
                              " --preset " + preset + kTiny);
    EXPECT_EQ(run["score"], alone["boards"][0]["score"]) << run;
  }
}

// The figures follow from the list of runs.
TEST_F(SolveGrid, MeansErrorsAndDifferencesAreThoseOfTheRuns) {
  const json found = answer("standard-05 --seed 1..4 --preset uct,mc-biggest" + kTiny);
  std::vector<double> first, second, difference;
  for (const json& run : found["runs"])
    (run["combination"] == 0 ? first : second).push_back(run["score"].get<double>());
  ASSERT_EQ(first.size(), 4u);
  for (std::size_t i = 0; i < first.size(); ++i)
    difference.push_back(second[i] - first[i]);
  const auto expect = [](const json& figures, const std::vector<double>& values) {
    double mean = 0, squares = 0;
    for (const double value : values)
      mean += value / 4;
    for (const double value : values)
      squares += (value - mean) * (value - mean);
    EXPECT_NEAR(figures["mean"].get<double>(), mean, 1e-9);
    EXPECT_NEAR(figures["standard_error"].get<double>(), std::sqrt(squares / 3 / 4), 1e-9);
  };
  expect(found["combinations"][0]["score"], first);
  expect(found["combinations"][1]["score"], second);
  expect(found["combinations"][1]["difference"], difference);
  expect(found["combinations"][1]["boards"][0]["difference"], difference);
  EXPECT_EQ(found["combinations"][1]["score"]["best"], *std::max_element(second.begin(), second.end()));
  EXPECT_EQ(found["error_over"], "seeds");
}

TEST_F(SolveGrid, TheTablesFit80ColumnsAndNameWhatTheyShow) {
  for (const std::string arguments :
       {"standard-01 --seed 1..3 --preset uct", "standard-01 --seed 1..3 --preset uct,sp-mcts --c 0.1,0.5",
        "standard-01 standard-02 --seed 1 --preset uct,anneal", "standard-01 standard-02 --seed 2,3 --preset anneal",
        "standard-01 --preset uct --c 0.001234,0.1 --selection uct,third-average --in-flight 1,2"}) {
    const ProgramRun printed = run("solve " + arguments + kTiny + " --out lines.txt");
    EXPECT_EQ(printed.exit_code, 0) << printed.err;
    for (const std::string& line : lines_of(printed.out))
      EXPECT_LE(line.size(), 80u) << line;
    EXPECT_NE(printed.out.find("mean"), std::string::npos);
    EXPECT_EQ(printed.out.find("difference") != std::string::npos, arguments.find("uct,") != std::string::npos ||
                                                                       arguments.find("0.1,") != std::string::npos ||
                                                                       arguments.find(",0.1") != std::string::npos)
        << printed.out;
  }
}

TEST_F(SolveGrid, CsvHasARowPerCombinationAndBoardAndOneForAllBoards) {
  const ProgramRun done = run("solve standard-01 standard-02 --seed 1..2 --preset uct,sp-mcts --c 0.1,0.5" + kTiny +
                              " --csv means.csv --runs runs.csv --out lines.txt");
  ASSERT_EQ(done.exit_code, 0) << done.err;
  const std::vector<std::string> means = lines_of(read("means.csv")), runs = lines_of(read("runs.csv"));
  EXPECT_EQ(means[0], "preset,c,board,runs,mean,standard_error,worst,best,pairs,difference,difference_standard_error");
  EXPECT_EQ(means.size(), 1u + 4 * 3);
  EXPECT_EQ(means[3].rfind("uct,0.1,all boards,4,", 0), 0u) << means[3];
  EXPECT_EQ(runs[0].rfind("board,preset,c,seed,score,moves,", 0), 0u);
  EXPECT_EQ(runs.size(), 1u + 4 * 2 * 2);
}

TEST_F(SolveGrid, ASingleSearchHasACsvOfItsBoards) {
  const ProgramRun done = run("solve standard-01 standard-02 --seed 7 --preset anneal" + kTiny + " --csv boards.csv");
  ASSERT_EQ(done.exit_code, 0) << done.err;
  const std::vector<std::string> rows = lines_of(read("boards.csv"));
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0],
            "board,preset,seed,score,moves,source,playouts,evaluations,nodes,resource_units,seconds,found_seconds,"
            "proven,complete");
  EXPECT_EQ(rows[2].rfind("standard-02,anneal,7,", 0), 0u);
}

TEST_F(SolveGrid, TheBestLineOfAllIsSavedAndPrinted) {
  const json found = answer("standard-01 --seed 1..3 --preset uct,anneal --out lines.txt --log runs.jsonl" + kTiny);
  int best = 0;
  for (const json& run : found["runs"])
    best = std::max(best, run["score"].get<int>());
  EXPECT_EQ(found["boards"][0]["score"], best);
  const ProgramRun checked = run("verify standard-01 lines.txt --json");
  EXPECT_EQ(json::parse(checked.out)["score"], best);
  const std::string log = read("runs.jsonl");
  std::size_t begun = 0;
  for (std::size_t at = log.find("\"event\":\"run\""); at != std::string::npos;
       at = log.find("\"event\":\"run\"", at + 1))
    ++begun;
  EXPECT_EQ(begun, 6u);
  // Without --out the line is printed below the table, and it verifies.
  EXPECT_EQ(shell("chainshot solve standard-01 --seed 1..2 --preset uct" + kTiny +
                  " | sed -n '/^board standard-01$/,$p' | chainshot verify standard-01 -")
                .exit_code,
            0);
}

TEST_F(SolveGrid, EveryRunStartsFromTheGivenLines) {
  const ProgramRun done = shell(
      "chainshot records standard-01 | chainshot solve standard-01 --from - --seed 1,2 "
      "--preset uct,greedy --json" +
      kTiny);
  ASSERT_EQ(done.exit_code, 0) << done.err;
  const json found = json::parse(done.out);
  ASSERT_EQ(found["runs"].size(), 4u);
  for (const json& run : found["runs"])
    EXPECT_GE(run["score"], 3277) << run;  // of the record
}

TEST_F(SolveGrid, CtrlCPrintsTheRunsThatAreDone) {
  const ProgramRun stopped = run_until("grep -q '\"seed\":2' log.jsonl",
                                       "solve standard-01 --seed 1,2,3 --preset anneal --time 5 --threads 1 "
                                       "--log log.jsonl --json",
                                       "INT");
  ASSERT_EQ(stopped.exit_code, 130) << stopped.err;
  const json found = json::parse(stopped.out);
  EXPECT_EQ(found["complete"], false);
  EXPECT_EQ(found["combinations"][0]["score"]["runs"], 1) << "a run that was broken off does not count";
  EXPECT_GT(found["boards"][0]["score"], 0);
}

TEST_F(SolveGrid, WhatMakesNoSenseIsRefusedInOneSentence) {
  EXPECT_EQ(complaint("standard-01 --seed 1,2,1"), "chainshot: --seed names 1 twice; expected every value once\n");
  EXPECT_EQ(complaint("standard-01 --preset uct,uct"),
            "chainshot: --preset names uct twice; expected every value once\n");
  EXPECT_EQ(complaint("standard-01 --preset uct --c 0.1,0.10"),
            "chainshot: --c names 0.1 twice; expected every value once\n");
  EXPECT_EQ(complaint("standard-01 --seed 5..3"),
            "chainshot: --seed: '5..3' is not a range; expected FIRST..LAST with whole numbers from 0 to "
            "18446744073709551615; see chainshot solve --help\n");
  EXPECT_EQ(complaint("standard-01 --preset uct,anneal --c 0.1,0.5"),
            "chainshot: --c is a setting of tree search; preset anneal does not have it\n");
  EXPECT_EQ(complaint("standard-01 --explain uct --seed 1..3"),
            "chainshot: --explain shows one search; expected one preset and one value of each setting\n");
  EXPECT_EQ(complaint("standard-01 --runs runs.csv"),
            "chainshot: --runs lists the runs of several seeds or settings; expected --csv for a single search\n");
  EXPECT_EQ(
      complaint("standard-01 --preset uct --deterministic --seed 1,2").rfind("chainshot: --deterministic needs", 0),
      0u);
  for (const char* arguments : {"standard-01 --preset uct,", "standard-01 --seed 1..9000000000", "standard-01 --seed ,",
                                "standard-01 --preset uct --c 0.1,x", "standard-01 --seed 1,2 --csv a --runs a"})
    EXPECT_NE(complaint(arguments), "") << arguments;
}

}  // namespace
}  // namespace chainshot
