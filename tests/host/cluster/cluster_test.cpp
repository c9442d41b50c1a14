#include "host/cluster/cluster.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <thread>

#include "game/reference.hpp"
#include "host/cluster/spread_search.hpp"
#include "host/search/search_runner.hpp"
#include "tests/support/local_ranks.hpp"
#include "tests/support/random_boards.hpp"

namespace chainshot::host {
namespace {

using namespace std::chrono_literals;

machine::RankPlace a_place() {
  machine::RankPlace place;
  place.machine = "one";
  place.usable = 4;
  place.processors = {0, 1, 2, 3};
  return place;
}

// Ranks in threads of this process. Rank 0 is the test's own.
class ClusterTest : public ::testing::Test {
 protected:
  void start(int ranks, std::chrono::milliseconds silence = 20s) {
    transport_ = std::make_unique<tests::LocalRanks>(ranks);
    for (int rank = 1; rank < ranks; ++rank)
      followers_.emplace_back([this, rank, silence] {
        Cluster cluster([&] { return transport_->transport(rank); }, {.place = a_place(), .silence = silence});
        if (cluster.serve()) cluster.end(0);
      });
    leader_ = std::make_unique<Cluster>([this] { return transport_->transport(0); },
                                        ClusterOptions{.place = a_place(), .silence = silence});
  }
  void end() {
    leader_->end(0);
    leader_.reset();
    followers_.clear();
  }

  static RunPlan plan(const std::string& preset, const Budget& budget) {
    RunPlan plan;
    plan.preset = preset;
    const auto [kind, found] = find_preset(preset);
    plan.kind = kind;
    plan.settings = found->settings;
    plan.budget = budget;
    plan.choice.threads = 1;
    plan.choice.name = "cpu";
    plan.engines = {"cpu"};
    return plan;
  }
  SolveResult search(RunPlan plan, const SolveWatcher& watcher = {}, const std::stop_token& stop = {}) const {
    plan.spread = leader_.get();
    const RunResources resources(plan, {});
    tests::Dice dice(11);
    const SearchTask task{.board = tests::full_board(dice, {10, 10, 4}), .seed = 5};
    const auto make = [&](const SearchTask& t, Incumbent& incumbent) {
      return make_searches(plan, resources, t, incumbent);
    };
    return solve(task, make, plan.budget.seconds, watcher, stop);
  }

