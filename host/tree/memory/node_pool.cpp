#include "host/tree/memory/node_pool.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "machine/allowance.hpp"

namespace chainshot::host {

std::size_t quarter_of_memory() {
  return static_cast<std::size_t>(machine::usable_memory() / 4);
}

NodePool::NodePool(std::size_t cap_bytes) {
  constexpr std::size_t kMostChunks = (std::size_t{1} << 32) / kChunkUnits;
  const std::size_t cap = cap_bytes != 0 ? cap_bytes : quarter_of_memory();
  chunks_ = std::clamp<std::size_t>(cap / kChunkBytes, 1, kMostChunks - 1);
  // One more chunk in front, so that no chunk has link 0.
  const std::size_t reserved = (chunks_ + 1) * kChunkBytes;
  void* memory = mmap(nullptr, reserved, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    throw NoAddressSpace("cannot reserve " + std::to_string(reserved >> 20) +
                         " MiB of address space for the tree; give it less with --memory");
  }
  // A walk touches a few lines per level, far apart: with pages of 4 KiB each would miss the TLB.
  madvise(memory, reserved, MADV_HUGEPAGE);
  base_ = static_cast<std::byte*>(memory);
  fresh_ = 1;
}

NodePool::~NodePool() {
  munmap(base_, (chunks_ + 1) * kChunkBytes);
}

std::size_t NodePool::bytes() const {
  const std::lock_guard lock(mutex_);
  return (fresh_ - 1 - free_.size()) * kChunkBytes;
}

Link NodePool::take_chunk() {
  const std::lock_guard lock(mutex_);
  if (!free_.empty()) {
    const Link chunk = free_.back();
    free_.pop_back();
    return chunk;
  }
  if (fresh_ > chunks_) return 0;
  return static_cast<Link>(fresh_++ * kChunkUnits);
}

void NodePool::give_chunks(std::span<const Link> chunks) {
  const std::lock_guard lock(mutex_);
  free_.insert(free_.end(), chunks.rbegin(), chunks.rend());
}

Link NodeArena::pop(std::size_t units) {
  const Link link = free_[units];
  if (link != 0) std::memcpy(&free_[units], at(link), sizeof(Link));
  return link;
}

Link NodeArena::take(std::size_t units) {
  Link link = pop(units);
  if (link == 0 && rest_ < units) {
    const Link chunk = share_->take_chunk();
    if (chunk != 0) {
      chunks_.push_back(chunk);
      give_run(next_, rest_);
      next_ = chunk + static_cast<Link>(kMapUnits);
      rest_ = kChunkUnits - kMapUnits;
    }
  }
  if (link == 0 && rest_ >= units) {
    link = next_;
    next_ += static_cast<Link>(units);
    rest_ -= units;
  }
  // At the cap, cut a larger piece.
  for (std::size_t larger = units + 1; link == 0 && larger <= kLargestUnits; ++larger) {
    link = pop(larger);
    if (link != 0) give_run(link + static_cast<Link>(units), larger - units);
  }
  if (link != 0) used_units_ += units;
  return link;
}

void NodeArena::give(Link link, std::size_t units) {
  std::memcpy(at(link), &free_[units], sizeof(Link));
  free_[units] = link;
  used_units_ -= units;
}

// Frees units that were not in use before.
void NodeArena::give_run(Link link, std::size_t units) {
  used_units_ += units;
  while (units > 0) {
    const std::size_t piece = std::min(units, kLargestUnits);
    give(link, piece);
    link += static_cast<Link>(piece);
    units -= piece;
  }
}

void NodeArena::clear_marks() {
  for (const Link chunk : chunks_)
    std::memset(at(chunk), 0, kMapUnits * kUnitBytes);
}

void NodeArena::mark(Link link, std::size_t units) {
  std::uint64_t* map = map_of(link);
  for (std::size_t unit = link % kChunkUnits, end = unit + units; unit < end; ++unit)
    map[unit / 64] |= std::uint64_t{1} << unit % 64;
}

void NodeArena::sweep() {
  free_.fill(0);
  next_ = 0;
  rest_ = used_units_ = 0;
  const auto is_empty = [&](Link chunk) {
    const std::uint64_t* map = map_of(chunk);
    return std::all_of(map, map + kChunkUnits / 64, [](std::uint64_t bits) { return bits == 0; });
  };
  const auto kept = std::partition(chunks_.begin(), chunks_.end(), [&](Link chunk) { return !is_empty(chunk); });
  share_->give_chunks(std::span(kept, chunks_.end()));
  chunks_.erase(kept, chunks_.end());
  for (const Link chunk : chunks_) {
    const Link end = chunk + static_cast<Link>(kChunkUnits);
    for (Link unit = chunk + static_cast<Link>(kMapUnits); unit < end;) {
      const Link first = unit;
      const bool in_use = is_marked(unit);
      while (unit < end && is_marked(unit) == in_use)
        ++unit;
      if (in_use) {
        used_units_ += unit - first;
      } else {
        give_run(first, unit - first);
      }
    }
  }
}

}  // namespace chainshot::host
