// The way down: selection, expansion, and the first visit of a position.
#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#include "game/playout.hpp"
#include "game/random.hpp"
#include "host/tree/core/move_bounds.hpp"
#include "host/tree/core/top_move.hpp"
#include "host/tree/core/tree.hpp"
#include "host/tree/core/visit_tables.hpp"

namespace chainshot::host {
namespace {

constexpr std::uint64_t kSameExploration = 8;  // an eighth more visits are 3 % more exploration at most

}  // namespace

Descent Tree::descend(Walk& walk) {
  Descent descent;
  descend({&walk, 1}, {&descent, 1});
  return descent;
}

void Tree::descend(std::span<Walk> walks, std::span<Descent> descents) {
  // A walk_group would lose its way when one of its walks takes over a node that others wait to go to.
  const std::size_t at_once = keeps_parents_ ? walks.size() : 1;
  for (std::size_t first = 0; first < walks.size(); first += at_once) {
    walk_group_.walks = walks.subspan(first, at_once);
    walk_group_.descents = descents.subspan(first, at_once);
    walk_group_.placed = 0;
    walk_group_.way.clear();
    walk_group_.shares.clear();
    walk_group_.ended.clear();
    int left = static_cast<int>(at_once);
    if (!is_proven()) {
      add_virtual_visits(root(), left);
      left = send({root_, root_points_, {}}, left);
      add_virtual_visits(root(), -left);
    }
    count_ended();
    while (walk_group_.placed < at_once)
      walk_group_.place(is_proven() ? Descent::kProven : Descent::kBlocked);
  }
}

// Games that have ended in the tree; until now they were in flight like others.
void Tree::count_ended() {
  std::vector<WalkGroup::Ended>& ended = walk_group_.ended;
  for (std::size_t i = 0; i < ended.size(); ++i) {
    const Walk* next = i + 1 < ended.size() ? ended[i + 1].walk : nullptr;
    back_up(*ended[i].walk, Added::of_game(ended[i].points), next);
  }
  for (const WalkGroup::Ended& end : ended)
    lower_upper(node(end.walk->leaf()), end.points);
  ended.clear();
}

// One walk more has come to where the walk_group is.
Walk& Tree::WalkGroup::begin_walk() {
  Walk& walk = walks[placed];
  walk.steps.assign(way.begin(), way.end());
  walk.rest.clear();
  return walk;
}

// Walks come to a node, which has their virtual visits already. Returns how many find nothing to visit there.
int Tree::send(const Walk::Step& at, int count) {
  Node& here = node(at.node);
  int left = count;
  walk_group_.way.push_back(at);
  while (left > 0 && !is_done(here, at.points)) {
    const bool is_first_visit = here.visits + here.virtual_visits == static_cast<std::uint32_t>(left);
    if (here.block != 0 || (!is_first_visit && expand(here, position_of(here)))) {
      left = share_out(at, left);
      break;
    }
    Walk& walk = walk_group_.begin_walk();
    walk.position = position_of(here);
    walk.points = at.points;
    walk_group_.place(Descent::kLeaf);
    --left;
  }
  walk_group_.way.pop_back();
  return left;
}

// Shares the walks out among the moves of a node, and again those that come back.
int Tree::share_out(const Walk::Step& at, int count) {
  Node& here = node(at.node);
  const Block moves = block(here);
  std::vector<WalkGroup::Share>& shares = walk_group_.shares;
  const std::size_t first = shares.size();
  for (int left = count;;) {
    while (left > 0 && !here.is_closed()) {
      const Choice choice = choose(here, at.points, left);
      if (choice.slot < 0) break;
      if (choice.slot == here.opened) {
        left -= open(at, choice.slot) ? 1 : 0;
        continue;
      }
      Node& next = node(moves.node(choice.slot));
      add_virtual_visits(next, choice.walks);
      prefetch_moves(next);
      left -= choice.walks;
      const auto share = std::find_if(shares.begin() + static_cast<std::ptrdiff_t>(first), shares.end(),
                                      [&](const WalkGroup::Share& other) { return other.slot == choice.slot; });
      if (share == shares.end())
        shares.push_back({choice.slot, choice.walks});
      else
        share->walks += choice.walks;
    }
    if (shares.size() == first) return left;
    for (std::size_t i = first; i < shares.size(); ++i)
      left += send_on(at, shares[i]);
    shares.resize(first);
  }
}

// Returns how many walks come back: the move is closed, or all below it is in flight. The next result from below, if
// there is to be one, writes its terms anew.
int Tree::send_on(const Walk::Step& at, WalkGroup::Share share) {
  const Block moves = block(node(at.node));
  const Move move = moves.move(share.slot);
  const Link link = moves.node(share.slot);
  const int back = send({link, at.points + scoring_.group_points(move.size), move.cell}, share.walks);
  if (back > 0) {
    add_virtual_visits(node(link), -back);
    moves.value(share.slot) = kNever;
  }
  return back;
}

void Tree::prefetch_moves(const Node& of) const {
  if (of.block == 0) return;
  const Block moves = block(of);
  for (int o = 0; o < moves.lines(); ++o) {
    __builtin_prefetch(&moves.terms()[o]);
    __builtin_prefetch(&moves.targets()[o]);
  }
}

// The first visit of a position: a walk ends here, unless the position is known. Returns whether the walk found its
// end.
bool Tree::open(const Walk::Step& at, int slot) {
  Walk& walk = walk_group_.begin_walk();
  const Block moves = block(node(at.node));
  const game::Cell cell = moves.move(slot).cell;
  codec_.unpack(moves.board(), walk.position);
  walk.position.apply(cell);
  const std::uint32_t hash = table_ ? hash_of(walk.position) : 0;
  if (const Link twin = table_ ? find_duplicate(walk.position, hash) : 0) return join_duplicate(walk, twin, slot);
  const Link link = make_node(at.node, slot, hash);
  if (link == 0) {
    // No room: the parent is played again.
    codec_.unpack(moves.board(), walk.position);
    walk.points = at.points;
    walk_group_.place(Descent::kLeaf);
    return true;
  }
  walk.points = at.points + node(link).gain;
  enter(walk, {link, walk.points, cell});
  if (!is_over(walk.position)) {
    walk_group_.place(Descent::kLeaf);
    return true;
  }

  eighths_ += 8 + static_cast<std::uint64_t>(walk.length() - 1);
  node(link).is_end = true;
  for (Node* above = &node(link); !above->has_end_below; above = &node(above->parent)) {
    above->has_end_below = true;
    if (above->parent == 0) break;
  }
  reach_end(node(link));
  const int end = play_end(walk);
  walk.points += end;
  walk_group_.ended.push_back({&walk, end});
  walk_group_.place(Descent::kFinished);
  return true;
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
    walk.rest.push_back(group.cell);
  }
  return points + walk.position.final_points(scoring_);
}

