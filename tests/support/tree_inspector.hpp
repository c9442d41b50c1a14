// Looks into a tree, for tests of what holds between its nodes.
#pragma once

#include <functional>

#include "host/tree/core/bounds.hpp"
#include "host/tree/core/tree.hpp"

namespace chainshot::host {

struct TreeInspector {
  const TreeState& state;
  const NodeStore& nodes = state.nodes;

  explicit TreeInspector(const Tree& tree) : state(tree.state()) {}

  const Node& root() const { return nodes.root(); }
  const Node& node(Link link) const { return nodes.node(link); }
  game::Position position_of(const Node& of) const { return nodes.position_of(of); }

  bool has_recycled() const { return state.next_recycling > 0; }

  void for_each_child(const Node& of, const std::function<void(const Node&)>& look) const {
    if (of.move_block == 0) return;
    for (int i = 0; i < of.move_count; ++i)
      if (const Link link = nodes.moves_of(of).node(i); link != 0) look(nodes.node(link));
  }
  void for_each(const Node& from, const std::function<void(const Node&)>& look) const {
    look(from);
    for_each_child(from, [&](const Node& child) { for_each(child, look); });
  }
  // The children link back to their parent, and their gains and positions are those of their moves.
  bool is_linked_well(const Node& of) const {
    bool good = true;
    for_each_child(of, [&](const Node& child) {
      const MoveBlock moves = nodes.moves_of(of);
      const Link link = moves.node(child.move_index);
      good = good && &nodes.node(child.parent) == &of && link != 0 && &nodes.node(link) == &child &&
             child.gain == state.scoring.group_points(moves.move(child.move_index).size) && is_after(child, of);
    });
    return good;
  }
  // No walk is in flight through the node, it could still matter, and yet no walk will ever choose it.
  bool is_forgotten(const Node& of) const {
    return of.parent != 0 && of.virtual_visits == 0 && !is_done(state, of, state.points_before(of)) &&
           nodes.moves_of(nodes.node(of.parent)).value(of.move_index) == kNever;
  }
  // The node's position is the one that its move leads to, but for the names of colours.
  bool is_after(const Node& child, const Node& of) const {
    game::Position after = position_of(of);
    after.apply(nodes.moves_of(of).move(child.move_index).cell);
    const game::Position kept = position_of(child);
    return kept == after || (state.settings.merges_symmetric && kept.canonical() == after.canonical());
  }
};

}  // namespace chainshot::host
