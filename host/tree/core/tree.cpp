#include "host/tree/core/tree.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "game/random.hpp"

namespace chainshot::host {

TreeCounts& TreeCounts::operator+=(const TreeCounts& other) {
  nodes += other.nodes;
  nodes_visited += other.nodes_visited;
  expanded += other.expanded;
  walks += other.walks;
  steps += other.steps;
  resource_units += other.resource_units;
  bytes += other.bytes;
  deepest = std::max(deepest, other.deepest);
  return *this;
}

TreeCounts TreeCounts::without_memory() const {
  TreeCounts counts = *this;
  counts.nodes = counts.expanded = counts.bytes = 0;
  return counts;
}

Tree::Tree(NodePool& pool, const game::Position& root, int points, const TreeSettings& settings,
           const game::Scoring& scoring, std::uint64_t seed)
    : settings_(settings),
      scoring_(scoring),
      rule_(&selection_rule(settings.selection.rule)),
      root_position_(root),
      root_points_(points),
      codec_(root),
      share_(pool),
      arena_(share_),
      left_out_(settings.vs_pruning ? 1 : 0),
      tracks_solved_(settings.vs_pruning || settings.duplicates != Duplicates::kIgnore),
      keeps_parents_(settings.duplicates == Duplicates::kIgnore || settings.duplicates == Duplicates::kNaive),
      seed_(game::mix64(seed)) {
  if (settings.duplicates != Duplicates::kIgnore) table_.emplace(share_);
  root_ = make_node(0, 0, 0);
  if (root_ == 0)
    throw std::runtime_error("the memory of the search is too small for its trees; expected a larger --memory");
  Tree::root().upper = root.upper_bound(scoring);
  if (!root.has_moves()) {
    Tree::root().best = Tree::root().upper = root.final_points(scoring);
    Tree::root().has_end_below = Tree::root().is_end = true;
  }
}

Link Tree::make_node(Link parent, int slot, std::uint32_t hash) {
  const bool is_listed = table_ && parent != 0;
  if (is_listed && !has_room_in_table(hash)) return 0;
  const Link link = take(1);
  if (link == 0) return 0;
  Node& made = *new (arena_.at(link)) Node;
  made.parent = parent;
  made.hash = hash;
  made.c = static_cast<float>(settings_.selection.c);
  if (is_listed) table_->insert(hash, link);
  if (parent != 0) {
    Node& above = node(parent);
    const Block moves = block(above);
    if (slot == above.opened) ++above.opened;
    made.slot = static_cast<std::uint16_t>(slot);
    made.gain = scoring_.group_points(moves.move(slot).size);
    made.upper = moves.bound()[slot] - made.gain;
    moves.node(slot) = link;
    moves.value(slot) = kNever;
  }
  ++counts_.nodes;
  ++counts_.nodes_visited;
  return link;
}

void Tree::swap_moves(Node& parent, int a, int b) {
  if (a == b) return;
  const Block moves = block(parent);
  std::swap(moves.value(a), moves.value(b));
  std::swap(moves.width(a), moves.width(b));
  std::swap(moves.bound()[a], moves.bound()[b]);
  std::swap(moves.node(a), moves.node(b));
  std::swap(moves.move(a), moves.move(b));
  for (const int slot : {a, b})
    if (moves.node(slot) != 0) node(moves.node(slot)).slot = static_cast<std::uint16_t>(slot);
}

game::Position Tree::position_of(const Node& of) const {
  if (of.parent == 0) return root_position_;
  if (of.block != 0) return codec_.unpack(block(of).board());
  const Block moves = block(node(of.parent));
  game::Position position = codec_.unpack(moves.board());
  position.apply(moves.move(of.slot).cell);
  return position;
}

void Tree::moves_of(const Walk& walk, std::vector<game::Cell>& moves) const {
  moves.clear();
  for (std::size_t i = 1; i < walk.steps.size(); ++i)
    moves.push_back(walk.steps[i].move);
  moves.insert(moves.end(), walk.rest.begin(), walk.rest.end());
}

// The move of a group that any of its cells names, or -1.
int Tree::slot_of(const Node& parent, game::Cell cell) const {
  const Block moves = block(parent);
  const game::CellSet cells = codec_.unpack(moves.board()).component(cell);
  for (int i = 0; i < parent.moves; ++i) {
    const game::Cell name = moves.move(i).cell;
    if ((cells[name.row] >> name.column & 1U) != 0) return i;
  }
  return -1;
}

// The node of a move of a line, or 0 if the line is to leave the tree: the move was cut, or another way to its position
// is no worse, or there is no room.
Link Tree::node_of_line(const Walk& walk, int slot) {
  const Link parent = walk.leaf();
  const Node& here = node(parent);
  if (const Link known = block(here).node(slot); known != 0) return known;
  if (slot < here.opened) return 0;
  if (!table_) return make_node(parent, slot, 0);
  const Move move = block(here).move(slot);
  game::Position position = walk.position;
  position.apply(move.cell);
  const std::uint32_t hash = hash_of(position);
  const Link twin = find_duplicate(position, hash);
  if (twin == 0) return make_node(parent, slot, hash);
  const int points = walk.points + scoring_.group_points(move.size);
  const int more = points - points_at(node(twin), walk.steps);
  if (settings_.duplicates == Duplicates::kNaive || more <= 0 || node(twin).is_solved) return 0;
  take_over(twin, parent, slot, points, more, best());
  return twin;
}

void Tree::add_line(std::span<const game::Cell> line) {
  Walk walk;
  enter(walk, {root_, root_points_, {}});
  walk.position = root_position_;
  walk.points = root_points_;
  bool in_tree = true;
  for (const game::Cell cell : line) {
    Node& here = node(walk.leaf());
    in_tree = in_tree && (here.block != 0 || expand(here, walk.position));
    int slot = in_tree ? slot_of(here, cell) : -1;
    in_tree = slot >= 0;
    if (in_tree) {
      if (slot > here.opened) {
        swap_moves(here, slot, here.opened);
        slot = here.opened;
      }
      const Link next = node_of_line(walk, slot);
      in_tree = next != 0;
      if (in_tree) enter(walk, {next, walk.points + node(next).gain, cell});
    }
    walk.points += scoring_.group_points(walk.position.apply(cell));
  }
  const Walk::Step& last = walk.steps.back();
  const int end = walk.points + walk.position.final_points(scoring_) - last.points;
  const bool is_over = in_tree && !walk.position.has_moves();
  if (is_over) {
    for (const Walk::Step& step : walk.steps)
      node(step.node).has_end_below = true;
    node(last.node).is_end = true;
  }
  back_up(walk, Added::of_game(end));
  if (is_over) lower_upper(node(last.node), end);
}

double Tree::average() const {
  return root().visits == 0 ? 0 : root_points_ + static_cast<double>(root().sum) / static_cast<double>(root().visits);
}

MoveStatistics Tree::root_statistics() const {
  if (visits() == 0) return {.visits = static_cast<double>(root().virtual_visits)};
  MoveStatistics statistics = statistics_of(root());
  statistics.mean = root_points_ + statistics.local_mean;
  statistics.best = best();
  return statistics;
}

std::vector<RootMove> Tree::root_moves() const {
  std::vector<RootMove> list;
  if (root().block == 0) return list;
  const Block moves = block(root());
  for (int i = 0; i < root().moves; ++i) {
    RootMove move{.cell = moves.move(i).cell, .best = Node::kNothing};
    if (const Link link = moves.node(i); link != 0 && node(link).visits > 0) {
      const MoveStatistics statistics = statistics_of(node(link));
      move.visits = node(link).visits;
      move.average = root_points_ + statistics.mean;
      move.best = root_points_ + node(link).gain + node(link).best;
    }
    list.push_back(move);
  }
  return list;
}

void Tree::advance_root(game::Cell cell) {
  assert(in_flight() == 0);
  Link kept = 0;
  if (root().block != 0 || expand(root(), root_position_)) {
    const int slot = slot_of(root(), cell);
    if (slot >= 0) kept = take_root_move(slot);
  }
  free_below(root());
  ++advanced_;
  known_best_ = kNoneKnown;  // it may be of a line that began with another move
  root_points_ += scoring_.group_points(root_position_.apply(cell));
  if (kept != 0) {
    release(root_);
    root_ = kept;
    root().parent = 0;
    root().slot = 0;
    // The ways that covered what was cut are gone, and so are the lines that other moves were hopeless beside.
    raise_paths(root(), std::numeric_limits<int>::max());
    return;
  }
  if (table_) table_->erase(root().hash, root_);
  root() = Node{};
  root().c = static_cast<float>(settings_.selection.c);
  root().upper = root_position_.upper_bound(scoring_);
  root().is_end = !root_position_.has_moves();
  if (root().is_end) root().best = root().upper = root_position_.final_points(scoring_);
}

// The node of a move of the root, which then has no link to it: its own, its twin elsewhere, or a new one. 0 if there
// is no room.
Link Tree::take_root_move(int slot) {
  Link link = block(root()).node(slot);
  if (link == 0 && table_) {
    game::Position position = root_position_;
    position.apply(block(root()).move(slot).cell);
    link = find_duplicate(position, hash_of(position));
    if (link != 0) {
      Node& twin = node(link);
      // What it has seen counts from another way; as a score of this one it would be one that nobody was told.
      const int gain = scoring_.group_points(block(root()).move(slot).size);
      if (root_points_ + gain + twin.best > best()) return 0;
      block(node(twin.parent)).node(twin.slot) = 0;
      return link;
    }
  }
  if (link == 0) {
    game::Position position = root_position_;
    position.apply(block(root()).move(slot).cell);
    link = make_node(root_, slot, table_ ? hash_of(position) : 0);
    if (link != 0) {
      node(link).upper = position.upper_bound(scoring_);  // the move may have been cut
      --counts_.nodes_visited;                            // nobody has
    }
  }
  if (link != 0) block(root()).node(slot) = 0;
  return link;
}

const TreeCounts& Tree::counts() const {
  counts_.resource_units = eighths_ / 8;
  counts_.bytes = arena_.bytes() + (table_ ? table_->bytes() : 0);
  return counts_;
}

}  // namespace chainshot::host