void Tree::enter(Walk& walk, const Walk::Step& step) {
  add_virtual_visits(node(step.node), 1);
  walk.steps.push_back(step);
}

void Tree::add_virtual_visits(Node& to, int walks) {
  to.virtual_visits += static_cast<std::uint32_t>(walks);
  write_width(to);
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
    // Not always without loss (tests/host/tree/tree_pruning_test.cpp has a board): the bound of what is left out stays.
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
  for (int o = 0; o < moves.lines(); ++o) {
    SelectionTerms& octet = *new (&moves.terms()[o]) SelectionTerms;
    octet.value.fill(kNever);
    octet.width.fill(0);
  }
  for (int i = 0; i < moves.lines() * 8; ++i) {
    const game::Group& group = groups[static_cast<std::size_t>(i)];
    const bool is_move = i < count;
    moves.bound()[i] = is_move ? bound_of(group) : left_out_bound;
    moves.node(i) = 0;
    moves.move(i) = is_move ? Move{group.cell, group.size, group.color} : Move{};
    if (is_move) upper = std::max(upper, moves.bound()[i]);
  }
  codec_.pack(position, moves.board());
  leaf.tabu = static_cast<std::uint8_t>(settings_.policy.tabu_color >= 0 ? settings_.policy.tabu_color
                                                                         : bounds.most_frequent_color());
  ++counts_.expanded;
  if (upper < leaf.upper) lower_upper(leaf, upper);
  return true;
}

