// The way down: selection, expansion, and the first visit of a position.
#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "game/playout.hpp"
#include "game/random.hpp"
#include "host/tree/move_bounds.hpp"
#include "host/tree/tree.hpp"
#include "host/tree/visit_tables.hpp"

namespace chainshot::host {
namespace {

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
  const Link link = take(Block::units(count, codec_.bytes()));
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

}  // namespace chainshot::host
