// The memory of trees. A NodePool reserves address space for its cap once and hands it out in chunks, so that a 32-bit
// link names any place in it without a table; several trees share a pool. A PoolShare is one tree's access to the pool.
// A NodeArena cuts the chunks of one tree into units of a cache line and keeps freed pieces in lists by size. A sweep
// joins pieces that lie side by side, after the tree has marked what it still uses.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <stdexcept>
#include <vector>

namespace chainshot::host {

// A place in a pool, in units of kUnitBytes; 0 means none.
using Link = std::uint32_t;

inline constexpr std::size_t kUnitBytes = 64;
inline constexpr std::size_t kChunkUnits = 512;
inline constexpr std::size_t kChunkBytes = kChunkUnits * kUnitBytes;

// The system refused to reserve address space.
struct NoAddressSpace : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::size_t quarter_of_memory();  // that this process may use, in bytes

class NodePool {
 public:
  // With `cap_bytes` 0 the cap is a quarter of the machine's memory. Throws NoAddressSpace with one sentence.
  explicit NodePool(std::size_t cap_bytes = 0);
  ~NodePool();
  NodePool(const NodePool&) = delete;
  NodePool& operator=(const NodePool&) = delete;

  std::byte* at(Link link) const { return base_ + std::size_t{link} * kUnitBytes; }
  std::size_t cap() const { return chunks_ * kChunkBytes; }
  // Returns the bytes that trees hold now. Any thread may ask.
  std::size_t bytes() const;
  std::size_t free_chunks() const { return (cap() - bytes()) / kChunkBytes; }

  // The first unit of a chunk, or 0 if the cap is reached. From any thread.
  Link take_chunk();
  void give_chunks(std::span<const Link> chunks);

 private:
  std::byte* base_ = nullptr;
  std::size_t chunks_ = 0;
  mutable std::mutex mutex_;
  std::size_t fresh_ = 0;   // chunks never handed out start here
  std::vector<Link> free_;  // chunks given back
};

// One tree's access to a pool. Several shares may have a common allowance: how many more chunks they may take together.
class PoolShare {
 public:
  explicit PoolShare(NodePool& pool) : pool_(&pool) {}

  NodePool& pool() const { return *pool_; }
  // `chunks` outlives the share, or is replaced before it ends. nullptr, as at first, allows all the pool has.
  void set_allowance(std::size_t* chunks) { allowance_ = chunks; }

  // The first unit of a chunk, or 0 if the allowance is used up or the pool's cap is reached.
  Link take_chunk() {
    if (allowance_ != nullptr && *allowance_ == 0) return 0;
    const Link chunk = pool_->take_chunk();
    if (chunk != 0 && allowance_ != nullptr) --*allowance_;
    return chunk;
  }
  void give_chunks(std::span<const Link> chunks) {
    if (allowance_ != nullptr) *allowance_ += chunks.size();
    pool_->give_chunks(chunks);
  }

 private:
  NodePool* pool_;
  std::size_t* allowance_ = nullptr;
};

class NodeArena {
 public:
  static constexpr std::size_t kLargestUnits = 256;
  // A chunk begins with its map of marks, one bit per unit.
  static constexpr std::size_t kMapUnits = kChunkUnits / 8 / kUnitBytes;

  // The share outlives the arena.
  explicit NodeArena(PoolShare& share) : share_(&share), base_(share.pool().at(0)) {}
  ~NodeArena() { share_->give_chunks(chunks_); }
  NodeArena(const NodeArena&) = delete;
  NodeArena& operator=(const NodeArena&) = delete;

  std::byte* at(Link link) const { return base_ + std::size_t{link} * kUnitBytes; }
  // `units` in a row, or 0 if the share has no chunk left and no freed piece is large enough.
  Link take(std::size_t units);
  void give(Link link, std::size_t units);

  // After `clear_marks`, and `mark` of everything in use, `sweep` frees the rest: chunks without a mark go back to
  // the pool.
  void clear_marks();
  void mark(Link link, std::size_t units);
  bool is_marked(Link link) const { return (map_of(link)[link % kChunkUnits / 64] >> (link % 64) & 1U) != 0; }
  void sweep();

  std::size_t bytes() const { return chunks_.size() * kChunkBytes; }
  std::size_t used_bytes() const { return used_units_ * kUnitBytes; }

 private:
  Link pop(std::size_t units);
  void give_run(Link link, std::size_t units);
  std::uint64_t* map_of(Link link) const {
    return reinterpret_cast<std::uint64_t*>(at(link - link % static_cast<Link>(kChunkUnits)));
  }

  PoolShare* share_;
  std::byte* base_;  // of the pool: every step of every walk looks a link up
  std::vector<Link> chunks_;
  Link next_ = 0;  // where the unused rest of the newest chunk begins
  std::size_t rest_ = 0;
  std::size_t used_units_ = 0;
  std::array<Link, kLargestUnits + 1> free_{};  // by size; the first word of a free piece links to the next
};

}  // namespace chainshot::host
