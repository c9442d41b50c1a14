// Walks on their way down a graph.
#include <algorithm>
#include <cmath>
#include <utility>

#include "game/move_bounds.hpp"
#include "host/tree/core/pruned_moves.hpp"
#include "host/tree/graph/adapted_statistics.hpp"
#include "host/tree/graph/graph.hpp"

namespace chainshot::host {

void Graph::descend(std::span<Walk> walks, std::span<Descent> descents) {
  std::size_t i = 0;
  for (; i < walks.size(); ++i) {
    descents[i] = descend(walks[i], path_);
    if (descents[i] == Descent::kProven || descents[i] == Descent::kBlocked) break;
  }
  for (; i < walks.size(); ++i)
    descents[i] = is_proven() ? Descent::kProven : Descent::kBlocked;
  path_.clear();
}

Descent Graph::descend(Walk& walk, std::vector<Link>& path) {
  walk.rest.clear();
  walk.steps.assign(1, {root_, root_points_, {}});
  path.assign(1, root_);
  if (is_proven()) return Descent::kProven;
  ++descent_number_;
  for (;;) {
    const Link at = path.back();
    GraphNode& here = store_.node(at);
    if (!here.is_done && is_played_from(at)) return send_out(walk, at);
    const int index = here.is_done ? -1 : choose_edge(here);
    if (index < 0) {
      // All below is done or in flight.
      if (here.is_done && walk.steps.back().points + here.held > told_best_) return follow_held_line(walk, at);
      if (path.size() == 1) return is_proven() ? Descent::kProven : Descent::kBlocked;
      Edge& edge = store_.edge(walk.steps.back().node);
      edge.dead_end = descent_number_;
      walk.steps.pop_back();
      path.pop_back();
      learn(store_.node(path.back()), edge);
      continue;
    }
    if (!reach(walk, path, index)) return send_out(walk, at);  // there is no memory
    const GraphNode& next = store_.node(path.back());
    if (!next.is_done) continue;
    Edge& edge = store_.edge(walk.steps.back().node);
    if (edge.visits == 0 || walk.steps.back().points + next.held > told_best_)
      return follow_held_line(walk, path.back());
    walk.steps.pop_back();
    path.pop_back();
    learn(here, edge);
  }
}

// A position is played from at its first visit, and where there is no memory for its moves.
bool Graph::is_played_from(Link at) {
  const GraphNode& here = store_.node(at);
  if (here.moves != 0) return false;
  return (here.visits() == 0 && here.virtual_visits == 0) || !expand(at);
}

Descent Graph::send_out(Walk& walk, Link leaf) {
  store_.unpack(leaf, walk.position);
  walk.points = walk.steps.back().points;
  for (std::size_t i = 0; i < walk.steps.size(); ++i) {
    ++store_.node(node_of(walk.steps[i], i == 0)).virtual_visits;
    if (i > 0) ++store_.edge(walk.steps[i].node).virtual_visits;
  }
  return Descent::kLeaf;
}

// The walk has come to a done node: the best line that the graph holds ends the game, and counts as one.
Descent Graph::follow_held_line(Walk& walk, Link from) {
  const int before = walk.points = walk.steps.back().points;
  store_.unpack(from, walk.position);
  const GraphNode* at = &store_.node(from);
  while (!at->is_end) {
    const GraphMoves moves = store_.moves_of(*at);
    const Edge* best = nullptr;
    const auto worth = [&](const Edge& edge) { return edge.gain + store_.node(edge.to).held; };
    for (int i = 0; i < at->opened; ++i) {
      const Edge& edge = store_.edge(moves.edge(i));
      if (best == nullptr || worth(edge) > worth(*best)) best = &edge;
    }
    const game::Cell cell = moves.move(best->index).cell;
    walk.position.apply(cell);
    walk.points += best->gain;
    walk.rest.push_back(cell);
    at = &store_.node(best->to);
  }
  walk.points += walk.play_rest(scoring_);
  told_best_ = std::max(told_best_, walk.points);
  resource_eighths_ += 8 + static_cast<std::uint64_t>(walk.length() - 1);
  back_up(walk, PlayoutSums::of_game(walk.points - before), false);
  return Descent::kFinished;
}

// Unvisited moves come first; then done nodes of which the parent does not know; then the highest score. -1 if there is
// nothing to visit.
int Graph::choose_edge(const GraphNode& here) const {
  if (here.opened < here.move_count) return here.opened;
  const GraphMoves moves = store_.moves_of(here);
  const double range = range_of(here);
  const double parent_visits =
      std::max(1.0, adapted_parent_visits(store_, here, settings_.graph.parent) + here.virtual_visits);
  int index = -1;
  double top = kNever;
  for (int i = 0; i < here.opened; ++i) {
    const Edge& edge = store_.edge(moves.edge(i));
    if (edge.is_settled || edge.dead_end == descent_number_) continue;
    if (store_.node(edge.to).is_done || (edge.visits == 0 && edge.virtual_visits == 0)) return i;
    if (edge.visits == 0) continue;  // its first playout is in flight
    const double score = score_of(edge, parent_visits, range);
    if (score > top) {
      top = score;
      index = i;
    }
  }
  return index;
}

double Graph::score_of(const Edge& edge, double parent_visits, double range) const {
  const SelectionSettings& selection = settings_.selection;
  const double mean = adapted_mean(store_, edge, settings_.graph.score);
  const auto taken = static_cast<double>(edge.visits);
  const double plain = static_cast<double>(edge.sum) / taken;
  const MoveStatistics statistics{.mean = mean,
                                  .local_mean = mean - edge.gain,
                                  .best = static_cast<double>(edge.best),
                                  .variance = std::max(0.0, edge.squares / taken - plain * plain),
                                  .visits = adapted_visits(store_, edge, settings_.graph.visits) + edge.virtual_visits};
  if (rule_.score != nullptr) return rule_.score(statistics, selection, selection.c, range, parent_visits);
  return rule_.value(statistics, selection, range) +
         range * selection.c * std::sqrt(std::log(parent_visits) / std::max(1.0, statistics.visits));
}

double Graph::range_of(const GraphNode& here) const {
  switch (settings_.selection.normalisation) {
    case Normalisation::kNone:
      return 1;
    case Normalisation::kStatic:
      return settings_.selection.range;
    case Normalisation::kGlobal:
      return std::max({1, told_best_, known_best_});
    case Normalisation::kLocal:
      break;
  }
  const GraphMoves moves = store_.moves_of(here);
  int best = 1;
  for (int i = 0; i < here.opened; ++i)
    best = std::max(best, store_.edge(moves.edge(i)).best);
  return best;
}

// Takes the walk over a move of its last node, which gets an edge if it has none. Returns false if there is no memory.
bool Graph::reach(Walk& walk, std::vector<Link>& path, int index) {
  const Link at = path.back();
  if (index == store_.node(at).opened && !open_move(at, index)) return false;
  const GraphMoves moves = store_.moves_of(store_.node(at));
  const Link link = moves.edge(index);
  const Edge& edge = store_.edge(link);
  walk.steps.push_back({link, walk.steps.back().points + edge.gain, moves.move(index).cell});
  path.push_back(edge.to);
  return true;
}

// Gives the next unvisited move an edge, and a node to the position that it leads to unless that is known.
bool Graph::open_move(Link at, int index) {
  const Move move = store_.moves_of(store_.node(at)).move(index);
  game::Position position;
  store_.unpack(at, position);
  position.apply(move.cell);
  const std::uint32_t hash = store_.hash_of(position);
  for (bool has_recycled = false;; has_recycled = true) {
    const Link made_edge = store_.make_edge();
    Link to = made_edge == 0 ? 0 : store_.find(position, hash);
    const bool is_known = to != 0;
    if (made_edge != 0 && !is_known) to = store_.make_node(position, hash);
    if (to == 0) {
      if (made_edge != 0) store_.release_edge(made_edge);
      if (has_recycled || !recycle()) return false;
      continue;
    }
    GraphNode& here = store_.node(at);
    const GraphMoves moves = store_.moves_of(here);
    Edge& edge = store_.edge(made_edge);
    edge.to = to;
    edge.gain = scoring_.group_points(move.size);
    edge.index = static_cast<std::uint16_t>(index);
    moves.edge(index) = made_edge;
    ++here.opened;
    if (!is_known) {
      ++nodes_;
      ++nodes_made_;
      GraphNode& made = store_.node(to);
      made.upper = position.upper_bound(scoring_);
      made.touched = static_cast<std::uint32_t>(walks_);
      if (is_over(position, settings_.vs_pruning)) make_end(made, position);
    }
    return true;
  }
}

void Graph::make_end(GraphNode& node, const game::Position& position) {
  Walk rest;
  rest.position = position;
  node.held = node.upper = rest.play_rest(scoring_);
  node.is_end = node.is_done = true;
}

// Gives a leaf its moves, in random order; false if there is no memory, even after recycling.
bool Graph::expand(Link at) {
  game::Position position;
  store_.unpack(at, position);
  game::GroupRoom groups;
  const int all = position.groups(groups);
  const int count = settings_.vs_pruning ? put_pruned_last(position, groups, all) : all;
  GraphNode& leaf = store_.node(at);
  if (!store_.make_moves(leaf, count) && !(recycle() && store_.make_moves(leaf, count))) return false;
  ++expanded_;
  for (int i = count - 1; i > 0; --i)
    std::swap(groups[static_cast<std::size_t>(i)], groups[random_.below(static_cast<std::uint32_t>(i + 1))]);
  const game::MoveBounds bounds(position, scoring_);
  const GraphMoves moves = store_.moves_of(leaf);
  int left_out = GraphNode::kNothing, upper = GraphNode::kNothing;
  for (int i = 0; i < all; ++i) {
    const game::Group& group = groups[static_cast<std::size_t>(i)];
    const int bound = scoring_.group_points(group.size) + bounds.after(group.color, group.size);
    upper = std::max(upper, bound);
    if (i < count) {
      moves.move(i) = {group.cell, group.size, group.color};
      moves.bounds()[i] = bound;
    } else {
      left_out = std::max(left_out, bound);
    }
  }
  moves.bounds()[count] = left_out;
  leaf.upper = std::min(leaf.upper, upper);
  return true;
}

}  // namespace chainshot::host