Tree::Choice Tree::choose(Node& parent, int points, int walks) {
  const Block moves = block(parent);
  // Those that are still to choose do not count.
  const std::uint64_t visits = parent.visits + parent.virtual_visits - static_cast<std::uint64_t>(walks);
  if (static_cast<double>(visits) < settings_.selection.t) return {choose_by_policy(parent), 1};
  // Unvisited moves first (Klein 2015, 5.1), in the random order they were put into.
  for (; parent.opened < parent.moves; ++parent.opened)
    if (!is_hopeless(moves.bound()[parent.opened], points)) return {static_cast<int>(parent.opened), 1};
  return choose_by_score(parent, visits, walks);
}

// Below T visits the playout policy chooses (Schadd 2012, 4.2). Of a policy the tabu colour and epsilon are heeded.
int Tree::choose_by_policy(Node& parent) {
  const Block moves = block(parent);
  const auto is_open = [&](int i) { return i >= parent.opened || moves.value(i) > kNever; };
  const game::Policy& policy = settings_.policy;
  const bool has_tabu = policy.has_tabu() && (policy.epsilon == 0 || random() >= policy.epsilon);
  const auto is_tabu = [&](int i) { return has_tabu && moves.move(i).color == parent.tabu; };
  int all = 0, free = 0;
  for (int i = 0; i < parent.moves; ++i) {
    all += is_open(i);
    free += is_open(i) && !is_tabu(i);
  }
  if (all == 0) return -1;
  int left = static_cast<int>(draw(static_cast<std::uint32_t>(free > 0 ? free : all)));
  for (int i = 0;; ++i) {
    if (!is_open(i) || (free > 0 && is_tabu(i))) continue;
    if (left-- > 0) continue;
    if (i < parent.opened) return i;
    swap_moves(parent, i, parent.opened);
    return parent.opened;
  }
}

Tree::Choice Tree::choose_by_score(const Node& parent, std::uint64_t visits, int walks) const {
  const Block moves = block(parent);
  const double range = range_of(parent);
  const double c = settings_.node_exploration.enabled ? parent.c : settings_.selection.c;
  if (rule_->score == nullptr) {
    const float exploration = static_cast<float>(std::min<double>(range * c, kMostExploration)) * root_log_of(visits);
    const TopMove top = top_move(moves.terms(), moves.lines(), exploration);
    if (top.slot < 0) return {-1, 1};
    // Visits of the node itself that change its exploration little are not looked at. Then the walk after the n-th to a
    // move has the same choice as long as value + exploration / sqrt(n) is above the second highest score.
    const auto same = std::max<std::uint64_t>(1, visits / kSameExploration);
    const int most = same < static_cast<std::uint64_t>(walks) ? static_cast<int>(same) : walks;
    const float behind = top.second - moves.value(top.slot);
    if (most == 1 || !(behind > 0)) return {top.slot, most};
    const Node& chosen = node(moves.node(top.slot));
    const float until = exploration / behind * (exploration / behind);
    const float more = std::ceil(until - static_cast<float>(chosen.visits + chosen.virtual_visits));
    return {top.slot, static_cast<int>(std::clamp(more, 1.0F, static_cast<float>(most)))};
  }
  int slot = -1;
  double top = kNever;
  for (int i = 0; i < parent.moves; ++i) {
    if (moves.value(i) == kAlways) return {i, 1};
    if (moves.value(i) == kNever) continue;
    const double score = rule_->score(statistics_of(node(moves.node(i))), settings_.selection, c, range,
                                      std::max(1.0, static_cast<double>(visits)));
    if (score > top) {
      top = score;
      slot = i;
    }
  }
  return {slot, 1};
}

}  // namespace chainshot::host
