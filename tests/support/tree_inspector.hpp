// Gives tests access to the nodes of a search tree and checks the invariants between them.
#pragma once

#include <cstdint>
#include <functional>

#include "host/tree/core/tree.hpp"

namespace chainshot::host {

struct TreeInspector {
  const Tree& tree;

  const Node& root() const { return tree.root(); }
  const Node& node(Link link) const { return tree.node(link); }
  game::Position position_of(const Node& of) const { return tree.position_of(of); }

  bool has_recycled() const { return tree.next_recycling_ > 0; }

  void for_each_child(const Node& of, const std::function<void(const Node&)>& look) const {
    if (of.block == 0) return;
    for (int i = 0; i < of.moves; ++i)
      if (const Link link = tree.block(of).node(i); link != 0) look(tree.node(link));
  }
  void for_each(const Node& from, const std::function<void(const Node&)>& look) const {
    look(from);
    for_each_child(from, [&](const Node& child) { for_each(child, look); });
  }
  // Checks the links between a node and its children, which must hold at all times.
  bool is_linked_well(const Node& of) const {
    bool good = true;
    for_each_child(of, [&](const Node& child) {
      good = good && &tree.node(child.parent) == &of && tree.block(of).node(child.slot) != 0 &&
             &tree.node(tree.block(of).node(child.slot)) == &child &&
             child.gain == tree.scoring_.group_points(tree.block(of).move(child.slot).size) && is_after(child, of);
    });
    return good;
  }
  int points_before(const Node& of) const {
    return of.parent == 0 ? tree.root_points() : points_before(tree.node(of.parent)) + of.gain;
  }
  // A node is forgotten when no walk is in it and it is not done, yet no walk will ever choose it.
  bool is_forgotten(const Node& of) const {
    return of.parent != 0 && of.virtual_visits == 0 && !tree.is_done(of, points_before(of)) &&
           tree.block(tree.node(of.parent)).value(of.slot) == kNever;
  }
  // The position of a child must be the one that its move leads to, up to a renaming of the colours.
  bool is_after(const Node& child, const Node& of) const {
    game::Position after = position_of(of);
    after.apply(tree.block(of).move(child.slot).cell);
    const game::Position kept = position_of(child);
    return kept == after || (tree.settings_.merges_symmetric && kept.canonical() == after.canonical());
  }
};

}  // namespace chainshot::host
