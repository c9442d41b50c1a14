#include "host/tree/core/node_store.hpp"

#include <new>
#include <stdexcept>
#include <utility>

namespace chainshot::host {

NodeStore::NodeStore(NodePool& pool, const game::Position& root, const TreeSettings& settings,
                     const game::Scoring& scoring)
    : scoring_(scoring),
      c_(static_cast<float>(settings.selection.c)),
      merges_symmetric_(settings.merges_symmetric),
      left_out_(settings.vs_pruning ? 1 : 0),
      root_position_(root),
      codec_(root),
      share_(pool),
      arena_(share_) {
  if (settings.duplicates != Duplicates::kIgnore) table_.emplace(share_);
  root_ = make_node(0, 0, 0);
  if (root_ == 0)
    throw std::runtime_error("the memory of the search is too small for its trees; expected a larger --memory");
  reset_root();
}

void NodeStore::reset_root() {
  Node& fresh = root();
  fresh = Node{};
  fresh.c = c_;
  fresh.upper = root_position_.upper_bound(scoring_);
  if (root_position_.has_moves()) return;
  fresh.is_end = fresh.has_end_below = true;
  fresh.best = fresh.upper = root_position_.final_points(scoring_);
}

game::Position NodeStore::position_of(const Node& of) const {
  if (of.parent == 0) return root_position_;
  if (of.move_block != 0) return codec_.unpack(moves_of(of).board());
  const MoveBlock moves = moves_of(node(of.parent));
  game::Position position = codec_.unpack(moves.board());
  position.apply(moves.move(of.move_index).cell);
  return position;
}

int NodeStore::index_of_move(const Node& parent, game::Cell cell) const {
  const MoveBlock moves = moves_of(parent);
  const game::CellSet cells = codec_.unpack(moves.board()).component(cell);
  for (int i = 0; i < parent.move_count; ++i) {
    const game::Cell name = moves.move(i).cell;
    if ((cells[name.row] >> name.column & 1U) != 0) return i;
  }
  return -1;
}

Link NodeStore::best_child(const Node& of) const {
  if (of.move_block == 0) return 0;
  const MoveBlock moves = moves_of(of);
  for (int i = 0; i < of.move_count; ++i) {
    const Link link = moves.node(i);
    if (link != 0 && node(link).gain + node(link).best == of.best) return link;
  }
  return 0;
}

Link NodeStore::make_node(Link parent, int index, std::uint32_t hash) {
  const bool is_listed = table_ && parent != 0;
  if (is_listed && !table_->make_room(hash)) return 0;
  const Link link = arena_.take(1);
  if (link == 0) return 0;
  Node& made = *new (arena_.at(link)) Node;
  made.parent = parent;
  made.hash = hash;
  made.c = c_;
  if (is_listed) table_->insert(hash, link);
  if (parent != 0) {
    Node& above = node(parent);
    const MoveBlock moves = moves_of(above);
    if (index == above.opened) ++above.opened;
    made.move_index = static_cast<std::uint16_t>(index);
    made.gain = scoring_.group_points(moves.move(index).size);
    made.upper = moves.bound()[index] - made.gain;
    moves.node(index) = link;
    moves.value(index) = kNever;
  }
  ++counts_.nodes;
  ++counts_.made;
  return link;
}

bool NodeStore::make_moves(Node& leaf, int count) {
  const Link link = arena_.take(MoveBlock::units(count + left_out_, codec_.bytes()));
  if (link == 0) return false;
  leaf.move_block = link;
  leaf.move_count = static_cast<std::uint16_t>(count);
  leaf.opened = 0;
  ++counts_.expanded;
  return true;
}

void NodeStore::swap_moves(const Node& parent, int a, int b) {
  if (a == b) return;
  const MoveBlock moves = moves_of(parent);
  std::swap(moves.value(a), moves.value(b));
  std::swap(moves.width(a), moves.width(b));
  std::swap(moves.bound()[a], moves.bound()[b]);
  std::swap(moves.node(a), moves.node(b));
  std::swap(moves.move(a), moves.move(b));
  for (const int index : {a, b})
    if (moves.node(index) != 0) node(moves.node(index)).move_index = static_cast<std::uint16_t>(index);
}

void NodeStore::free_below(Node& of) {
  if (of.move_block == 0) return;
  const MoveBlock moves = moves_of(of);
  for (int i = 0; i < of.move_count; ++i) {
    const Link link = moves.node(i);
    if (link == 0) continue;
    free_below(node(link));
    release(link);
  }
  arena_.give(of.move_block, units_of_moves(of));
  of.move_block = 0;
  of.move_count = of.opened = 0;
  --counts_.expanded;
}

void NodeStore::release(Link leaf) {
  if (table_) table_->erase(node(leaf).hash, leaf);
  arena_.give(leaf, 1);
  --counts_.nodes;
}

int NodeStore::advance_root(game::Cell move, Link kept) {
  const int size = root_position_.apply(move);
  if (kept != 0) {
    release(root_);
    root_ = kept;
    root().parent = 0;
    root().move_index = 0;
  } else {
    if (table_) table_->erase(root().hash, root_);
    reset_root();
  }
  return size;
}

std::uint32_t NodeStore::hash_of(const game::Position& position) const {
  if (!table_) return 0;
  const std::uint64_t hash = merges_symmetric_ ? position.symmetric_hash() : position.hash();
  return static_cast<std::uint32_t>(hash ^ hash >> 32);
}

Link NodeStore::find(const game::Position& position, std::uint32_t hash) const {
  if (!table_) return 0;
  return table_->find(hash, [&](Link link) {
    const game::Position other = position_of(node(link));
    return other == position || (merges_symmetric_ && other.canonical() == position.canonical());
  });
}

void NodeStore::sweep() {
  if (table_) table_->keep([&](Link link) { return arena_.is_marked(link); });
  arena_.sweep();
}

}  // namespace chainshot::host
