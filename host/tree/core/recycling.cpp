// What a tree does at the cap of its memory: the subtrees that were visited least recently go, about a quarter of the
// tree at once, so that the passes over it cost little for each visit. The node above keeps its statistics and is
// expanded again when it is next visited. What stays: the root's moves, the way of the best line, and all that a walk
// in flight has come through.
#include <algorithm>
#include <array>
#include <bit>

#include "host/tree/core/tree.hpp"

namespace chainshot::host {
namespace {

// Classes of ages, eight to each doubling.
constexpr std::size_t kAges = 240;

std::size_t age_class(std::uint32_t age) {
  if (age < 8) return age;
  const auto shift = static_cast<std::size_t>(std::bit_width(age)) - 4;
  return shift * 8 + (age >> shift);
}

}  // namespace

struct Tree::Ages {
  std::array<std::size_t, kAges> units{};  // of the blocks and their nodes, by age
  std::size_t limit = 1;                   // from this class on they go; what is in use now never does
};

Link Tree::take(std::size_t units) {
  const Link link = arena_.take(units);
  if (link != 0 || counts_.walks < next_recycling_) return link;
  recycle();
  return arena_.take(units);
}

void Tree::recycle() {
  for (Node* best = &root();;) {
    best->touched = static_cast<std::uint32_t>(counts_.walks);
    Node* const next = best_child(*best);
    if (next == nullptr) break;
    best = next;
  }
  Ages ages;
  tell_ages(root(), ages);
  const std::size_t wanted = arena_.used_bytes() / kUnitBytes / 4;
  ages.limit = kAges;
  for (std::size_t found = 0; ages.limit > 1 && found < wanted; found += ages.units[ages.limit])
    --ages.limit;
  arena_.clear_marks();
  arena_.mark(root_, 1);
  keep_young(root(), ages);
  if (table_) table_->keep([&](Link link) { return arena_.is_marked(link); });
  arena_.sweep();
  // Where little could be freed, the tree is played on as it is for a while.
  next_recycling_ = counts_.walks + counts_.nodes / 8;
}

void Tree::tell_ages(const Node& of, Ages& ages) const {
  if (of.block == 0) return;
  std::size_t units = units_of(of);
  const Block moves = block(of);
  for (int i = 0; i < of.moves; ++i) {
    if (moves.node(i) == 0) continue;
    ++units;
    tell_ages(node(moves.node(i)), ages);
  }
  if (of.virtual_visits == 0) ages.units[age_class(age_of(of))] += units;
}

// Frees the old subtrees and marks the others.
void Tree::keep_young(Node& of, const Ages& ages) {
  const bool is_old = of.parent != 0 && of.virtual_visits == 0 && age_class(age_of(of)) >= ages.limit;
  if (is_old) {
    free_below(of);
    if (of.has_cut_below && !of.is_solved) forget_bounds(of);
  }
  if (of.block == 0) return;
  arena_.mark(of.block, units_of(of));
  const Block moves = block(of);
  for (int i = 0; i < of.moves; ++i) {
    const Link link = moves.node(i);
    if (link == 0) continue;
    arena_.mark(link, 1);
    keep_young(node(link), ages);
  }
}

// The move with the best line, if that was seen below a move of the tree.
Node* Tree::best_child(const Node& of) const {
  if (of.block == 0) return nullptr;
  const Block moves = block(of);
  for (int i = 0; i < of.moves; ++i) {
    if (moves.node(i) == 0) continue;
    Node& child = node(moves.node(i));
    if (child.gain + child.best == of.best) return &child;
  }
  return nullptr;
}

// Gives back all nodes below and the block: the node is a leaf again, with its statistics.
void Tree::free_below(Node& of) {
  if (of.block == 0) return;
  const Block moves = block(of);
  for (int i = 0; i < of.moves; ++i) {
    const Link link = moves.node(i);
    if (link == 0) continue;
    free_below(node(link));
    release(link);
  }
  arena_.give(of.block, units_of(of));
  of.block = 0;
  of.moves = of.opened = 0;
  --counts_.expanded;
}

// Its move counts as unvisited again.
void Tree::remove(Link link) {
  Node& gone = node(link);
  free_below(gone);
  if (gone.has_cut_below) forget_bounds(gone);
  Node& parent = node(gone.parent);
  swap_moves(parent, gone.slot, parent.opened - 1);
  --parent.opened;
  block(parent).node(parent.opened) = 0;
  block(parent).value(parent.opened) = kNever;
  release(link);
}

void Tree::release(Link link) {
  if (table_) table_->erase(node(link).hash, link);
  arena_.give(link, 1);
  --counts_.nodes;
}

bool Tree::has_room_in_table(std::uint32_t hash) {
  if (table_->make_room(hash)) return true;
  if (counts_.walks < next_recycling_) return false;
  recycle();
  return table_->make_room(hash);
}

// The bound of a leaf whose moves are gone is that of its colours again: what lay below it and was covered by other
// ways may be opened here anew, and then be what covers those.
void Tree::forget_bounds(Node& of) {
  of.has_cut_below = false;
  of.upper = position_of(of).upper_bound(scoring_);
  write_terms(of);  // it may have been passed over as hopeless
  for (Node* at = &of; at->parent != 0; at = &node(at->parent)) {
    Node& parent = node(at->parent);
    const int bound = block(parent).bound()[at->slot] = at->gain + at->upper;
    if (parent.is_solved || parent.is_closed() || bound <= parent.upper) return;
    parent.upper = bound;
    write_terms(parent);
  }
}

}  // namespace chainshot::host
