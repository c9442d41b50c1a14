// Cases that every processor for beams must pass, and what they are compared with.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "game/reference.hpp"
#include "host/beam/beam_pass.hpp"
#include "host/beam/evaluation.hpp"

namespace chainshot::tests {

inline host::PassRequest beam_request(const game::Position& root, int width,
                                      const game::Scoring& scoring = game::kStandardScoring) {
  return {.root = root, .tables = host::beam_tables({}, root, scoring, root.most_frequent_color()), .width = width};
}

// Every state selected, in order.
using BeamSelection = std::vector<std::tuple<std::uint32_t, int, int>>;

inline BeamSelection selection_of(game::BeamStep& step, const host::PassRequest& request) {
  step.begin({.seeds = {{request.root, 0}},
              .tables = request.tables,
              .width = request.width,
              .memory_bytes = request.memory_bytes});
  BeamSelection all;
  while (step.open_blocks() > 0)
    for (const game::BeamSelected& state : step.expand({}).selected)
      all.emplace_back(state.parent, state.move.column, state.move.row);
  return all;
}

// Counts the different positions with moves that can be reached, the first one included.
inline std::size_t reachable_positions(const game::Position& root) {
  std::set<std::uint64_t> seen;
  std::vector<game::Position> open = {root};
  while (!open.empty()) {
    const game::Position position = open.back();
    open.pop_back();
    if (!position.has_moves() || !seen.insert(position.hash()).second) continue;
    for (const game::Group& group : position.groups()) {
      game::ReferenceBoard after(position);
      after.apply(group.cell);
      open.push_back(after.to_position());
    }
  }
  return seen.size();
}

// The beam by its definition, with a map per bucket and one state after the other.
struct PlainBeam {
  struct State {
    game::Position position;
    int points;
    std::int32_t evaluation;
  };
  int best = -1'000'000;
  std::uint64_t states = 0;

  PlainBeam(const game::BeamStep& step, const host::PassRequest& request) {
    std::map<int, std::map<std::uint64_t, State>, std::greater<>> buckets;
    buckets[request.root.blocks()][0] = {request.root, 0, 0};
    for (; !buckets.empty(); buckets.erase(buckets.begin())) {
      std::vector<std::tuple<std::int64_t, std::uint64_t, State*>> order;
      for (auto& [hash, state] : buckets.begin()->second)
        order.emplace_back(-std::int64_t{state.evaluation}, hash, &state);
      std::sort(order.begin(), order.end());
      order.resize(std::min(order.size(), static_cast<std::size_t>(request.width)));
      for (const auto& entry : order)
        expand(step, request, *std::get<2>(entry), buckets);
      states += order.size();
    }
  }

  template <class Buckets>
  void expand(const game::BeamStep& step, const host::PassRequest& request, const State& state, Buckets& buckets) {
    const game::Scoring& scoring = request.tables.scoring;
    for (const game::Group& group : state.position.groups()) {
      game::ReferenceBoard after(state.position);
      const int points = state.points + scoring.group_points(after.apply(group.cell));
      if (after.groups().empty()) best = std::max(best, points + after.to_position().final_points(scoring));
    }
    for (const game::BeamChild& child : step.children(state.position, state.points)) {
      game::ReferenceBoard after(state.position);
      const int points = state.points + scoring.group_points(after.apply(child.move));
      const State next{after.to_position(), points, child.evaluation};
      const auto [known, is_new] = buckets[next.position.blocks()].emplace(child.hash, next);
      if (!is_new && points > known->second.points) known->second = next;
    }
  }
};

}  // namespace chainshot::tests
