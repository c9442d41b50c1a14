// The signature of `chainshot bench` is the same for every number of threads and every instruction set, and its chains
// do what the reference does.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <vector>

#include "cpu/engine/cpu_engine.hpp"
#include "game/reference_chain.hpp"
#include "tests/support/program_run.hpp"
#include "tools/measure/bench_chains.hpp"

namespace chainshot {
namespace {

using nlohmann::json;

class BenchCommand : public ProgramTest {};

std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of('\n');
  return text.substr(text.rfind('\n', end) + 1, end - text.rfind('\n', end));
}

TEST_F(BenchCommand, TheTableFits80ColumnsAndTheLastLineIsTheSignature) {
  const ProgramRun benched = run("bench");
  EXPECT_EQ(benched.exit_code, 0) << benched.err;
  EXPECT_TRUE(std::regex_match(last_line(benched.out), std::regex("signature [0-9a-f]{16}"))) << benched.out;
  std::istringstream lines(benched.out);
  for (std::string line; std::getline(lines, line);)
    EXPECT_LE(line.size(), 80u) << line;
}

TEST_F(BenchCommand, ThreadsAndInstructionSetsPlayTheSameGames) {
  const auto answer = [&](const std::string& arguments) {
    const ProgramRun benched = run("bench --json " + arguments);
    EXPECT_EQ(benched.exit_code, 0) << benched.err;
    return json::parse(benched.out);
  };
  const json one = answer("--threads 1");
  EXPECT_EQ(one["version"], 1);
  EXPECT_EQ(one["signature"].get<std::string>().size(), 16u);
  const auto expect_same = [&](const json& other) {
    ASSERT_EQ(other["cases"].size(), one["cases"].size());
    for (std::size_t i = 0; i < one["cases"].size(); ++i)
      EXPECT_EQ(other["cases"][i], one["cases"][i]) << other["engine"];
    EXPECT_EQ(other["chains"], one["chains"]) << other["engine"];
    EXPECT_EQ(other["signature"], one["signature"]) << other["engine"];
  };
  expect_same(answer("--threads 2"));
  for (const cpu::Isa isa : cpu::available_isas())
    expect_same(answer("--isa " + std::string(cpu::name_of(isa))));
}

// The islands of a case, as reference chains.
class ReferenceIslands {
 public:
  explicit ReferenceIslands(const tools::BenchChains& bench) : bench_(bench), members_(bench.layout.members) {
    for (const game::ChainStart& start : bench.starts()) {
      chains_.emplace_back(bench.board, bench.scoring);
      chains_.back().start(game::blocks_of(bench.board, start.moves), start.tabu_color, start.seed);
    }
  }

  tools::BenchChainsResult run() {
    for (std::size_t i = 0; i < bench_.steps.size(); ++i) {
      advance(bench_.steps[i]);
      if (i + 1 < bench_.steps.size()) resample(i);
    }
    for (const game::ReferenceChain& chain : chains_) {
      result_.best_scores.push_back(chain.best_score());
      result_.best_moves.push_back(chain.best_moves());
    }
    return result_;
  }

 private:
  game::ReferenceChain& chain(int island, int slot) {
    return chains_[static_cast<std::size_t>(island * bench_.layout.members + slot)];
  }

  void advance(const tools::BenchChainStep& step) {
    const game::AcceptanceTable table = bench_.table(step);
    for (int island = 0; island < bench_.layout.islands; ++island)
      for (int slot = 0; slot < members_; ++slot) {
        chain(island, slot).advance(table, step.evaluations);
        result_.evaluations += step.evaluations;
        result_.fitness.push_back(chain(island, slot).fitness(table));
      }
  }

  void resample(std::size_t step) {
    const tools::BenchChainStep &last = bench_.steps[step], &next = bench_.steps[step + 1];
    const game::ResampleTable weights(last.temperature, next.temperature);
    for (int island = 0; island < bench_.layout.islands; ++island) {
      std::vector<int> fitness;
      for (int slot = 0; slot < members_; ++slot)
        fitness.push_back(chain(island, slot).fitness(bench_.table(next)));
      const int number = bench_.layout.first_island + island;
      const std::uint64_t draw = game::resampling_draw(bench_.resampling_seed(step), number);
      const std::vector<int> sources = game::resampled_slots(fitness, weights, last.members, draw);
      for (int slot = 0; slot < last.members; ++slot)
        if (const int from = sources[static_cast<std::size_t>(slot)]; from != slot)
          chain(island, slot).take_line(chain(island, from));
    }
    members_ = last.members;
  }

  const tools::BenchChains& bench_;
  int members_;
  std::vector<game::ReferenceChain> chains_;
  tools::BenchChainsResult result_;
};

TEST_F(BenchCommand, ChainsDoWhatTheReferenceDoes) {
  const ProgramRun benched = run("bench --json");
  ASSERT_EQ(benched.exit_code, 0) << benched.err;
  const json chains = json::parse(benched.out)["chains"];
  const std::vector<tools::BenchChains> cases = tools::bench_chains();
  ASSERT_EQ(chains.size(), cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const tools::BenchChainsResult expected = ReferenceIslands(cases[i]).run();
    EXPECT_EQ(chains[i]["name"], cases[i].name);
    EXPECT_EQ(chains[i]["evaluations"], expected.evaluations);
    EXPECT_EQ(chains[i]["best"], expected.best());
    EXPECT_EQ(chains[i]["digest"], fmt::format("{:016x}", expected.digest())) << cases[i].name;
  }
}

}  // namespace
}  // namespace chainshot
