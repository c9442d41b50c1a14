// The command `tune`: its answers, its refusals, and the file that it goes on from.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/program_run.hpp"

namespace chainshot {
namespace {

using nlohmann::json;

const std::string kSmall =
    "sp-mcts --parameters c=100x3,t --size 5x5 --colors 3 --playouts 30 --boards 2 --population 5 --elite 2 "
    "--memory 16M --engine cpu ";

class TuneTest : public ProgramTest {
 protected:
  json answer(const std::string& arguments) const {
    const ProgramRun tuned = run("tune " + arguments + " --json");
    EXPECT_EQ(tuned.exit_code, 0) << arguments << '\n' << tuned.err;
    return json::parse(tuned.out);
  }
  std::string complaint(const std::string& arguments) const {
    const ProgramRun failed = run("tune " + arguments);
    EXPECT_EQ(failed.exit_code, 2) << arguments;
    EXPECT_EQ(failed.out, "") << arguments;
    return failed.err;
  }
};

TEST_F(TuneTest, ReportsEveryGenerationAndTheResultAsOptions) {
  const json tuned = answer(kSmall + "--generations 3 --test-boards 4 --svg t.svg");
  EXPECT_EQ(tuned["version"], 1);
  EXPECT_EQ(tuned["preset"], "sp-mcts");
  EXPECT_EQ(tuned["state"], "finished");
  // The preset's t is 13 (Schadd 2012, table 5); bounds of 0 and 26 give half their difference, 13, as the deviation.
  EXPECT_EQ(tuned["start"]["t"], json({{"mean", 13.0}, {"deviation", 13.0}}));
  EXPECT_NEAR(tuned["start"]["c"]["mean"], 100, 1e-9);
  EXPECT_NEAR(tuned["start"]["c"]["factor"], 3, 1e-9);
  ASSERT_EQ(tuned["generations"].size(), 3u);
  for (const json& generation : tuned["generations"]) {
    EXPECT_GE(generation["best"], generation["mean"]);
    EXPECT_GT(generation["parameters"]["t"]["deviation"], 0);
    EXPECT_TRUE(generation["best_sample"].contains("c"));
  }
  EXPECT_NEAR(tuned["result"]["t"], tuned["generations"][2]["parameters"]["t"]["mean"], 1e-9);
  EXPECT_EQ(tuned["test"]["start"]["scores"].size(), 4u);
  EXPECT_NEAR(tuned["test"]["difference"]["mean"],
              tuned["test"]["result"]["mean"].get<double>() - tuned["test"]["start"]["mean"].get<double>(), 1e-9);
  const std::string options = tuned["options"];
  EXPECT_TRUE(options.starts_with("--c ")) << options;
  EXPECT_EQ(run("solve standard-01 --preset sp-mcts --playouts 50 --threads 1 " + options).exit_code, 0) << options;
  const std::string drawn = read("t.svg");
  EXPECT_TRUE(drawn.starts_with("<svg "));
  EXPECT_EQ(drawn.find("nan"), std::string::npos);
  const std::string band = "fill-opacity";
  EXPECT_NE(drawn.find(band), drawn.rfind(band));  // one for each parameter
}

TEST_F(TuneTest, PrintsATableWhoseLastLineIsTheOptions) {
  const ProgramRun tuned = run("tune " + kSmall + "--generations 2");
  EXPECT_EQ(tuned.exit_code, 0) << tuned.err;
  EXPECT_EQ(std::count(tuned.out.begin(), tuned.out.end(), '\n'), 5) << tuned.out;  // head, start, two, options
  EXPECT_TRUE(tuned.out.starts_with("generation")) << tuned.out;
  EXPECT_NE(tuned.out.find("start"), std::string::npos);
  EXPECT_NE(tuned.out.find("\n--c "), std::string::npos);
  // Progress in a pipe is a line of what there is to do, and one for each generation.
  EXPECT_EQ(std::count(tuned.err.begin(), tuned.err.end(), '\n'), 3) << tuned.err;
}

TEST_F(TuneTest, ThreadsDoNotChangeTheResult) {
  EXPECT_EQ(answer(kSmall + "--generations 2 --threads 1"), answer(kSmall + "--generations 2 --threads 3"));
  EXPECT_NE(answer(kSmall + "--generations 2")["generations"],
            answer(kSmall + "--generations 2 --seed 1")["generations"]);
}

// The program is killed once the first of twelve generations is done. On a fast machine it may be done with all of them
// by then; going on has less to do in that case.
TEST_F(TuneTest, AKilledTuningGoesOnAndEndsTheSame) {
  const std::string arguments = kSmall + "--generations 12 --threads 1 ";
  const json whole = answer(arguments);
  const ProgramRun killed =
      run_until("grep -q best_point s.json 2>/dev/null", "tune " + arguments + "--state s.json", "KILL");
  EXPECT_TRUE(killed.exit_code == 128 + 9 || killed.exit_code == 0) << killed.exit_code;
  EXPECT_EQ(answer("--state s.json"), whole);
  // It is finished now, so nothing is left to do.
  EXPECT_EQ(answer(arguments + "--state s.json"), whole);
}

TEST_F(TuneTest, CtrlCSavesAndExitsWith130) {
  const std::string arguments = "tune " + kSmall + "--generations 10000 --state s.json --threads 1";
  const ProgramRun stopped = run_until("grep -q best_point s.json 2>/dev/null", arguments, "INT");
  EXPECT_EQ(stopped.exit_code, 130) << stopped.err;
  EXPECT_NE(stopped.out.find("\n--c "), std::string::npos);
  EXPECT_NE(stopped.err.find("goes on with it"), std::string::npos) << stopped.err;
  const json state = json::parse(read("s.json"));
  const std::size_t done = state["done"].size();
  EXPECT_GE(done, 1u);
  const json tuned = answer("--state s.json --generations " + std::to_string(done + 1));
  EXPECT_EQ(tuned["generations"].size(), done + 1);
  EXPECT_EQ(tuned["generations"][0]["mean"], state["done"][0]["mean"]);
}

// A board of two equal blocks has one game: no points for the group and 1000 for the cleared board.
TEST_F(TuneTest, EvaluatesOneSample) {
  const std::string sample = "sp-mcts --evaluate c=0.5,in-flight=2 --size 2x1 --colors 1 --boards 3 --playouts 5";
  const json evaluated = answer(sample);
  EXPECT_EQ(evaluated["mean"], 1000.0);
  EXPECT_EQ(evaluated["standard_error"], 0.0);
  EXPECT_EQ(evaluated["scores"], json({1000, 1000, 1000}));
  EXPECT_EQ(evaluated["parameters"], json({{"c", 0.5}, {"in-flight", 2}}));
  EXPECT_EQ(run("tune " + sample).out, "mean 1000.0 (standard error 0.0) on 3 boards\n");
}

TEST_F(TuneTest, RefusesWhatCannotBeTuned) {
  const auto refused = [&](const std::string& parameters) {
    const std::string sentence = complaint("sp-mcts --parameters " + parameters);
    return sentence.substr(std::string("chainshot: ").size());
  };
  EXPECT_EQ(complaint("sp-mct --parameters c"), "chainshot: no preset is called 'sp-mct'; did you mean 'sp-mcts'?\n");
  EXPECT_EQ(refused("epsilo"), "no parameter of preset sp-mcts is called 'epsilo'; did you mean 'epsilon'?\n");
  EXPECT_EQ(refused("state-pruning"),
            "--parameters: state-pruning is a switch, which cannot be tuned; expected numbers such as c\n");
  EXPECT_EQ(refused("selection"),
            "--parameters: selection is a choice of names, which cannot be tuned; expected numbers such as c\n");
  EXPECT_EQ(refused("memory"), "--parameters: memory is a size, which cannot be tuned; expected numbers such as c\n");
  EXPECT_EQ(refused("range"),
            "--parameters: range has no effect in this search; expected it with --normalisation static\n");
  EXPECT_EQ(refused("epsilon=2:1"), "--parameters epsilon=2:1: 2 is out of the range of epsilon; expected 0 to 1\n");
  EXPECT_EQ(refused("c=1:0"), "--parameters c=1:0: expected a deviation above 0\n");
  EXPECT_EQ(refused("c=1x1"), "--parameters c=1x1: a logarithmic scale needs a mean above 0 and a factor above 1\n");
  EXPECT_EQ(refused("c=much"),
            "--parameters c=much: expected NAME, NAME=MEAN:DEVIATION, or NAME=MEANxFACTOR for a logarithmic scale\n");
  EXPECT_EQ(refused("c,d,c"), "--parameters names c twice; expected it once\n");
  EXPECT_EQ(refused("c,,d"), "--parameters c,,d: a name is missing; expected settings such as c,d\n");
  EXPECT_EQ(refused("in-flight"),
            "--parameters in-flight: preset sp-mcts has no number for it (as many as keep the engine busy); expected a "
            "mean, such as in-flight=MEAN:DEVIATION\n");
  EXPECT_EQ(refused("c --elite 200"), "--elite 200 is above --population 100; expected a part of it\n");
  EXPECT_EQ(complaint("sp-mcts"),
            "chainshot: tune needs --parameters; expected settings of the search, such as --parameters c,d\n");
  EXPECT_EQ(
      complaint("anneal --parameters last-members --nodes 5"),
      "chainshot: preset anneal (annealing) does not support the budget --nodes; expected --time or --playouts\n");
  EXPECT_EQ(complaint("anneal --parameters hot=1:1 --cold 5"),
            "chainshot: --cold 5 is above --hot 1; expected --cold below --hot\n");
  EXPECT_EQ(complaint("sp-mcts --evaluate in-flight=1.5"),
            "chainshot: --evaluate in-flight=1.5: expected NAME=VALUE with a whole number\n");
}

TEST_F(TuneTest, RefusesAStateOfAnotherTuningAndADamagedOne) {
  answer(kSmall + "--generations 1 --state s.json");
  const std::string before = read("s.json");
  EXPECT_EQ(
      complaint("--state s.json --boards 7"),
      "chainshot: s.json is the state of another tuning, where --boards is 2; expected the same, or another file\n");
  EXPECT_EQ(complaint("uct --state s.json"),
            "chainshot: s.json is the state of another tuning, where PRESET is sp-mcts; expected the same, or another "
            "file\n");
  EXPECT_EQ(complaint("--state s.json --parameters c"),
            "chainshot: s.json is the state of another tuning, where --parameters is c=100x3,t=13:13; expected the "
            "same, or another file\n");
  EXPECT_EQ(read("s.json"), before);
  write("s.json", before.substr(0, before.size() / 2));
  EXPECT_TRUE(complaint("--state s.json").starts_with("chainshot: s.json:")) << read("s.json");
  std::string other = before;
  other.replace(other.find("\"name\":\"t\""), 10, "\"name\":\"policy\"");
  write("s.json", other);
  EXPECT_EQ(complaint("--state s.json"),
            "chainshot: s.json: policy is a choice of names, which cannot be tuned; expected numbers such as c\n");
  EXPECT_EQ(complaint("--state new.json"),
            "chainshot: new.json has no tuning to go on with; expected its file, or a PRESET to begin one\n");
}

}  // namespace
}  // namespace chainshot
