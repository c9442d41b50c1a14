// A turn of a chain on the device, and the kernel that takes turns.
#pragma once

#include "cuda/chain_accept.cuh"

namespace chainshot::cuda {

// Returns the blocks that may be played: those to draw from, or those of the move that is followed; only the one that
// names the move if that can be played.
__device__ __forceinline__ LaneWords ChainWalk::candidates(bool& is_named) {
  const bool at_random = stage_ == Stage::kRandom;
  LaneWords found;
  board_.neighbours(found, at_random);
  board_.blocks_at(found);
  std::uint32_t others = 0;
#pragma unroll
  for (int i = 0; i < kLaneWords; ++i)
    others = logic<kA | (kB & ~kC)>(others, found.word[i], tabu_.word[i]);
  const bool avoids_tabu = lanes_.any_of_warp(others != 0);
  const bool is_by_name = stage_ == Stage::kNamed;
  const std::uint32_t bit = 1u << (block_ & 31), word = (block_ >> 5) - lanes_.word;
  LaneWords named;
#pragma unroll
  for (std::uint32_t i = 0; i < kLaneWords; ++i) {
    const std::uint32_t at_large = avoids_tabu ? ~tabu_.word[i] : ~0u;
    found.word[i] &= at_random ? at_large : pieces_.word[i];
    named.word[i] = found.word[i] & (is_by_name && word == i ? bit : 0);
  }
  is_named = lanes_.any_of_warp((named.word[0] | named.word[1]) != 0);
  return {is_named ? named.word[0] : found.word[0], is_named ? named.word[1] : found.word[1]};
}

// Draws one of so many.
__device__ __forceinline__ int ChainWalk::drawn(int total) {
  if (draws_ % kDrawsAtOnce == 0)
    even_draw_ = philox_pair(evaluation_, draws_ / 2 + lanes_.lane, memory_.state.seed, odd_draw_);
  const std::uint32_t draw = lanes_.from(draws_ & 1 ? odd_draw_ : even_draw_, static_cast<int>(draws_ / 2));
  ++draws_;
  return static_cast<int>(__umulhi(draw, total));
}

// Pieces are looked for once, in their order: none before the one that was picked is played any more.
__device__ __forceinline__ void ChainWalk::drop_pieces(bool is_owner, std::uint32_t owner, std::uint32_t word,
                                                       std::uint32_t bit) {
  if (lanes_.lane < owner) clear_pieces();
  if (!is_owner) return;
#pragma unroll
  for (std::uint32_t i = 0; i < kLaneWords; ++i) {
    if (i < word) pieces_.word[i] = 0;
    if (i == word) pieces_.word[i] &= ~(2 * bit - 1);
  }
}

// A block by its bit in a word of the lane: block | colour code << 8 | row << 12 | column << 16, where row and column
// are those of the cell it lies in.
__device__ __forceinline__ std::uint32_t ChainWalk::describe(std::uint32_t word, std::uint32_t bit,
                                                             std::uint32_t alive) const {
  const std::uint32_t place = highest_bit(bit), j = lanes_.word + word;
  const std::uint32_t row = __popc(logic<kA & kB & kC>(alive, bit - 1, place & 16 ? 0xFFFF0000u : 0xFFFFu));
  const std::uint32_t column = j | (place >> 1 & 8);
  std::uint32_t code = 0;
#pragma unroll
  for (int p = 0; p < kChainPlanes; ++p) {
    const uint2 plane = start_[p][lanes_.lane];
    code |= ((word == 0 ? plane.x : plane.y) & bit) != 0 ? 1u << (p + 8) : 0;
  }
  return j << 5 | place | code | row << 12 | __popc(board_.columns() & ((1u << column) - 1)) << 16;
}

// Picks the block to play: a random one, or the first. Returns its description to all lanes; `exists` tells whether
// there is one.
__device__ __forceinline__ std::uint32_t ChainWalk::pick(const LaneWords& choice, bool is_named, bool& exists) {
  const std::uint32_t low = choice.word[0], high = choice.word[1];
  const int first_count = __popc(low), own = first_count + __popc(high);
  int upto = own;
#pragma unroll
  for (std::uint32_t d = 1; d < kChainLanes; d *= 2) {
    const int below = __shfl_up_sync(kWholeWarp, upto, d, kChainLanes);
    if (lanes_.lane >= d) upto += below;
  }
  const int total = __shfl_sync(kWholeWarp, upto, kChainLanes - 1, kChainLanes);
  exists = total != 0;
  const int number = stage_ == Stage::kRandom && exists ? drawn(total) : 0;
  int skip = number - (upto - own);
  const bool is_owner = skip >= 0 && number < upto;
  const std::uint32_t word = skip >= first_count ? 1 : 0;
  std::uint32_t rest = word == 0 ? low : high;
  if (word == 1) skip -= first_count;
  std::uint32_t description = 0, bit = 0;
  if (is_owner) {
    while (skip-- > 0)
      rest &= rest - 1;
    bit = rest & (0u - rest);
    description = describe(word, bit, word == 0 ? alive_.word[0] : alive_.word[1]);
  }
  const std::uint32_t owner = __ffs(static_cast<int>(lanes_.ballot_of_warp(is_owner))) - 1;
  if (exists && !is_named) drop_pieces(is_owner, owner, word, bit);
  return __shfl_sync(kWholeWarp, description, static_cast<int>(owner), kChainLanes);
}

// Takes a group of fallen, closed cells out of the position.
__device__ __forceinline__ void ChainWalk::take_out(LaneWords& group, std::uint32_t code, bool has_group) {
  std::uint32_t size = __popc(group.word[0]) + __popc(group.word[1]);
  board_.blocks_at(group);
#pragma unroll
  for (int i = 0; i < kLaneWords; ++i)
    alive_.word[i] &= ~group.word[i];
  // The highest byte of a set of columns is free.
  const std::uint32_t touched = lanes_.sum(lanes_.own_columns_of(group) | size << 24, kWholeWarp);
  size = touched >> 24;
  if (!has_group) return;
  last_ = memory_.free[--names_left_];
  is_ahead_ = false;
  lanes_.store(memory_.position[last_], alive_);
  const std::uint32_t fewer = size << (code & 3) * 8;
  if (code & 4) {
    counts_.y -= fewer;
  } else {
    counts_.x -= fewer;
  }
  const ChainPoints& p = advance_.points;
  const int n = static_cast<int>(size);
  points_ += p.by_table ? table_.group[n] : (p.square * n + p.linear) * n + p.constant;
  if (lanes_.is_first()) {
    memory_.counts[last_] = counts_;
    memory_.trial[tried_] = make_uint2(board_.columns() | packed(touched) << 16,
                                       last_ | block_ << 8 | static_cast<std::uint32_t>(points_) << 16);
  }
  ++tried_;
}

__device__ __forceinline__ void ChainWalk::after_group(bool had_group, bool has_more_pieces) {
  if (stage_ == Stage::kRests) return;
  const bool at_random = stage_ == Stage::kRandom, is_first = part_ == Part::kFirst;
  if (at_random && is_first && !had_group) need_ = kNothing;
  const Stage after_random = is_first ? Stage::kPlayed : Stage::kRandom;
  const Stage after_piece = has_more_pieces ? Stage::kPieces : Stage::kPlayed;
  const Stage after_group = at_random ? after_random : after_piece;
  const Stage after_none = at_random ? Stage::kOver : Stage::kPlayed;
  stage_ = had_group ? after_group : after_none;
}

__device__ __forceinline__ void ChainWalk::turn() {
  base_ = -1;
  kept_ = 0;
  bool is_in_doubt = stage_ == Stage::kRandom && part_ == Part::kEnd;
  std::uint32_t met = 0;
  if (stage_ == Stage::kPlayed) compare(is_in_doubt, met);
  join();
  if (is_in_doubt) give_up_if_hopeless();
  join();
  if (stage_ == Stage::kOver) end_evaluation(met);
  join();
  if (stage_ == Stage::kNew) begin_evaluation();
  join();
  if (stage_ == Stage::kFollow) follow();
  join();
  if (base_ >= 0) {
    const LaneWords base = position_in(static_cast<std::uint32_t>(base_));
#pragma unroll
    for (std::uint32_t i = 0; i < kLaneWords; ++i)
      alive_.word[i] =
          logic<(kA & kC) | (kB & ~kC)>(alive_.word[i], base.word[i], cells_of_columns(kept_, lanes_.word + i));
  }
  __syncwarp();
  board_.settle(alive_);
  bool is_named, has_group;
  const LaneWords choice = candidates(is_named);
  const std::uint32_t picked = pick(choice, is_named, has_group), code = picked >> 8 & 7;
  if (has_group) block_ = picked & 0xFF;
  LaneWords group;
#pragma unroll
  for (std::uint32_t i = 0; i < kLaneWords; ++i)
    group.word[i] = has_group && picked >> 17 == lanes_.word + i ? 1u << (picked >> 12 & 31) : 0;
  board_.flood(group, code);
  take_out(group, code, has_group);
  std::uint32_t pieces_left = 0;
#pragma unroll
  for (int i = 0; i < kLaneWords; ++i)
    pieces_left |= pieces_.word[i] & alive_.word[i];
  after_group(has_group, lanes_.any_of_warp(pieces_left != 0));
}

// The number of a chain of a group.
__device__ __forceinline__ int chain_of(const ChainGroup& group, int number) {
  if (group.chosen != nullptr) return group.chosen[number];
  return number / group.members * group.slots + number % group.members;
}

__global__ void __launch_bounds__(kChainThreads, kChainBlocksPerSm) chain_kernel(const ChainAdvance advance) {
  __shared__ ChainScratch scratch;
  if (threadIdx.x < kChainPlanes * kChainLanes)
    scratch.start[threadIdx.x / kChainLanes][threadIdx.x % kChainLanes] =
        reinterpret_cast<const uint2*>(advance.board)[threadIdx.x];
  __syncthreads();
  const int number = static_cast<int>(blockIdx.x * kChainThreads + threadIdx.x) / kChainLanes;
  const bool exists = number < advance.group.chains;
  ChainWalk walk(advance, scratch, chain_of(advance.group, exists ? number : 0), exists);
  for (int turn = 0; turn < advance.turns && __any_sync(kWholeWarp, !walk.rests()); turn += kTurnsPerLook) {
#pragma unroll 1
    for (int i = 0; i < kTurnsPerLook; ++i) {
      walk.turn();
      __syncwarp();
    }
  }
  if (exists) walk.save();
}

}  // namespace chainshot::cuda
