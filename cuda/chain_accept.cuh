// How an evaluation of a chain on the device ends, and how an accepted change becomes the line.
#pragma once

#include "cuda/chain_walk.cuh"

namespace chainshot::cuda {

__device__ __forceinline__ void ChainWalk::end_evaluation() {
  int fitness = need_ - 1, left = left_;
  if (need_ < kHopeless)
    fitness = met_ > 0 ? fitness_ + points_ - points_of(line_[met_]) : fitness_here(left);
  const bool accepted = fitness >= need_;
  if (need_ == kBeginning) {
    begins_ = false;
  } else {
    count(accepted);
    --todo_;
  }
  if (accepted) accept(fitness, left);
  ++evaluation_;
  stage_ = Stage::kNew;
}

__device__ __forceinline__ void ChainWalk::count(bool accepted) {
  const int played = free_ - names_left_;
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
      counter_ += (met_ > 0 && need_ < kHopeless ? 1 : 0) + (need_ == kHopeless ? 1 << 16 : 0);
  }
}

// Makes the position after a repeated move from that of the old line, but for the columns that differed, and returns
// its record. The lane does so alone.
__device__ __forceinline__ ChainRecord ChainWalk::made(ChainRecord repeated, std::uint32_t name) const {
  const std::uint32_t last = repeated.y >> 8 & 0xFF, columns = unpacked_low(repeated.x);
  const ChainRecord old = line_[repeated.y & 0xFF], beside = line_[repeated.x >> 16 & 0xFF];
  const auto* const last_words = reinterpret_cast<const uint4*>(position(static_cast<int>(last)));
  const auto* const old_words = reinterpret_cast<const uint4*>(position(slot_of(old)));
  auto* const words = reinterpret_cast<uint4*>(position(static_cast<int>(name)));
#pragma unroll
  for (int h = 0; h < 2; ++h) {
    uint4 a = last_words[h];
    const uint4 b = old_words[h];
    constexpr int kSelect = (kA & kC) | (kB & ~kC);
    a.x = logic<kSelect>(a.x, b.x, cells_of_columns(columns, h * 4));
    a.y = logic<kSelect>(a.y, b.y, cells_of_columns(columns, h * 4 + 1));
    a.z = logic<kSelect>(a.z, b.z, cells_of_columns(columns, h * 4 + 2));
    a.w = logic<kSelect>(a.w, b.w, cells_of_columns(columns, h * 4 + 3));
    words[h] = a;
  }
  const uint2 then = counts_at_[slot_of(beside)], now = counts_at_[slot_of(old)], start = counts_at_[last];
  counts_at_[name] = make_uint2(now.x - then.x + start.x, now.y - then.y + start.y);
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
__device__ __forceinline__ void ChainWalk::accept(int fitness, int left) {
  const int rest = met_ > 0 ? met_ : moves_;
  const int lane = static_cast<int>(lanes_.lane);
  for (int first = 0; first < tried_; first += kChainLanes) {
    const int i = first + lane;
    const bool is_there = i < tried_;
    ChainRecord record = is_there ? trial_[i] : make_uint2(0, 0);
    const bool is_repeated = record.x >> 31 != 0;
    const std::uint32_t repeated = lanes_.ballot(is_repeated);
    if (is_repeated) {
      record = made(record, names_[names_left_ - 1 - __popc(repeated & ((1u << lane) - 1))]);
    } else {
      record.x = (record.x & 0xFFFF0000u) | reach_of(record.x & 0xFFFF, record.x >> 16);
    }
    if (is_there) trial_[i] = record;
    names_left_ -= __popc(repeated);
  }
  lanes_.sync();
  for (int j = from_ + 1 + lane; j <= rest; j += kChainLanes)
    names_[names_left_ + j - from_ - 1] = static_cast<std::uint8_t>(slot_of(line_[j]));
  names_left_ += rest - from_;
  free_ = names_left_;
  const int gained = met_ > 0 ? points_ - points_of(line_[met_]) : 0;
  lanes_.sync();
  move_rest(rest, from_ + tried_ - rest, gained);
  for (int j = lane; j < tried_; j += kChainLanes)
    line_[from_ + 1 + j] = trial_[j];
  moves_ += from_ + tried_ - rest;
  fitness_ = fitness;
  left_ = left;
  lanes_.sync();
  const int score = fitness - table_.end[left] + table_.true_end[left];
  if (score > best_) keep_best(score);
}

// Moves the records after `rest`, from the end that they move to.
__device__ __forceinline__ void ChainWalk::move_rest(int rest, int distance, int gained) {
  if (distance == 0 && gained == 0) return;
  const int lane = static_cast<int>(lanes_.lane), count = moves_ - rest;
  for (int first = 0; first < count; first += kChainLanes) {
    const int i = first + lane;
    const int j = distance > 0 ? moves_ - i : rest + 1 + i;
    ChainRecord record;
    if (i < count) record = line_[j];
    lanes_.sync();
    if (i < count) line_[j + distance] = make_uint2(record.x, record.y + (static_cast<std::uint32_t>(gained) << 16));
    lanes_.sync();
  }
}

__device__ __forceinline__ void ChainWalk::keep_best(int score) {
  best_ = score;
  std::uint8_t* const to = advance_.arrays.best_line + static_cast<std::size_t>(chain_) * kBestLineBytes;
  if (lanes_.is_first()) to[0] = static_cast<std::uint8_t>(moves_);
  for (int j = 1 + static_cast<int>(lanes_.lane); j <= moves_; j += kChainLanes)
    to[j] = static_cast<std::uint8_t>(block_of(line_[j]));
}

}  // namespace chainshot::cuda
