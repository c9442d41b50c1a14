// The contract of `chainshot analyse`: JSON keys, published figures and verdicts, refusals, exit codes, signals.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "game/board_text.hpp"
#include "tests/support/program_run.hpp"

namespace chainshot {
namespace {

using nlohmann::json;

class AnalyseCommand : public ProgramTest {
 protected:
  json answer(const std::string& arguments) const {
    const ProgramRun done = run("analyse " + arguments + " --json");
    EXPECT_EQ(done.exit_code, 0) << done.err;
    return json::parse(done.out);
  }
  std::string complaint(const std::string& arguments) const {
    const ProgramRun failed = run("analyse " + arguments);
    EXPECT_EQ(failed.exit_code, 2) << arguments;
    EXPECT_EQ(failed.out, "") << arguments;
    return failed.err;
  }
  // Ends the program by SIGTERM once it has something to report, however slow the machine.
  ProgramRun stopped(const std::string& arguments) const {
    ProgramRun ended;
    for (const char* wait : {"sleep 0.4", "sleep 4", "sleep 16"}) {
      ended = run_until(wait, "analyse " + arguments, "TERM");
      if (!ended.out.empty()) break;
    }
    return ended;
  }
};

// One row of two blocks: AA and BB of four boards. Two of two: rows of one colour (4) or columns, which are not.
TEST_F(AnalyseCommand, SolvableCountsSmallBoards) {
  const json found = answer("solvable --rows 1-2 --columns 2");
  EXPECT_EQ(found["version"], 1);
  EXPECT_EQ(found["complete"], true);
  ASSERT_EQ(found["sizes"].size(), 2u);
  const json& row = found["sizes"][0];
  EXPECT_EQ(row["rows"], 1);
  EXPECT_EQ(row["columns"], 2);
  EXPECT_EQ(row["counted"], true);
  EXPECT_EQ(row["boards"], 4);
  EXPECT_EQ(row["solvable"], 2);
  EXPECT_EQ(row["percent"]["published"], 50.0);
  EXPECT_EQ(row["percent"]["agrees"], true);
  EXPECT_EQ(found["sizes"][1]["solvable"], 6);  // of 16: 37.5 %, as in the paper
  EXPECT_EQ(found["sizes"][1]["percent"]["agrees"], true);
}

// Brute force finds 174 of 256 boards, 67.97 %; the paper has 68.7.
TEST_F(AnalyseCommand, SolvableNamesTheSharesThatDiffer) {
  const ProgramRun table = run("analyse solvable --rows 4 --columns 2-3");
  EXPECT_NE(table.out.find("H=4      68.0   82.4"), std::string::npos) << table.out;
  EXPECT_NE(table.out.find("agrees with 1 of 2 shares"), std::string::npos) << table.out;
  EXPECT_NE(table.out.find("differs (-0.73"), std::string::npos) << table.out;
  const ProgramRun other = run("analyse solvable --rows 2 --columns 2 --colors 3");
  EXPECT_EQ(other.out.find("Takes"), std::string::npos) << other.out;
}

TEST_F(AnalyseCommand, SolvableSamplesDependOnTheSeedAlone) {
  const std::string arguments = "solvable --rows 6 --columns 6 --colors 4 --samples 60 --nodes 200";
  const json once = answer(arguments + " --threads 1");
  EXPECT_EQ(answer(arguments + " --threads 3"), once);
  const json& size = once["sizes"][0];
  EXPECT_EQ(size["counted"], false);
  EXPECT_EQ(size["boards"], 60);
  EXPECT_LT(size["low"].get<double>(), size["share"].get<double>());
  EXPECT_GT(size["high"].get<double>(), size["share"].get<double>());
  EXPECT_FALSE(size.contains("percent"));
  EXPECT_NE(answer(arguments + " --seed 2"), once);
}

TEST_F(AnalyseCommand, ChessboardsHoldWhatThePaperSays) {
  const json found = answer("chessboards --rows 4-5 --columns 5 --boards 300");
  EXPECT_EQ(found["refuted"], false);
  ASSERT_EQ(found["checks"].size(), 5u);  // theorem 1 for both heights, the others from 5 on
  for (const json& check : found["checks"]) {
    EXPECT_EQ(check["as_claimed"], check["boards"]) << check;
    EXPECT_EQ(check["contrary"], 0);
  }
  EXPECT_EQ(found["checks"][4]["boards"], 300);
  EXPECT_EQ(found["checks"][4]["every_board"], false);
  const ProgramRun text = run("analyse chessboards --rows 5 --columns 5 --boards 300");
  EXPECT_NE(text.out.find("1 size, 15 boards: all as claimed"), std::string::npos) << text.out;
}

// Board of three pairs that never meet: B = 6 / 4, L = 3; each pair can stay or go: 2^3 states.
TEST_F(AnalyseCommand, ComplexityOfANamedBoard) {
  write("pairs.txt", "board pairs\n012\n012\n");
  const json found = answer("complexity pairs.txt --playouts 5");
  EXPECT_EQ(found["complete"], true);
  const json& board = found["by_board"][0];
  EXPECT_EQ(board["board"], "pairs");
  EXPECT_NEAR(board["log10_game_tree"].get<double>(), 3 * std::log10(1.5), 1e-9);
  EXPECT_NEAR(board["log10_states"].get<double>(), std::log10(8), 1e-9);
  EXPECT_FALSE(found["log10_states"].contains("published"));
}

TEST_F(AnalyseCommand, ComplexityOfRandomBoardsStandsBesideThePaper) {
  const json found = answer("complexity --boards 200 --playouts 0");
  EXPECT_EQ(found["measured"], 200);
  EXPECT_FALSE(found.contains("log10_game_tree"));
  EXPECT_EQ(found["log10_states"]["published"], 52.42);
  EXPECT_EQ(found["log10_states"]["published_sd"], 1.53);
  // Klein 2015, 4.2, for 100,000 boards; the mean of 200 lies within 3.5 standard errors, 1.53 / sqrt(200).
  EXPECT_NEAR(found["log10_states"]["mean"].get<double>(), 52.42, 0.38);
  EXPECT_FALSE(answer("complexity --boards 5 --playouts 0 --colors 4")["log10_states"].contains("published"));
  EXPECT_TRUE(answer("complexity --boards 2 --playouts 1")["log10_game_tree"].contains("published"));
}

TEST_F(AnalyseCommand, GamesHaveTheirLengthsFromTheEngine) {
  const json found = answer("games --boards 300 --playouts 2 --engine cpu");
  EXPECT_EQ(found["measured"], 300);
  EXPECT_EQ(found["length"]["published"], 64.4);
  // Schadd 2008: 64.4 moves and 20.7 choices; boards differ by about 4 moves and 2 choices, so 300 of them leave
  // standard errors of 0.25 and 0.12.
  EXPECT_NEAR(found["length"]["mean"].get<double>(), 64.4, 1.0);
  EXPECT_NEAR(found["length_by_position"]["mean"].get<double>(), 64.4, 1.0);
  EXPECT_NEAR(found["branching"]["mean"].get<double>(), 20.7, 0.5);
  EXPECT_LT(found["branching_with_end"]["mean"], found["branching"]["mean"]);
}

TEST_F(AnalyseCommand, DifficultyOrdersBoardsFromHardToEasy) {
  const json found = answer("difficulty standard --playouts 200");
  EXPECT_EQ(found["policies"], json({"random", "tabu-color-random"}));
  ASSERT_EQ(found["boards"].size(), 20u);
  double last = -1e9;
  for (const json& board : found["boards"]) {
    const double ease = board["random"]["score"]["mean"].get<double>() + board["biased"]["score"]["mean"].get<double>();
    EXPECT_GE(ease, last);
    last = ease;
    EXPECT_EQ(board["random"]["playouts"], 200);
    EXPECT_TRUE(board["biased"]["score"]["peak"].is_number());
  }
  EXPECT_EQ(run("analyse difficulty standard-01 --playouts 50 --svg all.svg --csv all.csv").exit_code, 0);
  EXPECT_EQ(read("all.svg").rfind("<svg", 0), 0u);
  EXPECT_EQ(read("all.csv").rfind("board,scoring,seed,biased_policy,random_playouts,random_complete,random_peak,", 0),
            0u);
  EXPECT_NE(read("all.csv").find("\nstandard-01,standard,0,tabu-color-random,50,yes,"), std::string::npos);
}

// Takes 2009, figure 2: puzzle 9 is easier than puzzle 1 by both methods, and the biased peaks lie right of the random
// ones.
TEST_F(AnalyseCommand, Board9IsEasierThanBoard1AsInThePaper) {
  write("two.txt", to_text(game::standard_boards()[8]) + "\n" + to_text(game::standard_boards()[0]));
  const json boards = answer("difficulty two.txt --playouts 20000")["boards"];
  EXPECT_EQ(boards[0]["board"], "standard-01");
  EXPECT_EQ(boards[1]["board"], "standard-09");
  const auto peak = [&](int board, const char* play) { return boards[board][play]["score"]["peak"].get<double>(); };
  EXPECT_LT(peak(0, "random"), peak(1, "random"));
  EXPECT_LT(peak(0, "biased"), peak(1, "biased"));
  EXPECT_LT(peak(0, "random"), peak(0, "biased"));
  EXPECT_LT(peak(1, "random"), peak(1, "biased"));
}

TEST_F(AnalyseCommand, ReportsFit80Columns) {
  write("pairs.txt", "board a-board-with-a-long-name-indeed\n012\n012\n\nboard b\n00\n");
  for (const std::string arguments :
       {"solvable --samples 20 --count-up-to 1000", "solvable --rows 3-6 --columns 3 --list --count-up-to 100",
        "solvable --rows 1 --columns 1-31 --count-up-to 4 --samples 5",
        "solvable --rows 6 --columns 6 --colors 5 --samples 9 --nodes 3", "chessboards --rows 4-5 --columns 4-5",
        "chessboards --rows 4-5 --columns 4-5 --list", "chessboards --rows 6 --columns 6 --nodes 1",
        "complexity --boards 3 --playouts 2", "complexity pairs.txt --playouts 3",
        "complexity pairs.txt:b --playouts 0", "games --boards 9", "games --boards 9 --size 5x5",
        "difficulty standard-01 --playouts 2000", "difficulty standard --playouts 50"}) {
    const ProgramRun done = run("analyse " + arguments);
    EXPECT_EQ(done.exit_code, 0) << done.err;
    std::istringstream lines(done.out);
    for (std::string line; std::getline(lines, line);)
      EXPECT_LE(line.size(), 80u) << line;
  }
}

TEST_F(AnalyseCommand, EveryAnalysisHasHelpWithExamples) {
  for (const char* name : {"", "solvable", "chessboards", "complexity", "games", "difficulty"}) {
    const ProgramRun help = run("analyse " + std::string(name) + " --help");
    EXPECT_EQ(help.exit_code, 0);
    EXPECT_NE(help.out.find("Examples:"), std::string::npos) << name;
    std::istringstream lines(help.out);
    for (std::string line; std::getline(lines, line);)
      EXPECT_LE(line.size(), 80u) << line;
  }
}

TEST_F(AnalyseCommand, WrongArgumentsGetOneSentence) {
  EXPECT_EQ(complaint("solveable"),
            "chainshot: no command of analyse is called 'solveable'; did you mean 'solvable'?\n");
  EXPECT_EQ(complaint("solvable --rows 5-4"),
            "chainshot: --rows 5-4: expected a number or a range from 1 to 32, such as 4-7\n");
  EXPECT_EQ(complaint("chessboards --columns 4-32"),
            "chainshot: --columns 4-32: expected a number or a range from 1 to 31, such as 4-7\n");
  EXPECT_EQ(complaint("chessboards --rows 3"),
            "chainshot: no claim is about chessboards that small; expected --rows and --columns of 4 or more\n");
  EXPECT_EQ(complaint("complexity standard --boards 3"),
            "chainshot: BOARD names the boards; expected no --boards, --size or --colors with it\n");
  EXPECT_EQ(complaint("games --size 99x1"),
            "chainshot: '99x1' is not a size; expected COLUMNSxROWS, such as 15x15, up to 31x32\n");
  for (const char* arguments :
       {"", "solvable --rows x", "solvable --rows 1-", "solvable --rows -3", "solvable --columns 0",
        "solvable --samples 0", "solvable --colors 16", "chessboards --boards 0", "complexity --colors 3 standard-01",
        "complexity no-such-board", "games --playouts 0", "games --engine cup", "difficulty",
        "difficulty standard --svg ''", "difficulty standard --policy tabu", "difficulty standard --out x",
        "solvable standard"})
    EXPECT_NE(complaint(arguments), "");
  EXPECT_EQ(run("play standard-01 --difficulty").exit_code, 2);
}

// A table of 10^9 samples per size takes hours.
TEST_F(AnalyseCommand, ASignalEndsWithWhatIsKnown) {
  const ProgramRun ended =
      stopped("solvable --rows 5 --columns 2-10 --samples 1000000000 --count-up-to 1024 --threads 2 --json");
  EXPECT_EQ(ended.exit_code, 143) << ended.err;
  const json found = json::parse(ended.out);
  EXPECT_EQ(found["complete"], false);
  EXPECT_EQ(found["sizes"][0]["complete"], true);
  EXPECT_EQ(found["sizes"][1]["complete"], false);
  EXPECT_GT(found["sizes"][1]["boards"], 100);
  EXPECT_EQ(found["sizes"].size(), 2u);
}

// Lengths come first; the choices were not counted yet, and must not be reported as 0.
TEST_F(AnalyseCommand, ASignalLeavesOutWhatIsNotKnown) {
  const ProgramRun ended = stopped("games --boards 10000000 --threads 2 --engine cpu --json");
  EXPECT_EQ(ended.exit_code, 143) << ended.err;
  const json found = json::parse(ended.out);
  EXPECT_EQ(found["complete"], false);
  EXPECT_GT(found["length"]["mean"], 50);
  EXPECT_FALSE(found.contains("branching"));
}

TEST_F(AnalyseCommand, ASignalEndsRandomGames) {
  const ProgramRun ended = stopped("complexity --boards 1000000 --playouts 20 --threads 2 --json");
  EXPECT_EQ(ended.exit_code, 143) << ended.err;
  const json found = json::parse(ended.out);
  EXPECT_EQ(found["complete"], false);
  EXPECT_GT(found["measured"], 0);
  EXPECT_LT(found["measured"], 1000000);
}

}  // namespace
}  // namespace chainshot
