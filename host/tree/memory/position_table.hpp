// Finds the node of a position: links by hash, in chunks of the tree's pool. Extendible hashing (Fagin et al. 1979):
// the highest bits of a hash name a segment, and the table splits a full segment in two, so that it grows by 32 KiB at
// a time and never copies itself whole. Within a segment it probes linearly from the lowest bits. An entry takes 8
// bytes, and a segment is at most three quarters full.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "host/tree/memory/node_pool.hpp"

namespace chainshot::host {

class PositionTable {
 public:
  // The share outlives the table.
  explicit PositionTable(PoolShare& share) : share_(&share), pool_(&share.pool()) {}
  ~PositionTable();
  PositionTable(const PositionTable&) = delete;
  PositionTable& operator=(const PositionTable&) = delete;

  // The first link with that hash for which `is_it` holds, or 0.
  template <class IsIt>
  Link find(std::uint32_t hash, IsIt&& is_it) const {
    if (segments_.empty()) return 0;
    const Entry* entries = entries_of(segment_of(hash));
    for (std::size_t i = hash % kEntries; entries[i].link != 0; i = (i + 1) % kEntries)
      if (entries[i].hash == hash && is_it(entries[i].link)) return entries[i].link;
    return 0;
  }
  // Makes sure that one more entry fits, with a new chunk if it must; false if there is none.
  bool make_room(std::uint32_t hash);
  // Only after make_room.
  void insert(std::uint32_t hash, Link link);
  void erase(std::uint32_t hash, Link link);
  // Erases all links for which `is_kept` does not hold.
  template <class IsKept>
  void keep(IsKept&& is_kept) {
    for (Segment& segment : segments_) {
      std::vector<Entry> before = take_all(segment);
      for (const Entry& entry : before)
        if (is_kept(entry.link)) insert(entry.hash, entry.link);
    }
  }
  std::size_t bytes() const { return segments_.size() * kChunkBytes; }

 private:
  struct Entry {
    std::uint32_t hash;
    Link link;
  };
  struct Segment {
    Link chunk = 0;
    std::uint32_t used = 0;
    int depth = 0;  // how many of the highest bits all its hashes share
  };
  static constexpr std::size_t kEntries = kChunkBytes / sizeof(Entry);
  static constexpr std::uint32_t kMostUsed = kEntries / 4 * 3;

  std::size_t index_of(std::uint32_t hash) const { return depth_ == 0 ? 0 : hash >> (32 - depth_); }
  const Segment& segment_of(std::uint32_t hash) const { return segments_[directory_[index_of(hash)]]; }
  Segment& segment_of(std::uint32_t hash) { return segments_[directory_[index_of(hash)]]; }
  Entry* entries_of(const Segment& segment) const { return reinterpret_cast<Entry*>(pool_->at(segment.chunk)); }
  bool add_segment(int depth);
  bool split(std::uint32_t hash);
  std::vector<Entry> take_all(Segment& segment);

  PoolShare* share_;
  NodePool* pool_;
  std::vector<Segment> segments_;
  std::vector<std::uint32_t> directory_;  // segments by the highest depth_ bits
  int depth_ = 0;
};

}  // namespace chainshot::host
