#include "host/tree/graph/graph_store.hpp"

#include <cstring>
#include <new>

namespace chainshot::host {

GraphStore::GraphStore(NodePool& pool, const game::Position& root, bool merges_symmetric)
    : merges_symmetric_(merges_symmetric),
      codec_(root),
      node_units_(1 + (codec_.bytes() + kUnitBytes - 1) / kUnitBytes),
      share_(pool),
      arena_(share_),
      table_(share_) {}

std::uint32_t GraphStore::hash_of(const game::Position& position) const {
  const std::uint64_t hash = merges_symmetric_ ? position.symmetric_hash() : position.hash();
  return static_cast<std::uint32_t>(hash ^ hash >> 32);
}

Link GraphStore::find(const game::Position& position, std::uint32_t hash) const {
  return table_.find(hash, [&](Link link) {
    game::Position other;
    unpack(link, other);
    return other == position || (merges_symmetric_ && other.canonical() == position.canonical());
  });
}

Link GraphStore::make_node(const game::Position& position, std::uint32_t hash, bool is_listed) {
  if (is_listed && !table_.make_room(hash)) return 0;
  const Link link = arena_.take(node_units_);
  if (link == 0) return 0;
  renew(link, position);
  node(link).hash = hash;
  if (is_listed) table_.insert(hash, link);
  return link;
}

void GraphStore::renew(Link link, const game::Position& position) {
  new (arena_.at(link)) GraphNode;
  codec_.pack(position, arena_.at(link + 1));
}

Link GraphStore::make_edge() {
  const Link link = arena_.take(1);
  if (link != 0) new (arena_.at(link)) Edge;
  return link;
}

bool GraphStore::make_moves(GraphNode& of, int count) {
  const std::size_t units = GraphMoves::units(count);
  const Link link = arena_.take(units);
  if (link == 0) return false;
  std::memset(arena_.at(link), 0, units * kUnitBytes);
  of.moves = link;
  of.move_count = static_cast<std::uint16_t>(count);
  of.opened = of.settled = 0;
  return true;
}

void GraphStore::sweep() {
  table_.keep([&](Link link) { return arena_.is_marked(link); });
  arena_.sweep();
}

}  // namespace chainshot::host
