// The open states of a beam, in buckets by blocks left. A bucket is a list of pages; threads fill pages of their own
// and hand them in, so the order inside a bucket means nothing. `prune` keeps the best states of a bucket, each
// position once, and the result depends on the set of states alone.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "cpu/beam/beam_kernel.hpp"

namespace chainshot::cpu {

struct BeamPage {
  std::size_t count = 0;
  std::vector<BeamKey> keys;
  std::vector<std::byte> boards;
};

// A state of a bucket and where its board is.
struct BeamEntry {
  BeamKey key;
  std::uint32_t page = 0;
  std::uint32_t slot = 0;

  bool operator<(const BeamEntry& other) const { return key < other.key; }
};

// The memory that pruning needs for a while.
struct BeamScratch {
  std::vector<BeamEntry> entries, unique;
  std::vector<std::uint32_t> table;
  std::vector<std::uint8_t> alive;

  std::size_t bytes() const {
    return (entries.capacity() + unique.capacity()) * sizeof(BeamEntry) + table.capacity() * sizeof(table[0]) +
           alive.capacity();
  }
};

class BeamBuckets {
 public:
  BeamBuckets(int blocks, std::size_t page_states, std::size_t board_bytes);

  // Hands in a page that is full or no longer needed, or nullptr.
  void put(int blocks, BeamPage* page);
  // Returns a page with room for the bucket.
  BeamPage* page_for(int blocks);

  std::size_t size(int blocks) const;
  std::size_t states() const;
  int highest() const;  // the bucket with the most blocks that is not empty; 0 if all are
  const std::vector<BeamPage*>& pages(int blocks) const { return buckets_[static_cast<std::size_t>(blocks)].pages; }
  const std::byte* board(int blocks, const BeamEntry& entry) const {
    return pages(blocks)[entry.page]->boards.data() + entry.slot * board_bytes_;
  }

  // Keeps the best `width` states of different positions; scratch.unique then lists them in no order. Returns early
  // if `stopped` is true, which leaves the bucket unusable.
  void prune(int blocks, std::size_t width, BeamScratch& scratch, const std::function<bool()>& stopped);
  void clear(int blocks);

  // The least evaluation worth keeping, by blocks left. Rises as buckets fill.
  const std::vector<std::int32_t>& least() const { return least_; }
  std::size_t state_bytes() const { return sizeof(BeamKey) + board_bytes_; }
  std::size_t memory_bytes() const;

 private:
  struct Bucket {
    mutable std::mutex mutex;
    std::vector<BeamPage*> pages;
    std::vector<BeamPage*> partial;  // those of `pages` that have room
  };

  Bucket& bucket(int blocks) { return buckets_[static_cast<std::size_t>(blocks)]; }
  const Bucket& bucket(int blocks) const { return buckets_[static_cast<std::size_t>(blocks)]; }
  BeamPage* new_page();
  void compact(Bucket& bucket, BeamScratch& scratch);

  const std::size_t page_states_, board_bytes_;
  std::vector<Bucket> buckets_;
  std::vector<std::int32_t> least_;

  mutable std::mutex pool_mutex_;
  std::vector<std::unique_ptr<BeamPage>> pool_;
  std::vector<BeamPage*> free_;
};

}  // namespace chainshot::cpu
