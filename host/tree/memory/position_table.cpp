#include "host/tree/memory/position_table.hpp"

#include <cstring>

namespace chainshot::host {

PositionTable::~PositionTable() {
  std::vector<Link> chunks;
  for (const Segment& segment : segments_)
    chunks.push_back(segment.chunk);
  share_->give_chunks(chunks);
}

bool PositionTable::add_segment(int depth) {
  const Link chunk = share_->take_chunk();
  if (chunk == 0) return false;
  std::memset(pool_->at(chunk), 0, kChunkBytes);
  segments_.push_back({chunk, 0, depth});
  return true;
}

bool PositionTable::make_room(std::uint32_t hash) {
  if (segments_.empty()) {
    if (!add_segment(0)) return false;
    directory_.push_back(0);
  }
  while (segment_of(hash).used >= kMostUsed)
    if (!split(hash)) return false;
  return true;
}

bool PositionTable::split(std::uint32_t hash) {
  const std::uint32_t old = directory_[index_of(hash)];
  const int depth = segments_[old].depth + 1;
  if (depth > 32 || !add_segment(depth)) return false;
  if (depth > depth_) {
    std::vector<std::uint32_t> doubled;
    for (const std::uint32_t segment : directory_)
      doubled.insert(doubled.end(), {segment, segment});
    directory_ = std::move(doubled);
    ++depth_;
  }
  // The new segment gets half of the old one's places in the directory: those with a 1 as the next bit.
  const auto added = static_cast<std::uint32_t>(segments_.size() - 1);
  for (std::size_t i = 0; i < directory_.size(); ++i)
    if (directory_[i] == old && (i >> (depth_ - depth) & 1U) != 0) directory_[i] = added;
  segments_[old].depth = depth;
  for (const Entry& entry : take_all(segments_[old]))
    insert(entry.hash, entry.link);
  return true;
}

std::vector<PositionTable::Entry> PositionTable::take_all(Segment& segment) {
  std::vector<Entry> taken;
  taken.reserve(segment.used);
  Entry* entries = entries_of(segment);
  for (std::size_t i = 0; i < kEntries; ++i)
    if (entries[i].link != 0) taken.push_back(entries[i]);
  std::memset(entries, 0, kChunkBytes);
  segment.used = 0;
  return taken;
}

void PositionTable::insert(std::uint32_t hash, Link link) {
  Segment& segment = segment_of(hash);
  Entry* entries = entries_of(segment);
  std::size_t i = hash % kEntries;
  while (entries[i].link != 0)
    i = (i + 1) % kEntries;
  entries[i] = {hash, link};
  ++segment.used;
}

void PositionTable::erase(std::uint32_t hash, Link link) {
  if (segments_.empty()) return;
  Segment& segment = segment_of(hash);
  Entry* entries = entries_of(segment);
  std::size_t hole = hash % kEntries;
  while (entries[hole].link != 0 && entries[hole].link != link)
    hole = (hole + 1) % kEntries;
  if (entries[hole].link == 0) return;
  // Entries behind the hole move up, unless that would put them before the place that their hash names.
  for (std::size_t i = (hole + 1) % kEntries; entries[i].link != 0; i = (i + 1) % kEntries) {
    const std::size_t home = entries[i].hash % kEntries;
    if ((i - home) % kEntries < (i - hole) % kEntries) continue;
    entries[hole] = entries[i];
    hole = i;
  }
  entries[hole] = {};
  --segment.used;
}

}  // namespace chainshot::host
