// An array of zeros whose memory the system hands out page by page when it is first used, so that even a large table
// costs no time before a search begins.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace chainshot::host {

// Zero bytes must be a valid T.
template <class T>
class ZeroedArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  // Throws std::runtime_error with one sentence if the machine does not have the memory.
  explicit ZeroedArray(std::size_t size)
      : size_(size), items_(size == 0 ? nullptr : static_cast<T*>(std::calloc(size, sizeof(T)))) {
    if (size > 0 && !items_)
      throw std::runtime_error("cannot get " + std::to_string(size * sizeof(T) >> 20) +
                               " MiB of memory for a table; expected a smaller --memory");
  }

  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return items_.get()[i]; }
  const T& operator[](std::size_t i) const { return items_.get()[i]; }

 private:
  struct Free {
    void operator()(T* items) const { std::free(items); }
  };

  std::size_t size_;
  std::unique_ptr<T, Free> items_;
};

}  // namespace chainshot::host
