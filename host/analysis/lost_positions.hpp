// A set of 128-bit keys of positions that cannot be cleared: open addressing in a table that doubles up to a cap. A
// full set takes no further keys, which costs time and no correctness.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "game/random.hpp"

namespace chainshot::host {

class LostPositions {
 public:
  using Key = std::array<std::uint64_t, 2>;  // never all zero

  void clear() {
    if (size_ == 0) return;
    slots_.assign(kFewest, Key{});
    size_ = 0;
  }

  bool contains(const Key& key) const { return size_ > 0 && slots_[slot_of(key)] == key; }

  void insert(const Key& key) {
    if (slots_.empty()) slots_.resize(kFewest);
    if (2 * (size_ + 1) > slots_.size()) {
      if (slots_.size() >= kMost) return;
      grow();
    }
    Key& slot = slots_[slot_of(key)];
    if (slot == Key{}) ++size_;
    slot = key;
  }

 private:
  static constexpr std::size_t kFewest = 256, kMost = std::size_t{1} << 22;  // 64 MiB

  // The slot that has the key, or the free one where it belongs.
  std::size_t slot_of(const Key& key) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = game::mix64(key[0] ^ game::mix64(key[1])) & mask;
    while (slots_[i] != Key{} && slots_[i] != key)
      i = (i + 1) & mask;
    return i;
  }

  void grow() {
    std::vector<Key> old(2 * slots_.size());
    std::swap(old, slots_);
    for (const Key& key : old)
      if (key != Key{}) slots_[slot_of(key)] = key;
  }

  std::vector<Key> slots_;
  std::size_t size_ = 0;
};

}  // namespace chainshot::host