  std::unique_ptr<tests::LocalRanks> transport_;
  std::vector<std::jthread> followers_;
  std::unique_ptr<Cluster> leader_;
};

TEST_F(ClusterTest, GivesEachRankItsShareOfTheMachine) {
  start(3);
  EXPECT_EQ(leader_->ranks(), 3);
  EXPECT_EQ(leader_->share().local_ranks, 3);
  EXPECT_EQ(leader_->share().processors, 2);
  end();
}

TEST_F(ClusterTest, SpendsTheWholeBudgetAndNoMore) {
  start(3);
  const SolveResult result = search(plan("nrpa", {.playouts = 3000}));
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.last.total().playouts, 3000u);
  EXPECT_TRUE(result.complete);
  end();
}

TEST_F(ClusterTest, SearchesTheSameSharesWhateverTheNumberOfRanks) {
  for (const std::string preset : {"nrpa", "anneal", "mc-avg"}) {
    RunPlan shared = plan(preset, {.playouts = 8000});
    shared.common.deterministic = true;
    shared.common.shares = 5;
    std::vector<SolveResult> results;
    for (const int ranks : {1, 2, 3}) {
      start(ranks);
      results.push_back(search(shared));
      end();
    }
    for (const SolveResult& result : results) {
      EXPECT_EQ(result.error, "");
      EXPECT_EQ(result.best.moves, results[0].best.moves) << preset;
      EXPECT_EQ(result.best.score, results[0].best.score);
      ASSERT_EQ(result.elites.size(), results[0].elites.size());
      for (std::size_t i = 0; i < result.elites.size(); ++i)
        EXPECT_EQ(result.elites[i].moves, results[0].elites[i].moves);
      EXPECT_EQ(result.last.total().playouts, results[0].last.total().playouts);
      EXPECT_EQ(result.last.total().evaluations, results[0].last.total().evaluations);
    }
  }
}

TEST_F(ClusterTest, SearchesASingleShareAsAProcessAlone) {
  RunPlan single = plan("nrpa", {.playouts = 5000});
  single.common.deterministic = true;
  single.common.shares = 1;
  start(2);
  const SolveResult spread = search(single);
  end();
  const SolveResult without = search(single);  // there is no cluster any more
  EXPECT_EQ(spread.best.moves, without.best.moves);
}

TEST_F(ClusterTest, StopsAllRanks) {
  start(3);
  std::stop_source stop;
  std::jthread stopper([&] {
    std::this_thread::sleep_for(300ms);
    stop.request_stop();
  });
  const SolveResult result = search(plan("nrpa", {.seconds = 1000}), {}, stop.get_token());
  EXPECT_EQ(result.error, "");
  EXPECT_FALSE(result.complete);
  EXPECT_GT(result.best.score, 0);
  end();
}

TEST_F(ClusterTest, EndsInOneSentenceWithWhatItHasIfARankIsLost) {
  start(3, 5000ms);
  std::atomic<bool> is_silenced = false;
  const SolveWatcher watcher{.improved =
                                 [&](const BestLine&, double) {
                                   if (!is_silenced.exchange(true)) transport_->silence(2);
                                 },
                             .sampled = {}};
  const SolveResult result = search(plan("nrpa", {.seconds = 1000}), watcher);
  EXPECT_NE(result.error.find("rank 2 has been silent"), std::string::npos) << result.error;
  EXPECT_EQ(result.error, leader_->lost());
  EXPECT_GT(result.best.version, 0u);
  EXPECT_EQ(search(plan("nrpa", {.playouts = 10})).error, leader_->lost()) << "the run cannot go on";
  leader_->post().send(1, {{"kind", "quit"}});
  leader_->post().send(2, {{"kind", "quit"}});
  std::this_thread::sleep_for(200ms);
}

TEST_F(ClusterTest, SaysWhichRankFailed) {
  start(2);
  const RunPlan good = plan("anneal", {.seconds = 1000});
  const RunResources resources(good, {});
  RunPlan bad = good;
  bad.choice.isa = "abacus";  // rank 0 has opened its engines already
  tests::Dice dice(11);
  const SearchTask task{.board = tests::full_board(dice, {10, 10, 4})};
  Incumbent incumbent(task);
  try {
    SpreadSearch(*leader_, bad, resources, task, incumbent).run(SearchClock(1000), {});
    FAIL() << "the search went on";
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(std::string(error.what()).find("rank 1: "), 0u) << error.what();
    EXPECT_NE(std::string(error.what()).find("abacus"), std::string::npos) << error.what();
  }
  end();
}

TEST(DivideBudget, GivesEveryUnitToAShare) {
  const auto shares = divide_budget({.seconds = 3, .playouts = 10, .nodes = 7}, 5, 4);
  ASSERT_EQ(shares.size(), 4u);
  std::uint64_t playouts = 0, nodes = 0;
  for (const TurnShare& share : shares) {
    playouts += share.budget.playouts;
    nodes += share.budget.nodes;
    EXPECT_EQ(share.budget.seconds, 3);
  }
  EXPECT_EQ(playouts, 10u);
  EXPECT_EQ(nodes, 7u);
  EXPECT_EQ(shares[0].seed, 5u);
  EXPECT_NE(shares[1].seed, shares[2].seed);
}

TEST(DivideBudget, MakesNoShareWithoutABudget) {
  // A share of 0 playouts would have no limit.
  EXPECT_EQ(divide_budget({.playouts = 3}, 0, 8).size(), 3u);
}

}  // namespace
}  // namespace chainshot::host
