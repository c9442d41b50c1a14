#include "host/tree/graph/graph.hpp"

#include <algorithm>
#include <cassert>
#include <stdexcept>
#include <utility>

#include "host/tree/core/pruned_moves.hpp"

namespace chainshot::host {

Graph::Graph(NodePool& pool, const game::Position& root, int points, const TreeSettings& settings,
             const game::Scoring& scoring, std::uint64_t seed)
    : settings_(settings),
      scoring_(scoring),
      rule_(selection_rule(settings.selection.rule)),
      store_(pool, root, settings.merges_symmetric),
      root_position_(root),
      root_points_(points),
      random_(seed) {
  root_ = store_.make_node(root, 0, false);
  if (root_ == 0)
    throw std::runtime_error("the memory of the search is too small for its trees; expected a larger --memory");
  nodes_ = nodes_made_ = 1;
  init_root();
}

void Graph::init_root() {
  GraphNode& fresh = store_.node(root_);
  fresh.upper = root_position_.upper_bound(scoring_);
  if (root_position_.has_moves()) return;
  make_end(fresh, root_position_);
  told_best_ = root_points_ + fresh.held;
}

// The node hears of what is known behind one of its edges.
void Graph::learn(GraphNode& here, Edge& edge) {
  const GraphNode& to = store_.node(edge.to);
  const GraphMoves moves = store_.moves_of(here);
  here.held = std::max(here.held, edge.gain + to.held);
  if (edge.gain + to.upper < moves.bounds()[edge.index]) {
    const int before = std::exchange(moves.bounds()[edge.index], edge.gain + to.upper);
    if (before >= here.upper)
      here.upper = std::min(here.upper, *std::max_element(moves.bounds(), moves.bounds() + moves.bound_count()));
  }
  if (to.is_done && !edge.is_settled) {
    edge.is_settled = true;
    ++here.settled;
  }
  here.is_done |= here.upper <= here.held || here.settled == here.move_count;
}

// Tells the nodes and edges of the walk's way; `sums` count from its last node.
void Graph::back_up(const Walk& walk, PlayoutSums sums, bool was_in_flight) {
  const std::uint32_t flying = was_in_flight ? 1 : 0;
  const int last = walk.length() - 1;
  for (int i = last; i >= 0; --i) {
    const Walk::Step& step = walk.steps[static_cast<std::size_t>(i)];
    GraphNode& here = store_.node(node_of(step, i == 0));
    here.virtual_visits -= flying;
    here.touched = static_cast<std::uint32_t>(walks_);
    (i == last ? here.own_visits : here.passed) += sums.count;
    (i == last ? here.own_sum : here.passed_sum) += sums.sum;
    if (i < last) learn(here, store_.edge(walk.steps[static_cast<std::size_t>(i) + 1].node));
    if (i == 0) break;
    Edge& edge = store_.edge(step.node);
    if (i == last) {
      edge.own_visits += sums.count;
      edge.own_sum += sums.sum;
    }
    sums.shift(edge.gain);
    edge.visits += sums.count;
    edge.sum += sums.sum;
    edge.squares += sums.squares;
    edge.best = std::max(edge.best, sums.best);
    edge.virtual_visits -= flying;
  }
  ++walks_;
  const int depth = moves_made_ + last;
  steps_ += static_cast<std::uint64_t>(depth);
  deepest_ = std::max(deepest_, depth);
}

void Graph::complete(std::span<const Walk* const> walks, std::span<const game::Result> results) {
  for (std::size_t i = 0; i < walks.size(); ++i) {
    const Walk& walk = *walks[i];
    const game::Result& result = results[i];
    PlayoutSums sums{.count = result.count,
                     .sum = result.sum,
                     .squares = static_cast<double>(result.sum_of_squares),
                     .best = result.best};
    sums.shift(-walk.points);
    told_best_ = std::max(told_best_, result.best);
    resource_eighths_ += 8 * (result.moves + result.count) + static_cast<std::uint64_t>(walk.length() - 1);
    back_up(walk, sums, true);
  }
}

void Graph::abandon(const Walk& walk) {
  for (std::size_t i = 0; i < walk.steps.size(); ++i) {
    --store_.node(node_of(walk.steps[i], i == 0)).virtual_visits;
    if (i > 0) --store_.edge(walk.steps[i].node).virtual_visits;
  }
}

void Graph::moves_of(const Walk& walk, std::vector<game::Cell>& moves) const {
  moves.clear();
  for (std::size_t i = 1; i < walk.steps.size(); ++i)
    moves.push_back(walk.steps[i].move);
  moves.insert(moves.end(), walk.rest.begin(), walk.rest.end());
}

void Graph::raise_known_best(int score) {
  known_best_ = std::max(known_best_, score);
}

int Graph::index_of_move(Link at, game::Cell cell) const {
  const GraphNode& here = store_.node(at);
  const GraphMoves moves = store_.moves_of(here);
  game::Position position;
  store_.unpack(at, position);
  const game::CellSet cells = position.component(cell);
  for (int i = 0; i < here.move_count; ++i) {
    const game::Cell name = moves.move(i).cell;
    if ((cells[name.row] >> name.column & 1U) != 0) return i;
  }
  return -1;
}

// Takes the walk over the move, which may need a node or an edge. Returns false if the line leaves the graph here.
bool Graph::follow_line(Walk& walk, std::vector<Link>& path, game::Cell cell) {
  const Link at = path.back();
  if (store_.node(at).moves == 0 && (store_.node(at).is_end || !expand(at))) return false;
  int index = index_of_move(at, cell);
  if (index < 0) return false;
  const GraphNode& here = store_.node(at);
  if (index > here.opened) {
    const GraphMoves moves = store_.moves_of(here);
    std::swap(moves.move(index), moves.move(here.opened));
    std::swap(moves.bounds()[index], moves.bounds()[here.opened]);
    index = here.opened;
  }
  return reach(walk, path, index);
}

void Graph::add_line(std::span<const game::Cell> line) {
  Walk walk;
  walk.steps.push_back({root_, root_points_, {}});
  path_.assign(1, root_);
  game::Position position = root_position_;
  int points = root_points_;
  bool in_graph = true;
  for (const game::Cell cell : line) {
    in_graph = in_graph && follow_line(walk, path_, cell);
    points += scoring_.group_points(position.apply(cell));
  }
  points += position.final_points(scoring_);
  told_best_ = std::max(told_best_, points);
  back_up(walk, PlayoutSums::of_game(points - walk.steps.back().points), false);
  path_.clear();
}

double Graph::average() const {
  const GraphNode& node = root();
  if (node.visits() == 0) return 0;
  return root_points_ + static_cast<double>(node.own_sum + node.passed_sum) / static_cast<double>(node.visits());
}

MoveStatistics Graph::root_statistics() const {
  const GraphNode& node = root();
  if (node.visits() == 0) return {.visits = static_cast<double>(node.virtual_visits)};
  const double mean = average(), visits = static_cast<double>(node.visits());
  double squares = 0, passed = 0;
  const GraphMoves moves = store_.moves_of(node);
  for (int i = 0; i < node.opened; ++i) {
    const Edge& edge = store_.edge(moves.edge(i));
    squares += edge.squares;
    passed += static_cast<double>(edge.visits);
  }
  const double local = mean - root_points_;
  return {.mean = mean,
          .local_mean = local,
          .best = static_cast<double>(told_best_),
          .variance = passed == 0 ? 0 : std::max(0.0, squares / passed - local * local),
          .visits = visits + node.virtual_visits};
}

std::vector<RootMove> Graph::root_moves() const {
  const GraphNode& here = root();
  std::vector<RootMove> list;
  if (here.moves == 0) return list;
  const GraphMoves moves = store_.moves_of(here);
  for (int i = 0; i < here.move_count; ++i) {
    RootMove move{.cell = moves.move(i).cell, .best = GraphNode::kNothing};
    if (i < here.opened && store_.edge(moves.edge(i)).visits > 0) {
      const Edge& edge = store_.edge(moves.edge(i));
      move.visits = edge.visits;
      move.average = root_points_ + static_cast<double>(edge.sum) / static_cast<double>(edge.visits);
      move.best = root_points_ + edge.best;
    }
    list.push_back(move);
  }
  return list;
}

void Graph::advance_root(game::Cell cell) {
  assert(in_flight() == 0);
  Link kept = 0;
  int best = kNoneKnown;
  if (root().moves != 0) {
    const int index = index_of_move(root_, cell);
    if (index >= 0 && index < root().opened) {
      const Edge& edge = store_.edge(store_.moves_of(root()).edge(index));
      kept = edge.to;
      // The root may once have been reached by a way with fewer points: then nobody was told this score.
      if (edge.visits > 0 && root_points_ + edge.best <= told_best_) best = root_points_ + edge.best;
    }
  }
  root_points_ += scoring_.group_points(root_position_.apply(cell));
  ++moves_made_;
  told_best_ = best;
  known_best_ = kNoneKnown;  // its line may begin with another move
  if (kept != 0) {
    root_ = kept;
  } else {
    store_.renew(root_, root_position_);
    ++nodes_made_;
    init_root();
  }
  keep_what_root_reaches(std::numeric_limits<std::uint32_t>::max());
}

TreeCounts Graph::counts() const {
  return {.nodes = nodes_,
          .nodes_visited = nodes_made_,
          .expanded = expanded_,
          .walks = walks_,
          .steps = steps_,
          .resource_units = resource_eighths_ / 8,
          .bytes = store_.bytes(),
          .deepest = deepest_};
}

}  // namespace chainshot::host
