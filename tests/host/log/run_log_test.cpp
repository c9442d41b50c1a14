#include "host/log/run_log.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "game/parse_error.hpp"
#include "host/log/run_log_reader.hpp"

namespace chainshot::host {
namespace {

using nlohmann::json;

const std::string kHead = R"({"version":1,"event":"run","preset":"anneal","seed":18446744073709551615})"
                          "\n";

std::vector<json> lines_of(const std::string& text) {
  std::vector<json> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    lines.push_back(json::parse(line));
  return lines;
}

RunLog::Writer to(std::string& text) {
  return [&text](std::string_view line) { text += line; };
}

SolveSample sample_at(double seconds, const SearchStatus& status) {
  return {.seconds = seconds, .searches = {{"tree", "tree search", status}}};
}

TEST(RunLog, EveryLineIsWholeAsSoonAsItIsWritten) {
  std::string out;
  RunLog log(to(out), 1);
  log.begin({{"preset", "sp-mcts"}});
  EXPECT_EQ(out, "{\"version\":1,\"event\":\"run\",\"preset\":\"sp-mcts\"}\n");
  log.best("a", {.score = 7, .moves = {{1, 2}}, .source = "tree", .version = 1}, 0.25);
  const json best = lines_of(out).at(1);
  EXPECT_EQ(best, json::parse(R"({"event":"best","board":"a","seconds":0.25,"score":7,"moves":1,"source":"tree",
                                  "line":[[1,2]]})"));
}

TEST(RunLog, RatesAreThoseOfTheTimeSinceTheLineBefore) {
  std::string out;
  RunLog log(to(out), 1);
  log.status("a", sample_at(1, {.playouts = 100, .nodes_visited = 10}));
  log.status("a", sample_at(3, {.playouts = 700, .evaluations = 8, .nodes_visited = 30}));
  const json second = lines_of(out).at(1);
  EXPECT_EQ(second["playouts"], 700);
  EXPECT_EQ(second["playouts_per_second"], 300);  // 600 in 2 s
  EXPECT_EQ(second["evaluations_per_second"], 4);
  EXPECT_EQ(second["nodes_per_second"], 10);
}

TEST(RunLog, FiguresOfASearchAreFieldsOfItsStatus) {
  std::string out;
  RunLog log(to(out), 1);
  log.status("a", sample_at(1, {.figures = {{"depth", 23}, {"mean_depth", 4.5}}}));
  const json line = lines_of(out).at(0);
  EXPECT_EQ(line["depth"], 23);
  EXPECT_TRUE(line["depth"].is_number_integer());
  EXPECT_EQ(line["mean_depth"], 4.5);
  EXPECT_FALSE(line.contains("temperature"));
}

TEST(RunLog, StatusLinesKeepTheInterval) {
  std::string out;
  RunLog log(to(out), 1);
  for (const double seconds : {0.25, 0.5, 1.0, 1.25, 1.5, 2.5})
    log.status("a", sample_at(seconds, {}));
  EXPECT_EQ(lines_of(out).size(), 3u);  // at 0.25, 1.25 and 2.5
  log.status("b", sample_at(0.125, {}));
  EXPECT_EQ(lines_of(out).back()["board"], "b");
}

TEST(RunLog, AnIntervalBetweenTwoSamplesIsKeptOnTheMean) {
  std::string out;
  RunLog log(to(out), 0.125);
  for (int i = 1; i <= 100; ++i)
    log.status("a", sample_at(0.1 * i, {}));
  EXPECT_NEAR(static_cast<double>(lines_of(out).size()), 80, 2);  // 10 s
}

TEST(RunLog, TheEndOfABoardHasItsLastStatusAndItsLine) {
  std::string out;
  RunLog log(to(out), 60);
  log.status("a", sample_at(1, {.playouts = 10}));
  SolveResult result{.best = {.score = 1000, .moves = {{0, 0}, {1, 0}}, .source = "tree", .version = 2},
                     .last = sample_at(2, {.playouts = 30}),
                     .proven = true,
                     .complete = false,
                     .error = "device \xFF was lost"};
  log.status("a", result.last);
  log.end("a", result);
  const std::vector<json> lines = lines_of(out);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[1]["playouts_per_second"], 20);
  EXPECT_EQ(lines[2]["event"], "end");
  EXPECT_EQ(lines[2]["moves"], json::parse("[[0,0],[1,0]]"));
  EXPECT_EQ(lines[2]["proven"], true);
  EXPECT_EQ(lines[2]["complete"], false);
  EXPECT_EQ(lines[2]["playouts"], 30);
  EXPECT_NE(lines[2]["error"].get<std::string>().find("was lost"), std::string::npos);
}

TEST(ParseRunLog, ReadsWhatRunLogWrites) {
  std::string out;
  RunLog log(to(out), 0);
  log.begin({{"preset", "auto"}, {"seed", 5}});
  log.best("a", {.score = -3, .moves = {}, .source = "annealing", .version = 1}, 0.5);
  log.status("a", sample_at(1.5, {.playouts = 3, .evaluations = 4}));
  SolveResult result;
  result.best = {.score = 9, .moves = {}, .source = "annealing", .version = 2};
  result.last = sample_at(2, {});
  log.end("a", result);
  const LoggedRun run = parse_run_log(out, "log").at(0);
  EXPECT_EQ(run.preset, "auto");
  EXPECT_EQ(run.seed, "5");
  ASSERT_EQ(run.boards.size(), 1u);
  const LoggedBoard& board = run.boards[0];
  ASSERT_EQ(board.scores.size(), 2u);
  EXPECT_EQ(board.scores[0].score, -3);
  EXPECT_EQ(board.scores[0].seconds, 0.5);
  EXPECT_EQ(board.scores[1].score, 9);
  EXPECT_EQ(board.counts.at(0).search, "tree");
  EXPECT_EQ(board.counts.at(0).done, 7);
  EXPECT_EQ(board.seconds, 2);
}

TEST(ParseRunLog, APlaceIsNamedForWhatIsWrong) {
  const auto complaint = [](const std::string& text) -> std::string {
    try {
      parse_run_log(text, "run.jsonl");
    } catch (const game::ParseError& error) {
      return error.what();
    }
    return "";
  };
  const std::string no_log = "run.jsonl:1:1: not the log of a run; expected a first line with the event \"run\"";
  EXPECT_EQ(complaint(""), no_log);
  EXPECT_EQ(complaint("{\"event\":\"best\"}\n"), no_log);
  EXPECT_EQ(complaint("board a\n").rfind("run.jsonl:1:1: 'b' does not belong here in JSON", 0), 0u);
  EXPECT_EQ(complaint("{\"version\":2,\"event\":\"run\"}\n"),
            "run.jsonl:1:12: an unknown version of the format; expected 1");
  EXPECT_EQ(complaint(kHead + "[]\n"), "run.jsonl:2:1: expected an object in braces");
  EXPECT_EQ(complaint(kHead + "\n{\"event\":best}\n").rfind("run.jsonl:3:10: 'b' does not belong here", 0), 0u);
  EXPECT_EQ(complaint(kHead + "{\"event\":\"best\",\"board\":\"a\",\"seconds\":1}\n"),
            "run.jsonl:2:1: this line of the log has no \"score\"");
  EXPECT_EQ(complaint(kHead + "{\"event\":\"best\",\"board\":\"a\",\"seconds\":-1,\"score\":2}\n"),
            "run.jsonl:2:39: expected \"seconds\" of 0 or more");
  EXPECT_EQ(complaint(kHead + "{\"event\":\"best\",\"board\":\"a\",\"seconds\":1,\"score\":2.5}\n"),
            "run.jsonl:2:49: not a score; expected a whole number");
  EXPECT_EQ(complaint(kHead + "{\"event\":\"best\",\"board\":7}\n"), "run.jsonl:2:25: expected \"board\" in quotes");
}

TEST(ParseRunLog, ALastLineThatWasCutOffIsPassedOver) {
  const std::string best = R"({"event":"best","board":"a","seconds":1,"score":2})";
  const LoggedRun cut = parse_run_log(kHead + best + "\n" + best.substr(0, 30), "log").at(0);
  ASSERT_EQ(cut.boards.size(), 1u);
  EXPECT_EQ(cut.boards[0].scores.size(), 1u);
  EXPECT_EQ(cut.seed, "18446744073709551615");
  EXPECT_THROW(parse_run_log(kHead + best.substr(0, 30) + "\n" + best, "log"), game::ParseError);
}

TEST(ParseRunLog, RunsFollowOneAnother) {
  const std::string head = R"({"version":1,"event":"run","date":"2026-11-18T14:51:10Z","preset":"uct","seed":2})"
                           "\n";
  const std::string best = R"({"event":"best","board":"a","seconds":1,"score":2})";
  // The first run was killed in the middle of a line, the second while it wrote its first line.
  const std::string text = kHead + best + "\n" + best.substr(0, 30) + "\n" + head.substr(0, 40) + "\n" + head + best;
  const std::vector<LoggedRun> runs = parse_run_log(text, "log");
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].preset, "anneal");
  EXPECT_EQ(runs[0].date, "");
  EXPECT_EQ(runs[0].boards.at(0).scores.size(), 1u);
  EXPECT_EQ(runs[1].preset, "uct");
  EXPECT_EQ(runs[1].date, "2026-11-18T14:51:10Z");
  EXPECT_EQ(runs[1].boards.at(0).scores.size(), 1u);
  EXPECT_EQ(parse_run_log(head.substr(0, 40) + "\n" + head, "log").size(), 1u);
  EXPECT_EQ(parse_run_log(head + best.substr(0, 9) + "\n" + head.substr(0, 9), "log").size(), 1u);
  EXPECT_THROW(parse_run_log(head + best.substr(0, 9) + "\n", "log"), game::ParseError);
  EXPECT_THROW(parse_run_log(head.substr(0, 40), "log"), game::ParseError);
}

