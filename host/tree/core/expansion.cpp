#include "host/tree/core/expansion.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "game/move_bounds.hpp"
#include "host/tree/core/bounds.hpp"
#include "host/tree/core/pruned_moves.hpp"
#include "host/tree/core/recycling.hpp"

namespace chainshot::host {
Link add_node(TreeState& tree, Link parent, int index, std::uint32_t hash) {
  const Link link = tree.nodes.make_node(parent, index, hash);
  return link != 0 || !recycle(tree) ? link : tree.nodes.make_node(parent, index, hash);
}

void remove_node(TreeState& tree, Link link) {
  NodeStore& nodes = tree.nodes;
  Node& gone = nodes.node(link);
  nodes.free_below(gone);
  if (gone.has_cut_edge_below) reset_upper_bound(tree, gone);
  Node& parent = nodes.node(gone.parent);
  nodes.swap_moves(parent, gone.move_index, parent.opened - 1);
  --parent.opened;
  const MoveBlock moves = nodes.moves_of(parent);
  moves.node(parent.opened) = 0;
  moves.value(parent.opened) = kNever;
  nodes.release(link);
}

bool expand(TreeState& tree, Node& leaf, const game::Position& position) {
  game::GroupRoom groups;
  const int all = position.groups(groups);
  const int count = tree.settings.vs_pruning ? put_pruned_last(position, groups, all) : all;
  if (!tree.nodes.make_moves(leaf, count) && !(recycle(tree) && tree.nodes.make_moves(leaf, count))) return false;

  const game::MoveBounds bounds(position, tree.scoring);
  const auto bound_of = [&](const game::Group& group) {
    return tree.scoring.group_points(group.size) + bounds.after(group.color, group.size);
  };
  int left_out_bound = Node::kNothing;
  for (int i = count; i < all; ++i)
    left_out_bound = std::max(left_out_bound, bound_of(groups[static_cast<std::size_t>(i)]));
  for (int i = count - 1; i > 0; --i)
    std::swap(groups[static_cast<std::size_t>(i)], groups[tree.random.below(static_cast<std::uint32_t>(i + 1))]);

  const MoveBlock moves = tree.nodes.moves_of(leaf);
  for (int i = 0; i < moves.lines(); ++i) {
    SelectionTerms& terms = *new (&moves.terms()[i]) SelectionTerms;
    terms.value.fill(kNever);
    terms.width.fill(0);
  }
  int upper = left_out_bound;
  for (int i = 0; i < count; ++i) {
    const game::Group& group = groups[static_cast<std::size_t>(i)];
    moves.bound()[i] = bound_of(group);
    moves.node(i) = 0;
    moves.move(i) = {group.cell, group.size, group.color};
    upper = std::max(upper, moves.bound()[i]);
  }
  for (int i = count; i < moves.lines() * 8; ++i) {
    moves.bound()[i] = left_out_bound;
    moves.node(i) = 0;
    moves.move(i) = {};
  }
  tree.nodes.pack_board(position, leaf);
  const int tabu = tree.settings.policy.tabu_color;
  leaf.tabu = static_cast<std::uint8_t>(tabu >= 0 ? tabu : bounds.most_frequent_color());
  if (upper < leaf.upper) lower_upper_bound(tree, leaf, upper);
  return true;
}

}  // namespace chainshot::host
