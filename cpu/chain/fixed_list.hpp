// A list of limited length, without the heap. Code compiled for one instruction set must not instantiate std::vector:
// the linker might use that copy everywhere.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>

#include "cpu/chain/block_board.hpp"

namespace chainshot::cpu {
inline namespace CHAINSHOT_BLOCKS {

template <class T, int kRoom>
class FixedList {
 public:
  int size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T& operator[](int i) const { return items_[i]; }
  const T* data() const { return items_.data(); }
  void set(int i, const T& item) { items_[i] = item; }
  void clear() { size_ = 0; }
  void push(const T& item) { items_[size_++] = item; }
  T pop() { return items_[--size_]; }
  // Puts the items of another list in the place of those from `first` to before `last`.
  void replace(int first, int last, const FixedList& other) {
    std::memmove(&items_[first + other.size_], &items_[last], static_cast<std::size_t>(size_ - last) * sizeof(T));
    std::memcpy(&items_[first], other.items_.data(), static_cast<std::size_t>(other.size_) * sizeof(T));
    size_ += other.size_ - (last - first);
  }

 private:
  std::array<T, kRoom> items_;
  int size_ = 0;
};

}  // namespace CHAINSHOT_BLOCKS
}  // namespace chainshot::cpu
