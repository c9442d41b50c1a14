// The contract of `chainshot speedtest`: which figures it reports and how they relate. No test asserts a speed.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "tests/support/program_run.hpp"
#include "tests/support/test_scale.hpp"

namespace chainshot {
namespace {

using nlohmann::json;

// An instruction set that every machine has. Sanitizers check the portable lanes in full, which makes them slow, but
// not the best lanes (cpu/CMakeLists.txt).
const std::string kIsa = tests::kSanitized ? "" : " --isa portable";

class SpeedtestCommand : public ProgramTest {
 protected:
  json answer(const std::string& arguments) const {
    const ProgramRun tested = run("speedtest --quick --json " + arguments);
    EXPECT_EQ(tested.exit_code, 0) << tested.err;
    return json::parse(tested.out);
  }
};

TEST_F(SpeedtestCommand, NamesWhatItMeasured) {
  const json found = answer("--threads 2" + kIsa);
  EXPECT_EQ(found["version"], 1);
  for (const char* key : {"processor", "compiler", "build", "policy"})
    EXPECT_TRUE(found[key].is_string()) << key;
  ASSERT_EQ(found["engines"].size(), 1u);
  const json& engine = found["engines"][0];
  EXPECT_FALSE(engine.contains("ratios_to_first_engine"));
  ASSERT_EQ(engine["cases"].size(), 8u);  // four cases with one thread and with two
  for (const json& row : engine["cases"]) {
    const json& rate = row["playouts_per_second"];
    EXPECT_GT(rate["low"].get<double>(), 0);
    EXPECT_LE(rate["low"], rate["median"]);
    EXPECT_LE(rate["median"], rate["high"]);
  }
  for (const char* ratio : {"reference", "many_positions", "roulette", "wide_per_block", "threads"})
    EXPECT_GT(engine["ratios"][ratio]["median"].get<double>(), 0) << ratio;
}

TEST_F(SpeedtestCommand, MeasuresAnnealingOnEveryEngine) {
  const json found = answer("--engine cpu,auto --threads 2" + kIsa);
  ASSERT_EQ(found["annealing"].size(), 2u);
  for (const json& row : found["annealing"]) {
    EXPECT_EQ(row["chains"], 2);  // one for each thread
    EXPECT_EQ(row["on_cpu"], true);
    EXPECT_GT(row["evaluations_per_second"]["low"].get<double>(), 0);
    EXPECT_LE(row["evaluations_per_second"]["low"], row["evaluations_per_second"]["high"]);
    EXPECT_GT(row["evaluations_per_cpu_second"]["median"].get<double>(), 0);
  }
  EXPECT_EQ(found["annealing"][0]["ratio_to_first"]["median"], 1.0);
  EXPECT_GT(found["annealing"][1]["ratio_to_first"]["low"].get<double>(), 0);
}

TEST_F(SpeedtestCommand, SaysHowTheEngineWasFed) {
  const json found = answer("--engine cpu --threads 1");
  for (const json& row : found["engines"][0]["cases"]) {
    EXPECT_GE(row["in_flight"], 2) << row;
    EXPECT_GT(row["busy_share"]["low"].get<double>(), 0) << row;
    EXPECT_LE(row["busy_share"]["high"].get<double>(), 1) << row;
    EXPECT_GE(row["batch"], 1) << row;
    EXPECT_EQ(row["positions"], row["case"] == "many-positions" ? 512 : 1) << row;
    if (row["case"] == "many-positions") {
      EXPECT_EQ(row["batch"], 512 * 32);
    }
  }
}

// Ratios compare runs of the same round, so the extremes of both engines bound them.
TEST_F(SpeedtestCommand, FurtherEnginesAreComparedWithTheFirstCaseByCase) {
  const json found = answer("--engine cpu,auto --threads 1" + kIsa);
  ASSERT_EQ(found["engines"].size(), 2u);
  const json &first = found["engines"][0], &second = found["engines"][1];
  EXPECT_FALSE(first.contains("ratios_to_first_engine"));
  EXPECT_EQ(second["ratios_to_first_engine"].size(), 4u);
  for (const auto& [name, ratio] : second["ratios_to_first_engine"].items()) {
    const auto rate_of = [&, &id = name](const json& engine) -> json {
      for (const json& row : engine["cases"])
        if (row["case"] == id) return row["playouts_per_second"];
      return {};
    };
    const json base = rate_of(first), rate = rate_of(second);
    const double least = rate["low"].get<double>() / base["high"].get<double>();
    const double most = rate["high"].get<double>() / base["low"].get<double>();
    EXPECT_GE(ratio["low"].get<double>(), least * (1 - 1e-9)) << name;
    EXPECT_LE(ratio["high"].get<double>(), most * (1 + 1e-9)) << name;
    EXPECT_LE(ratio["low"], ratio["median"]) << name;
    EXPECT_LE(ratio["median"], ratio["high"]) << name;
  }
}

TEST_F(SpeedtestCommand, TablesFit80Columns) {
  for (const std::string arguments : {"--engine cpu,auto --threads 1", "--threads 1,2", "--sweep"}) {
    if (tests::kSanitized && arguments == "--sweep") continue;  // a minute of the same games
    const ProgramRun printed = run("speedtest --quick " + arguments);
    EXPECT_EQ(printed.exit_code, 0) << printed.err;
    std::istringstream lines(printed.out);
    for (std::string line; std::getline(lines, line);) {
      // The names of the processor and the compiler may be long.
      if (line.rfind("processor", 0) == 0 || line.rfind("build", 0) == 0) continue;
      EXPECT_LE(line.size(), 80u) << line;
    }
  }
}

TEST_F(SpeedtestCommand, TheSweepGoesThroughPowersOfFourAndRecommendsTheSmallestOneThatIsNotSlower) {
  if (tests::kSanitized) GTEST_SKIP() << "a minute of the same games";
  const json found = answer("--sweep --engine cpu --threads 1 --csv sweep.csv --svg sweep.svg");
  EXPECT_EQ(found["version"], 1);
  EXPECT_EQ(found["complete"], true);
  EXPECT_EQ(found["rounds"], 3);
  std::set<std::uint64_t> sizes;
  std::set<std::pair<std::uint64_t, std::uint64_t>> settings;
  for (const json& point : found["points"]) {
    sizes.insert(point["playouts"].get<std::uint64_t>());
    settings.emplace(point["playouts"], point["positions"]);
    EXPECT_LE(point["low"], point["playouts_per_second"]);
    EXPECT_LE(point["playouts_per_second"], point["high"]);
    EXPECT_LE(point["busy_share"].get<double>(), 1);
  }
  EXPECT_EQ(settings.size(), found["points"].size());
  EXPECT_GE(*sizes.rbegin(), 4096u);  // the batch that the engine recommends for one thread
  for (std::uint64_t size = 1024; size <= *sizes.rbegin(); size *= 4)
    for (const std::uint64_t positions : {1, 16, 256, 4096})
      EXPECT_EQ(settings.count({size, positions}), positions <= size ? 1u : 0u) << size << ' ' << positions;
  const json& chosen = found["recommended"];
  double best = 0;
  for (const json& point : found["points"])
    best = std::max(best, point["playouts_per_second"].get<double>());
  const auto is_good = [best](const json& point) {
    return point["ratio_to_fastest"]["high"].get<double>() >= 1 &&
           point["playouts_per_second"].get<double>() > 0.9 * best;
  };
  EXPECT_TRUE(is_good(chosen)) << chosen;
  for (const json& point : found["points"])
    if (point["playouts"] < chosen["playouts"]) {
      EXPECT_FALSE(is_good(point)) << point;
    }

  const std::string table = read("sweep.csv"), picture = read("sweep.svg");
  EXPECT_TRUE(table.starts_with(
      "playouts,positions,batches_in_flight,rounds,playouts_per_second,low,high,busy_share\n1024,1,2,3,"));
  EXPECT_EQ(static_cast<std::size_t>(std::count(table.begin(), table.end(), '\n')), 1 + found["points"].size());
  EXPECT_TRUE(picture.starts_with("<svg xmlns="));
  EXPECT_TRUE(picture.ends_with("</svg>\n"));
  std::size_t lines = 0;
  for (std::size_t at = picture.find("<path"); at != std::string::npos; at = picture.find("<path", at + 1))
    ++lines;
  EXPECT_EQ(lines, 4u);  // one per number of positions
}

TEST_F(SpeedtestCommand, AnInterruptedSweepKeepsWhatWasMeasured) {
  const ProgramRun stopped = run_for_a_while("speedtest --sweep --engine cpu --threads 1 --json --csv sweep.csv");
  ASSERT_EQ(stopped.exit_code, 130) << stopped.err;
  const json found = json::parse(stopped.out);
  EXPECT_EQ(found["complete"], false);
  EXPECT_GE(found["points"].size(), 1u);
  const std::string table = read("sweep.csv");
  EXPECT_EQ(static_cast<std::size_t>(std::count(table.begin(), table.end(), '\n')), 1 + found["points"].size());
}

TEST_F(SpeedtestCommand, TheScalingHasARowForEveryNumberOfThreads) {
  const json found = answer("--engine cpu --threads 2,1 --csv scaling.csv --svg scaling.svg" + kIsa);
  EXPECT_EQ(found["complete"], true);
  ASSERT_EQ(found["scaling"].size(), 2u);
  for (const json& row : found["scaling"])
    for (const char* const measure : {"playouts", "annealing"}) {
      EXPECT_GT(row[measure]["per_second"]["low"].get<double>(), 0);
      EXPECT_LE(row[measure]["speedup"]["low"], row[measure]["speedup"]["high"]);
    }
  EXPECT_EQ(found["scaling"][0]["workers"], 2);
  EXPECT_EQ(found["scaling"][0]["playouts"]["speedup"]["median"], 1.0);
  const json& one = found["scaling"][1]["playouts"];
  // Half the workers: a speedup of one half would be a share of 1.
  EXPECT_NEAR(one["share"].get<double>(), 2 * one["speedup"]["median"].get<double>(), 1e-9);
  const std::string table = read("scaling.csv"), picture = read("scaling.svg");
  EXPECT_TRUE(table.starts_with("measure,engine,workers,name,rounds,per_second,low,high,speedup,"));
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 5);
  EXPECT_TRUE(picture.ends_with("</svg>\n"));
  EXPECT_EQ(picture.find("nan"), std::string::npos);
}

TEST_F(SpeedtestCommand, ABoardAndABatchMayBeGiven) {
  const json found = answer("--engine cpu --threads 1 --board standard-07 --batch 4096x16" + kIsa);
  EXPECT_EQ(found["board"], "board 7");
  const json& row = found["engines"][0]["cases"].back();
  EXPECT_EQ(row["case"], "batch");
  EXPECT_EQ(row["batch"], 4096);
  EXPECT_EQ(row["positions"], 16);
  EXPECT_GT(found["engines"][0]["ratios"]["batch"]["median"].get<double>(), 0);
}

TEST_F(SpeedtestCommand, SaysWhichOptionsGoTogether) {
  EXPECT_EQ(run("speedtest --svg x.svg").err,
            "chainshot: --svg works only with --sweep, --scaling or several --threads; expected one of them\n");
  EXPECT_EQ(run("speedtest --csv x.csv").exit_code, 2);
  EXPECT_EQ(run("speedtest --sweep --engine cpu,cuda").err,
            "chainshot: --sweep measures one engine; expected one name each for --engine and --isa\n");
  EXPECT_EQ(run("speedtest --sweep --csv a --svg a").err,
            "chainshot: --csv and --svg both write to a; expected two files\n");
  EXPECT_EQ(run("speedtest --sweep --threads 1,2").err,
            "chainshot: --sweep measures one number of threads; expected one, and no --scaling\n");
  for (const char* const batch : {"16x32", "0", "x", "1000x0", "5000000000x4"})
    EXPECT_EQ(run("speedtest --batch " + std::string(batch)).err,
              "chainshot: --batch " + std::string(batch) +
                  ": expected PLAYOUTSxPOSITIONS, such as 65536x16, with at least one playout for each position\n");
  write("empty.txt", "board done\n0\n");
  EXPECT_EQ(run("speedtest --board empty.txt").err,
            "chainshot: board done has no moves; expected a board that can be played\n");
  EXPECT_FALSE(std::filesystem::exists(path("x.svg")));
}

}  // namespace
}  // namespace chainshot
