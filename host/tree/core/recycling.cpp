#include "host/tree/core/recycling.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "host/tree/core/bounds.hpp"

namespace chainshot::host {
namespace {

// Ages, in walks since the last visit, by class: eight classes to each doubling.
constexpr std::size_t kAgeClasses = 240;

std::size_t age_class(std::uint32_t age) {
  if (age < 8) return age;
  const auto shift = static_cast<std::size_t>(std::bit_width(age)) - 4;
  return shift * 8 + (age >> shift);
}

std::size_t age_class_of(const TreeState& tree, const Node& of) {
  return age_class(static_cast<std::uint32_t>(tree.counts.walks) - of.touched);
}

// Memory units of the blocks and of the nodes they link to, by the age of the node that owns the block.
using UnitsByAge = std::array<std::size_t, kAgeClasses>;

void add_units_below(const TreeState& tree, const Node& of, UnitsByAge& units_by_age) {
  if (of.move_block == 0) return;
  std::size_t units = tree.nodes.units_of_moves(of);
  const MoveBlock moves = tree.nodes.moves_of(of);
  for (int i = 0; i < of.move_count; ++i) {
    if (moves.node(i) == 0) continue;
    ++units;
    add_units_below(tree, tree.nodes.node(moves.node(i)), units_by_age);
  }
  if (of.virtual_visits == 0) units_by_age[age_class_of(tree, of)] += units;
}

// Frees the subtrees of age class `first_forgotten` and above, and marks all that stays.
void keep_young(TreeState& tree, Node& of, std::size_t first_forgotten) {
  NodeStore& nodes = tree.nodes;
  const bool is_old = of.parent != 0 && of.virtual_visits == 0 && age_class_of(tree, of) >= first_forgotten;
  if (is_old) {
    nodes.free_below(of);
    if (of.has_cut_edge_below && !of.is_solved) reset_upper_bound(tree, of);
  }
  if (of.move_block == 0) return;
  nodes.mark_moves(of);
  const MoveBlock moves = nodes.moves_of(of);
  for (int i = 0; i < of.move_count; ++i) {
    const Link link = moves.node(i);
    if (link == 0) continue;
    nodes.mark_node(link);
    keep_young(tree, nodes.node(link), first_forgotten);
  }
}

// Nodes that a beam has kept down to its depth must not be expanded again.
void touch_beam(TreeState& tree, Node& of, int depth) {
  of.touched = static_cast<std::uint32_t>(tree.counts.walks);
  if (depth == tree.beam.depth || of.move_block == 0) return;
  const MoveBlock moves = tree.nodes.moves_of(of);
  for (int i = 0; i < of.move_count; ++i)
    if (const Link link = moves.node(i); link != 0) touch_beam(tree, tree.nodes.node(link), depth + 1);
}

void touch_best_line(TreeState& tree) {
  for (Link at = tree.nodes.root_link(); at != 0; at = tree.nodes.best_child(tree.nodes.node(at)))
    tree.nodes.node(at).touched = static_cast<std::uint32_t>(tree.counts.walks);
}

}  // namespace

bool recycle(TreeState& tree) {
  if (tree.counts.walks < tree.next_recycling) return false;
  NodeStore& nodes = tree.nodes;
  touch_best_line(tree);
  if (tree.beam.depth > 0) touch_beam(tree, nodes.root(), 0);
  UnitsByAge units_by_age{};
  add_units_below(tree, nodes.root(), units_by_age);
  // Class 0 was visited by the last walk, and always stays.
  const std::size_t wanted = nodes.used_units() / 4;
  std::size_t first_forgotten = kAgeClasses;
  for (std::size_t found = 0; first_forgotten > 1 && found < wanted; found += units_by_age[first_forgotten])
    --first_forgotten;
  nodes.clear_marks();
  nodes.mark_node(nodes.root_link());
  keep_young(tree, nodes.root(), first_forgotten);
  nodes.sweep();
  tree.next_recycling = tree.counts.walks + nodes.counts().nodes / 8;
  return true;
}

}  // namespace chainshot::host
