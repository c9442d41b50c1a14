// The contract of `chainshot play`: JSON keys, lines that replay to their scores, exit codes, Ctrl-C.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "game/board_text.hpp"
#include "game/engine.hpp"
#include "game/playout.hpp"
#include "game/reference.hpp"
#include "tests/support/program_run.hpp"

namespace chainshot {
namespace {

using nlohmann::json;

class PlayCommand : public ProgramTest {
 protected:
  json answer(const std::string& arguments) const {
    const ProgramRun played = run("play " + arguments + " --json");
    EXPECT_EQ(played.exit_code, 0) << played.err;
    return json::parse(played.out);
  }
  std::string complaint(const std::string& arguments) const {
    const ProgramRun failed = run("play " + arguments);
    EXPECT_EQ(failed.exit_code, 2) << arguments;
    EXPECT_EQ(failed.out, "") << arguments;
    return failed.err;
  }
};

std::vector<game::Cell> cells_of(const json& moves) {
  std::vector<game::Cell> cells;
  for (const json& move : moves)
    cells.push_back({move.at(0).get<std::uint8_t>(), move.at(1).get<std::uint8_t>()});
  return cells;
}

// The slow reference plays one playout at a time; the command must print the same figures.
TEST_F(PlayCommand, JsonAgreesWithTheReference) {
  const game::Position& board = game::standard_boards()[0].position;
  const game::PlayoutRules rules({.kind = game::PolicyKind::kRandom}, game::kStandardScoring, board);
  game::Result expected;
  for (std::uint32_t i = 0; i < 50; ++i) {
    const game::PlayoutKey key{.seed = 9, .request = 0, .playout = i};
    const game::Playout playout = game::reference_play(board, rules, key, 0);
    expected.add(key, playout.score, playout.length);
  }
  const double mean = static_cast<double>(expected.sum) / 50;
  const double squares = static_cast<double>(expected.sum_of_squares);
  const json found = answer("standard-01 --policy random --playouts 50 --seed 9");
  EXPECT_EQ(found["version"], 1);
  EXPECT_EQ(found["playouts"], 50);
  EXPECT_NEAR(found["score"]["mean"].get<double>(), mean, 1e-9);
  EXPECT_NEAR(found["score"]["sd"].get<double>(), std::sqrt((squares - 50 * mean * mean) / 49), 1e-6);
  EXPECT_EQ(found["score"]["best"], expected.best);
  EXPECT_NEAR(found["moves"]["mean"].get<double>(), static_cast<double>(expected.moves) / 50, 1e-9);
  EXPECT_EQ(found["best"]["score"], expected.best);
  EXPECT_EQ(found["best"]["key"], "9:0:" + std::to_string(expected.best_playout));
  EXPECT_GT(found["seconds"].get<double>(), 0);
  EXPECT_EQ(game::replay(board, cells_of(found["best"]["moves"]), game::kStandardScoring).score, expected.best);
}

TEST_F(PlayCommand, TheHistogramCountsEveryPlayout) {
  const json found = answer("standard-01 --playouts 3000");
  std::uint64_t sum = 0;
  for (const json& count : found["histogram"]["counts"])
    sum += count.get<std::uint64_t>();
  EXPECT_EQ(sum, 3000u);
  const int low = found["histogram"]["low"], width = found["histogram"]["width"];
  const int bins = static_cast<int>(found["histogram"]["counts"].size());
  EXPECT_LE(low, found["score"]["worst"].get<int>());
  EXPECT_GT(low + bins * width, found["score"]["best"].get<int>());
}

TEST_F(PlayCommand, ReplayingTheBestKeyGivesTheBestLine) {
  for (const std::string policy :
       {"random", "tabu-random", "tabu-color-random --epsilon 0.1", "tabu48", "tabu-color-weighted",
        "roulette --beta 2", "largest-first", "random --vs-pruning", "tabu-color-random --scoring bubble-breaker"}) {
    const std::string arguments = "standard-02 --policy " + policy;
    const json best = answer(arguments + " --playouts 40 --seed 5")["best"];
    const std::string key = best["key"];
    const json by_key = answer(arguments + " --key " + key);
    EXPECT_EQ(by_key["version"], 1);
    EXPECT_EQ(by_key["score"], best["score"]) << policy;
    EXPECT_EQ(by_key["moves"], best["moves"]) << policy;
    const json by_number = answer(arguments + " --seed 5 --key " + key.substr(key.rfind(':') + 1));
    EXPECT_EQ(by_number["moves"], best["moves"]) << policy;
  }
}

TEST_F(PlayCommand, ThreadsAndInstructionSetsDoNotChangeTheAnswer) {
  const auto without_timing = [&](const std::string& arguments) {
    json found = answer("standard-03 --playouts 2000 " + arguments);
    found.erase("seconds");
    found.erase("engine");
    return found;
  };
  const json expected = without_timing("--threads 1");
  EXPECT_EQ(without_timing("--threads 2"), expected);
  EXPECT_EQ(without_timing("--threads 2 --isa portable --engine cpu"), expected);
}

TEST_F(PlayCommand, SeveralBoardsAreListed) {
  const json found = answer("standard --playouts 20");
  EXPECT_EQ(found["version"], 1);
  ASSERT_EQ(found["boards"].size(), 20u);
  EXPECT_EQ(found["boards"][6]["board"], "standard-07");
  EXPECT_EQ(found["boards"][6]["best"], answer("standard-07 --playouts 20")["best"]);
}

TEST_F(PlayCommand, EveryBoardIsPlayedWithEveryPolicy) {
  const std::string arguments = "standard-01 standard-02 --playouts 20 --policy random,tabu48";
  const json found = answer(arguments + " --csv scores.csv --out best.txt");
  ASSERT_EQ(found["boards"].size(), 4u);
  EXPECT_EQ(found["complete"], true);
  EXPECT_EQ(found["boards"][3]["board"], "standard-02");
  EXPECT_EQ(found["boards"][3]["policy"], "tabu48");
  EXPECT_EQ(found["boards"][3]["score"], answer("standard-02 --playouts 20 --policy tabu48")["score"]);
  std::istringstream table(read("scores.csv"));
  std::vector<std::string> rows;
  for (std::string row; std::getline(table, row);)
    rows.push_back(row);
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_EQ(rows[0], "board,policy,scoring,seed,playouts,complete,mean,deviation,worst,best,moves,best_key,seconds");
  EXPECT_EQ(rows[2].rfind("standard-01,tabu48,standard,0,20,yes,", 0), 0u) << rows[2];
  // The file has the best line of each board, whichever policy found it.
  const json lines = json::parse(shell("chainshot verify standard best.txt --json").out)["boards"];
  ASSERT_EQ(lines.size(), 2u);
  for (const int i : {0, 1})
    EXPECT_EQ(lines[i]["score"],
              std::max(found["boards"][2 * i]["score"]["best"], found["boards"][2 * i + 1]["score"]["best"]));
}

TEST_F(PlayCommand, TheBestLineIsASolutionThatVerifies) {
  const ProgramRun played = shell(
      "chainshot play standard --playouts 20 --out best.txt >/dev/null && chainshot verify standard best.txt --json");
  EXPECT_EQ(played.exit_code, 0) << played.err;
  EXPECT_EQ(shell("chainshot play standard-04 --playouts 20 --json | chainshot verify standard-04 -").exit_code, 0);
}

TEST_F(PlayCommand, PicturesAreWritten) {
  EXPECT_EQ(run("play standard-01 --playouts 500 --svg one.svg").exit_code, 0);
  EXPECT_EQ(read("one.svg").rfind("<svg", 0), 0u);
}

TEST_F(PlayCommand, ReportsFit80Columns) {
  for (const std::string arguments :
       {"standard-01 --playouts 2000", "standard --playouts 10", "standard-01 --key 0:0:3", "standard-01 --playouts 1",
        "standard-01 --playouts 99 --scoring clickomania",
        "standard --playouts 10 --policy random,tabu-color-random"}) {
    const ProgramRun played = run("play " + arguments);
    EXPECT_EQ(played.exit_code, 0) << played.err;
    EXPECT_EQ(played.out.find('\x1b'), std::string::npos) << "colour in a pipe";
    std::istringstream lines(played.out);
    for (std::string line; std::getline(lines, line);)
      EXPECT_LE(line.size(), 80u) << line;
  }
}

TEST_F(PlayCommand, BoardsWithoutMovesArePlayed) {
  write("tiny.txt", "board single\n0\n\nboard pair\n0\n0\n");
  const json boards = answer("tiny.txt --playouts 5")["boards"];
  // One block left: -(1 - 2)^2. A pair: (2 - 2)^2 and 1000 for the cleared board.
  EXPECT_EQ(boards[0]["score"]["best"], -1);
  EXPECT_EQ(boards[0]["best"]["moves"], json::array());
  EXPECT_EQ(boards[1]["score"]["best"], 1000);
  EXPECT_EQ(boards[1]["best"]["moves"], json::parse("[[0,0]]"));
  EXPECT_EQ(boards[1]["score"]["sd"], 0);
}

TEST_F(PlayCommand, WrongArgumentsGetOneSentence) {
  EXPECT_EQ(complaint("standard-01 --policy tabu-colr-random"),
            "chainshot: no policy is called 'tabu-colr-random'; did you mean 'tabu-color-random'?\n");
  EXPECT_EQ(complaint("standard-01 --scoring standart"),
            "chainshot: no scoring is called 'standart'; did you mean 'standard'?\n");
  EXPECT_EQ(complaint("standard-01 --engine cup"), "chainshot: no engine is called 'cup'; did you mean 'cpu'?\n");
  EXPECT_EQ(complaint("standard-01 --isa avx51"),
            "chainshot: no instruction set is called 'avx51'; did you mean 'avx512'?\n");
  EXPECT_EQ(complaint("standard-01 --epsilon 1.5"),
            "chainshot: --epsilon: '1.5' is not a number from 0 to 1; see chainshot play --help\n");
  EXPECT_EQ(complaint("standard-01 --policy random --epsilon 0.1"),
            "chainshot: --epsilon does not apply to policy random; expected it with a policy that begins with tabu\n");
  EXPECT_EQ(complaint("standard-01 --playouts 0"),
            "chainshot: --playouts: '0' is not a whole number from 1 to 4294967295; see chainshot play --help\n");
  EXPECT_EQ(complaint("standard-01 --key 5:0"),
            "chainshot: --key 5:0: expected seed:request:playout, or the number of a playout\n");
  EXPECT_EQ(complaint("standard-01 --tabu-color Z"),
            "chainshot: --tabu-color Z: not a colour; expected a digit or letter 0-9, A-E\n");
  EXPECT_EQ(complaint("standard-01 --tabu-color 9"),
            "chainshot: --tabu-color 9: board standard-01 has no such colour; expected one of 0 1 2 3 4\n");
  EXPECT_EQ(complaint("standard-01 --key 1:0:5 --seed 3"),
            "chainshot: --key 1:0:5 has seed 1, but --seed is 3; expected only one of them\n");
  EXPECT_EQ(complaint("standard-01 --key 5 --playouts 3"),
            "chainshot: --key replays one playout; expected no --playouts\n");
  EXPECT_EQ(complaint("standard-01 --key 5 --policy random,tabu48"),
            "chainshot: --key replays one playout; expected one --policy\n");
  EXPECT_EQ(complaint("standard-01 --policy random,random"),
            "chainshot: --policy names random twice; expected every value once\n");
  for (const char* arguments :
       {"standard-01 --key ''", "- -", "standard-01 standard-02 --key 3", "standard-01 --key 3 --csv x.csv",
        "standard-01 --out ''", "standard-01 --svg ''", "standard-01 --playouts 4294967296",
        "standard-01 --playouts -1", "standard-01 --seed x", "standard --key 3", "standard-01 --key 3 --svg x.svg",
        "standard-01 --threads 5000"})
    EXPECT_NE(complaint(arguments), "");
}

// 2^32 - 1 playouts take minutes on any machine.
TEST_F(PlayCommand, CtrlCReturns130WithWhatThereIs) {
  const ProgramRun stopped = run_for_a_while("play standard-01 --playouts 4294967295 --threads 1 --json");
  ASSERT_EQ(stopped.exit_code, 130) << stopped.err;
  const json found = json::parse(stopped.out);
  EXPECT_EQ(found["complete"], false);
  EXPECT_GT(found["playouts"].get<std::uint64_t>(), 0u);
  EXPECT_LT(found["playouts"].get<std::uint64_t>(), 4294967295u);
  const json best = answer("standard-01 --key " + found["best"]["key"].get<std::string>());
  EXPECT_EQ(best["score"], found["best"]["score"]);
}

TEST_F(PlayCommand, CtrlCOnSeveralBoardsReportsThoseThatWerePlayed) {
  const ProgramRun stopped = run_for_a_while("play standard --playouts 4294967295 --threads 1");
  EXPECT_EQ(stopped.exit_code, 130) << stopped.err;
  EXPECT_NE(stopped.out.find("standard-01"), std::string::npos);
  EXPECT_EQ(stopped.out.find("standard-02"), std::string::npos);
  EXPECT_EQ(stopped.out.rfind("1 of 20 boards: ", 0), 0u) << stopped.out;
  EXPECT_NE(stopped.out.find("stopped early"), std::string::npos) << stopped.out;
}

// One playout of 992 blocks takes milliseconds.
TEST_F(PlayCommand, CtrlCIsPromptWithSlowPolicies) {
  ASSERT_EQ(run("generate --size 31x32 --colors 15 --out big.txt").exit_code, 0);
  const ProgramRun stopped =
      run_for_a_while("play big.txt --policy random --vs-pruning --playouts 4294967295 --threads 1 --json");
  EXPECT_EQ(stopped.exit_code, 130) << stopped.err;
  // A slow machine may have nothing to report; then it must say so.
  if (stopped.out.empty()) {
    EXPECT_NE(stopped.err.find("interrupted before there was anything to report"), std::string::npos) << stopped.err;
  } else {
    EXPECT_GT(json::parse(stopped.out)["playouts"].get<std::uint64_t>(), 0u);
  }
}

TEST_F(PlayCommand, NarrowTerminalsGetLinesThatWrap) {
  const ProgramRun narrow =
      shell("script -qec \"stty cols 20; '" CHAINSHOT_EXE "' play standard-01 --playouts 2000\" /dev/null");
  EXPECT_EQ(narrow.exit_code, 0) << narrow.out << narrow.err;
  EXPECT_NE(narrow.out.find("best line"), std::string::npos) << narrow.out;
}

TEST_F(PlayCommand, TheRouletteCountsTheBlocksOfTheGamesStart) {
  // Takes 2009, 4: alpha = 1 + beta / N x blocks left, where N is the number of blocks at the start. N is 12 here, so
  // empty rows above the blocks must make no difference.
  const std::string rows = "001122\n120012\n";
  write("low.txt", "board a\n" + rows);
  write("high.txt", "board a\n......\n......\n......\n" + rows);
  const auto scores = [&](const std::string& file) {
    return answer(file + " --policy roulette --playouts 5000 --threads 1")["score"];
  };
  EXPECT_EQ(scores("low.txt"), scores("high.txt"));
}

}  // namespace
}  // namespace chainshot
