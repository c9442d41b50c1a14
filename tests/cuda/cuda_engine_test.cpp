// Compares every field of every result of the CUDA engine with the slow reference on small work, and with the CPU
// engine on larger work.
#include "cuda/cuda_engine.hpp"

#include <chrono>
#include <thread>

#include "tests/support/cuda_cases.hpp"
#include "tests/support/scorings.hpp"

namespace chainshot {
namespace {

using game::Batch;
using game::Outcome;
using game::Policy;
using game::PolicyKind;
using game::Position;
using game::Request;
using game::Result;
using tests::batch_for;
using tests::Case;
using tests::Dice;
using tests::Judge;
using tests::judged;
using tests::judged_by_cpu;
using tests::request_for;

class CudaEngine : public tests::WithDevice {
 protected:
  // All tests share one engine, as in a program.
  static game::Engine& engine() {
    static const std::unique_ptr<game::Engine> kEngine = tests::make_routed_engine();
    return *kEngine;
  }
  static void expect(const Case& wanted) { ASSERT_NO_FATAL_FAILURE(tests::expect_right(engine(), wanted)); }
};

// Returns policies that between them use every parameter of a policy.
std::vector<Policy> policies_with_parameters() {
  std::vector<Policy> out;
  for (const game::NamedPolicy& named : game::kPolicies)
    out.push_back(named.policy);
  for (const PolicyKind kind : {PolicyKind::kRandom, PolicyKind::kTabuRandom, PolicyKind::kTabuColorRandom}) {
    for (const std::uint32_t epsilon : {game::epsilon_from(0.003), 0x80000000u, 0xFFFFFFFFu})
      out.push_back({.kind = kind, .epsilon = epsilon});
    for (const int below : {1, 20, 48, 992})
      out.push_back({.kind = kind, .random_below = below});
    out.push_back({.kind = kind, .epsilon = game::epsilon_from(0.2), .random_below = 30});
    out.push_back({.kind = kind, .vs_pruning = true});
  }
  for (const int color : {0, 2, 6, 7, 14}) {
    out.push_back({.tabu_color = color});
    out.push_back({.tabu_color = color, .epsilon = game::epsilon_from(0.1), .random_below = 12});
  }
  for (const double beta : {0.0, 1.0, 8.0})
    for (const double theta : {0.0, 1.0, 2.5})
      out.push_back({.kind = PolicyKind::kRoulette, .beta = beta, .theta = theta});
  out.push_back({.kind = PolicyKind::kRoulette, .full_cells = 300});
  out.push_back({.kind = PolicyKind::kRoulette, .vs_pruning = true});
  return out;
}

TEST_F(CudaEngine, PlaysEveryPolicyUnderEveryScoring) {
  Dice dice(201);
  for (const game::Scoring& scoring : tests::scoring_cases()) {
    Batch batch;
    batch.seed = dice.word();
    batch.scoring = scoring;
    for (const Policy& policy : policies_with_parameters()) {
      for (const tests::Shape& shape : {tests::Shape{8, 9, 3}, {15, 16, 7}}) {
        batch.requests.push_back(request_for(tests::random_board(dice, shape), policy, 5));
        batch.requests.back().key = dice.word();
      }
    }
    ASSERT_NO_FATAL_FAILURE(expect(judged(std::move(batch), Judge::kReference)));
  }
}

TEST_F(CudaEngine, PlaysEveryPolicyOnWideBoards) {
  Dice dice(202);
  Batch batch = tests::empty_batch(dice);
  for (const Policy& policy : policies_with_parameters()) {
    for (const tests::Shape& shape : {tests::Shape{17, 8, 9}, {6, 21, 4}}) {
      batch.requests.push_back(request_for(tests::random_board(dice, shape), policy, 20));
      batch.requests.back().key = dice.word();
    }
  }
  expect(judged(std::move(batch), Judge::kReference));
}

TEST_F(CudaEngine, PlaysBoardsOfEverySmallSize) {
  Dice dice(203);
  for (int round = 0; round < tests::scaled(1); ++round) {
    Batch batch = tests::empty_batch(dice);
    for (int columns = 1; columns <= 15; ++columns)
      for (int rows = 1; rows <= 16; ++rows)
        for (const int colors : {dice.between(1, 6), 7})
          batch.requests.push_back(tests::random_request(dice, {columns, rows, colors}, 2));
    ASSERT_NO_FATAL_FAILURE(expect(judged(std::move(batch), Judge::kReference)));
  }
}

// The shapes are those at which a board stops being small, and the largest ones.
TEST_F(CudaEngine, PlaysBoardsOfWideSizes) {
  Dice dice(204);
  for (int round = 0; round < tests::scaled(1); ++round) {
    Batch batch = tests::empty_batch(dice);
    for (const tests::Shape& shape : {tests::Shape{1, 17, 3},
                                      {16, 1, 3},
                                      {15, 17, 5},
                                      {16, 16, 5},
                                      {15, 16, 8},
                                      {3, 3, 15},
                                      {31, 1, 2},
                                      {1, 32, 2},
                                      {31, 32, 2},
                                      {31, 32, 15}})
      for (int i = 0; i < 8; ++i)
        batch.requests.push_back(tests::random_request(dice, shape, 3));
    ASSERT_NO_FATAL_FAILURE(expect(judged(std::move(batch), Judge::kReference)));
  }
}

TEST_F(CudaEngine, PlaysManySmallPositionsAsASearchSendsThem) {
  Dice dice(205);
  for (int i = 0; i < tests::scaled(8); ++i)
    ASSERT_NO_FATAL_FAILURE(expect(judged(tests::alike_batch(dice, 2'048, true), Judge::kReference)));
}

TEST_F(CudaEngine, PlaysManyPositionsOfEverySizeAsASearchSendsThem) {
  Dice dice(206);
  for (int i = 0; i < tests::scaled(4); ++i)
    ASSERT_NO_FATAL_FAILURE(expect(judged(tests::alike_batch(dice, 200, false), Judge::kReference)));
}

TEST_F(CudaEngine, PlaysMixedBatchesOfRaggedRequests) {
  Dice dice(207);
  for (int i = 0; i < tests::scaled(6); ++i)
    ASSERT_NO_FATAL_FAILURE(expect(judged_by_cpu(tests::mixed_batch(dice, 40, 60))));
}

// The numbers lie around the sizes of a warp, a block and a piece.
TEST_F(CudaEngine, PlaysAnyNumberOfPlayoutsOfARequest) {
  Dice dice(208);
  Batch batch = tests::empty_batch(dice);
  for (const std::uint32_t playouts : {0u, 1u, 2u, 31u, 32u, 33u, 127u, 128u, 129u, 4'095u, 4'096u, 4'097u, 5'000u})
    batch.requests.push_back(tests::random_request(dice, tests::random_shape(dice, 6, 6, 4), playouts));
  expect(judged_by_cpu(std::move(batch)));
}

TEST_F(CudaEngine, PlaysAnyNumberOfPositions) {
  Dice dice(209);
  for (const int positions : {1, 2, 31, 32, 33, 500, tests::kEmulated && !tests::is_nightly() ? 1'100 : 4'096})
    ASSERT_NO_FATAL_FAILURE(expect(judged_by_cpu(tests::ragged_batch(dice, positions, 4))));
}

TEST_F(CudaEngine, PlaysAHundredThousandPlayoutsOfOnePosition) {
  Dice dice(210);
  Batch batch = batch_for(request_for(tests::full_board(dice, {5, 5, 3}), {}, 100'000));
  batch.histogram = {.low = -50, .width = 40, .bins = 20};
  expect(judged_by_cpu(std::move(batch)));
}

// The engine sends equal boards once; the requests differ in everything else.
TEST_F(CudaEngine, PlaysEqualPositionsOfManyRequests) {
  Dice dice(211);
  for (const tests::Shape& shape : {tests::Shape{8, 8, 4}, {18, 5, 9}}) {
    const Position boards[] = {tests::full_board(dice, shape), tests::full_board(dice, shape)};
    Batch batch = tests::empty_batch(dice);
    for (int i = 0; i < 120; ++i) {
      Request request = request_for(boards[dice.below(2)], {}, static_cast<std::uint32_t>(dice.between(1, 3)));
      request.policy.kind = dice.one_in(2) ? PolicyKind::kTabuRandom : PolicyKind::kTabuColorRandom;
      if (dice.one_in(2)) request.policy.tabu_color = dice.below(shape.colors + 2);
      request.key = static_cast<std::uint64_t>(dice.below(10));
      request.points = dice.below(100);
      batch.requests.push_back(request);
    }
    ASSERT_NO_FATAL_FAILURE(expect(judged(std::move(batch), Judge::kReference)));
  }
}

TEST_F(CudaEngine, GivesEqualRequestsEqualResults) {
  Dice dice(212);
  Batch batch = tests::empty_batch(dice);
  batch.requests.resize(50, tests::random_request(dice, {9, 9, 4}, 20));
  const Outcome outcome = engine().run(batch);
  ASSERT_EQ(outcome.results.size(), 50u);
  EXPECT_EQ(outcome.results[0].count, 20u);
  for (const Result& result : outcome.results)
    EXPECT_EQ(result, outcome.results[0]);
}

TEST_F(CudaEngine, ScoresBoardsWithoutAMoveUnderEveryParameter) {
  for (const game::Scoring& scoring : game::kScorings) {
    Batch batch;
    batch.scoring = scoring;
    for (const Policy& policy : policies_with_parameters()) {
      batch.requests.push_back(request_for(Position(15, 15), policy, 5));
      batch.requests.push_back(request_for(tests::board_of({"0101", "1010"}), policy, 40));
      batch.requests.push_back(request_for(Position(16, 17), policy, 3));
      batch.requests.push_back(request_for(tests::board_of({"0"}), policy, 1));
      batch.requests.push_back(request_for(tests::board_of({"E"}), policy, 1));
    }
    const Case wanted = judged(std::move(batch), Judge::kPosition);
    ASSERT_EQ(wanted.expected[0].best, scoring.clear_bonus);
    ASSERT_EQ(wanted.expected[0].moves, 0u);
    ASSERT_NO_FATAL_FAILURE(expect(wanted));
  }
}

TEST_F(CudaEngine, EndsCancelledBatchesEarly) {
  Dice dice(218);
  Batch batch;  // hours of work
  batch.requests.push_back({.position = tests::full_board(dice, {2, 2, 2}),
                            .policy = {.kind = PolicyKind::kRandom},
                            .playouts = 2'000'000'000});
  batch.requests.push_back(batch.requests.front());
  const game::Ticket ticket = engine().submit(batch);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  engine().cancel();
  EXPECT_EQ(engine().wait(ticket).error, game::kCancelled);
  expect(judged(batch_for(tests::random_request(dice, {4, 4, 2}, 10)), Judge::kPosition));
}

// The histograms need more counters than one launch has, so the batch takes several.
TEST_F(CudaEngine, CountsLargeHistograms) {
  Dice dice(217);
  Batch batch;
  batch.histogram = {.low = -1'000, .width = 1, .bins = 60'000};
  for (int i = 0; i < 9; ++i)
    batch.requests.push_back(tests::random_request(dice, {4, 4, 2}, 10));
  expect(judged(std::move(batch), Judge::kPosition));
}

}  // namespace
}  // namespace chainshot
