#include "host/tree/tree.hpp"

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
namespace {

const SelectionRule& rule_or_throw(const std::string& name) {
  const SelectionRule* rule = selection_rule_named(name);
  if (rule == nullptr) {
    throw std::invalid_argument("there is no selection rule '" + name + "'; expected one of " + selection_rule_names());
  }
  return *rule;
}

}  // namespace

TreeCounts& TreeCounts::operator+=(const TreeCounts& other) {
  nodes += other.nodes;
  nodes_visited += other.nodes_visited;
  expanded += other.expanded;
  ends += other.ends;
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
      rule_(&rule_or_throw(settings.selection.rule)),
      root_position_(root),
      root_points_(points),
      codec_(root),
      arena_(pool),
      known_best_(std::numeric_limits<int>::min() / 2),
      seed_(game::mix64(seed)) {
  root_ = make_node(0, 0);
  if (root_ == 0) throw std::bad_alloc();
  Tree::root().upper = root.upper_bound(scoring);
  if (!root.has_moves()) {
    Tree::root().best = Tree::root().upper = root.final_points(scoring);
    Tree::root().has_end_below = true;
  }
}

Link Tree::make_node(Link parent, int slot) {
  const Link link = take(1);
  if (link == 0) return 0;
  Node& made = *new (arena_.at(link)) Node;
  made.parent = parent;
  if (parent != 0) {
    Node& above = node(parent);
    const Block moves = block(above);
    if (slot == above.opened) ++above.opened;
    made.slot = static_cast<std::uint16_t>(slot);
    made.gain = scoring_.group_points(moves.move()[slot].size);
    made.upper = moves.bound()[slot] - made.gain;
    moves.node()[slot] = link;
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
  std::swap(moves.node()[a], moves.node()[b]);
  std::swap(moves.move()[a], moves.move()[b]);
  for (const int slot : {a, b})
    if (moves.node()[slot] != 0) node(moves.node()[slot]).slot = static_cast<std::uint16_t>(slot);
}

game::Position Tree::position_of(const Node& of) const {
  if (of.parent == 0) return root_position_;
  const Block moves = block(node(of.parent));
  game::Position position = codec_.unpack(moves.board());
  position.apply(moves.move()[of.slot].cell);
  return position;
}

std::uint32_t Tree::draw(std::uint32_t n) {
  return game::scale_draw(static_cast<std::uint32_t>(game::mix64(seed_ + draws_++)), n);
}

void Tree::moves_of(const Walk& walk, std::vector<game::Cell>& moves) const {
  moves.clear();
  for (int i = 1; i < walk.length; ++i)
    moves.push_back(walk.steps[static_cast<std::size_t>(i)].move);
}

// The move of a group that any of its cells names, or -1.
int Tree::slot_of(const Node& parent, game::Cell cell) const {
  const Block moves = block(parent);
  const game::CellSet cells = codec_.unpack(moves.board()).component(cell);
  for (int i = 0; i < parent.moves; ++i) {
    const game::Cell name = moves.move()[i].cell;
    if ((cells[name.row] >> name.column & 1U) != 0) return i;
  }
  return -1;
}

void Tree::add_line(std::span<const game::Cell> line) {
  Walk walk;
  walk.length = 0;
  enter(walk, {root_, root_points_, {}});
  walk.position = root_position_;
  walk.points = root_points_;
  bool in_tree = true;
  for (const game::Cell cell : line) {
    Node& here = node(walk.steps[static_cast<std::size_t>(walk.length - 1)].node);
    in_tree = in_tree && (here.block != 0 || expand(here, walk.position));
    int slot = in_tree ? slot_of(here, cell) : -1;
    in_tree = slot >= 0;
    if (in_tree) {
      if (slot > here.opened) {
        swap_moves(here, slot, here.opened);
        slot = here.opened;
      }
      Link next = block(here).node()[slot];
      if (next == 0) next = make_node(walk.steps[static_cast<std::size_t>(walk.length - 1)].node, slot);
      in_tree = next != 0;
      if (in_tree) enter(walk, {next, walk.points + node(next).gain, cell});
    }
    walk.points += scoring_.group_points(walk.position.apply(cell));
  }
  const Walk::Step& last = walk.steps[static_cast<std::size_t>(walk.length - 1)];
  const int end = walk.points + walk.position.final_points(scoring_) - last.points;
  const std::int64_t end64 = end;
  const bool is_over = in_tree && !walk.position.has_moves();
  if (is_over) {
    for (int i = 0; i < walk.length; ++i)
      node(walk.steps[static_cast<std::size_t>(i)].node).has_end_below = true;
  }
  back_up(walk, {1, end64, static_cast<std::uint64_t>(end64 * end64), end});
  if (is_over) lower_upper(node(last.node), end);
}

double Tree::average() const {
  return root().visits == 0 ? 0 : root_points_ + static_cast<double>(root().sum) / root().visits;
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
    RootMove move{.cell = moves.move()[i].cell, .best = best(), .upper = root_points_ + moves.bound()[i]};
    move.best = std::numeric_limits<int>::min() / 4;
    if (const Link link = moves.node()[i]; link != 0 && node(link).visits > 0) {
      const MoveStatistics statistics = statistics_of(node(link));
      move.visits = node(link).visits;
      move.average = root_points_ + statistics.mean;
      move.best = root_points_ + node(link).gain + node(link).best;
    }
    list.push_back(move);
  }
  return list;
}

std::optional<game::Cell> Tree::best_move(MoveChoice choice) const {
  std::optional<game::Cell> best;
  double top = 0;
  if (root().block == 0) return best;
  const Block moves = block(root());
  for (int i = 0; i < root().moves; ++i) {
    const Link link = moves.node()[i];
    if (link == 0 || node(link).visits == 0) continue;
    const MoveStatistics statistics = statistics_of(node(link));
    const double worth = choice == MoveChoice::kAverage    ? statistics.mean
                         : choice == MoveChoice::kVisits   ? node(link).visits
                         : choice == MoveChoice::kTopScore ? statistics.best
                                                           : node(link).best;
    if (best && worth <= top) continue;
    best = moves.move()[i].cell;
    top = worth;
  }
  return best;
}

void Tree::advance_root(game::Cell cell) {
  assert(in_flight() == 0);
  Link kept = 0;
  if (root().block != 0 || expand(root(), root_position_)) {
    const int slot = slot_of(root(), cell);
    assert(slot >= 0);
    Link& link = block(root()).node()[slot];
    if (link == 0) make_node(root_, slot);
    kept = std::exchange(link, 0);
  }
  free_below(root());
  root_points_ += scoring_.group_points(root_position_.apply(cell));
  if (kept != 0) {
    arena_.give(root_, 1);
    --counts_.nodes;
    root_ = kept;
    root().parent = 0;
    root().slot = 0;
    return;
  }
  root() = Node{};
  root().upper = root_position_.upper_bound(scoring_);
}

const TreeCounts& Tree::counts() const {
  counts_.resource_units = eighths_ / 8;
  counts_.bytes = arena_.bytes();
  return counts_;
}

}  // namespace chainshot::host
