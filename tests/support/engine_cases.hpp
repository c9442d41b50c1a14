// Batches for engines, with the results to expect. Every expected playout is played alone by the slow reference or, for
// policies that the reference does not know, by game::play on a single position.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "game/engine.hpp"
#include "game/playout.hpp"
#include "game/reference.hpp"
#include "tests/support/random_boards.hpp"
#include "tests/support/random_policies.hpp"

namespace chainshot::tests {

enum class Judge { kReference, kPosition };

inline game::Result expected_result(const game::Batch& batch, const game::Request& request,
                                    const game::PlayoutRules& rules, Judge judge) {
  game::Result result;
  result.histogram.resize(static_cast<std::size_t>(batch.histogram.bins));
  for (std::uint32_t i = 0; i < request.playouts; ++i) {
    const game::PlayoutKey key{batch.seed, request.key, request.first_playout + i};
    const bool by_reference = judge == Judge::kReference && request.policy.plays_in_lanes();
    const game::Playout playout = by_reference ? game::reference_play(request.position, rules, key, request.points)
                                               : game::play(request.position, rules, key, request.points);
    result.add(key, playout.score, playout.length);
    if (batch.histogram.bins > 0) ++result.histogram[static_cast<std::size_t>(batch.histogram.bin_of(playout.score))];
  }
  return result;
}

inline std::vector<game::Result> expected_results(const game::Batch& batch, Judge judge) {
  std::vector<game::Result> results;
  // The rules are reused while they fit, because building the roulette table of a large board takes long.
  std::optional<game::PlayoutRules> rules;
  for (const game::Request& request : batch.requests) {
    const int cells = request.policy.full_cells_of(request.position);
    if (!rules || rules->policy() != request.policy || rules->full_cells() != cells)
      rules.emplace(request.policy, batch.scoring, cells);
    results.push_back(expected_result(batch, request, *rules, judge));
  }
  return results;
}

inline void expect_outcome(const game::Batch& batch, const game::Outcome& outcome,
                           const std::vector<game::Result>& expected) {
  ASSERT_EQ(outcome.error, "");
  ASSERT_EQ(outcome.results.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const game::Result &found = outcome.results[i], &wanted = expected[i];
    const game::Request& request = batch.requests[i];
    const auto numbers = [](const game::Result& r) {
      return std::tuple(r.count, r.sum, r.sum_of_squares, r.moves, r.best, r.worst, r.best_playout, r.digest);
    };
    ASSERT_EQ(numbers(found), numbers(wanted))
        << "request " << i << " (" << request.playouts << " playouts), policy " << static_cast<int>(request.policy.kind)
        << " epsilon " << request.policy.epsilon << " colour " << request.policy.tabu_color << " below "
        << request.policy.random_below << ", scoring " << batch.scoring.name() << '\n'
        << drawing(request.position);
    ASSERT_EQ(found.histogram, wanted.histogram) << "request " << i;
  }
}

inline game::Batch empty_batch(Dice& dice) {
  game::Batch batch;
  batch.seed = dice.word();
  batch.scoring = random_scoring(dice);
  if (dice.one_in(2))
    batch.histogram = {.low = -dice.below(200), .width = dice.between(1, 50), .bins = dice.between(1, 40)};
  return batch;
}

inline game::Request random_request(Dice& dice, const Shape& shape, std::uint32_t playouts) {
  game::Request request;
  request.position = random_board(dice, shape);
  request.points = dice.between(-100, 4'000);
  request.policy = random_policy(dice, request.position);
  request.playouts = playouts;
  request.key = dice.word();
  request.first_playout = dice.one_in(2) ? 0 : static_cast<std::uint32_t>(dice.word()) & ~0xFFFFu;
  return request;
}

// Makes a batch as a search sends it: many positions, few policies, and similar requests side by side, so that engines
// may play them in shared lanes.
inline game::Batch alike_batch(Dice& dice, int requests, bool small) {
  game::Batch batch = empty_batch(dice);
  game::Policy policy;
  for (int i = 0; i < requests; ++i) {
    const Shape shape = small ? random_small_shape(dice) : random_shape(dice);
    game::Request request = random_request(dice, shape, dice.one_in(8) ? 3 : 1);
    if (i % 256 == 0) {
      policy = random_lane_policy(dice, request.position);
      policy.full_cells = small ? 15 * 16 : game::kMaxCells;
    }
    request.policy = policy;
    batch.requests.push_back(request);
  }
  const auto program = [](const game::Request& r) {
    const int colors = r.position.colors();
    return std::tuple(r.policy.kind, r.policy.epsilon, r.policy.random_below, r.position.rows() > 16,
                      r.position.columns() > 15, r.position.rows() > 15, colors > 7, colors > 5);
  };
  std::stable_sort(batch.requests.begin(), batch.requests.end(),
                   [&](const game::Request& a, const game::Request& b) { return program(a) < program(b); });
  return batch;
}

// Makes a batch in which every request has its own size, policy and number of playouts.
inline game::Batch mixed_batch(Dice& dice, int requests, int most_playouts) {
  game::Batch batch = empty_batch(dice);
  for (int i = 0; i < requests; ++i) {
    const Shape shape = dice.one_in(6) ? random_shape(dice) : random_small_shape(dice);
    const int playouts = dice.one_in(8) ? 0 : dice.between(1, most_playouts);
    batch.requests.push_back(random_request(dice, shape, static_cast<std::uint32_t>(playouts)));
  }
  return batch;
}

struct Case {
  game::Batch batch;
  std::vector<game::Result> expected;
};

inline Case judged(game::Batch batch, Judge judge) {
  std::vector<game::Result> expected = expected_results(batch, judge);
  return {std::move(batch), std::move(expected)};
}

inline void expect_right(game::Engine& engine, const Case& wanted) {
  ASSERT_NO_FATAL_FAILURE(expect_outcome(wanted.batch, engine.run(wanted.batch), wanted.expected));
}

inline game::Request request_for(const game::Position& position, const game::Policy& policy, std::uint32_t playouts) {
  game::Request request;
  request.position = position;
  request.policy = policy;
  request.playouts = playouts;
  request.key = 0x123456789;
  return request;
}

inline game::Batch batch_for(const game::Request& request) {
  game::Batch batch;
  batch.seed = 77;
  batch.requests = {request};
  return batch;
}

inline game::Position one_color(int columns, int rows) {
  game::Position position(columns, rows);
  for (int c = 0; c < columns; ++c)
    for (int r = 0; r < rows; ++r)
      position.set(c, r, 0);
  return position;
}

// Makes requests of 0 to `most` playouts on small boards under every kind of policy.
inline game::Batch ragged_batch(Dice& dice, int requests, int most) {
  game::Batch batch = empty_batch(dice);
  for (int i = 0; i < requests; ++i)
    batch.requests.push_back(random_request(dice, random_shape(dice, 7, 7, 4),
                                            static_cast<std::uint32_t>(dice.one_in(8) ? 0 : dice.between(1, most))));
  return batch;
}

}  // namespace chainshot::tests
