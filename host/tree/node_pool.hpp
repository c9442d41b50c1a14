// The memory of trees. A pool reserves address space for its cap once and hands it out in chunks, so that a 32-bit link
// names any place in it without a table; several trees share a pool, and what they took is counted in real bytes. An
// arena is one tree's share: it cuts chunks into units of a cache line and keeps what was given back by size.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace chainshot::host {

// A place in a pool, in units of kUnitBytes; 0 is none.
using Link = std::uint32_t;

inline constexpr std::size_t kUnitBytes = 64;
inline constexpr std::size_t kChunkUnits = 1024;
inline constexpr std::size_t kChunkBytes = kChunkUnits * kUnitBytes;

class NodePool {
 public:
  // `cap_bytes` 0: a quarter of the machine's memory. Throws std::runtime_error if the system refuses the address
  // space.
  explicit NodePool(std::size_t cap_bytes = 0);
  ~NodePool();
  NodePool(const NodePool&) = delete;
  NodePool& operator=(const NodePool&) = delete;

  std::byte* at(Link link) const { return base_ + std::size_t{link} * kUnitBytes; }
  std::size_t cap() const { return chunks_ * kChunkBytes; }
  // Held by trees now. From any thread.
  std::size_t bytes() const;

  // The first unit of a chunk, or 0 if the cap is reached. From any thread.
  Link take_chunk();
  void give_chunks(const std::vector<Link>& chunks);

 private:
  std::byte* base_ = nullptr;
  std::size_t chunks_ = 0;
  mutable std::mutex mutex_;
  std::size_t fresh_ = 0;   // chunks never handed out start here
  std::vector<Link> free_;  // chunks given back
};

class NodeArena {
 public:
  static constexpr std::size_t kLargestUnits = 256;

  explicit NodeArena(NodePool& pool) : pool_(&pool) {}
  ~NodeArena() { pool_->give_chunks(chunks_); }
  NodeArena(const NodeArena&) = delete;
  NodeArena& operator=(const NodeArena&) = delete;

  std::byte* at(Link link) const { return pool_->at(link); }
  // `units` in a row, or 0 if the pool has reached its cap and nothing of that size was given back.
  Link take(std::size_t units);
  void give(Link link, std::size_t units);
  std::size_t bytes() const { return chunks_.size() * kChunkBytes; }
  std::size_t used_bytes() const { return used_units_ * kUnitBytes; }

 private:
  Link pop(std::size_t units);

  NodePool* pool_;
  std::vector<Link> chunks_;
  Link next_ = 0;  // the untouched rest of the newest chunk
  std::size_t rest_ = 0;
  std::size_t used_units_ = 0;
  std::array<Link, kLargestUnits + 1> free_{};  // by size; the first word of a free piece links to the next
};

}  // namespace chainshot::host
