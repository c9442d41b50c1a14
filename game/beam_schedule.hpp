// When a beam looks at its buckets, drops their surplus and narrows. Every processor follows the same schedule, because
// it decides which states are selected where memory is short.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace chainshot::game {

class BeamSchedule {
 public:
  // `state_bytes` is BeamStep::state_bytes, which is equal on all processors; a memory of 0 sets no limit.
  BeamSchedule(std::uint64_t memory_bytes, std::size_t state_bytes)
      : most_states_(memory_bytes == 0 ? std::numeric_limits<std::size_t>::max() / 8
                                       : std::max<std::size_t>(1, memory_bytes / 8 * 5 / state_bytes)) {}

  // States that may be open at a time. The rest of the memory is for selecting among them and for their order.
  std::size_t most_states() const { return most_states_; }

  // The most children of a state with so many blocks.
  static std::size_t most_children(int blocks) { return static_cast<std::size_t>(std::max(1, blocks / 2)); }

  // States that are expanded between two looks at full buckets. An eighth of a bucket raises the bar often enough, and
  // a device needs many states at a time.
  std::size_t slice(std::size_t width, int blocks) const {
    constexpr std::size_t kLeast = 64, kMost = 1 << 15;
    return std::clamp<std::size_t>(most_states_ / 8 / most_children(blocks), 1, std::clamp(width / 8, kLeast, kMost));
  }

  // A bucket with more states than that is pruned after a slice.
  static std::size_t crowded(std::size_t width) { return width + std::max<std::size_t>(width / 2, 16); }

  // Whether the beam must narrow before `more` states are added.
  bool is_short(std::size_t width, std::size_t open_states, std::size_t more) const {
    return width > 1 && open_states + more > most_states_;
  }
  static std::size_t narrowed(std::size_t width) { return width * 7 / 8; }

 private:
  std::size_t most_states_;
};

}  // namespace chainshot::game
