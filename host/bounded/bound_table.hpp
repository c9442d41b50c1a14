// Remembers upper bounds of positions that IDA* has searched (Reinefeld and Marsland 1994), in a table of fixed size. A
// bound stays true for ever, whatever the threshold and the path, so entries may be forgotten at any time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "host/search/set_table.hpp"

namespace chainshot::host {

class BoundTable {
 public:
  static constexpr int kUnknown = std::numeric_limits<int>::max();

  // Takes no more memory than that, and none if it is 0.
  explicit BoundTable(std::uint64_t bytes) : table_(bytes) {}

  int find(const PositionKey& key) const {
    if (table_.empty()) return kUnknown;
    for (const Entry& entry : table_.set_of(key))
      if (entry.check == key.check && entry.blocks > 0) return entry.bound;
    return kUnknown;
  }

  // All entries of a set but the last prefer positions with many blocks left, which took the longest to search;
  // the last one takes what the others refuse.
  void store(const PositionKey& key, int bound, int blocks) {
    if (table_.empty()) return;
    auto& set = table_.set_of(key);
    const Entry entry{key.check, bound, blocks};
    for (Entry& old : set)
      if (old.check == key.check && old.blocks > 0) {
        old.bound = std::min(old.bound, bound);
        return;
      }
    const auto fewest = std::min_element(set.begin(), set.end() - 1,
                                         [](const Entry& a, const Entry& b) { return a.blocks < b.blocks; });
    (fewest->blocks <= blocks ? *fewest : set.back()) = entry;
  }
  std::uint64_t bytes() const { return table_.bytes(); }

 private:
  struct Entry {
    std::uint64_t check;
    std::int32_t bound;
    std::int32_t blocks;  // 0: the entry is free
  };

  SetTable<Entry> table_;
};

}  // namespace chainshot::host
