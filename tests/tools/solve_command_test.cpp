// The contract of `chainshot solve`: JSON keys, solutions that replay, exit codes, Ctrl-C, presets and their settings.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "game/board_text.hpp"
#include "game/reference.hpp"
#include "host/search/registry.hpp"
#include "tests/support/solve_test.hpp"

namespace chainshot {
namespace {

using nlohmann::json;

class SolveCommand : public SolveTest {};

std::vector<game::Cell> cells_of(const json& moves) {
  std::vector<game::Cell> cells;
  for (const json& move : moves)
    cells.push_back({move.at(0).get<std::uint8_t>(), move.at(1).get<std::uint8_t>()});
  return cells;
}

void expect_fits_80_columns(const std::string& text) {
  EXPECT_EQ(text.find('\x1b'), std::string::npos) << "colour in a pipe";
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    EXPECT_LE(line.size(), 80u) << line;
}

TEST_F(SolveCommand, TheAnswerHasALineThatReplaysToItsScore) {
  const json found = answer("standard-01 standard-04 --preset anneal --seed 3" + kBrief);
  EXPECT_EQ(found["version"], 1);
  EXPECT_EQ(found["preset"], "anneal");
  EXPECT_EQ(found["seed"], 3);
  EXPECT_EQ(found["budget"], json({{"playouts", 2000}}));
  ASSERT_EQ(found["boards"].size(), 2u);
  int sum = 0;
  for (const int i : {0, 1}) {
    const json& board = found["boards"][i];
    const game::NamedBoard& standard = game::standard_boards()[i == 0 ? 0 : 3];
    EXPECT_EQ(board["name"], standard.name);
    const game::ReplayResult replayed =
        game::replay(standard.position, cells_of(board["moves"]), game::kStandardScoring);
    EXPECT_EQ(replayed.error, "");
    EXPECT_EQ(board["score"], replayed.score);
    EXPECT_EQ(board["playouts"], 0);
    EXPECT_EQ(board["evaluations"], 2000);
    EXPECT_GT(board["seconds"].get<double>(), 0);
    EXPECT_LE(board["found_seconds"], board["seconds"]);
    EXPECT_EQ(board["proven"], false);
    EXPECT_EQ(board["complete"], true);
    sum += replayed.score;
  }
  EXPECT_EQ(found["sum"], sum);
}

TEST_F(SolveCommand, EveryPresetFindsALine) {
  for (const std::string& preset : host::preset_names()) {
    const json found = answer("standard-02 --playouts 300 --threads 1 --preset " + preset);
    EXPECT_GT(found["boards"][0]["moves"].size(), 0u) << preset;
  }
}

TEST_F(SolveCommand, TheSameSeedAndNumberOfEvaluationsGiveTheSameLine) {
  const auto moves = [&](const std::string& arguments) {
    return answer("standard-05 --preset anneal --playouts 20000 " + arguments)["boards"][0]["moves"];
  };
  const json expected = moves("--seed 7 --threads 1");
  EXPECT_EQ(moves("--seed 7 --threads 2"), expected);
  EXPECT_NE(moves("--seed 8 --threads 1"), expected);
}

TEST_F(SolveCommand, TheSameSeedAndNumberOfPlayoutsGiveTheSameLineIfAskedFor) {
  const auto moves = [&](const std::string& arguments) {
    return answer("standard-05 --preset uct --deterministic --playouts 2000 " + arguments)["boards"][0]["moves"];
  };
  const json expected = moves("--seed 7 --threads 1");
  EXPECT_EQ(moves("--seed 7 --threads 2"), expected);
  EXPECT_NE(moves("--seed 8 --threads 1"), expected);
}

TEST_F(SolveCommand, EveryScoringIsSolvedAsItVerifies) {
  for (const game::Scoring& scoring : game::kScorings)
    for (const std::string preset : {"anneal", "uct"}) {
      const std::string name(scoring.name());
      const ProgramRun solved =
          shell("chainshot solve standard-01 --preset " + preset + kBrief + " --out line.txt --scoring " + name +
                " >/dev/null && chainshot verify standard-01 line.txt --scoring " + name);
      EXPECT_EQ(solved.exit_code, 0) << name << ' ' << preset << solved.err << solved.out;
    }
}

TEST_F(SolveCommand, BoardsWithoutAChoiceAreProven) {
  write("tiny.txt", "board empty\n...\n...\n\nboard single\n0\n\nboard mixed\n01\n10\n\nboard one-colour\n000\n000\n");
  for (const std::string preset : {"auto", "uct"}) {
    const json boards = answer("tiny.txt --preset " + preset + kBrief)["boards"];
    ASSERT_EQ(boards.size(), 4u);
    EXPECT_EQ(boards[0]["score"], 1000);  // nothing is left: the bonus
    EXPECT_EQ(boards[1]["score"], -1);    // one block left: -(1 - 2)^2
    EXPECT_EQ(boards[2]["score"], 0);     // two of either colour: -(2 - 2)^2 twice
    for (const int i : {0, 1, 2}) {
      EXPECT_EQ(boards[i]["moves"], json::array());
      EXPECT_EQ(boards[i]["proven"], true);
      EXPECT_EQ(boards[i]["proof_nodes"], 0);
    }
    EXPECT_EQ(boards[3]["score"], 1016);  // (6 - 2)^2 and the bonus
    EXPECT_EQ(boards[3]["moves"].size(), 1u);
  }
}

TEST_F(SolveCommand, SmallBoardsAreProven) {
  write("small.txt", "board small\n11\n00\n11\n00\n");
  for (const std::string options : {"--preset uct --threads 1", "--threads 1", "--threads 2"}) {
    const json board = answer("small.txt --time 20 " + options)["boards"][0];
    // Joining the two pairs of one colour scores (4 - 2)^2, and the bonus follows; no line joins both colours.
    EXPECT_EQ(board["score"], 1004) << options;
    EXPECT_EQ(board["proven"], true) << options;
    EXPECT_EQ(board["proof_nodes"], board["nodes"]) << options;
    EXPECT_LT(board["seconds"].get<double>(), 20) << options;
  }
}

// One group of 240 blocks is too large for the search for a proof, but its line reaches the upper bound of the board.
TEST_F(SolveCommand, ALineThatReachesTheBoundOfTheBoardEndsTheSearch) {
  std::string text = "board one\n";
  for (int row = 0; row < 16; ++row)
    text += "000000000000000\n";
  write("one.txt", text);
  const json board = answer("one.txt --time 600")["boards"][0];
  EXPECT_EQ(board["score"], 238 * 238 + 1000);
  EXPECT_EQ(board["proven"], true);
  EXPECT_LT(board["seconds"].get<double>(), 300);
}

TEST_F(SolveCommand, RefusesToMixFilesWithWhatItPrints) {
  const std::string brief = "chainshot solve standard-01 --time 0.1 ";
  for (const std::string line : {"--json --out -", "--json --out /dev/stdout | cat", "--json --out x.json > x.json",
                                 "--log - ", "--log /dev/stdout | cat", "--log x > x"}) {
    const ProgramRun mixed = shell(brief + line);
    EXPECT_NE(mixed.err.find("is the standard output"), std::string::npos) << line << mixed.err;
  }
  EXPECT_NE(shell("chainshot play standard-01 --playouts 10 --json --out /dev/stdout > y").err, "");
  const ProgramRun apart = shell(brief + "--json --out /dev/null --log /dev/null > /dev/null");
  EXPECT_EQ(apart.err.find("chainshot:"), std::string::npos) << apart.err;
}

TEST_F(SolveCommand, WideBoardsAreSolved) {
  ASSERT_EQ(shell("chainshot generate --size 31x32 --colors 15 --seed 1 --out wide.txt").exit_code, 0);
  for (const std::string preset : {"anneal", "set"}) {
    const ProgramRun solved = shell("chainshot solve wide.txt --preset " + preset +
                                    " --playouts 300 --threads 2 --out line.txt && chainshot verify wide.txt line.txt");
    EXPECT_EQ(solved.exit_code, 0) << preset << solved.err;
    expect_fits_80_columns(solved.out);
  }
}

TEST_F(SolveCommand, ReportsTheDefaultBudget) {
  write("pair.txt", "board pair\n00\n11\n");
  const ProgramRun solved = run("solve pair.txt --preset uct --threads 1");
  EXPECT_EQ(solved.exit_code, 0) << solved.err;
  EXPECT_NE(solved.out.find("budget 10 s per board (the default; --time changes it)\n"), std::string::npos);
  EXPECT_EQ(answer("standard-01 --time 0.1s")["budget"], json({{"seconds", 0.1}}));
  EXPECT_EQ(answer("pair.txt --preset uct --time 2m --threads 1")["budget"], json({{"seconds", 120}}));
  EXPECT_EQ(answer("pair.txt --preset uct --time 1.5h --threads 1")["budget"], json({{"seconds", 5400}}));
}

TEST_F(SolveCommand, TheFirstBudgetReachedEndsATreeSearch) {
  for (const std::string budget : {"--nodes 50", "--ru 50", "--nodes 50 --time 1h", "--playouts 50 --ru 1000000"}) {
    const json found = answer("standard-03 --preset uct --threads 1 " + budget);
    EXPECT_GT(found["boards"][0]["nodes"].get<int>(), 0) << budget;
    EXPECT_LT(found["boards"][0]["nodes"].get<int>(), 5000) << budget;
  }
}

TEST_F(SolveCommand, ReportsFit80Columns) {
  const std::string a = "a-board-of-my-own-with-a-long-name-", b = a + "2";
  write("long.txt", "board " + a + "1\n00\n11\n\nboard " + b + "\n00\n11\n");
  for (const char* command : {"solve long.txt --preset anneal --playouts 100", "play long.txt --playouts 100"}) {
    const std::string table = run(command).out;
    expect_fits_80_columns(table);
    // A name has 15 columns: six of its beginning, three dots, and six of its end.
    for (const char* name : {"\na-boar...name-1 ", "\na-boar...name-2 "})
      EXPECT_NE(table.find(name), std::string::npos) << table;
  }
  for (const std::string& arguments :
       {"standard-01 --preset anneal" + kBrief, "standard-01 --preset set" + kBrief,
        std::string("standard --preset sp-mcts --playouts 20 --threads 1"), std::string("--presets"),
        std::string("--explain auto"), std::string("--explain base-3rdavg-exp+"),
        std::string("--explain base-exp+tabu48 --parallel root --trees 3 --memory 64M --deterministic")}) {
    const ProgramRun solved = run("solve " + arguments);
    EXPECT_EQ(solved.exit_code, 0) << arguments << solved.err;
    expect_fits_80_columns(solved.out);
  }
}

// A board may be done before its line is due; the run as a whole takes longer.
TEST_F(SolveCommand, ARunOfShortBoardsShowsItsProgress) {
  const ProgramRun solved = run("solve standard --preset anneal --time 0.2 --threads 1");
  EXPECT_EQ(solved.exit_code, 0);
  EXPECT_NE(solved.err.find("/20: best "), std::string::npos) << solved.err;
}

TEST_F(SolveCommand, SeveralBoardsEndWithTheSum) {
  const json found = answer("standard-01 standard-02 --preset anneal" + kBrief);
  const ProgramRun solved = run("solve standard-01 standard-02 --preset anneal" + kBrief);
  const std::size_t line = solved.out.find("\nsum ");
  ASSERT_NE(line, std::string::npos) << solved.out;
  int sum = 0;
  std::istringstream(solved.out.substr(line + 5)) >> sum;
  EXPECT_EQ(sum, found["sum"].get<int>());
}

TEST_F(SolveCommand, PresetsAreListedAndExplained) {
  const ProgramRun listed = run("solve --presets");
  for (const std::string& preset : host::preset_names())
    EXPECT_NE(listed.out.find("  " + preset + ' '), std::string::npos) << preset;
  EXPECT_EQ(run("solve --explain").out, listed.out);
  const ProgramRun explained = run("solve --explain sp-mcts-balanced");
  EXPECT_EQ(explained.exit_code, 0);
  EXPECT_NE(explained.out.find("Schadd 2012, table 2"), std::string::npos);
  EXPECT_NE(explained.out.find("10000"), std::string::npos);
  EXPECT_EQ(answer("--presets")["presets"].size(), host::preset_names().size());
  EXPECT_EQ(complaint("--explain anneal --scoring clickomania --cold 3"),
            "chainshot: --cold 3 is above --hot 2; expected --cold below --hot\n");
}

// The option of a setting changes it, and --explain shows that. (tests/host/search/registry_test.cpp covers all
// settings of all searches.)
TEST_F(SolveCommand, OptionsChangeTheSettingsOfTheirName) {
  const auto value = [&](const std::string& arguments, const std::string& part) -> std::string {
    const json found = answer("--explain " + arguments);
    for (const json& line : found["parts"])
      if (line["part"] == part) return line["value"];
    return "";
  };
  EXPECT_EQ(value("uct --selection sp-mcts --d 77", "selection"), "sp-mcts");
  EXPECT_EQ(value("uct --selection sp-mcts --d 77", "d"), "77");
  EXPECT_EQ(value("uct --t 3", "t"), "3");
  EXPECT_EQ(value("uct --no-state-pruning", "state-pruning"), "off");
  EXPECT_EQ(value("sp-mcts --state-pruning", "state-pruning"), "on");
  EXPECT_EQ(value("base --policy tabu48", "policy"), "tabu48");
  EXPECT_EQ(value("uct --epsilon 0.25", "epsilon"), "0.25");
  EXPECT_EQ(value("uct --tabu-color b", "tabu-color"), "B");
  EXPECT_EQ(value("uct --epsilon 0.25 --policy tabu-random", "epsilon"), "0.25");  // whatever their order
  EXPECT_EQ(value("base --urgency-share 0.1", "urgency-share"), "0.1");
  EXPECT_EQ(value("base --no-late-urgency", "urgency"), "");  // it does not apply
  EXPECT_EQ(value("uct --memory 64M", "memory"), "64M");
  EXPECT_EQ(value("uct --deterministic", "deterministic"), "on");
  EXPECT_EQ(value("uct --leaf-playouts 16", "leaf-playouts"), "16");
  EXPECT_EQ(value("set", "leaf-playouts"), "from the speeds of tree and engine");
  EXPECT_EQ(value("anneal --members 9 --last-members 2", "members"), "9");
  EXPECT_EQ(value("auto --hot 50", "hot"), "50");
  EXPECT_EQ(value("auto", "hot"), "40, or 2 where groups earn no points");
}

TEST_F(SolveCommand, HelpIsAScreenAndHelpAllHasEverySetting) {
  const std::string help = run("solve --help").out, all = run("solve --help-all").out;
  EXPECT_LT(std::count(help.begin(), help.end(), '\n'), 60);
  for (const host::SearchKind* kind : host::search_kinds())
    for (const host::Setting& row : kind->settings()) {
      const std::string option = (row.kind == host::SettingKind::kFlag ? "  --[no-]" : "  --") + row.name;
      EXPECT_NE(all.find(option), std::string::npos) << option;
      EXPECT_EQ(help.find(option + ' '), std::string::npos) << option;
      EXPECT_NE(all.find('\n' + row.group + ":\n"), std::string::npos) << row.group;
    }
  expect_fits_80_columns(all);
}

TEST_F(SolveCommand, DoesNotListEveryBoardOfALongFile) {
  std::string boards;
  for (int i = 0; i < 150; ++i)
    boards += "board number" + std::to_string(i) + "\n01\n\n";
  write("many.txt", boards);
  const std::string sentence = complaint("many.txt:zz");
  EXPECT_NE(sentence.find("number23, or another of 150\n"), std::string::npos) << sentence;
}

TEST_F(SolveCommand, RefusesOptionsThatChangeNothing) {
  struct Case {
    const char* option;
    const char* expected;  // the condition in the message
    const char* remedy;    // arguments with which the option has an effect
  };
  for (const Case& c :
       {Case{"--d 3", "--selection sp-mcts", "--selection sp-mcts"},
        Case{"--growth 2", "--node-exploration", "--node-exploration"},
        Case{"--late-urgency", "--node-exploration", "--node-exploration"},
        Case{"--urgency 0.5", "--late-urgency or --global-urgency", "--node-exploration --late-urgency"},
        Case{"--move-choice visits", "an --allocation among moves", "--allocation uniform"},
        Case{"--keep-tree", "an --allocation among moves, and not --parallel set", "--allocation uniform"},
        Case{"--merge-symmetric", "--duplicates", "--duplicates naive"},
        Case{"--merge-trees", "--parallel root and an --allocation among moves",
             "--parallel root --allocation uniform"},
        Case{"--set-size 5", "--parallel set", "--parallel set"},
        Case{"--trees 4", "--parallel root", "--parallel root"}}) {
    const std::string arguments = "--explain uct " + std::string(c.option);
    const std::string name = std::string(c.option).substr(0, std::string(c.option).find(' '));
    EXPECT_EQ(complaint(arguments),
              "chainshot: " + name + " has no effect in this search; expected it with " + c.expected + "\n");
    EXPECT_EQ(run("solve " + arguments + ' ' + c.remedy).exit_code, 0) << c.option;
  }
  EXPECT_EQ(complaint("standard-01 --preset uct --deterministic --time 1"),
            "chainshot: --deterministic needs a counted budget, since a time limit depends on the machine; expected "
            "--playouts, --nodes or --ru\n");
  EXPECT_EQ(complaint("- -"), "chainshot: the standard input (-) is given twice; expected it once\n");
  EXPECT_EQ(
      complaint("standard-01 --policy random"),
      "chainshot: --policy is a setting of tree search, nested Monte-Carlo search or flat Monte-Carlo; preset auto "
      "does not have it\n");
  EXPECT_EQ(complaint("standard-01 --deterministic --time 1"),
            "chainshot: --deterministic needs a counted budget, since a time limit depends on the machine; expected "
            "--playouts\n");
  EXPECT_EQ(run("solve --explain base --no-node-exploration --no-late-urgency").exit_code, 0);
}

TEST_F(SolveCommand, WrongArgumentsGetOneSentence) {
  EXPECT_EQ(complaint("standard-01 --preset sp-mct"),
            "chainshot: no preset is called 'sp-mct'; did you mean 'sp-mcts'?\n");
  EXPECT_EQ(complaint("--explain huct"), "chainshot: no preset is called 'huct'; did you mean 'uct'?\n");
  EXPECT_EQ(complaint("standard-01 --preset uct --selection uctt"),
            "chainshot: no selection rule is called 'uctt'; did you mean 'uct'?\n");
  EXPECT_EQ(complaint("standard-01 --preset uct --duplicates consistant"),
            "chainshot: no treatment of duplicates is called 'consistant'; did you mean 'consistent'?\n");
  EXPECT_EQ(complaint("standard-01 --node-explration"),
            "chainshot: solve has no option --node-explration; did you mean --node-exploration?\n");
  EXPECT_EQ(complaint("standard-01 --preset anneal --c 3"),
            "chainshot: --c is a setting of tree search; preset anneal does not have it\n");
  EXPECT_EQ(complaint("standard-01 --preset uct --hot 3"),
            "chainshot: --hot is a setting of annealing; preset uct does not have it\n");
  EXPECT_EQ(complaint("standard-01 --preset static --epsilon 0.1"),
            "chainshot: --epsilon has no effect in this search; expected it with a --policy that begins with tabu\n");
  EXPECT_EQ(complaint("standard-01 --time 5x"),
            "chainshot: --time: '5x' is not a time; expected seconds, or numbers with d, h, m or s, up to a year: 90, "
            "2m, 1h30m, 5d; see chainshot solve --help\n");
  EXPECT_EQ(complaint("standard-01 --preset nrpa --engine cuda"),
            "chainshot: preset nrpa runs only on the CPU; expected --engine cpu or auto\n");
  EXPECT_EQ(complaint("standard-01 --preset anneal --engine cpu,cuda"),
            "chainshot: preset anneal runs on one engine; expected --engine auto, cpu, cuda or check\n");
  for (const char* arguments : {"",
                                "standard-01 --time 0",
                                "standard-01 --time -3",
                                "standard-01 --time nan",
                                "standard-01 --time 1e99h",
                                "standard-01 --playouts 0",
                                "standard-01 --nodes 5",
                                "standard-01 --preset anneal --ru 5",
                                "standard-01 --c -1",
                                "standard-01 --steps 0",
                                "standard-01 --memory 5Q",
                                "standard-01 --memory 255K",
                                "standard-01 --json --out -",
                                "standard-01 --hot 5 --cold 6",
                                "standard-01 --scoring golf",
                                "standard-01 --out ''",
                                "standard-01 --log -",
                                "standard-01 --out x --log x",
                                "standard-01 --log no/such/folder",
                                "no-such-board",
                                "standard-01 --engine cup",
                                "standard-01 --tabu-color 9",
                                "standard-01 --hot 0",
                                "standard-01 --preset uct --state-pruning=maybe",
                                "standard-01 --preset mc-avg --memory 1G"})
    EXPECT_NE(complaint(arguments), "") << arguments;
}

// `timeout` signals the program and then its whole group; both signals together are one interrupt.
TEST_F(SolveCommand, TheSignalOfABatchSystemSavesWhatThereIsToo) {
  const ProgramRun stopped =
      run_until("test -e line.txt", "solve standard-03 --time 1h --threads 1 --out line.txt", "TERM $!; kill -TERM");
  EXPECT_EQ(stopped.exit_code, 143) << stopped.err;
  EXPECT_EQ(run("verify standard-03 line.txt").exit_code, 0);
}

TEST_F(SolveCommand, CtrlCReturns130WithWhatThereIs) {
  for (const std::string preset : {"anneal", "uct"}) {
    const std::string log = preset + ".jsonl";
    const ProgramRun stopped = run_until("grep -q '\"line\"' " + log + " 2>/dev/null",
                                         "solve standard-03 standard-04 --time 1h --threads 1 --out line.txt --log " +
                                             log + " --json --preset " + preset,
                                         "INT");
    ASSERT_EQ(stopped.exit_code, 130) << preset << stopped.err;
    const json found = json::parse(stopped.out);
    ASSERT_EQ(found["boards"].size(), 1u);
    EXPECT_EQ(found["boards"][0]["complete"], false);
    EXPECT_LT(found["boards"][0]["seconds"].get<double>(), 600);
    EXPECT_EQ(run("verify standard-03 line.txt").exit_code, 0);
    EXPECT_NE(read(log).find("\"event\":\"end\""), std::string::npos);
  }
}

TEST_F(SolveCommand, RefusesToUseAnEngineTwice) {
  const ProgramRun done = run("solve standard-01 --preset uct --engine cpu,cpu --playouts 100");
  EXPECT_EQ(done.exit_code, 2);
  EXPECT_NE(done.err.find("--engine names cpu twice"), std::string::npos) << done.err;
  // Without a device, auto would be the CPU engine once more.
  EXPECT_EQ(complaint("standard-01 --preset uct --engine auto,cpu --playouts 100"),
            "chainshot: --engine auto chooses the engines by itself; expected auto alone, or names such as cuda,cpu\n");
}

}  // namespace
}  // namespace chainshot
