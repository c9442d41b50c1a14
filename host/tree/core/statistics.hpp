// The counters of nodes. A node counts its playouts and, as virtual visits, the walks in flight through it
// (the node count update of HGSTS: Klein 2015, A.6), which keep several walks apart. Whoever changes a count also
// writes the terms of the move into the parent's block, so that the selection need not read the children.
#pragma once

#include <algorithm>
#include <cstdint>

#include "host/tree/core/tree_state.hpp"

namespace chainshot::host {

// Playouts from one position, with points that count from that position.
struct PlayoutSums {
  std::uint64_t count = 0;
  std::int64_t sum = 0;
  double squares = 0;
  int best = Node::kNothing;

  static PlayoutSums of_game(int points) {
    const double p = points;
    return {.count = 1, .sum = points, .squares = p * p, .best = points};
  }
  // Counts the same playouts from a position that has earned `points` less.
  void shift(int points) {
    const std::int64_t p = points, n = static_cast<std::int64_t>(count);
    squares +=
        static_cast<double>(p) * (2.0 * static_cast<double>(sum) + static_cast<double>(n) * static_cast<double>(p));
    sum += n * p;
    best += points;
  }
  void add(const PlayoutSums& other) {
    count += other.count;
    sum += other.sum;
    squares += other.squares;
    best = std::max(best, other.best);
  }
};

// Returns the statistics of a node with visits. Walks in flight count as visits, but have no part in the mean.
MoveStatistics statistics_of(const Node& of);
// Returns the factor that makes exploration comparable to the points below `parent` (Klein 2015, 6.1).
double range_of(const TreeState& tree, const Node& parent);

// The terms of a node in its parent's block; the root has none. `write_width` is enough after a change of the visits in
// flight.
void write_terms(TreeState& tree, const Node& of);
void write_width(TreeState& tree, const Node& of);

// A negative number takes them back.
void add_virtual_visits(TreeState& tree, Node& to, int walks);
// The results of `walks` that were in flight. The caller writes the terms.
void add_visits(TreeState& tree, Node& to, const PlayoutSums& sums, std::uint32_t walks);

// Adds the node's own counts `times` times (1 or -1) to its ancestors: a node that moves to another parent takes its
// counts along. Statistics of a solved node do not count above it.
void add_statistics_above(TreeState& tree, const Node& of, int times);
void add_virtual_visits_above(TreeState& tree, const Node& of, int times);

}  // namespace chainshot::host
