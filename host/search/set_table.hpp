// A table of fixed size for what a search remembers of positions. A position may lie in any of the four entries of its
// set, and the search decides which of them a new one replaces. An entry of zeros is free.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "host/search/position_key.hpp"
#include "host/search/zeroed_array.hpp"

namespace chainshot::host {

template <class Entry>
class SetTable {
 public:
  using Set = std::array<Entry, 4>;

  // Takes the largest power of two of sets that fits; none if no set does.
  explicit SetTable(std::uint64_t bytes) : sets_(std::bit_floor(bytes / sizeof(Set))) {}

  bool empty() const { return sets_.size() == 0; }
  std::uint64_t bytes() const { return sets_.size() * sizeof(Set); }
  Set& set_of(const PositionKey& key) { return sets_[key.place & (sets_.size() - 1)]; }
  const Set& set_of(const PositionKey& key) const { return sets_[key.place & (sets_.size() - 1)]; }

 private:
  ZeroedArray<Set> sets_;
};

}  // namespace chainshot::host