TEST(ParseRunLog, WhatItDoesNotKnowIsPassedOver) {
  const LoggedRun run =
      parse_run_log(kHead + R"({"event":"checkpoint","file":"x"})" + "\r\n" +
                        R"({"event":"best","board":"a","seconds":1,"score":2,"moods":[{"deep":true}]})" + "\r\n",
                    "log")
          .at(0);
  ASSERT_EQ(run.boards.size(), 1u);
  EXPECT_EQ(run.boards[0].scores[0].score, 2);
}

TEST(ParseRunLog, ABoardSolvedTwiceIsTwoBoards) {
  const std::string best = R"({"event":"best","board":"a","seconds":1,"score":2})"
                           "\n";
  const std::string end = R"({"event":"end","board":"a","seconds":3,"score":2})"
                          "\n";
  const LoggedRun run = parse_run_log(kHead + best + end + best, "log").at(0);
  ASSERT_EQ(run.boards.size(), 2u);
  EXPECT_EQ(run.boards[0].seconds, 3);
  EXPECT_EQ(run.boards[1].seconds, 1);
}

TEST(RunLogReader, KeepsLinesCountersAndWhereTheRunWas) {
  const std::string head =
      R"({"event":"run","preset":"uct","seed":1,"engine":"cpu","host":"night","processor":"p","program":"0.1.0",)"
      R"("command":["chainshot","solve"]})"
      "\n";
  const std::vector<LoggedRun> runs = parse_run_log(
      head +
          R"({"event":"best","board":"a","seconds":1,"score":5,"moves":2,"source":"tree","line":[[1,2],[0,31]]})"
          "\n"
          R"({"event":"status","board":"a","search":"tree","seconds":2,"playouts":7,"evaluations":3,"busy_share":0.5})"
          "\n"
          R"({"event":"end","board":"a","seconds":3,"score":6,"moves":[[30,0]]})"
          "\n",
      "log");
  EXPECT_EQ(runs[0].engine + runs[0].host + runs[0].processor + runs[0].program, "cpunightp0.1.0");
  EXPECT_EQ(runs[0].command, (std::vector<std::string>{"chainshot", "solve"}));
  const LoggedBoard& board = runs[0].boards[0];
  EXPECT_EQ(board.scores[0].source, "tree");
  EXPECT_EQ(board.scores[0].moves, (std::vector<game::Cell>{{1, 2}, {0, 31}}));
  EXPECT_EQ(board.scores[1].moves, (std::vector<game::Cell>{{30, 0}}));
  EXPECT_EQ(board.counts[0].playouts, 7);
  EXPECT_EQ(board.counts[0].evaluations, 3);
  EXPECT_EQ(board.counts[0].busy_share, 0.5);
}

TEST(RunLogReader, RefusesMovesThatNoBoardHas) {
  for (const char* move : {"[31,0]", "[0,32]", "[-1,0]", "[0]", "[0,0,0]", "[0.5,0]", "5", "\"0,0\""})
    EXPECT_THROW(
        parse_run_log(kHead + R"({"event":"best","board":"a","seconds":1,"score":5,"line":[)" + move + "]}\n", "log"),
        game::ParseError)
        << move;
}

}  // namespace
}  // namespace chainshot::host
