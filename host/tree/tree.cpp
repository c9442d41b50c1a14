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

// Bounds of the positions after each move, from the colour counts alone: Position::upper_bound without the positions.
class MoveBounds {
 public:
  MoveBounds(const game::Position& position, const game::Scoring& scoring)
      : scoring_(scoring), counts_(position.color_counts()) {
    for (const int n : counts_) {
      sum_ += n >= 2 ? scoring.group_points(n) : 0;
      singles_ += n == 1;
    }
  }
  int after(const game::Group& group) const {
    const int before = counts_[group.color], left = before - group.size;
    const int sum = sum_ - scoring_.group_points(before) + (left >= 2 ? scoring_.group_points(left) : 0);
    return sum + (singles_ + (left == 1) == 0 ? scoring_.clear_bonus : 0);
  }

 private:
  const game::Scoring& scoring_;
  std::array<int, game::kMaxColors> counts_;
  int sum_ = 0;
  int singles_ = 0;
};

// 1 / sqrt(n) and sqrt(ln n): most nodes have few visits, and these are read at every step of every walk.
struct VisitTables {
  static constexpr std::uint32_t kSize = 1024;
  std::array<float, kSize> width;
  std::array<float, kSize> root_log;

  VisitTables() {
    for (std::uint32_t n = 0; n < kSize; ++n) {
      width[n] = 1.0F / std::sqrt(static_cast<float>(std::max(n, 1U)));
      root_log[n] = static_cast<float>(std::sqrt(std::log(std::max(n, 1U))));
    }
  }
};
const VisitTables kVisitTables;

float width_of(std::uint32_t visits) {
  return visits < VisitTables::kSize ? kVisitTables.width[visits] : 1.0F / std::sqrt(static_cast<float>(visits));
}

float root_log_of(std::uint32_t visits) {
  return visits < VisitTables::kSize ? kVisitTables.root_log[visits] : std::sqrt(std::log(static_cast<float>(visits)));
}

// Four floats of one register on every processor; comparisons give masks.
using Floats = float __attribute__((vector_size(16)));
using Masks = std::int32_t __attribute__((vector_size(16)));
using Words = std::int64_t __attribute__((vector_size(16)));

// The scores of half an octet. It is inlined into both loops below, which must agree to the bit.
inline __attribute__((always_inline)) Floats scores(const Octet& octet, std::size_t half, float exploration) {
  Floats value, width;
  std::memcpy(&value, &octet.value[4 * half], sizeof value);
  std::memcpy(&width, &octet.width[4 * half], sizeof width);
  return value + exploration * width;
}

