// chainshot reproduce as a user runs it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/program_run.hpp"

namespace chainshot {
namespace {

using nlohmann::json;
using ReproduceCommand = ProgramTest;

TEST_F(ReproduceCommand, MeasuresATableAndWritesItInEveryForm) {
  const ProgramRun first = run("reproduce chessboards --state s.jsonl --csv t.csv --svg t.svg --out t.md --json");
  ASSERT_EQ(first.exit_code, 0) << first.err;
  const json answer = json::parse(first.out);
  EXPECT_TRUE(answer["complete"].get<bool>());
  ASSERT_EQ(answer["tables"].size(), 1U);
  int measured = 0;
  for (const json& row : answer["tables"][0]["rows"]) {
    if (row["samples"] == 0) continue;  // sizes that take longer than minutes
    ++measured;
    EXPECT_EQ(row["measured"], 100.0) << row["name"];  // the theorems are proved
    EXPECT_EQ(row["verdict"], "agrees") << row["name"];
  }
  EXPECT_GE(measured, 4);
  EXPECT_NE(read("t.md").find("| 100 | 100 | 1 | - | agrees | proof |"), std::string::npos) << read("t.md");
  EXPECT_NE(read("t.csv").find("chessboards,"), std::string::npos);
  EXPECT_TRUE(read("t.svg").starts_with("<svg"));
  // With the same samples the answer is the same, to the second that they took.
  const std::string samples = read("s.jsonl");
  const ProgramRun again = run("reproduce chessboards --state s.jsonl --json");
  EXPECT_EQ(json::parse(again.out), answer);
  EXPECT_EQ(read("s.jsonl"), samples);
}

TEST_F(ReproduceCommand, CtrlCKeepsTheSamplesForTheSameCommand) {
  const ProgramRun stopped =
      run_until("grep -q value s.jsonl 2>/dev/null", "reproduce schadd-3 --state s.jsonl --threads 1", "INT");
  EXPECT_EQ(stopped.exit_code, 130) << stopped.err;
  EXPECT_NE(stopped.err.find("the same command goes on with s.jsonl"), std::string::npos) << stopped.err;
  EXPECT_NE(stopped.out.find("The measurement was broken off"), std::string::npos);
}

TEST_F(ReproduceCommand, ListsItsTables) {
  const ProgramRun list = run("reproduce --list");
  EXPECT_EQ(list.exit_code, 0);
  for (const char* table : {"standard-set", "schadd-1", "klein-standard", "complexity", "solvable", "chessboards"})
    EXPECT_NE(list.out.find(table), std::string::npos) << table;
}

TEST_F(ReproduceCommand, RefusesWhatItDoesNotKnow) {
  const ProgramRun table = run("reproduce shadd-1");
  EXPECT_EQ(table.exit_code, 2);
  EXPECT_NE(table.err.find("schadd-1"), std::string::npos) << table.err;
  EXPECT_EQ(run("reproduce --budget day").exit_code, 2);
  for (const char* state : {"no/s.jsonl", ".", "-"})
    EXPECT_EQ(run(std::string("reproduce chessboards --state ") + state).exit_code, 2) << state;
  write("wrong.jsonl", "{\"table\":3}\n");
  const ProgramRun state = run("reproduce chessboards --state wrong.jsonl");
  EXPECT_EQ(state.exit_code, 2);
  EXPECT_EQ(state.err, "chainshot: wrong.jsonl:1:10: 'table': expected a text\n");
}

}  // namespace
}  // namespace chainshot
