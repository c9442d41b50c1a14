// Arrays in one piece of memory.
#pragma once

#include <cstddef>

namespace chainshot::cuda {

// Lays arrays one after the other; without memory it only adds up their sizes.
class Layout {
 public:
  explicit Layout(std::byte* memory) : memory_(memory) {}

  template <class T>
  T* array(std::size_t count) {
    constexpr std::size_t kAlignment = 256;
    T* const at = memory_ == nullptr ? nullptr : reinterpret_cast<T*>(memory_ + bytes_);
    bytes_ += (count * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
    return at;
  }
  std::size_t bytes() const { return bytes_; }

 private:
  std::byte* const memory_;
  std::size_t bytes_ = 0;
};

}  // namespace chainshot::cuda
