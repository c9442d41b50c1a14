// The beam step of a device must select exactly what the CPU's step selects, whose own promises are in
// tests/host/beam/beam_step_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "cpu/beam/cpu_beam_step.hpp"
#include "cuda/cuda_beam_step.hpp"
#include "game/board_text.hpp"
#include "tests/support/beam_cases.hpp"
#include "tests/support/brute_force.hpp"
#include "tests/support/cuda_cases.hpp"
#include "tests/support/scorings.hpp"

namespace chainshot {
namespace {

using host::BeamPass;
using host::PassRequest;
using host::PassResult;
using tests::beam_request;
using tests::Dice;

using CudaBeam = tests::WithDevice;

constexpr std::uint64_t kMemory = 64 << 20;

// All that a step tells of a beam.
struct Told {
  tests::BeamSelection selected = {};
  std::vector<std::uint64_t> counts = {};  // of each bucket: blocks, states and children
  std::vector<std::tuple<int, std::uint32_t, int, int>> best = {};
  int width = 0;
  bool complete = true;

  bool operator==(const Told&) const = default;
};

// Returns what a step tells of the whole beam, or of its first buckets.
Told told_by(game::BeamStep& step, const game::BeamPlan& plan, const game::BeamLimit& limit = {}, int buckets = 1'000) {
  Told told;
  step.begin(plan);
  for (int blocks; told.complete && buckets-- > 0 && (blocks = step.open_blocks()) > 0;) {
    const game::BeamExpansion bucket = step.expand(limit);
    for (const game::BeamSelected& state : bucket.selected)
      told.selected.emplace_back(state.parent, state.move.column, state.move.row);
    told.counts.insert(told.counts.end(), {static_cast<std::uint64_t>(blocks), bucket.expanded, bucket.children});
    told.best.emplace_back(bucket.best.score, bucket.best.parent, bucket.best.move.column, bucket.best.move.row);
    told.complete = bucket.complete;
  }
  told.width = step.width();
  return told;
}

game::BeamPlan plan_for(const game::Position& root, int width, const game::Scoring& scoring = game::kStandardScoring,
                        std::uint64_t memory = kMemory) {
  return {.seeds = {{root, 0}},
          .tables = beam_request(root, width, scoring).tables,
          .width = width,
          .memory_bytes = memory};
}

TEST_F(CudaBeam, EvaluatesTheChildrenOfAPositionAsTheCpu) {
  Dice dice(31);
  const auto device = cuda::make_cuda_beam_step({});
  const auto cpu = cpu::make_cpu_beam_step({.threads = 1});
  const auto sorted = [](const std::vector<game::BeamChild>& children) {
    std::vector<std::tuple<int, int, int, std::int32_t, std::uint64_t>> out;
    for (const game::BeamChild& c : children)
      out.emplace_back(c.move.column, c.move.row, c.size, c.evaluation, c.hash);
    std::sort(out.begin(), out.end());
    return out;
  };
  for (int i = 0; i < 40; ++i) {
    const tests::Shape shape = tests::random_small_shape(dice);
    const game::Position root = i % 2 == 0 ? tests::full_board(dice, shape) : tests::random_board(dice, shape);
    if (!root.has_moves()) continue;
    const game::BeamPlan plan = plan_for(root, 1, tests::scoring_case(i));
    device->begin(plan);
    cpu->begin(plan);
    EXPECT_EQ(sorted(device->children(root, 7)), sorted(cpu->children(root, 7))) << i;
  }
}

TEST_F(CudaBeam, SelectsTheStatesThatTheCpuSelects) {
  Dice dice(32);
  const auto device = cuda::make_cuda_beam_step({});
  const auto cpu = cpu::make_cpu_beam_step({.threads = 1});
  for (const int width : {1, 7, 60}) {
    const game::BeamPlan plan = plan_for(tests::full_board(dice, {8, 6, 4}), width, tests::scoring_case(width));
    const Told told = told_by(*device, plan);
    EXPECT_EQ(told, told_by(*cpu, plan)) << width;
    EXPECT_TRUE(told.complete);
  }
}

TEST_F(CudaBeam, SelectsTheSameStatesOfAStandardBoard) {
  const auto device = cuda::make_cuda_beam_step({});
  const auto cpu = cpu::make_cpu_beam_step({.threads = 1});
  const game::BeamPlan plan = plan_for(game::standard_boards()[4].position, 150);
  const Told told = told_by(*device, plan, {}, 12);
  EXPECT_EQ(told, told_by(*cpu, plan, {}, 12));
  EXPECT_GT(told.selected.size(), 300u);
}

TEST_F(CudaBeam, NarrowsWhereTheCpuNarrows) {
  Dice dice(33);
  const game::BeamPlan plan = plan_for(tests::full_board(dice, {6, 7, 3}), 1'000, game::kStandardScoring, 100'000);
  const auto device = cuda::make_cuda_beam_step({});
  const Told told = told_by(*device, plan);
  EXPECT_EQ(told, told_by(*cpu::make_cpu_beam_step({.threads = 1}), plan));
  EXPECT_LT(told.width, 1'000);
  EXPECT_GT(told.width, 1);
}

TEST_F(CudaBeam, KeepsItsMemory) {
  const auto device = cuda::make_cuda_beam_step({.devices = {}, .memory = 9 << 20});
  EXPECT_EQ(device->memory_limit(), std::uint64_t{9 << 20});
  game::BeamPlan plan = plan_for(game::standard_boards()[4].position, 1'000'000);
  for (const std::uint64_t memory : {8 << 20, 9 << 20}) {
    plan.memory_bytes = memory;
    device->begin(plan);
    EXPECT_LE(device->peak_memory(), memory);
    EXPECT_GT(device->peak_memory(), memory / 8 * 7);
  }
}

// A beam that gets a line keeps its states, and takes a better way to one of them where it finds one.
TEST_F(CudaBeam, KeepsALineAsTheCpuDoes) {
  Dice dice(34);
  const auto device = cuda::make_cuda_beam_step({});
  const auto cpu = cpu::make_cpu_beam_step({.threads = 1});
  for (int i = 0; i < 2; ++i) {
    game::BeamPlan plan = plan_for(tests::full_board(dice, {6, 6, 3}), 2 + 20 * i);
    // There are better ways to the states of a line of random moves.
    game::BeamSeed seed = plan.seeds[0];
    for (auto groups = seed.position.groups(); !groups.empty(); groups = seed.position.groups()) {
      const auto at = static_cast<std::size_t>(dice.below(static_cast<int>(groups.size())));
      seed.points += plan.tables.scoring.group_points(seed.position.apply(groups[at].cell));
      plan.seeds.push_back(seed);
    }
    const Told told = told_by(*device, plan);
    EXPECT_EQ(told, told_by(*cpu, plan));
    const int of_line = seed.points + seed.position.final_points(plan.tables.scoring);
    EXPECT_GE(std::get<0>(told.best.back()), of_line);
  }
}

TEST_F(CudaBeam, FindsTheOptimumAndEveryPositionOnceWhenNothingIsDropped) {
  Dice dice(35);
  const auto device = cuda::make_cuda_beam_step({});
  for (int i = 0; i < 8; ++i) {
    const game::Position root = tests::random_board(dice, {dice.between(2, 4), dice.between(2, 4), dice.between(2, 3)});
    if (!root.has_moves()) continue;
    const game::Scoring& scoring = tests::scoring_case(i);
    PassRequest request = beam_request(root, 2'000, scoring);
    request.memory_bytes = kMemory;
    const PassResult result = BeamPass(*device).run(request);
    EXPECT_EQ(result.score, tests::BruteForce(scoring).best(game::ReferenceBoard(root)));
    EXPECT_EQ(result.states, tests::reachable_positions(root));
    EXPECT_EQ(game::replay(root, result.moves, scoring).score, result.score);
  }
}

TEST_F(CudaBeam, NeverExceedsALimitOfChildren) {
  Dice dice(36);
  const auto device = cuda::make_cuda_beam_step({});
  const auto cpu = cpu::make_cpu_beam_step({.threads = 1});
  const game::BeamPlan plan = plan_for(tests::full_board(dice, {7, 6, 3}), 20);
  const game::BeamLimit limit{.width = 20, .children = 60};  // of each bucket
  const Told told = told_by(*device, plan, limit);
  EXPECT_EQ(told, told_by(*cpu, plan, limit));
  EXPECT_FALSE(told.complete);
  EXPECT_LE(told.counts.back(), 60u);
}

TEST_F(CudaBeam, StopsBetweenSlices) {
  const auto device = cuda::make_cuda_beam_step({});
  PassRequest request = beam_request(game::standard_boards()[0].position, 200);
  request.memory_bytes = kMemory;
  int asked = 0;
  request.limit.stopped = [&] { return ++asked > 20; };
  const PassResult result = BeamPass(*device).run(request);
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(asked, 21);
  const game::ReplayResult replayed = game::replay(request.root, result.moves, request.tables.scoring);
  EXPECT_EQ(replayed.score, result.score);
  EXPECT_TRUE(replayed.over);
}

}  // namespace
}  // namespace chainshot
