#include "host/tree/graph/adapted_statistics.hpp"

namespace chainshot::host {
namespace {

// The sum over the edges f of a node of avg_d(f) n(f). Edges that were forgotten count as they were.
double adapted_sum(const GraphStore& graph, const GraphNode& node, int depth) {
  if (depth == 0 || node.moves == 0) return static_cast<double>(node.passed_sum);
  const GraphMoves moves = graph.moves_of(node);
  double sum = 0;
  std::int64_t forgotten = node.passed_sum;
  for (int i = 0; i < node.opened; ++i) {
    const Edge& edge = graph.edge(moves.edge(i));
    if (edge.visits == 0) continue;
    sum += adapted_mean(graph, edge, depth) * static_cast<double>(edge.visits);
    forgotten -= edge.sum;
  }
  return sum + static_cast<double>(forgotten);
}

}  // namespace

double adapted_mean(const GraphStore& graph, const Edge& edge, int depth) {
  if (depth == 0) return static_cast<double>(edge.sum) / static_cast<double>(edge.visits);
  const GraphNode& to = graph.node(edge.to);
  const double sum = static_cast<double>(edge.own_sum) + adapted_sum(graph, to, depth - 1);
  return edge.gain + sum / static_cast<double>(edge.own_visits + to.passed);
}

double adapted_visits(const GraphStore& graph, const Edge& edge, int depth) {
  if (depth == 0) return static_cast<double>(edge.visits);
  return static_cast<double>(edge.own_visits) + adapted_parent_visits(graph, graph.node(edge.to), depth - 1);
}

double adapted_parent_visits(const GraphStore& graph, const GraphNode& node, int depth) {
  if (depth == 0 || node.moves == 0) return static_cast<double>(node.passed);
  const GraphMoves moves = graph.moves_of(node);
  double visits = 0;
  std::uint64_t forgotten = node.passed;
  for (int i = 0; i < node.opened; ++i) {
    const Edge& edge = graph.edge(moves.edge(i));
    visits += adapted_visits(graph, edge, depth);
    forgotten -= edge.visits;
  }
  return visits + static_cast<double>(forgotten);
}

}  // namespace chainshot::host
