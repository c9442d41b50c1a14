// A test suite of the promises that every engine makes. Each kind of engine instantiates it with its own forms.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/engine_cases.hpp"
#include "tests/support/scorings.hpp"

namespace chainshot::tests {

struct EngineForm {
  std::string name;
  std::function<std::unique_ptr<game::Engine>()> make;
  std::string missing = {};  // says why the machine has no such engine; its tests are then skipped
};

// Expected results that are slow to compute are computed once for all forms.
class EnginePromises : public ::testing::TestWithParam<EngineForm> {
 protected:
  void SetUp() override {
    if (!GetParam().missing.empty()) GTEST_SKIP() << GetParam().missing;
    engine_ = GetParam().make();
  }
  game::Engine& engine() { return *engine_; }
  void expect(const Case& wanted) { ASSERT_NO_FATAL_FAILURE(expect_right(*engine_, wanted)); }

 private:
  std::unique_ptr<game::Engine> engine_;
};

inline std::string name_of_form(const ::testing::TestParamInfo<EngineForm>& info) {
  return info.param.name;
}

TEST_P(EnginePromises, PlaysNothingWhenAskedForNothing) {
  EXPECT_TRUE(engine().run({}).results.empty());
  EXPECT_EQ(engine().run({}).error, "");
  game::Batch batch = batch_for(request_for(one_color(3, 3), {}, 0));
  batch.histogram.bins = 4;
  batch.requests.resize(3, batch.requests.front());
  batch.requests[1].policy.kind = game::PolicyKind::kLargestFirst;
  const game::Outcome outcome = engine().run(batch);
  EXPECT_EQ(outcome.error, "");
  ASSERT_EQ(outcome.results.size(), 3u);
  for (const game::Result& result : outcome.results) {
    EXPECT_EQ(result.count, 0u);
    EXPECT_EQ(result.histogram, std::vector<std::uint64_t>(4));
  }
}

TEST_P(EnginePromises, ScoresBoardsWithoutMoves) {
  for (const game::Scoring& scoring : game::kScorings) {
    game::Batch batch;
    batch.scoring = scoring;
    for (const game::NamedPolicy& named : game::kPolicies) {
      batch.requests.push_back(request_for(game::Position(15, 15), named.policy, 5));
      batch.requests.push_back(request_for(board_of({"0101", "1010"}), named.policy, 40));
      batch.requests.push_back(request_for(game::Position(31, 32), named.policy, 3));
      batch.requests.push_back(request_for(board_of({"0"}), named.policy, 1));
      batch.requests.push_back(request_for(board_of({"E"}), named.policy, 1));
    }
    const Case wanted = judged(std::move(batch), Judge::kPosition);
    ASSERT_EQ(wanted.expected[0].best, scoring.clear_bonus);
    ASSERT_EQ(wanted.expected[0].moves, 0u);
    ASSERT_NO_FATAL_FAILURE(expect(wanted));
  }
}

// A game earns the most points when one move removes the whole board: 238 * 238 on a small board, or 240 * 239 in
// Bubble Breaker, where the largest board earns 992 * 991.
TEST_P(EnginePromises, HoldsTheLargestScores) {
  static const std::vector<Case> kCases = [] {
    std::vector<Case> out;
    for (const game::Scoring& scoring : game::kScorings) {
      for (const int points : {1'000'000, -1'000'000}) {
        game::Batch batch;
        batch.scoring = scoring;
        for (const game::NamedPolicy& named : game::kPolicies) {
          batch.requests.push_back(request_for(one_color(15, 16), named.policy, 3));
          batch.requests.push_back(request_for(one_color(31, 32), named.policy, 1));
          batch.requests.push_back(request_for(one_color(15, 15), named.policy, 3));
        }
        for (game::Request& request : batch.requests)
          request.points = points;
        out.push_back(judged(std::move(batch), Judge::kPosition));
      }
    }
    return out;
  }();
  for (const Case& wanted : kCases) {
    const game::Scoring& scoring = wanted.batch.scoring;
    const int points = wanted.batch.requests[0].points;
    ASSERT_EQ(wanted.expected[0].best, points + scoring.group_points(240) + scoring.clear_bonus);
    ASSERT_EQ(wanted.expected[1].worst, points + scoring.group_points(992) + scoring.clear_bonus);
    ASSERT_NO_FATAL_FAILURE(expect(wanted));
  }
}

// Scores of small boards that differ by more than 2^16, or lie below 0, beside others that do not.
TEST_P(EnginePromises, CountsPointsThatLeaveSixteenBits) {
  static const std::vector<Case> kCases = [] {
    Dice dice(224);
    std::vector<Case> out;
    for (const char* const formula : {"points=30n^3", "points=300n-5000", "points=-70(n-1)^2; left=n^3; bonus=-9"}) {
      game::Batch batch = ragged_batch(dice, 12, 5);
      batch.scoring = game::parse_scoring(formula);
      batch.requests.push_back(request_for(one_color(15, 15), {}, 3));
      batch.requests.push_back(request_for(full_board(dice, {15, 15, 2}), {}, 10));
      batch.requests.push_back(request_for(full_board(dice, {9, 18, 3}), {}, 10));
      out.push_back(judged(std::move(batch), Judge::kReference));
    }
    return out;
  }();
  for (const Case& wanted : kCases)
    ASSERT_NO_FATAL_FAILURE(expect(wanted));
}

// A chessboard of two colours has no move and keeps all its blocks, which gives the largest deduction.
TEST_P(EnginePromises, HoldsTheLargestDeductions) {
  game::Position small(15, 16), wide(31, 32);
  for (game::Position* board : {&small, &wide})
    for (int c = 0; c < board->columns(); ++c)
      for (int r = 0; r < board->rows(); ++r)
        board->set(c, r, (c + r) % 2);
  for (const game::Scoring& scoring : tests::scoring_cases()) {
    game::Batch batch = batch_for(request_for(small, {}, 2));
    batch.requests.push_back(request_for(wide, {}, 2));
    batch.scoring = scoring;
    const Case wanted = judged(std::move(batch), Judge::kPosition);
    const int halves[] = {496, 496};
    ASSERT_EQ(wanted.expected[1].best, scoring.final_points(halves));
    ASSERT_NO_FATAL_FAILURE(expect(wanted));
  }
}

TEST_P(EnginePromises, NumbersPlayoutsFromTheFirstOne) {
  Dice dice(213);
  const game::Request whole = request_for(full_board(dice, {7, 7, 4}), {.epsilon = game::epsilon_from(0.1)}, 1'000);
  game::Request head = whole, tail = whole;
  head.playouts = 333;
  tail.playouts = 667;
  tail.first_playout = 333;
  game::Result sum = engine().run(batch_for(head)).results.at(0);
  sum.add(engine().run(batch_for(tail)).results.at(0));
  EXPECT_EQ(sum, engine().run(batch_for(whole)).results.at(0));
}

// The playout number after 2^32 - 1 is 0, even when an engine splits the request at that point.
TEST_P(EnginePromises, WrapsPlayoutNumbersTo0) {
  static const Case kWanted = [] {
    Dice dice(214);
    const game::Position board = full_board(dice, {5, 5, 3});
    game::Batch batch = empty_batch(dice);
    for (const auto& [first, playouts] : {std::pair{0xFFFFFFFFu, 1u},
                                          {0xFFFFFFFFu, 2u},
                                          {0xFFFFFF00u, 256u},
                                          {0xFFFFFF00u, 600u},
                                          {0xFFFFF448u, 9'000u}})
      for (const game::PolicyKind kind : {game::PolicyKind::kTabuRandom, game::PolicyKind::kTabuColorRandom}) {
        batch.requests.push_back(request_for(board, {.kind = kind}, playouts));
        batch.requests.back().first_playout = first;
      }
    return judged(std::move(batch), Judge::kPosition);
  }();
  expect(kWanted);
}

TEST_P(EnginePromises, ReportsTheLowestNumberAmongEqualBestPlayouts) {
  // The row is two pairs and is cleared in either order, so every playout scores 1000.
  game::Request request = request_for(board_of({"0011"}), {.kind = game::PolicyKind::kRandom}, 9'000);
  request.first_playout = 17;
  game::Result result = engine().run(batch_for(request)).results.at(0);
  EXPECT_EQ(result.best, 1000);
  EXPECT_EQ(result.worst, 1000);
  EXPECT_EQ(result.best_playout, 17u);
  request.first_playout = 0xFFFFF000u;
  result = engine().run(batch_for(request)).results.at(0);
  EXPECT_EQ(result.best_playout, 0u);
}

TEST_P(EnginePromises, UsesAllBitsOfKeyAndSeed) {
  Dice dice(215);
  const game::Position board = full_board(dice, {8, 8, 3});
  std::vector<std::uint64_t> digests;
  for (const std::uint64_t seed : {std::uint64_t{5}, std::uint64_t{5} << 32 | 5}) {
    game::Batch batch;
    batch.seed = seed;
    for (const std::uint64_t key : {std::uint64_t{9}, std::uint64_t{1} << 32 | 9, std::uint64_t{1} << 63 | 9}) {
      batch.requests.push_back(request_for(board, {}, 10));
      batch.requests.back().key = key;
    }
    const Case wanted = judged(std::move(batch), Judge::kReference);
    ASSERT_NO_FATAL_FAILURE(expect(wanted));
    for (const game::Result& result : wanted.expected)
      digests.push_back(result.digest);
  }
  std::sort(digests.begin(), digests.end());
  EXPECT_EQ(std::unique(digests.begin(), digests.end()), digests.end());
}

TEST_P(EnginePromises, CountsScoresBeyondTheHistogramInItsOuterBins) {
  Dice dice(216);
  game::Batch batch = batch_for(request_for(full_board(dice, {8, 8, 4}), {}, 500));
  batch.requests.push_back(request_for(full_board(dice, {8, 8, 4}), {.kind = game::PolicyKind::kLargestFirst}, 20));
  const game::Result range = expected_results(batch, Judge::kPosition)[0];
  // The four bins cover the middle of the scores, so many scores lie beyond either end.
  batch.histogram = {.low = static_cast<int>(range.sum / 500) - 6, .width = 3, .bins = 4};
  ASSERT_LT(range.worst, batch.histogram.low);
  ASSERT_GT(range.best, batch.histogram.low + 12);
  ASSERT_NO_FATAL_FAILURE(expect(judged(batch, Judge::kPosition)));
  batch.histogram = {.low = range.best + 1, .width = 3, .bins = 1};
  expect(judged(std::move(batch), Judge::kPosition));
}

TEST_P(EnginePromises, AcceptsParametersFarOutOfRange) {
  Dice dice(218);
  const game::Position position = full_board(dice, {10, 10, 5}), seven = full_board(dice, {15, 16, 7});
  game::Batch batch;
  for (int below : {-5, 99, 100, 1'000'000})
    batch.requests.push_back(request_for(position, {.random_below = below}, 40));
  for (int color = 0; color < game::kMaxColors; ++color) {
    batch.requests.push_back(request_for(position, {.tabu_color = color}, 20));
    batch.requests.push_back(request_for(seven, {.tabu_color = color}, 5));
  }
  expect(judged(std::move(batch), Judge::kPosition));
}

TEST_P(EnginePromises, GivesATicketOneOutcome) {
  const game::Ticket ticket = engine().submit(batch_for(request_for(one_color(4, 4), {}, 10)));
  while (!engine().poll(ticket))
    std::this_thread::yield();
  EXPECT_TRUE(engine().poll(ticket));
  const game::Outcome outcome = engine().wait(ticket);
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.results.size(), 1u);
  EXPECT_EQ(engine().wait(ticket).error,
            "ticket " + std::to_string(ticket) + " is not one the engine gave out, or was waited for before");
  EXPECT_NE(engine().wait(ticket + 100).error, "");
  EXPECT_NE(engine().wait(0).error, "");
  EXPECT_TRUE(engine().poll(ticket));
  EXPECT_TRUE(engine().poll(ticket + 100));
}

TEST_P(EnginePromises, CompletesAnEmptyBatchAtOnce) {
  const game::Ticket ticket = engine().submit({});
  EXPECT_TRUE(engine().poll(ticket));
  EXPECT_EQ(engine().wait(ticket).error, "");
  EXPECT_NE(engine().wait(ticket).error, "");
}

// An engine may play policies that need a single position on another processor; the ticket covers both parts.
TEST_P(EnginePromises, CoversAllPartsOfABatchWithOneTicket) {
  static const Case kWanted = [] {
    Dice dice(219);
    game::Batch batch = empty_batch(dice);
    batch.requests.push_back(request_for(full_board(dice, {6, 6, 3}), {}, 200));
    batch.requests.push_back(
        request_for(full_board(dice, {15, 15, 5}), {.kind = game::PolicyKind::kLargestFirst}, 200));
    return judged(std::move(batch), Judge::kPosition);
  }();
  const game::Ticket ticket = engine().submit(kWanted.batch);
  while (!engine().poll(ticket))
    std::this_thread::yield();
  expect_outcome(kWanted.batch, engine().wait(ticket), kWanted.expected);
}

TEST_P(EnginePromises, AcceptsBatchesFromManyThreadsAtOnce) {
  static const std::vector<Case> kCases = [] {
    std::vector<Case> out;
    Dice dice(220);
    for (int i = 0; i < 5; ++i)
      out.push_back(judged(ragged_batch(dice, 30, 20), Judge::kPosition));
    return out;
  }();
  std::vector<std::thread> users;
  for (int user = 0; user < 4; ++user) {
    users.emplace_back([&, user] {
      std::deque<std::pair<std::size_t, game::Ticket>> flights;
      for (std::size_t i = 0; i < 10; ++i) {
        const std::size_t which = (i * 3 + static_cast<std::size_t>(user)) % kCases.size();
        flights.emplace_back(which, engine().submit(kCases[which].batch));
      }
      // Each user waits for its last batch first.
      for (; !flights.empty(); flights.pop_back()) {
        const Case& wanted = kCases[flights.back().first];
        expect_outcome(wanted.batch, engine().wait(flights.back().second), wanted.expected);
      }
    });
  }
  for (std::thread& user : users)
    user.join();
}

TEST_P(EnginePromises, CountsBatchesAndPlayoutsWhenTheyAreComplete) {
  EXPECT_EQ(engine().usage().batches, 0u);
  EXPECT_EQ(engine().usage().busy_seconds, 0);
  game::Batch batch = batch_for(request_for(one_color(5, 5), {}, 3'000));
  batch.requests.push_back(request_for(one_color(4, 4), {}, 0));
  batch.requests.push_back(request_for(one_color(20, 3), {}, 70));
  batch.requests.push_back(request_for(one_color(4, 4), {.kind = game::PolicyKind::kLargestFirst}, 5));
  engine().run(batch);
  EXPECT_EQ(engine().usage().batches, 1u);
  EXPECT_EQ(engine().usage().playouts, 3'075u);
  engine().run({});
  EXPECT_EQ(engine().usage().batches, 2u);
  EXPECT_EQ(engine().usage().playouts, 3'075u);
}

// Busy time never exceeds the time on the clock and does not include waiting for work.
TEST_P(EnginePromises, IsBusyOnlyWhileItPlays) {
  using Clock = std::chrono::steady_clock;
  Dice dice(222);
  const game::Batch batch = batch_for(request_for(full_board(dice, {6, 6, 3}), {}, 5'000));
  const Clock::time_point start = Clock::now();
  engine().run(batch);
  const double first = engine().usage().busy_seconds;
  EXPECT_GT(first, 0);
  EXPECT_LE(first, std::chrono::duration<double>(Clock::now() - start).count());
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(engine().usage().busy_seconds, first);
  const Clock::time_point again = Clock::now();
  engine().run(batch);
  EXPECT_GT(engine().usage().busy_seconds, first);
  EXPECT_LE(engine().usage().busy_seconds, first + std::chrono::duration<double>(Clock::now() - again).count());
}

TEST_P(EnginePromises, CanBeDestroyedWithWorkInFlight) {
  Dice dice(221);
  const game::Position position = full_board(dice, {5, 5, 3});
  for (int i = 0; i < 8; ++i)
    engine().submit(batch_for(request_for(position, {}, 100'000)));
}

TEST_P(EnginePromises, ReportsCapabilitiesThatASchedulerCanUse) {
  const game::Capabilities& capabilities = engine().capabilities();
  EXPECT_GE(capabilities.lanes, 1);
  EXPECT_GE(capabilities.recommended_batch, 1u);
  EXPECT_GE(capabilities.batches_in_flight, 1);
}

}  // namespace chainshot::tests