// The slot of the highest score, the first of equals, or -1 if all are kNever: first the score, then who has it. To
// carry the slots along would take three times as many instructions.
int highest(const Octet* octets, int count, float exploration) {
  Floats low = {kNever, kNever, kNever, kNever}, high = low;
  for (int o = 0; o < count; ++o) {
    const Floats first = scores(octets[o], 0, exploration), second = scores(octets[o], 1, exploration);
    low = first > low ? first : low;
    high = second > high ? second : high;
  }
  high = low > high ? low : high;
  const float top = std::max(std::max(high[0], high[1]), std::max(high[2], high[3]));
  if (top == kNever) return -1;
  for (int o = 0;; ++o) {
    const Masks first = scores(octets[o], 0, exploration) == top, second = scores(octets[o], 1, exploration) == top;
    const Words any = reinterpret_cast<Words>(first | second);
    if ((any[0] | any[1]) == 0) continue;
    for (int i = 0;; ++i)
      if ((i < 4 ? first[i] : second[i - 4]) != 0) return 8 * o + i;
  }
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

Descent Tree::descend(Walk& walk) {
  begin(walk);
  for (;;)
    if (const std::optional<Descent> end = step(walk)) return *end;
}

void Tree::descend(std::span<Walk> walks, std::span<Descent> descents) {
  constexpr std::size_t kAtOnce = 16;
  for (std::size_t first = 0; first < walks.size(); first += kAtOnce) {
    std::array<std::size_t, kAtOnce> active;
    std::size_t count = std::min(kAtOnce, walks.size() - first);
    for (std::size_t i = 0; i < count; ++i) {
      active[i] = first + i;
      begin(walks[first + i]);
    }
    while (count > 0) {
      for (std::size_t i = 0; i < count; ++i)
        prefetch_moves(walks[active[i]].next.node);
      std::size_t left = 0;
      for (std::size_t i = 0; i < count; ++i) {
        Walk& walk = walks[active[i]];
        if (const std::optional<Descent> end = step(walk)) {
          descents[active[i]] = *end;
        } else {
          __builtin_prefetch(arena_.at(walk.next.node));
          active[left++] = active[i];
        }
      }
      count = left;
    }
  }
}

void Tree::prefetch_moves(Link link) const {
  const Node& here = node(link);
  if (here.block == 0) return;
  const Block moves = block(here);
  for (int o = 0; o < moves.octets(); ++o)
    __builtin_prefetch(&moves.octet()[o]);
  __builtin_prefetch(moves.node());
}

void Tree::begin(Walk& walk) const {
  walk.length = 0;
  walk.next = {root_, root_points_, {}};
}

std::optional<Descent> Tree::step(Walk& walk) {
  if (walk.length == 0 && is_proven()) return Descent::kProven;
  const Walk::Step at = walk.next;
  Node& here = node(at.node);
  if (here.block == 0 && (here.visits + here.virtual_visits == 0 || !expand(here, position_of(here)))) {
    walk.position = position_of(here);
    walk.points = at.points;
    enter(walk, at);
    return Descent::kLeaf;
  }
  const int slot = here.is_closed() ? -1 : choose(here, at.points);
  if (slot < 0) return step_back(walk);
  enter(walk, at);
  const Block moves = block(here);
  const Link next = moves.node()[slot];
  if (next == 0) return open(walk, at.node, slot, at.points);
  walk.next = {next, at.points + scoring_.group_points(moves.move()[slot].size), moves.move()[slot].cell};
  return std::nullopt;
}

// The node is closed, or all below it is in flight: its parent chooses again. The next result from below, if there is
// to be one, writes its terms anew.
std::optional<Descent> Tree::step_back(Walk& walk) {
  if (walk.length == 0) return is_proven() ? Descent::kProven : Descent::kBlocked;
  const Node& here = node(walk.next.node);
  block(node(here.parent)).value(here.slot) = kNever;
  walk.next = walk.steps[static_cast<std::size_t>(walk.length - 1)];
  leave(walk);
  return std::nullopt;
}

// The first visit of a position: its walk ends here.
Descent Tree::open(Walk& walk, Link parent, int slot, int points) {
  const Block moves = block(node(parent));
  const Move& move = moves.move()[slot];
  walk.position = codec_.unpack(moves.board());
  const Link link = make_node(parent, slot);
  if (link == 0) {
    // No room: the parent is played again.
    walk.points = points;
    return Descent::kLeaf;
  }
  walk.position.apply(move.cell);
  walk.points = points + node(link).gain;
  enter(walk, {link, walk.points, move.cell});
  if (walk.position.has_moves()) return Descent::kLeaf;

  const int end = walk.position.final_points(scoring_);
  walk.points += end;
  ++counts_.ends;
  eighths_ += 8 + static_cast<std::uint64_t>(walk.length - 1);
  for (int i = 0; i < walk.length; ++i)
    node(walk.steps[static_cast<std::size_t>(i)].node).has_end_below = true;
  const std::int64_t end64 = end;
  back_up(walk, {1, end64, static_cast<std::uint64_t>(end64 * end64), end});
  lower_upper(node(link), end);
  return Descent::kFinished;
}

void Tree::enter(Walk& walk, const Walk::Step& step) {
  Node& entered = node(step.node);
  ++entered.virtual_visits;
  write_width(entered);
  walk.steps[static_cast<std::size_t>(walk.length++)] = step;
}

void Tree::leave(Walk& walk) {
  Node& left = node(walk.steps[static_cast<std::size_t>(--walk.length)].node);
  --left.virtual_visits;
  write_width(left);
}

bool Tree::expand(Node& leaf, const game::Position& position) {
  game::GroupRoom groups;
  const int count = position.groups(groups);
  const std::size_t units = Block::units(count, codec_.bytes());
  const Link link = units <= NodeArena::kLargestUnits ? arena_.take(units) : 0;
  if (link == 0) return false;
  for (int i = count - 1; i > 0; --i)
    std::swap(groups[static_cast<std::size_t>(i)], groups[draw(static_cast<std::uint32_t>(i + 1))]);

  leaf.block = link;
  leaf.moves = static_cast<std::uint16_t>(count);
  leaf.opened = 0;
  const Block moves = block(leaf);
  for (int o = 0; o < moves.octets(); ++o) {
    Octet& octet = *new (&moves.octet()[o]) Octet;
    octet.value.fill(kNever);
    octet.width.fill(0);
  }
  const MoveBounds bounds(position, scoring_);
  int upper = std::numeric_limits<int>::min() / 4;
  for (int i = 0; i < moves.octets() * 8; ++i) {
    const game::Group& group = groups[static_cast<std::size_t>(i)];
    const bool is_move = i < count;
    moves.bound()[i] = is_move ? scoring_.group_points(group.size) + bounds.after(group) : upper;
    moves.node()[i] = 0;
    moves.move()[i] = is_move ? Move{group.cell, group.size, group.color} : Move{};
    if (is_move) upper = std::max(upper, moves.bound()[i]);
  }
  codec_.pack(position, moves.board());
  leaf.taboo = static_cast<std::uint8_t>(settings_.policy.tabu_color >= 0 ? settings_.policy.tabu_color
                                                                          : position.most_frequent_color());
  ++counts_.expanded;
  if (upper < leaf.upper) lower_upper(leaf, upper);
  return true;
}

int Tree::choose(Node& parent, int points) {
  const Block moves = block(parent);
  if (parent.visits + parent.virtual_visits < settings_.selection.t) return choose_by_policy(parent);
  // Unvisited moves first (Klein 2015, 5.1), in the random order they were put into.
  for (; parent.opened < parent.moves; ++parent.opened)
    if (!is_hopeless(moves.bound()[parent.opened], points)) return parent.opened;
  for (;;) {
    const int slot = choose_by_score(parent, moves);
    if (slot < 0 || !is_hopeless(moves.bound()[slot], points)) return slot;
    moves.value(slot) = kNever;
  }
}

// Below T visits the playout policy chooses (Schadd 2012, 4.2). Of a policy only the taboo colour is heeded.
int Tree::choose_by_policy(Node& parent) {
  const Block moves = block(parent);
  const auto is_open = [&](int i) { return i >= parent.opened || moves.value(i) > kNever; };
  const bool has_taboo = settings_.policy.has_taboo();
  const auto is_taboo = [&](int i) { return has_taboo && moves.move()[i].color == parent.taboo; };
  int all = 0, free = 0;
  for (int i = 0; i < parent.moves; ++i) {
    all += is_open(i);
    free += is_open(i) && !is_taboo(i);
  }
  if (all == 0) return -1;
  int left = static_cast<int>(draw(static_cast<std::uint32_t>(free > 0 ? free : all)));
  for (int i = 0;; ++i) {
    if (!is_open(i) || (free > 0 && is_taboo(i))) continue;
    if (left-- > 0) continue;
    if (i < parent.opened) return i;
    swap_moves(parent, i, parent.opened);
    return parent.opened;
  }
}

int Tree::choose_by_score(const Node& parent, const Block& moves) const {
  const std::uint32_t visits = parent.visits + parent.virtual_visits;
  const double range = range_of(parent);
  if (rule_->score == nullptr) {
    const float exploration = static_cast<float>(range * settings_.selection.c) * root_log_of(visits);
    return highest(moves.octet(), moves.octets(), exploration);
  }
  int slot = -1;
  double top = kNever;
  for (int i = 0; i < parent.moves; ++i) {
    if (moves.value(i) == kNever) continue;
    const double score =
        rule_->score(statistics_of(node(moves.node()[i])), settings_.selection, range, std::max(visits, 1U));
    if (score > top) {
      top = score;
      slot = i;
    }
  }
  return slot;
}

double Tree::range_of(const Node& parent) const {
  switch (settings_.selection.normalisation) {
    case Normalisation::kNone:
      return 1;
    case Normalisation::kStatic:
      return settings_.selection.range;
    case Normalisation::kLocal:
      return std::max(1, parent.best);
    case Normalisation::kGlobal:
      return std::max({1, best(), known_best_});
  }
  return 1;
}

MoveStatistics Tree::statistics_of(const Node& of) const {
  const double local_mean = static_cast<double>(of.sum) / of.visits;
  return {.mean = of.gain + local_mean,
          .local_mean = local_mean,
          .best = static_cast<double>(of.gain + of.best),
          .variance = std::max(0.0, static_cast<double>(of.squares) / of.visits - local_mean * local_mean),
          .visits = static_cast<double>(of.visits + of.virtual_visits)};
}

void Tree::write_width(const Node& of) const {
  if (of.parent != 0) block(node(of.parent)).width(of.slot) = width_of(of.visits + of.virtual_visits);
}

void Tree::write_terms(const Node& of) const {
  if (of.parent == 0) return;
  const Node& parent = node(of.parent);
  const Block moves = block(parent);
  moves.width(of.slot) = width_of(of.visits + of.virtual_visits);
  moves.value(of.slot) =
      of.is_closed() || of.visits == 0
          ? kNever
          : static_cast<float>(rule_->value(statistics_of(of), settings_.selection, range_of(parent)));
}

// What is counted from one position, counted from one that has earned `points` less.
void Tree::Added::shift(int points) {
  const std::int64_t p = points, n = static_cast<std::int64_t>(count);
  squares += static_cast<std::uint64_t>(2 * p * sum + n * p * p);
  sum += n * p;
  best += points;
}

void Tree::complete(const Walk& walk, const game::Result& result) {
  Added added{result.count, result.sum, result.sum_of_squares, result.best};
  added.shift(-walk.points);
  eighths_ += 8 * (result.moves + result.count) + static_cast<std::uint64_t>(walk.length - 1);
  back_up(walk, added);
}

void Tree::back_up(const Walk& walk, Added added) {
  for (int i = walk.length - 1; i >= 0; --i) {
    const Walk::Step& step = walk.steps[static_cast<std::size_t>(i)];
    Node& visited = node(step.node);
    --visited.virtual_visits;
    visited.visits += static_cast<std::uint32_t>(added.count);
    visited.sum += added.sum;
    visited.squares += added.squares;
    visited.best = std::max(visited.best, added.best);
    visited.touched = static_cast<std::uint32_t>(counts_.walks);
    write_terms(visited);
    if (i > 0) added.shift(step.points - walk.steps[static_cast<std::size_t>(i - 1)].points);
  }
  ++counts_.walks;
  counts_.steps += static_cast<std::uint64_t>(walk.length - 1);
  counts_.deepest = std::max(counts_.deepest, walk.length - 1);
}

void Tree::abandon(const Walk& walk) {
  for (int i = walk.length - 1; i >= 0; --i) {
    const Link link = walk.steps[static_cast<std::size_t>(i)].node;
    Node& left = node(link);
    --left.virtual_visits;
    if (left.visits > 0 || left.parent == 0) {
      write_terms(left);
      continue;
    }
    Node& parent = node(left.parent);
    swap_moves(parent, left.slot, parent.opened - 1);
    --parent.opened;
    block(parent).node()[parent.opened] = 0;
    arena_.give(link, 1);
    --counts_.nodes;
  }
}

// The bounds of a node and of all above it whose bound came from there.
void Tree::lower_upper(Node& of, int upper) {
  for (Node* changed = &of;;) {
    changed->upper = upper;
    if (changed->visits > 0) write_terms(*changed);
    if (changed->parent == 0) return;
    Node& parent = node(changed->parent);
    const Block moves = block(parent);
    const int before = std::exchange(moves.bound()[changed->slot], changed->gain + upper);
    if (before < parent.upper) return;
    const int most = *std::max_element(moves.bound(), moves.bound() + parent.moves);
    if (most >= parent.upper) return;
    upper = most;
    changed = &parent;
  }
}

Link Tree::make_node(Link parent, int slot) {
  const Link link = arena_.take(1);
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

// Gives back all nodes below and the block: the node is a leaf again, with its statistics.
void Tree::free_below(Node& of) {
  if (of.block == 0) return;
  const Block moves = block(of);
  for (int i = 0; i < of.moves; ++i) {
    const Link link = moves.node()[i];
    if (link == 0) continue;
    free_below(node(link));
    arena_.give(link, 1);
    --counts_.nodes;
  }
  arena_.give(of.block, Block::units(of.moves, codec_.bytes()));
  of.block = 0;
  of.moves = of.opened = 0;
  --counts_.expanded;
}

const TreeCounts& Tree::counts() const {
  counts_.resource_units = eighths_ / 8;
  counts_.bytes = arena_.bytes();
  return counts_;
}

}  // namespace chainshot::host
