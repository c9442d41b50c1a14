// The way down: selection, expansion, and the first visit of a position.
#include <algorithm>
#include <new>
#include <utility>

#include "game/playout.hpp"
#include "game/random.hpp"
#include "host/tree/move_bounds.hpp"
#include "host/tree/top_move.hpp"
#include "host/tree/tree.hpp"
#include "host/tree/visit_tables.hpp"

namespace chainshot::host {

Descent Tree::descend(Walk& walk) {
  for (begin(walk);; follow(walk))
    if (const std::optional<Descent> end = step(walk)) return *end;
}

void Tree::descend(std::span<Walk> walks, std::span<Descent> descents) {
  constexpr std::size_t kMostAtOnce = 16;
  // A walk on its way would lose it when another one takes a node over.
  const bool keeps_parents = settings_.duplicates == Duplicates::kIgnore || settings_.duplicates == Duplicates::kNaive;
  const std::size_t at_once = keeps_parents ? kMostAtOnce : 1;
  for (std::size_t first = 0; first < walks.size(); first += at_once) {
    std::array<std::size_t, kMostAtOnce> active;
    std::size_t count = std::min(at_once, walks.size() - first);
    for (std::size_t i = 0; i < count; ++i) {
      active[i] = first + i;
      begin(walks[first + i]);
    }
    while (count > 0) {
      for (std::size_t i = 0; i < count; ++i)
        prefetch_scores(walks[active[i]].next.node);
      std::size_t left = 0;
      for (std::size_t i = 0; i < count; ++i) {
        if (const std::optional<Descent> end = step(walks[active[i]]))
          descents[active[i]] = *end;
        else
          active[left++] = active[i];
      }
      count = left;
      for (std::size_t i = 0; i < count; ++i) {
        Walk& walk = walks[active[i]];
        follow(walk);
        __builtin_prefetch(arena_.at(walk.next.node));
      }
    }
  }
}

void Tree::prefetch_scores(Link link) const {
  const Node& here = node(link);
  if (here.block == 0) return;
  const Block moves = block(here);
  for (int o = 0; o < moves.octets(); ++o)
    __builtin_prefetch(&moves.octet()[o]);
}

void Tree::begin(Walk& walk) const {
  walk.length = 0;
  walk.next = {root_, root_points_, {}};
  walk.slot = -1;
}

std::optional<Descent> Tree::step(Walk& walk) {
  if (walk.length == 0 && is_proven()) return Descent::kProven;
  const Walk::Step at = walk.next;
  Node& here = node(at.node);
  walk.slot = -1;
  if (here.is_closed() || here.is_solved || is_hopeless(here.upper, at.points)) return step_back(walk);
  if (here.block == 0 && (here.visits + here.virtual_visits == 0 || !expand(here, position_of(here)))) {
    walk.position = position_of(here);
    walk.points = at.points;
    enter(walk, at);
    return Descent::kLeaf;
  }
  // To expand may have closed it.
  const int slot = here.is_closed() ? -1 : choose(here, at.points);
  if (slot < 0) return step_back(walk);
  enter(walk, at);
  if (slot == here.opened) return open(walk, at.node, slot, at.points);
  walk.slot = slot;
  __builtin_prefetch(&block(here).ways()[slot / 8]);
  return std::nullopt;
}

// The second half of a step that has chosen a move with a node.
void Tree::follow(Walk& walk) const {
  if (walk.slot < 0) return;
  const Walk::Step& at = walk.steps[static_cast<std::size_t>(walk.length - 1)];
  const Block moves = block(node(at.node));
  const Move move = moves.move(walk.slot);
  walk.next = {moves.node(walk.slot), at.points + scoring_.group_points(move.size), move.cell};
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

// The first visit of a position: its walk ends here, unless the position is known.
std::optional<Descent> Tree::open(Walk& walk, Link parent, int slot, int points) {
  const Block moves = block(node(parent));
  const game::Cell cell = moves.move(slot).cell;
  walk.position = codec_.unpack(moves.board());
  walk.position.apply(cell);
  const std::uint32_t hash = table_ ? hash_of(walk.position) : 0;
  if (const Link twin = table_ ? twin_of(walk.position, hash) : 0) return meet(walk, twin, slot);
  const Link link = make_node(parent, slot, hash);
  if (link == 0) {
    // No room: the parent is played again.
    walk.position = codec_.unpack(moves.board());
    walk.points = points;
    return Descent::kLeaf;
  }
  walk.points = points + node(link).gain;
  enter(walk, {link, walk.points, cell});
  if (!is_over(walk.position)) return Descent::kLeaf;

  ++counts_.ends;
  eighths_ += 8 + static_cast<std::uint64_t>(walk.length - 1);
  for (int i = 0; i < walk.length; ++i)
    node(walk.steps[static_cast<std::size_t>(i)].node).has_end_below = true;
  node(link).is_end = true;
  reach_end(node(link));
  const int in_tree = walk.length;
  const std::int64_t end = play_end(walk);
  walk.points += static_cast<int>(end);
  const int whole = std::exchange(walk.length, in_tree);
  back_up(walk, {1, end, static_cast<std::uint64_t>(end * end), static_cast<int>(end)});
  walk.length = whole;
  lower_upper(node(link), static_cast<int>(end));
  return Descent::kFinished;
}

// VS-pruning leaves nothing to choose where every group is a segment that it would leave out ('quick finish': Klein
// 2015, 5.1).
bool Tree::is_over(const game::Position& position) const {
  if (!settings_.vs_pruning) return !position.has_moves();
  game::GroupRoom groups;
  const int count = position.groups(groups);
  return std::all_of(groups.begin(), groups.begin() + count,
                     [&](const game::Group& group) { return game::is_pruned_segment(position, group); });
}

// Takes the groups that are left, none of which moves a block of another, and returns what they and the end earn.
int Tree::play_end(Walk& walk) const {
  game::GroupRoom groups;
  const int count = walk.position.groups(groups);
  int points = 0;
  for (int i = 0; i < count; ++i) {
    const game::Group& group = groups[static_cast<std::size_t>(i)];
    points += scoring_.group_points(walk.position.apply(group.cell));
    walk.steps[static_cast<std::size_t>(walk.length++)] = {0, walk.points + points, group.cell};
  }
  return points + walk.position.final_points(scoring_);
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
  int count = position.groups(groups);
  const MoveBounds bounds(position, scoring_);
  const auto bound_of = [&](const game::Group& group) {
    return scoring_.group_points(group.size) + bounds.after(group.color, group.size);
  };
  int upper = Node::kNothing;
  if (settings_.vs_pruning) {
    // Not always without loss (tests/host/tree_pruning_test.cpp has a board): the bound of what is left out stays.
    const auto end = groups.begin() + count;
    const auto pruned = std::stable_partition(
        groups.begin(), end, [&](const game::Group& group) { return !game::is_pruned_segment(position, group); });
    if (pruned != groups.begin()) {
      count = static_cast<int>(pruned - groups.begin());
      std::for_each(pruned, end, [&](const game::Group& group) { upper = std::max(upper, bound_of(group)); });
    }
  }
  const int left_out_bound = upper;
  const Link link = take(Block::units(count + left_out_, codec_.bytes()));
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
  for (int i = 0; i < moves.octets() * 8; ++i) {
    const game::Group& group = groups[static_cast<std::size_t>(i)];
    const bool is_move = i < count;
    moves.bound()[i] = is_move ? bound_of(group) : left_out_bound;
    moves.node(i) = 0;
    moves.move(i) = is_move ? Move{group.cell, group.size, group.color} : Move{};
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
  return choose_by_score(parent, moves);
}

// Below T visits the playout policy chooses (Schadd 2012, 4.2). Of a policy the taboo colour and epsilon are heeded.
int Tree::choose_by_policy(Node& parent) {
  const Block moves = block(parent);
  const auto is_open = [&](int i) { return i >= parent.opened || moves.value(i) > kNever; };
  const game::Policy& policy = settings_.policy;
  const bool has_taboo = policy.has_taboo() && (policy.epsilon == 0 || random() >= policy.epsilon);
  const auto is_taboo = [&](int i) { return has_taboo && moves.move(i).color == parent.taboo; };
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
  const double c = settings_.node_exploration.enabled ? parent.c : settings_.selection.c;
  if (rule_->score == nullptr) {
    const float exploration = static_cast<float>(range * c) * root_log_of(visits);
    return top_move(moves.octet(), moves.octets(), exploration);
  }
  int slot = -1;
  double top = kNever;
  for (int i = 0; i < parent.moves; ++i) {
    if (moves.value(i) == kAlways) return i;
    if (moves.value(i) == kNever) continue;
    const double score =
        rule_->score(statistics_of(node(moves.node(i))), settings_.selection, c, range, std::max(visits, 1U));
    if (score > top) {
      top = score;
      slot = i;
    }
  }
  return slot;
}

}  // namespace chainshot::host
