// How an evaluation of a chain on the device ends, and how an accepted change becomes the line.
#pragma once

#include "cuda/chain_walk.cuh"

namespace chainshot::cuda {

// `met` is the position of the old line that was met, or 0.
__device__ __forceinline__ void ChainWalk::end_evaluation(std::uint32_t met) {
  int fitness = need_ - 1;
  if (need_ < kHopeless) fitness = met > 0 ? fitness_ + points_ - points_of(memory_.line[met]) : fitness_here();
  const bool accepted = fitness >= need_;
  if (need_ == kBeginning) {
    begins_ = false;
  } else {
    count(accepted, met > 0);
    --todo_;
  }
  if (accepted) accept(fitness, met);
  ++evaluation_;
  stage_ = Stage::kNew;
}

__device__ __forceinline__ void ChainWalk::count(bool accepted, bool has_met) {
  const std::uint32_t played = free_ - names_left_;
  switch (lanes_.lane) {
    case 0:
      counter_ += accepted;
      break;
    case 1:
      counter_ += played;
      break;
    case 2:
      counter_ += tried_ - played;
      break;
    default:
      counter_ += (has_met && need_ < kHopeless ? 1 : 0) + (need_ == kHopeless ? 1 << 16 : 0);
  }
}

// Makes the position after a repeated move from that of the old line, but for the columns that differed, and returns
// its record. The lane does so alone.
__device__ __forceinline__ ChainRecord ChainWalk::made(ChainRecord repeated, std::uint32_t name) const {
  const std::uint32_t last = repeated.y >> 8 & 0xFF, columns = unpacked_low(repeated.x);
  const ChainRecord old = memory_.line[repeated.y & 0xFF], beside = memory_.line[repeated.x >> 16 & 0xFF];
  const auto* const last_words = reinterpret_cast<const uint4*>(&memory_.position[last]);
  const auto* const old_words = reinterpret_cast<const uint4*>(&memory_.position[slot_of(old)]);
  auto* const words = reinterpret_cast<uint4*>(&memory_.position[name]);
#pragma unroll
  for (std::uint32_t h = 0; h < 2; ++h) {
    constexpr int kSelect = (kA & kC) | (kB & ~kC);
    uint4 a = last_words[h];
    const uint4 b = old_words[h];
    a.x = logic<kSelect>(a.x, b.x, cells_of_columns(columns, h * 4));
    a.y = logic<kSelect>(a.y, b.y, cells_of_columns(columns, h * 4 + 1));
    a.z = logic<kSelect>(a.z, b.z, cells_of_columns(columns, h * 4 + 2));
    a.w = logic<kSelect>(a.w, b.w, cells_of_columns(columns, h * 4 + 3));
    words[h] = a;
  }
  const uint2 then = memory_.counts[slot_of(beside)], now = memory_.counts[slot_of(old)], start = memory_.counts[last];
  memory_.counts[name] = make_uint2(now.x - then.x + start.x, now.y - then.y + start.y);
  return make_uint2(old.x, (name | (old.y & 0xFF00u)) | ((old.y & 0xFFFF0000u) + (repeated.y & 0xFFFF0000u)));
}

// The columns that a move depends on: those it touches, and all up to the next ones that hold blocks.
__device__ __forceinline__ std::uint32_t reach_of(std::uint32_t columns, std::uint32_t touched) {
  const std::uint32_t left = columns & ((touched & (0u - touched)) - 1);
  const std::uint32_t right = columns & (0xFFFEu << highest_bit(touched));
  const std::uint32_t from = left != 0 ? highest_bit(left) : 0;
  const std::uint32_t to = right != 0 ? __ffs(static_cast<int>(right)) - 1 : 15;
  return (2u << to) - (1u << from);
}

// The trial becomes the line after position from_; the old line goes on after position `rest`.
__device__ __forceinline__ void ChainWalk::accept(int fitness, std::uint32_t met) {
  const std::uint32_t rest = met > 0 ? met : moves_, lane = lanes_.lane;
  for (std::uint32_t first = 0; first < tried_; first += kChainLanes) {
    const std::uint32_t i = first + lane;
    const bool is_there = i < tried_;
    ChainRecord record = is_there ? memory_.trial[i] : make_uint2(0, 0);
    const bool is_repeated = record.x >> 31 != 0;
    const std::uint32_t repeated = lanes_.ballot(is_repeated);
    if (is_repeated) {
      record = made(record, memory_.free[names_left_ - 1 - __popc(repeated & ((1u << lane) - 1))]);
    } else {
      record.x = (record.x & 0xFFFF0000u) | reach_of(record.x & 0xFFFF, record.x >> 16);
    }
    if (is_there) memory_.trial[i] = record;
    names_left_ -= __popc(repeated);
  }
  lanes_.sync();
  for (std::uint32_t j = from_ + 1 + lane; j <= rest; j += kChainLanes)
    memory_.free[names_left_ + j - from_ - 1] = static_cast<std::uint8_t>(slot_of(memory_.line[j]));
  names_left_ += rest - from_;
  free_ = names_left_;
  const int gained = met > 0 ? points_ - points_of(memory_.line[met]) : 0;
  lanes_.sync();
  move_rest(rest, static_cast<int>(from_ + tried_ - rest), gained);
  for (std::uint32_t j = lane; j < tried_; j += kChainLanes)
    memory_.line[from_ + 1 + j] = memory_.trial[j];
  moves_ += from_ + tried_ - rest;
  fitness_ = fitness;
  lanes_.sync();
  keep_if_best();
}

// Moves the records after `rest`, from the end that they move to.
__device__ __forceinline__ void ChainWalk::move_rest(std::uint32_t rest, int distance, int gained) {
  if (distance == 0 && gained == 0) return;
  const std::uint32_t count = moves_ - rest;
  for (std::uint32_t i = lanes_.lane; i - lanes_.lane < count; i += kChainLanes) {
    const std::uint32_t j = distance > 0 ? moves_ - i : rest + 1 + i;
    ChainRecord record;
    if (i < count) record = memory_.line[j];
    lanes_.sync();
    if (i < count)
      memory_.line[j + static_cast<std::uint32_t>(distance)] =
          make_uint2(record.x, record.y + (static_cast<std::uint32_t>(gained) << 16));
    lanes_.sync();
  }
}

// The best line is that of the best true score.
__device__ __forceinline__ void ChainWalk::keep_if_best() {
  const LeftBlocks end(memory_.counts[slot_of(memory_.line[moves_])]);
  const int score = fitness_ - table_.end[end.blocks] + table_.true_end[end.blocks];
  std::int32_t& best = advance_.arrays.best_score[memory_.state.chain];
  const bool is_best = score > best;
  lanes_.sync();
  if (!is_best) return;
  if (lanes_.is_first()) {
    best = score;
    memory_.best_line[0] = static_cast<std::uint8_t>(moves_);
  }
  for (std::uint32_t j = 1 + lanes_.lane; j <= moves_; j += kChainLanes)
    memory_.best_line[j] = static_cast<std::uint8_t>(block_of(memory_.line[j]));
}

}  // namespace chainshot::cuda
