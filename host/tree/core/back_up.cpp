#include "host/tree/core/back_up.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "host/tree/core/beam_pruning.hpp"
#include "host/tree/core/bounds.hpp"
#include "host/tree/core/expansion.hpp"
#include "host/tree/core/global_exploration.hpp"

namespace chainshot::host {
namespace {

constexpr int kLastSteps = 5;  // fit in two cache lines; the walk before mostly shares the steps above them

void prefetch_last_steps(const Walk& walk) {
  __builtin_prefetch(&walk.steps[static_cast<std::size_t>(std::max(0, walk.length() - kLastSteps))]);
  __builtin_prefetch(&walk.steps.back());
}

void prefetch_last_nodes(const NodeStore& nodes, const Walk& walk) {
  for (int i = std::max(0, walk.length() - kLastSteps); i < walk.length(); ++i)
    nodes.prefetch_node(walk.steps[static_cast<std::size_t>(i)].node);
}

// How many steps the paths of two walks begin with. Two paths that have a node in common share all steps above it.
int shared_steps(const Walk& a, const Walk& b) {
  int shared = std::min(a.length(), b.length());
  while (shared > 0 &&
         a.steps[static_cast<std::size_t>(shared - 1)].node != b.steps[static_cast<std::size_t>(shared - 1)].node)
    --shared;
  return shared;
}

}  // namespace

void BackUp::complete(std::span<const Walk* const> walks, std::span<const game::Result> results) {
  for (std::size_t i = 0; i < walks.size(); ++i) {
    constexpr std::size_t kAhead = 4;
    if (i + 2 * kAhead < walks.size()) prefetch_last_steps(*walks[i + 2 * kAhead]);
    if (i + kAhead < walks.size()) prefetch_last_nodes(tree_.nodes, *walks[i + kAhead]);
    const Walk& walk = *walks[i];
    const game::Result& result = results[i];
    PlayoutSums sums{.count = result.count,
                     .sum = result.sum,
                     .squares = static_cast<double>(result.sum_of_squares),
                     .best = result.best};
    sums.shift(-walk.points);
    // The search was told the best line with the points of the path the walk took; its leaf may have moved since.
    if (!tree_.keeps_parents) sums.best -= tree_.points_before(tree_.nodes.node(walk.leaf())) - walk.points;
    tree_.counts.resource_eighths += 8 * (result.moves + result.count) + static_cast<std::uint64_t>(walk.length() - 1);
    if (tree_.changes_exploration) {
      const auto games = static_cast<double>(result.count);
      count_games(tree_, games, games * depth_of(walk) + static_cast<double>(result.moves));
    }
    back_up(walk, sums, i + 1 < walks.size() ? walks[i + 1] : nullptr);
  }
}

void BackUp::add_game(const Walk& walk, int points, const Walk* next) {
  if (tree_.changes_exploration) count_games(tree_, 1, depth_of(walk) + static_cast<double>(walk.rest.size()));
  back_up(walk, PlayoutSums::of_game(points), next);
}

void BackUp::back_up(const Walk& walk, const PlayoutSums& sums, const Walk* next) {
  if (tree_.keeps_parents) {
    add_along(walk, sums, next != nullptr ? shared_steps(walk, *next) : 0);
  } else {
    add_along_parents(walk.leaf(), sums);
    solve_upwards(tree_, tree_.nodes.node(walk.leaf()), tree_.nodes.root());
  }
  ++tree_.counts.walks;
  const int depth = depth_of(walk);
  tree_.counts.steps += static_cast<std::uint64_t>(depth);
  tree_.counts.deepest = std::max(tree_.counts.deepest, depth);
  if (tree_.changes_exploration) adapt_exploration(tree_);
  count_for_beam(tree_, walk.length() - 1);
}

// Tells the nodes of the path, from the leaf up; the first `shared` of them wait for the next walk.
void BackUp::add_along(const Walk& walk, const PlayoutSums& sums, int shared) {
  if (pending_.size() < walk.steps.size()) pending_.resize(walk.steps.size());
  pending_[walk.steps.size() - 1].add({.sums = sums, .walks = 1, .may_solve = true});
  for (int i = walk.length() - 1; i >= shared; --i) {
    Pending rising = std::exchange(pending_[static_cast<std::size_t>(i)], {});
    Node& visited = tree_.nodes.node(walk.steps[static_cast<std::size_t>(i)].node);
    add_visits(tree_, visited, rising.sums, rising.walks);
    rising.may_solve = tree_.tracks_solved && !visited.is_solved &&
                       (visited.is_closed() || (rising.may_solve && is_exhausted(tree_, visited)));
    visited.is_solved |= rising.may_solve;
    write_terms(tree_, visited);
    if (i == 0) continue;
    rising.sums.shift(visited.gain);
    pending_[static_cast<std::size_t>(i - 1)].add(rising);
  }
}

// Where nodes may move to other parents: along the path that leads to the leaf now.
void BackUp::add_along_parents(Link leaf, PlayoutSums sums) {
  for (Link link = leaf; link != 0; link = tree_.nodes.node(link).parent) {
    Node& visited = tree_.nodes.node(link);
    add_visits(tree_, visited, sums, 1);
    write_terms(tree_, visited);
    // Statistics of a solved node no longer count above it, but its best line does.
    if (visited.is_solved && tree_.settings.duplicates == Duplicates::kConsistent) sums = {.best = sums.best};
    sums.shift(visited.gain);
  }
}

void BackUp::abandon(const Walk& walk) {
  for (Link link = walk.leaf(); link != 0;) {
    Node& left = tree_.nodes.node(link);
    const Link above = left.parent;
    --left.virtual_visits;
    if (left.visits > 0 || left.virtual_visits > 0 || above == 0) {
      write_terms(tree_, left);
    } else {
      remove_node(tree_, link);
    }
    link = above;
  }
}

}  // namespace chainshot::host
