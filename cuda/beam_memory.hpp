// The memory of a beam on a device: how many states it has room for, and where its arrays lie.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "cuda/beam.hpp"
#include "cuda/memory_layout.hpp"
#include "cuda/resources.hpp"
#include "game/beam_schedule.hpp"

namespace chainshot::cuda {

// The arrays of a beam in device memory.
struct BeamArrays {
  BeamPool pool{};
  BeamScratch scratch{};
  BeamCounters* counters = nullptr;
  std::uint32_t *current = nullptr, *ready = nullptr;  // slots of a bucket in order
  std::uint64_t* color_counts = nullptr;
  std::uint32_t* moves = nullptr;
  std::int32_t *target_value = nullptr, *other_value = nullptr;
  game::BeamTables::Weights* weights = nullptr;
};

struct BeamSizes {
  std::size_t slots, order, slice, moves, temporary, values, weights;

  BeamSizes(const game::BeamPlan& plan, const game::BeamSchedule& schedule) {
    const int blocks = plan.seeds.front().position.blocks();
    const auto width = static_cast<std::size_t>(std::max(1, plan.width));
    slice = moves = 0;
    for (int b = 1; b <= blocks; ++b) {
      slice = std::max(slice, schedule.slice(width, b));
      moves = std::max(moves, schedule.slice(width, b) * game::BeamSchedule::most_children(b));
    }
    // No bucket is fuller after a slice, whatever the width was before.
    const auto most = [&](std::size_t w) {
      return static_cast<std::size_t>(blocks) * (game::BeamSchedule::crowded(w) + 1) + moves;
    };
    slots = std::min(most(width), std::max(schedule.most_states(), most(1)));
    order = std::min(width, slots);
    temporary = beam_temporary_bytes(static_cast<std::uint32_t>(slots));
    values = plan.tables.target_value.size();
    weights = plan.tables.weights.size();
  }
};

inline BeamArrays lay_out(Layout& layout, const BeamSizes& sizes) {
  BeamArrays arrays;
  arrays.pool = {.boards = layout.array<std::uint32_t>(sizes.slots * kBeamBoardWords),
                 .hash = layout.array<std::uint64_t>(sizes.slots),
                 .rank = layout.array<std::uint64_t>(sizes.slots),
                 .evaluation = layout.array<std::int32_t>(sizes.slots),
                 .bucket = layout.array<std::uint8_t>(sizes.slots),
                 .free = layout.array<std::uint32_t>(sizes.slots),
                 .slots = static_cast<std::uint32_t>(sizes.slots)};
  for (int i = 0; i < 2; ++i) {
    arrays.scratch.keys[i] = layout.array<std::uint64_t>(sizes.slots);
    arrays.scratch.ids[i] = layout.array<std::uint32_t>(sizes.slots);
  }
  arrays.scratch.merged = layout.array<MergedState>(sizes.slots);
  arrays.scratch.temporary = layout.array<std::byte>(sizes.temporary);
  arrays.scratch.temporary_bytes = sizes.temporary;
  arrays.counters = layout.array<BeamCounters>(1);
  arrays.current = layout.array<std::uint32_t>(sizes.order);
  arrays.ready = layout.array<std::uint32_t>(sizes.order);
  arrays.color_counts = layout.array<std::uint64_t>(sizes.slice);
  arrays.moves = layout.array<std::uint32_t>(sizes.moves);
  arrays.target_value = layout.array<std::int32_t>(sizes.values);
  arrays.other_value = layout.array<std::int32_t>(sizes.values);
  arrays.weights = layout.array<game::BeamTables::Weights>(sizes.weights);
  return arrays;
}

// Device memory that is kept from beam to beam.
class BeamMemory {
 public:
  std::byte* at_least(std::size_t bytes) {
    if (bytes > bytes_) {
      buffer_.reset();
      bytes_ = 0;
      buffer_.emplace(bytes, "get device memory");
      bytes_ = bytes;
    }
    return buffer_->get();
  }
  std::size_t bytes() const { return bytes_; }

 private:
  std::optional<DeviceBuffer> buffer_;
  std::size_t bytes_ = 0;
};

}  // namespace chainshot::cuda
