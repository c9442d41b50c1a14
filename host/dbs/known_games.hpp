// The memory of depth-budgeted search: the best game met below each position, and the points with which the pass
// under way reached it. The table has a fixed size; an entry may be forgotten at any time, and then the position is
// played again.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>

#include "host/search/set_table.hpp"

namespace chainshot::host {

class KnownGames {
 public:
  struct Entry {
    std::uint64_t check;
    std::int32_t future;  // the most that a game earned from the position on
    std::int32_t points;  // with which the pass reached it, the most so far
    std::uint32_t pass;   // the last pass that reached it; 0: the entry is free
  };

  // Takes no more memory than that, but at least one set of entries.
  explicit KnownGames(std::uint64_t bytes) : table_(std::max<std::uint64_t>(bytes, sizeof(SetTable<Entry>::Set))) {}

  // Returns the entry, or nullptr.
  Entry* find(const PositionKey& key) {
    for (Entry& entry : table_.set_of(key))
      if (entry.check == key.check && entry.pass > 0) return &entry;
    return nullptr;
  }
  // Replaces the entry of the set that was not reached for the longest time; of several, the one with the least future,
  // which is near the end of a game and soon played again.
  Entry& add(const PositionKey& key) {
    auto& set = table_.set_of(key);
    Entry& oldest = *std::min_element(set.begin(), set.end(), [](const Entry& a, const Entry& b) {
      return std::tie(a.pass, a.future) < std::tie(b.pass, b.future);
    });
    oldest = {.check = key.check, .future = 0, .points = 0, .pass = 0};
    return oldest;
  }
  std::uint64_t bytes() const { return table_.bytes(); }

 private:
  SetTable<Entry> table_;
};

}  // namespace chainshot::host
