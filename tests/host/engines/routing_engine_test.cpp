#include "host/engines/routing_engine.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "host/engines/engines.hpp"
#include "host/engines/fallback_engine.hpp"
#include "tests/support/engine_contract.hpp"
#include "tests/support/scripted_engine.hpp"

namespace chainshot::host {
namespace {

using tests::batch_of;
using tests::result_with_best;
using tests::ScriptedEngine;

// Every request of the lane engine scores 1, of the scalar engine 2.
struct RoutedEngines {
  RoutedEngines() {
    auto owned = std::make_unique<ScriptedEngine>("gpu", std::vector{result_with_best(1)});
    lanes = owned.get();
    engine = std::make_unique<RoutingEngine>(std::move(owned), [this] {
      ++made;
      if (!refusal.empty()) throw std::runtime_error(refusal);
      auto made_engine = std::make_unique<ScriptedEngine>("cpu", std::vector{result_with_best(2)});
      made_engine->error = scalar_error;
      scalar = made_engine.get();
      return made_engine;
    });
  }

  ScriptedEngine* lanes = nullptr;
  ScriptedEngine* scalar = nullptr;
  std::string refusal, scalar_error;
  int made = 0;
  std::unique_ptr<RoutingEngine> engine;
};

// One letter per request: l for a policy that plays in lanes, s for one that does not.
game::Batch batch_of_kinds(const std::string& kinds) {
  game::Batch batch = batch_of(std::vector<std::uint32_t>(kinds.size(), 5));
  for (std::size_t i = 0; i < kinds.size(); ++i)
    if (kinds[i] == 's') batch.requests[i].policy.kind = game::PolicyKind::kLargestFirst;
  return batch;
}

std::vector<int> bests_of(const game::Outcome& outcome) {
  EXPECT_EQ(outcome.error, "");
  std::vector<int> bests;
  for (const game::Result& result : outcome.results)
    bests.push_back(result.best);
  return bests;
}

TEST(RoutingEngine, WithoutScalarRequestsTheSecondEngineIsNeverMade) {
  RoutedEngines two;
  game::Batch batch = batch_of_kinds("lls");
  batch.requests[2].playouts = 0;  // nothing to play, wherever it is sent
  EXPECT_EQ(bests_of(two.engine->run(batch)), (std::vector{1, 1, 1}));
  EXPECT_EQ(two.made, 0);
  EXPECT_EQ(two.engine->capabilities().name, "gpu");
}

TEST(RoutingEngine, EachRequestGoesWhereItCanBePlayedAndResultsKeepTheirOrder) {
  RoutedEngines two;
  EXPECT_EQ(bests_of(two.engine->run(batch_of_kinds("slsslls"))), (std::vector{2, 1, 2, 2, 1, 1, 2}));
  ASSERT_EQ(two.lanes->batches.size(), 1u);
  ASSERT_EQ(two.scalar->batches.size(), 1u);
  EXPECT_EQ(two.lanes->batches[0].requests.size(), 3u);
  EXPECT_EQ(two.scalar->batches[0].requests.at(1).key, 1002u);
}

// Three blocks of one colour earn 3^2 = 9 points at most, and four 16.
TEST(RoutingEngine, RequestsWithMorePointsThanTheLanesCountGoToTheSecondEngine) {
  RoutedEngines two;
  game::Capabilities capabilities = two.lanes->capabilities();
  capabilities.most_points = 16;
  two.lanes->change_capabilities(capabilities);
  game::Batch batch = batch_of_kinds("llll");
  batch.scoring = game::parse_scoring("points=n^2");
  batch.requests[0].position = tests::board_of({"000"});
  batch.requests[1].position = tests::board_of({"0000"});
  batch.requests[2].position = tests::board_of({"00000"});
  batch.requests[3].position = tests::board_of({"000"});
  batch.requests[3].points = -8;  // earned before: 8 more than 9 either way
  EXPECT_EQ(bests_of(two.engine->run(batch)), (std::vector{1, 1, 2, 2}));
}

TEST(RoutingEngine, ThePartsOfABatchShareItsSeedScoringAndHistogram) {
  RoutedEngines two;
  game::Batch batch = batch_of_kinds("ls");
  batch.seed = 17;
  batch.scoring = *game::scoring_named("clickomania");
  batch.histogram = {.low = 3, .width = 4, .bins = 5};
  two.engine->run(batch);
  for (const ScriptedEngine* engine : {two.lanes, two.scalar}) {
    const game::Batch& part = engine->batches.at(0);
    EXPECT_EQ(part.seed, 17u);
    EXPECT_EQ(part.scoring, batch.scoring);
    EXPECT_EQ(part.histogram.bins, 5);
  }
}

TEST(RoutingEngine, ABatchOfScalarRequestsAloneIsPlayedWhole) {
  RoutedEngines two;
  EXPECT_EQ(bests_of(two.engine->run(batch_of_kinds("ss"))), (std::vector{2, 2}));
  EXPECT_EQ(bests_of(two.engine->run(batch_of_kinds("s"))), (std::vector{2}));
  EXPECT_EQ(two.made, 1);
}

TEST(RoutingEngine, ABatchIsCompleteWhenBothPartsAre) {
  for (const bool lanes_first : {true, false}) {
    RoutedEngines two;
    const game::Ticket ticket = two.engine->submit(batch_of_kinds("ls"));
    EXPECT_FALSE(two.engine->poll(ticket));
    (lanes_first ? two.lanes : two.scalar)->done.insert(1);
    EXPECT_FALSE(two.engine->poll(ticket));
    (lanes_first ? two.scalar : two.lanes)->done.insert(1);
    EXPECT_TRUE(two.engine->poll(ticket));
    EXPECT_EQ(bests_of(two.engine->wait(ticket)), (std::vector{1, 2}));
  }
}

TEST(RoutingEngine, TheErrorOfEitherPartIsThatOfTheBatch) {
  RoutedEngines lost;
  lost.lanes->error = "device lost";
  const game::Outcome outcome = lost.engine->run(batch_of_kinds("ls"));
  EXPECT_EQ(outcome.error, "device lost");
  EXPECT_TRUE(outcome.results.empty());
  EXPECT_EQ(lost.scalar->usage().batches, 1u);  // its part was waited for, and is not left behind

  RoutedEngines short_of_memory;
  short_of_memory.scalar_error = "out of memory";
  EXPECT_EQ(short_of_memory.engine->run(batch_of_kinds("sl")).error, "out of memory");
  EXPECT_EQ(bests_of(short_of_memory.engine->run(batch_of_kinds("l"))), (std::vector{1}));
}

TEST(RoutingEngine, AScalarEngineThatCannotBeMadeIsTheErrorOfTheBatch) {
  RoutedEngines two;
  two.refusal = "no threads left";
  const game::Ticket ticket = two.engine->submit(batch_of_kinds("ls"));
  two.lanes->done.insert(1);
  EXPECT_TRUE(two.engine->poll(ticket));
  EXPECT_EQ(two.engine->wait(ticket).error, "no threads left");
  two.refusal.clear();
  EXPECT_EQ(bests_of(two.engine->run(batch_of_kinds("ls"))), (std::vector{1, 2}));
  EXPECT_EQ(two.made, 2);
}

TEST(RoutingEngine, ACancelReachesBothEngines) {
  RoutedEngines two;
  two.engine->cancel();
  EXPECT_EQ(two.lanes->cancelled, 1);
  two.engine->run(batch_of_kinds("s"));
  two.engine->cancel();
  EXPECT_EQ(two.lanes->cancelled, 2);
  EXPECT_EQ(two.scalar->cancelled, 1);
}

TEST(RoutingEngine, UsageCountsABatchOnceAndTheBusierEngine) {
  RoutedEngines two;
  two.lanes->busy_seconds = 3;
  two.engine->run(batch_of_kinds("lls"));
  EXPECT_EQ(two.engine->usage().batches, 1u);
  EXPECT_EQ(two.engine->usage().playouts, 15u);
  EXPECT_EQ(two.engine->usage().busy_seconds, 3);
  two.scalar->busy_seconds = 4;
  EXPECT_EQ(two.engine->usage().busy_seconds, 4);
}

// As engines.cpp stacks them: what a lost device had of a split batch is played again, whole, by the fallback.
TEST(RoutingEngine, AFallbackAroundItPlaysASplitBatchAgain) {
  auto lanes = std::make_unique<ScriptedEngine>("gpu");
  lanes->error = "device lost";
  const auto make_scripted = [](int best) {
    return [best] { return std::make_unique<ScriptedEngine>("cpu", std::vector{result_with_best(best)}); };
  };
  FallbackEngine engine(std::make_unique<RoutingEngine>(std::move(lanes), make_scripted(2)), make_scripted(3), {});
  EXPECT_EQ(bests_of(engine.run(batch_of_kinds("sls"))), (std::vector{3, 3, 3}));
}

// Hours of work that the processors play.
TEST(RoutingEngine, EndsScalarRequestsThatAreNotWantedAnyMore) {
  tests::Dice dice(218);
  RoutingEngine engine(std::make_unique<ScriptedEngine>("gpu"),
                       [] { return make_engine({.name = "cpu", .threads = 1}); });
  game::Batch batch;
  batch.requests.resize(2, {.position = tests::full_board(dice, {2, 2, 2}),
                            .policy = {.kind = game::PolicyKind::kLargestFirst},
                            .playouts = 2'000'000'000});
  const game::Ticket ticket = engine.submit(batch);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  engine.cancel();
  EXPECT_EQ(engine.wait(ticket).error, game::kCancelled);
}

// A CPU engine that plays nothing but lanes, as a device does.
class LanesAlone final : public game::Engine {
 public:
  const game::Capabilities& capabilities() const override { return engine_->capabilities(); }
  game::Ticket submit(game::Batch batch) override {
    for (const game::Request& request : batch.requests)
      EXPECT_TRUE(request.playouts == 0 || request.policy.plays_in_lanes());
    return engine_->submit(std::move(batch));
  }
  bool poll(game::Ticket ticket) override { return engine_->poll(ticket); }
  game::Outcome wait(game::Ticket ticket) override { return engine_->wait(ticket); }
  game::Usage usage() const override { return engine_->usage(); }
  void cancel() override { engine_->cancel(); }

 private:
  std::unique_ptr<game::Engine> engine_ = make_engine({.name = "cpu", .threads = 2});
};

}  // namespace
}  // namespace chainshot::host

namespace chainshot::tests {

INSTANTIATE_TEST_SUITE_P(Routing, EnginePromises,
                         ::testing::Values(EngineForm{"two_cpu_engines",
                                                      [] {
                                                        return std::make_unique<host::RoutingEngine>(
                                                            std::make_unique<host::LanesAlone>(), [] {
                                                              return host::make_engine({.name = "cpu", .threads = 1});
                                                            });
                                                      }}),
                         name_of_form);

}  // namespace chainshot::tests
