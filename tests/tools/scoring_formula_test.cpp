// Scorings by formula through the program: every file that names a scoring carries the formula, and every command that
// reads it plays by it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/solve_test.hpp"

namespace chainshot {
namespace {

using nlohmann::json;

class ScoringFormulaCommand : public SolveTest {};

// In another spelling than the program's own.
const std::string kGiven = "'bonus=50; points = n*n - n; left=2*n; left-per-color=n'";
const std::string kFormula = "points=n(n-1); left=2n; left-per-color=n; bonus=50";

TEST_F(ScoringFormulaCommand, ALineVerifiesOnItsOwn) {
  for (const std::string preset : {"anneal", "uct", "nrpa", "beam", "mc-avg", "dbs"}) {
    const ProgramRun solved = shell("chainshot solve standard-01 --preset " + preset + " --playouts 500 --out " +
                                    preset + ".txt --scoring " + kGiven + " > /dev/null");
    ASSERT_EQ(solved.exit_code, 0) << preset << solved.err;
    EXPECT_NE(read(preset + ".txt").find("scoring " + kFormula + '\n'), std::string::npos) << preset;
    const ProgramRun verified = run("verify standard-01 " + preset + ".txt --json");
    EXPECT_EQ(verified.exit_code, 0) << verified.err;
    EXPECT_EQ(json::parse(verified.out)["scoring"], kFormula);
  }
}

// Four blocks of one colour: 4 x 3 points in one group and the bonus, or 2 x 1 twice. Three of another stay: 2 x 3 + 3.
TEST_F(ScoringFormulaCommand, ProofsHoldByTheFormula) {
  write("tiny.txt", "board a\n0000\n\nboard b\n0000\n1212\n");
  const json boards = answer("tiny.txt --preset a-star --scoring " + kGiven)["boards"];
  ASSERT_EQ(boards.size(), 2u);
  EXPECT_EQ(boards[0]["score"], 12 + 50);
  EXPECT_EQ(boards[0]["proven"], true);
  // The row of four falls nowhere; 1212 is left: 2 x 4 in all, and 2 for each of two colours.
  EXPECT_EQ(boards[1]["score"], 12 - 8 - 2 - 2);
  EXPECT_EQ(boards[1]["proven"], true);
}

TEST_F(ScoringFormulaCommand, ArchivesLogsAndLaterRunsKnowTheFormula) {
  const ProgramRun first = shell(
      "chainshot solve standard-02 --preset anneal --playouts 2000 --seed 3 --log run.jsonl --out "
      "line.txt --scoring " +
      kGiven +
      " > /dev/null && chainshot archive import all.db line.txt && chainshot plot "
      "run.jsonl --out run.svg");
  EXPECT_EQ(first.exit_code, 0) << first.out << first.err;
  EXPECT_NE(read("run.jsonl").find(kFormula), std::string::npos);
  const ProgramRun listed = run("archive list all.db --json --scoring " + kGiven);
  EXPECT_EQ(listed.exit_code, 0) << listed.err;
  EXPECT_NE(listed.out.find(kFormula), std::string::npos);
  EXPECT_EQ(shell("chainshot solve standard-02 --preset greedy --from line.txt --scoring " + kGiven).exit_code, 0);
  EXPECT_EQ(shell("chainshot show standard-02 line.txt --html page.html").exit_code, 0);
  EXPECT_NE(read("page.html").find("\"leftPerColor\":[0,1]"), std::string::npos);
}

TEST_F(ScoringFormulaCommand, MistakesAreNamedByTheirPlace) {
  const auto complaint_of = [&](const std::string& arguments) {
    const ProgramRun refused = run(arguments);
    EXPECT_EQ(refused.exit_code, 2) << arguments;
    return refused.err;
  };
  EXPECT_NE(complaint_of("play standard-01 --scoring 'points=n^'").find("character 10: the end; expected an exponent"),
            std::string::npos);
  EXPECT_NE(complaint_of("solve standard-01 --scoring 'points=n^5'")
                .find("points on board standard-01; expected no more than 67108864 either way"),
            std::string::npos);
  EXPECT_NE(complaint_of("solve standard-01 --preset beam --scoring 'points=60n^3'")
                .find("expected no more than 2097152 either way for preset beam"),
            std::string::npos);
  write("line.txt", "board standard-01\nscoring points=n^5\nmoves 0,0\n");
  EXPECT_NE(complaint_of("verify standard-01 line.txt").find("expected no more than 67108864"), std::string::npos);
}

TEST_F(ScoringFormulaCommand, ExplainShowsTheRuleOfThePolicyAndTheFormula) {
  const json found =
      json::parse(run("play --explain --json --policy tabu48 --random-below 20 --scoring " + kGiven).out);
  EXPECT_EQ(found["policy"], "tabu48");
  EXPECT_EQ(found["source"], "Klein 2015, section 7.0.6");
  EXPECT_EQ(found["scoring"]["formula"], kFormula);
  EXPECT_NE(found["parts"].dump().find("20 blocks"), std::string::npos);
  EXPECT_EQ(found["parts"].dump().find("48"), std::string::npos);
  const ProgramRun text = run("play --explain --policy roulette --beta 3");
  EXPECT_EQ(text.exit_code, 0);
  for (const char* const words : {"Takes 2009, section 4", "(n-2)^2 for a group of n blocks", "alpha", "bonus"})
    EXPECT_NE(text.out.find(words), std::string::npos) << words;
  const json solved = json::parse(run("solve --explain uct --json --policy random --scoring " + kGiven).out);
  EXPECT_EQ(solved["policy"]["policy"], "random");
  EXPECT_EQ(solved["scoring"]["scoring"], kFormula);
  EXPECT_EQ(json::parse(run("solve --explain anneal --json").out).contains("policy"), false);
}

}  // namespace
}  // namespace chainshot
