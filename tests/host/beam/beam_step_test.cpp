// The promises of a beam step and of a pass: which states are selected, that each position is there once, that threads
// and instruction sets do not matter, and that memory and stops are obeyed.
#include <gtest/gtest.h>

#include <atomic>

#include "cpu/beam/cpu_beam_step.hpp"
#include "game/board_text.hpp"
#include "game/reference.hpp"
#include "host/beam/beam_pass.hpp"
#include "tests/support/beam_cases.hpp"
#include "tests/support/brute_force.hpp"
#include "tests/support/random_boards.hpp"
#include "tests/support/scorings.hpp"
#include "tests/support/test_scale.hpp"

namespace chainshot::host {
namespace {

using tests::beam_request;
using tests::BeamSelection;
using tests::Dice;
using tests::PlainBeam;
using tests::scaled;
using tests::selection_of;

TEST(BeamStep, FindsTheOptimumAndEveryPositionOnceWhenNothingIsDropped) {
  Dice dice(11);
  const auto step = cpu::make_cpu_beam_step({.threads = 2});
  for (int i = 0; i < 60; ++i) {
    const game::Position root = tests::random_board(dice, {dice.between(2, 5), dice.between(2, 4), dice.between(2, 3)});
    if (!root.has_moves()) continue;
    const game::Scoring& scoring = tests::scoring_case(i);
    const PassResult result = BeamPass(*step).run(beam_request(root, 1'000'000, scoring));
    EXPECT_EQ(result.score, tests::BruteForce(scoring).best(game::ReferenceBoard(root)));
    EXPECT_EQ(result.states, tests::reachable_positions(root));
    const game::ReplayResult replayed = game::replay(root, result.moves, scoring);
    EXPECT_EQ(replayed.score, result.score);
    EXPECT_TRUE(replayed.over);
  }
}

TEST(BeamStep, SelectsWhatTheDefinitionSelects) {
  Dice dice(12);
  const auto step = cpu::make_cpu_beam_step({.threads = 2});
  for (const int width : {1, 2, 7, 40, 150})
    for (int i = 0; i < 2; ++i) {
      const game::Position root = tests::full_board(dice, {8, 8, 3});
      const PassRequest request = beam_request(root, width);
      const PassResult result = BeamPass(*step).run(request);
      const PlainBeam plain(*step, request);
      EXPECT_EQ(result.score, plain.best) << width;
      EXPECT_EQ(result.states, plain.states) << width;
    }
}

TEST(BeamStep, SelectsTheSameStatesOnAnyThreadsAndInstructionSet) {
  const int width = scaled(700);
  const PassRequest request = beam_request(game::standard_boards()[4].position, width);
  const BeamSelection expected = selection_of(*cpu::make_cpu_beam_step({.threads = 1}), request);
  EXPECT_GT(expected.size(), 100u * static_cast<unsigned>(width));
  for (const cpu::Isa isa : cpu::available_isas())
    EXPECT_EQ(selection_of(*cpu::make_cpu_beam_step({.threads = 3, .isa = isa}), request), expected);
}

TEST(BeamStep, KeepsItsMemoryByNarrowing) {
  Dice dice(9);
  PassRequest request = beam_request(tests::full_board(dice, {9, 9, 4}), 1'000'000);
  // Each thread has pages of its own for every bucket, however narrow the beam is. They do not fit into much less.
  request.memory_bytes = 2 << 20;
  const auto one = cpu::make_cpu_beam_step({.threads = 1}), three = cpu::make_cpu_beam_step({.threads = 3});
  const BeamSelection expected = selection_of(*one, request);
  EXPECT_LE(one->peak_memory(), request.memory_bytes);
  EXPECT_GT(one->peak_memory(), request.memory_bytes / 4);
  EXPECT_GT(one->width(), 100);
  EXPECT_EQ(selection_of(*three, request), expected);
  EXPECT_LE(three->peak_memory(), request.memory_bytes);
}

TEST(BeamStep, NeverLosesALineThatItWasGiven) {
  Dice dice(13);
  const auto step = cpu::make_cpu_beam_step({.threads = 1});
  for (int i = 0; i < scaled(20); ++i) {
    PassRequest request = beam_request(tests::full_board(dice, {9, 9, 4}), 200);
    const PassResult wide = BeamPass(*step).run(request);
    request.line = wide.moves;
    request.width = 1;
    const PassResult narrow = BeamPass(*step).run(request);
    EXPECT_GE(narrow.score, wide.score);
    EXPECT_EQ(game::replay(request.root, narrow.moves, request.tables.scoring).score, narrow.score);
  }
}

TEST(BeamStep, StopsWithinABucketAndStillGivesALine) {
  PassRequest request = beam_request(game::standard_boards()[0].position, 100'000);
  std::atomic<int> asked = 0;
  request.limit.stopped = [&] { return ++asked > 2'000; };
  const auto step = cpu::make_cpu_beam_step({.threads = 2});
  const PassResult result = BeamPass(*step).run(request);
  EXPECT_FALSE(result.complete);
  const game::ReplayResult replayed = game::replay(request.root, result.moves, request.tables.scoring);
  EXPECT_EQ(replayed.score, result.score);
  EXPECT_TRUE(replayed.over);
  EXPECT_LT(asked, 2'200);  // nothing goes on for long once a stop was seen
}

TEST(BeamStep, NeverExceedsALimit) {
  const auto step = cpu::make_cpu_beam_step({.threads = 2});
  for (const std::uint64_t limit : {1, 50, 3'000, 40'000}) {
    PassRequest request = beam_request(game::standard_boards()[2].position, 300);
    request.limit.states = limit;
    const PassResult by_states = BeamPass(*step).run(request);
    EXPECT_EQ(by_states.states, limit);
    request.limit.states = std::numeric_limits<std::uint64_t>::max();
    request.limit.children = limit;
    const PassResult by_children = BeamPass(*step).run(request);
    EXPECT_LE(by_children.children, limit);
    EXPECT_FALSE(by_children.moves.empty());
  }
}

}  // namespace
}  // namespace chainshot::host
