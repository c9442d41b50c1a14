#include "host/tree/core/tree.hpp"

#include <cassert>
#include <limits>

#include "host/tree/core/bounds.hpp"
#include "host/tree/core/duplicates.hpp"
#include "host/tree/core/expansion.hpp"
#include "host/tree/core/node_exploration.hpp"
#include "host/tree/core/statistics.hpp"

namespace chainshot::host {
namespace {

// The node of the next move of a line, or 0 if the line leaves the tree: the move was cut, or another path to its
// position is no worse, or there is no memory. `index` is at most `opened`.
Link node_of_line(TreeState& tree, const Walk& walk, int index) {
  const Link parent = walk.leaf();
  const Node& here = tree.nodes.node(parent);
  const MoveBlock moves = tree.nodes.moves_of(here);
  if (const Link known = moves.node(index); known != 0) return known;
  if (index < here.opened) return 0;
  game::Position position = walk.position;
  position.apply(moves.move(index).cell);
  const std::uint32_t hash = tree.nodes.hash_of(position);
  const Link twin = tree.nodes.find(position, hash);
  if (twin == 0) return add_node(tree, parent, index, hash);
  return take_over_if_better(tree, walk.steps, index, twin) ? twin : 0;
}

// Takes the walk over the move to a node of the tree, if it can. The walk's position is the caller's.
bool follow_line(TreeState& tree, Walk& walk, game::Cell cell) {
  Node& here = tree.nodes.node(walk.leaf());
  if (here.move_block == 0 && !expand(tree, here, walk.position)) return false;
  int index = tree.nodes.index_of_move(here, cell);
  if (index < 0) return false;
  if (index > here.opened) {
    tree.nodes.swap_moves(here, index, here.opened);
    index = here.opened;
  }
  const Link link = node_of_line(tree, walk, index);
  if (link == 0) return false;
  Node& next = tree.nodes.node(link);
  walk.steps.push_back({link, walk.points + next.gain, cell});
  add_virtual_visits(tree, next, 1);
  return true;
}

// The node of a move of the root, taken out of its parent's moves: the move's own node, that of another path to the
// position, or a new one. 0 if there is none to be had.
Link take_node_of_root_move(TreeState& tree, int index) {
  NodeStore& nodes = tree.nodes;
  const MoveBlock moves = nodes.moves_of(nodes.root());
  Link link = moves.node(index);
  if (link == 0) {
    game::Position position = nodes.root_position();
    position.apply(moves.move(index).cell);
    const std::uint32_t hash = nodes.hash_of(position);
    if (const Link twin = nodes.find(position, hash)) {
      // Its best line was told with the points of another path. As a line of this path it could be a score whose moves
      // nobody was told.
      const Node& node = nodes.node(twin);
      const int gain = tree.scoring.group_points(moves.move(index).size);
      if (tree.root_points + gain + node.best > tree.best()) return 0;
      nodes.moves_of(nodes.node(node.parent)).node(node.move_index) = 0;
      return twin;
    }
    link = add_node(tree, nodes.root_link(), index, hash);
    if (link == 0) return 0;
    nodes.node(link).upper = position.upper_bound(tree.scoring);  // the edge may have been cut
    nodes.uncount_made();
  }
  moves.node(index) = 0;
  return link;
}

}  // namespace

TreeCounts& TreeCounts::operator+=(const TreeCounts& other) {
  nodes += other.nodes;
  nodes_visited += other.nodes_visited;
  expanded += other.expanded;
  walks += other.walks;
  steps += other.steps;
  resource_units += other.resource_units;
  bytes += other.bytes;
  deepest = std::max(deepest, other.deepest);
  searches += other.searches;
  beam_depth = std::max(beam_depth, other.beam_depth);
  return *this;
}

TreeCounts TreeCounts::without_memory() const {
  TreeCounts counts = *this;
  counts.nodes = counts.expanded = counts.bytes = 0;
  return counts;
}

Tree::Tree(NodePool& pool, const game::Position& root, int points, const TreeSettings& settings,
           const game::Scoring& scoring, std::uint64_t seed)
    : state_(pool, root, points, settings, scoring, seed), back_up_(state_), walk_group_(state_, back_up_) {}

void Tree::descend(std::span<Walk> walks, std::span<Descent> descents) {
  walk_group_.descend(walks, descents);
}

void Tree::complete(std::span<const Walk* const> walks, std::span<const game::Result> results) {
  back_up_.complete(walks, results);
}

void Tree::complete(const Walk& walk, const game::Result& result, int upper) {
  complete(walk, result);
  Node& leaf = state_.nodes.node(walk.leaf());
  if (upper < leaf.upper) lower_upper_bound(state_, leaf, std::max(upper, static_cast<int>(leaf.best)));
}

void Tree::abandon(const Walk& walk) {
  back_up_.abandon(walk);
}

void Tree::moves_of(const Walk& walk, std::vector<game::Cell>& moves) const {
  moves.clear();
  for (std::size_t i = 1; i < walk.steps.size(); ++i)
    moves.push_back(walk.steps[i].move);
  moves.insert(moves.end(), walk.rest.begin(), walk.rest.end());
}

void Tree::add_line(std::span<const game::Cell> line) {
  Walk walk;
  walk.steps.push_back({state_.nodes.root_link(), state_.root_points, {}});
  add_virtual_visits(state_, state_.nodes.root(), 1);
  walk.position = state_.nodes.root_position();
  walk.points = state_.root_points;
  bool in_tree = true;
  for (const game::Cell cell : line) {
    in_tree = in_tree && follow_line(state_, walk, cell);
    walk.points += state_.scoring.group_points(walk.position.apply(cell));
  }
  Node& last = state_.nodes.node(walk.leaf());
  const int end = walk.points + walk.position.final_points(state_.scoring) - walk.steps.back().points;
  const bool ends_in_tree = in_tree && !walk.position.has_moves();
  if (ends_in_tree) {
    last.is_end = true;
    mark_end_below(state_, last);
  }
  back_up_.add_game(walk, end, nullptr);
  if (ends_in_tree) lower_upper_bound(state_, last, end);
}

double Tree::average() const {
  const Node& root = state_.nodes.root();
  return root.visits == 0 ? 0 : root_points() + static_cast<double>(root.sum) / static_cast<double>(root.visits);
}

MoveStatistics Tree::root_statistics() const {
  const Node& root = state_.nodes.root();
  if (root.visits == 0) return {.visits = static_cast<double>(root.virtual_visits)};
  MoveStatistics statistics = statistics_of(root);
  statistics.mean = root_points() + statistics.local_mean;
  statistics.best = best();
  return statistics;
}

std::vector<RootMove> Tree::root_moves() const {
  const Node& root = state_.nodes.root();
  std::vector<RootMove> list;
  if (root.move_block == 0) return list;
  const MoveBlock moves = state_.nodes.moves_of(root);
  for (int i = 0; i < root.move_count; ++i) {
    RootMove move{.cell = moves.move(i).cell, .best = Node::kNothing};
    if (const Link link = moves.node(i); link != 0 && state_.nodes.node(link).visits > 0) {
      const Node& node = state_.nodes.node(link);
      move.visits = node.visits;
      move.average = root_points() + statistics_of(node).mean;
      move.best = root_points() + node.gain + node.best;
    }
    list.push_back(move);
  }
  return list;
}

void Tree::advance_root(game::Cell cell) {
  assert(in_flight() == 0);
  NodeStore& nodes = state_.nodes;
  Link kept = 0;
  if (nodes.root().move_block != 0 || expand(state_, nodes.root(), nodes.root_position())) {
    const int index = nodes.index_of_move(nodes.root(), cell);
    if (index >= 0) kept = take_node_of_root_move(state_, index);
  }
  nodes.free_below(nodes.root());
  state_.root_points += state_.scoring.group_points(nodes.advance_root(cell, kept));
  state_.known_best = TreeState::kNoneKnown;  // its line may begin with another move
  ++state_.moves_made;
  // The paths that covered cut edges are gone, and so are the lines beside which other moves were hopeless.
  if (kept != 0) raise_points_before(state_, nodes.root(), std::numeric_limits<int>::max());
}

std::uint64_t Tree::walks_before_pruning() const {
  if (state_.beam.limit == 0) return std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t begun = state_.beam.walks + state_.nodes.root().virtual_visits;
  return state_.beam.limit - std::min(state_.beam.limit, begun);
}

void Tree::prune() {
  assert(in_flight() == 0);
  prune_to_beam(state_);
}

TreeCounts Tree::counts() const {
  const NodeStore::Counts& nodes = state_.nodes.counts();
  return {.nodes = nodes.nodes,
          .nodes_visited = nodes.made,
          .expanded = nodes.expanded,
          .walks = state_.counts.walks,
          .steps = state_.counts.steps,
          .resource_units = state_.counts.resource_eighths / 8,
          .bytes = state_.nodes.bytes(),
          .deepest = state_.counts.deepest,
          .beam_depth = state_.beam.depth};
}

}  // namespace chainshot::host
