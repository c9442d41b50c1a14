// The statistics by which a graph chooses moves: UCD (Saffidine, Cazenave, Mehat 2012, by Klein 2015, A.1),
//
//   score(e) = avg_d1(e) + c sqrt(ln p_d2(e) / n_d3(e)),
//
// where avg_d and n_d look d levels below the edge e, and p_d adds up n_d over e and its siblings. What was played
// below the edge's destination by other ways counts from depth 1 on. With e going to x, and f from x on:
//
//   avg_0(e) = avg(e)    avg_d(e) = (avg'(e) n'(e) + sum of avg_d-1(f) n(f)) / (n'(e) + sum of n(f))
//   n_0(e) = n(e)        n_d(e) = n'(e) + sum of n_d-1(f)
//
// avg' and n' are of the playouts that began right behind e. UCT1 of Childs et al. 2008 is (0, 0, 0), and UCT2 is
// (1, 0, 0), but for playouts that began at x by another edge. In SameGame a move earns points, so avg_d(e) counts from
// the origin of e: the points of e are added to the average behind it.
//
// Depth 1 reads the sums that a node keeps. Each further level costs as many times the work as a position has moves.
#pragma once

#include "host/tree/graph/graph_store.hpp"

namespace chainshot::host {

// Only of an edge that a playout has taken. Counted from the edge's origin.
double adapted_mean(const GraphStore& graph, const Edge& edge, int depth);
double adapted_visits(const GraphStore& graph, const Edge& edge, int depth);
// p_d of the edges of a node.
double adapted_parent_visits(const GraphStore& graph, const GraphNode& node, int depth);

}  // namespace chainshot::host
