// The launches of a batch together hold every playout of every request exactly once, and each fits into a slot. These
// tests need no device.
#include "cuda/launch_plan.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

#include "tests/support/arbitrary_boards.hpp"
#include "tests/support/engine_cases.hpp"

namespace chainshot::cuda {
namespace {

using tests::Dice;

constexpr std::size_t kAlignment = 256;               // alignment of each uploaded array
constexpr std::size_t kSmallFinalBytes = 24 * 4 + 4;  // the board and points << 10 | length
constexpr std::size_t kWideFinalBytes = 128 * 4 + 4;

struct Plan {
  std::shared_ptr<DeviceBatch> pending = std::make_shared<DeviceBatch>();
  std::vector<std::size_t> order;  // the requests that play in lanes, sorted by program as in the engine
};

Plan planned(game::Batch batch) {
  static lanes::RulesCache rules;
  Plan plan;
  plan.pending->batch = std::move(batch);
  std::vector<lanes::PreparedRequest>& prepared = plan.pending->prepared;
  for (const game::Request& request : plan.pending->batch.requests) {
    prepared.push_back(lanes::prepare(plan.pending->batch, request,
                                      rules.rules_for(request, plan.pending->batch.scoring), false, false));
    if (prepared.back().in_lanes && request.playouts > 0) plan.order.push_back(prepared.size() - 1);
  }
  std::stable_sort(plan.order.begin(), plan.order.end(),
                   [&](std::size_t a, std::size_t b) { return lanes::runs_before(prepared[a], prepared[b]); });
  return plan;
}

// Counts the bytes that a slot uploads for a launch if no two boards are equal.
std::size_t upload_bytes_of(const Launch& launch) {
  const auto aligned = [](std::size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; };
  const std::size_t pieces = launch.pieces.size();
  std::size_t boards = 0;
  for (std::size_t i = 0; i < pieces; ++i) {
    const std::size_t request = launch.pieces[i].request;
    if (i == 0 || launch.pieces[i - 1].request != request)
      boards += boards_of(launch.batch->batch.requests[request], launch.batch->prepared[request]);
  }
  return aligned(pieces * sizeof(PieceStart)) + aligned((pieces + 1) * sizeof(std::uint32_t)) +
         2 * aligned(pieces * sizeof(std::uint32_t)) + boards * board_words(launch.program.wide) * 4;
}

std::size_t requests_in(const Launch& launch) {
  std::vector<std::size_t> requests;
  for (const LaunchPiece& piece : launch.pieces)
    requests.push_back(piece.request);
  std::sort(requests.begin(), requests.end());
  return static_cast<std::size_t>(std::unique(requests.begin(), requests.end()) - requests.begin());
}

std::vector<Launch> cut(const Plan& plan, const SlotSizes& sizes, std::uint64_t largest) {
  return cut_launches(plan.pending, plan.order, sizes, largest);
}

SlotSizes arbitrary_sizes(Dice& dice) {
  return SlotSizes::for_playouts(dice.one_in(2) ? kFewestPlayouts : static_cast<std::uint64_t>(dice.below(8'000)));
}

// Makes batches such that each limit of a slot is the first to be reached in some of them. Many requests of one or two
// playouts use up the pieces or, with a board per colour, the upload bytes; large requests use up the playouts, and
// wide histograms the counters.
game::Batch arbitrary_batch(Dice& dice, const SlotSizes& sizes) {
  game::Batch batch = tests::empty_batch(dice);
  if (dice.one_in(4)) batch.histogram.bins = dice.one_in(2) ? 1 << 18 : dice.between(1, 1 << 18);
  const int kinds = dice.between(1, 3);
  std::vector<game::Request> requests;
  for (int i = 0; i < kinds; ++i) {
    // Few rows keep the roulette tables of wide boards small.
    const tests::Shape shape = dice.one_in(4) ? tests::random_shape(dice, 31, 5, 15) : tests::random_small_shape(dice);
    requests.push_back(tests::random_request(dice, shape, 1));
    if (dice.one_in(3)) requests.back().policy = {.kind = game::PolicyKind::kTabuRandom};
  }
  const int slot = static_cast<int>(sizes.small_playouts);
  const int most = dice.one_in(2) ? dice.between(1, 3) : dice.one_in(2) ? 300 : slot * 3;
  for (int i = dice.below(most <= 3 ? 2'000 : most <= 300 ? 100 : 10); i > 0; --i) {
    game::Request request = requests[static_cast<std::size_t>(dice.below(kinds))];
    request.playouts = static_cast<std::uint32_t>(dice.one_in(8) ? 0 : dice.between(1, most));
    batch.requests.push_back(request);
  }
  return batch;
}

RC_GTEST_PROP(LaunchPlan, EveryPlayoutIsInOneLaunchAndEveryLaunchFits, ()) {
  Dice dice = tests::arbitrary_dice();
  const SlotSizes sizes = arbitrary_sizes(dice);
  const std::uint64_t largest = static_cast<std::uint64_t>(dice.one_in(2) ? 1 << 30 : dice.between(1, 5'000));
  const Plan plan = planned(arbitrary_batch(dice, sizes));
  const game::Batch& batch = plan.pending->batch;
  const auto bins = static_cast<std::size_t>(batch.histogram.bins);
  std::vector<std::uint32_t> done(batch.requests.size());
  for (const Launch& launch : cut(plan, sizes, largest)) {
    RC_ASSERT(launch.batch == plan.pending);
    RC_ASSERT(!launch.pieces.empty());
    std::uint64_t playouts = 0;
    for (const LaunchPiece& piece : launch.pieces) {
      RC_ASSERT(piece.playouts > 0u);
      RC_ASSERT(piece.playouts <= kPiecePlayouts);
      // The pieces of a request follow each other without a gap.
      RC_ASSERT(piece.first == done[piece.request]);
      RC_ASSERT(plan.pending->prepared[piece.request].program == launch.program);
      done[piece.request] += piece.playouts;
      playouts += piece.playouts;
    }
    const bool wide = launch.program.wide;
    RC_ASSERT(launch.playouts == playouts);
    RC_ASSERT(playouts <= largest);
    RC_ASSERT(playouts <= sizes.playouts(wide));
    RC_ASSERT(playouts * (wide ? kWideFinalBytes : kSmallFinalBytes) <= sizes.final_bytes());
    RC_ASSERT(launch.pieces.size() <= sizes.pieces());
    RC_ASSERT(upload_bytes_of(launch) <= sizes.upload_bytes());
    RC_ASSERT(launch.histograms == requests_in(launch));
    RC_ASSERT(launch.histograms * bins <= kHistogramCounters);
    RC_ASSERT(launch.pieces.size() * sizeof(Tally) + launch.histograms * bins * 4 <= sizes.download_bytes());
  }
  for (std::size_t i = 0; i < done.size(); ++i)
    RC_ASSERT(done[i] == (plan.pending->prepared[i].in_lanes ? batch.requests[i].playouts : 0u));
}

// A launch ends only when the next piece belongs to another program or does not fit.
RC_GTEST_PROP(LaunchPlan, EveryLaunchIsAsLongAsPossible, ()) {
  Dice dice = tests::arbitrary_dice();
  const SlotSizes sizes = arbitrary_sizes(dice);
  const Plan plan = planned(arbitrary_batch(dice, sizes));
  const auto bins = static_cast<std::size_t>(plan.pending->batch.histogram.bins);
  const std::vector<Launch> launches = cut(plan, sizes, 1 << 30);
  for (std::size_t i = 1; i < launches.size(); ++i) {
    const Launch& full = launches[i - 1];
    Launch longer = full;
    longer.pieces.push_back(launches[i].pieces.front());
    // The planner counts upload bytes per piece, as if each piece brought boards of its own.
    std::size_t reckoned = 4096;
    for (const LaunchPiece& piece : longer.pieces)
      reckoned += kPieceUploadBytes +
                  4 * board_words(full.program.wide) *
                      boards_of(plan.pending->batch.requests[piece.request], plan.pending->prepared[piece.request]);
    RC_ASSERT(full.program != launches[i].program || full.playouts == sizes.playouts(full.program.wide) ||
              full.pieces.size() == sizes.pieces() || reckoned > sizes.upload_bytes() ||
              requests_in(longer) * bins > kHistogramCounters);
  }
}

game::Batch pairs(std::uint32_t requests, std::uint32_t playouts) {
  game::Batch batch;
  game::Request request;
  request.position = tests::board_of({"00"});
  request.playouts = playouts;
  batch.requests.resize(requests, request);
  return batch;
}

TEST(LaunchPlan, AnEmptyBatchTakesNoLaunch) {
  EXPECT_TRUE(cut(planned({}), SlotSizes::for_playouts(1'024), 1 << 20).empty());
  EXPECT_TRUE(cut(planned(pairs(5, 0)), SlotSizes::for_playouts(1'024), 1 << 20).empty());
}

TEST(LaunchPlan, ABatchThatFitsTakesOneLaunch) {
  const std::vector<Launch> launches = cut(planned(pairs(1'024, 4)), SlotSizes::for_playouts(4'096), 1 << 20);
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_EQ(launches[0].playouts, 4'096u);
  EXPECT_EQ(launches[0].pieces.size(), 1'024u);
  EXPECT_EQ(launches[0].histograms, 1'024u);
}

TEST(LaunchPlan, ALargeRequestIsCutIntoPiecesAndLaunches) {
  const std::vector<Launch> launches = cut(planned(pairs(1, 25'000)), SlotSizes::for_playouts(10'000), 1 << 20);
  ASSERT_EQ(launches.size(), 3u);
  // 10,000 = 4,096 + 4,096 + 1,808
  EXPECT_EQ(launches[0].pieces.size(), 3u);
  EXPECT_EQ(launches[0].pieces[2].playouts, 1'808u);
  EXPECT_EQ(launches[1].pieces[0].first, 10'000u);
  EXPECT_EQ(launches[2].playouts, 5'000u);
  for (const Launch& launch : launches)
    EXPECT_EQ(launch.histograms, 1u);
}

TEST(LaunchPlan, ABatchIsSplitAmongDevices) {
  const std::vector<Launch> launches = cut(planned(pairs(2, 6'000)), SlotSizes::for_playouts(65'536), 6'000);
  ASSERT_EQ(launches.size(), 2u);
  EXPECT_EQ(launches[0].playouts, 6'000u);
  EXPECT_EQ(launches[1].playouts, 6'000u);
}

TEST(LaunchPlan, ALaunchHoldsOneHistogramOfTheLargestSize) {
  game::Batch batch = pairs(3, 2);
  batch.histogram.bins = static_cast<int>(kHistogramCounters);
  EXPECT_EQ(cut(planned(batch), SlotSizes::for_playouts(1'024), 1 << 20).size(), 3u);
  batch.histogram.bins /= 2;
  EXPECT_EQ(cut(planned(batch), SlotSizes::for_playouts(1'024), 1 << 20).size(), 2u);
}

TEST(LaunchPlan, TheLargestRequestKeepsAllItsPlayouts) {
  const Plan plan = planned(pairs(1, 0xFFFFFFFFu));
  std::uint64_t playouts = 0;
  for (const Launch& launch : cut(plan, SlotSizes::for_playouts(1 << 26), ~std::uint64_t{0}))
    playouts += launch.playouts;
  EXPECT_EQ(playouts, 0xFFFFFFFFu);
}

TEST(LaunchPlan, ARandomTabuTakesABoardPerColourPresent) {
  game::Batch batch = pairs(4, 1);
  batch.requests[0].policy.kind = game::PolicyKind::kTabuRandom;
  batch.requests[1].policy.kind = game::PolicyKind::kTabuRandom;
  batch.requests[1].position = tests::board_of({"0044E"});
  batch.requests[2].policy.kind = game::PolicyKind::kTabuRandom;
  batch.requests[2].position = game::Position(4, 4);
  const Plan plan = planned(batch);
  std::vector<std::size_t> boards;
  for (std::size_t i = 0; i < 4; ++i)
    boards.push_back(boards_of(batch.requests[i], plan.pending->prepared[i]));
  EXPECT_EQ(boards, (std::vector<std::size_t>{1, 3, 1, 1}));
}

TEST(SlotSizes, GrowWithTheNumberOfPlayoutsUpToALimit) {
  EXPECT_EQ(SlotSizes::for_playouts(0).small_playouts, kFewestPlayouts);
  EXPECT_EQ(SlotSizes::for_playouts(5'000).small_playouts, 5'000u);
  EXPECT_EQ(SlotSizes::for_playouts(~std::uint64_t{0}).small_playouts, 1u << 26);
  std::size_t before = 0;
  for (std::uint64_t playouts = kFewestPlayouts; playouts <= 1 << 26; playouts *= 2) {
    const SlotSizes sizes = SlotSizes::for_playouts(playouts);
    EXPECT_GT(sizes.device_bytes(), before);
    EXPECT_GE(sizes.playouts(true), 1u);
    EXPECT_LE(sizes.playouts(true) * kWideFinalBytes, sizes.final_bytes());
    before = sizes.device_bytes();
  }
}

}  // namespace
}  // namespace chainshot::cuda
