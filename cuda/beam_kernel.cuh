// The two kernels that expand a slice of a beam. One lists the moves of each state, a thread per state. The other makes
// and evaluates a child per thread, all in registers, and stores the children that are good enough in free slots of the
// pool. Both give exactly what cpu/beam/geometry_beam.hpp gives.
#pragma once

#include <cub/block/block_scan.cuh>

#include "cuda/beam_game.cuh"
#include "cuda/beam_tuning.cuh"

namespace chainshot::cuda {

// A cell stands for its group if no equal cell is to its left or below, one is above or to its right, and no equal cell
// is to the left of an equal one above. The lowest cell of the leftmost column always does; few groups have a second
// one, whose thread finds out and makes no child.
__device__ __forceinline__ Columns candidates(const BeamPairs& pairs) {
  Columns cells;
#pragma unroll
  for (int j = 0; j < kBeamColumnWords; ++j) {
    const std::uint32_t above = pairs.above.word[j], equal_left = pairs.right.left(j);
    cells.word[j] = (above | pairs.right.word[j]) & ~equal_left & ~(above << 1) & ~(above & (equal_left >> 1));
  }
  return cells;
}

__global__ void __launch_bounds__(kFindThreads) find_moves_kernel(const BeamSlice slice) {
  using Scan = cub::BlockScan<std::uint32_t, kFindThreads>;
  __shared__ typename Scan::TempStorage scan;
  __shared__ std::uint32_t first_of_block;
  const std::uint32_t state = blockIdx.x * kFindThreads + threadIdx.x;
  Columns cells = {};
  if (state < slice.count) {
    BeamBoard board;
    board.load(slice.pool.boards + std::size_t{slice.states[state]} * kBeamBoardWords);
    cells = candidates(board.pairs());
    std::uint64_t counts = 0;
    for (int color = 0; color < slice.tables.colors; ++color) {
      const ColorCode code(color);
      int blocks = 0;
#pragma unroll
      for (int j = 0; j < kBeamColumnWords; ++j)
        blocks += __popc(board.of_color(j, code));
      counts |= static_cast<std::uint64_t>(blocks) << 8 * color;
    }
    slice.color_counts[state] = counts;
  }
  std::uint32_t at = 0, moves = 0;
  Scan(scan).ExclusiveSum(static_cast<std::uint32_t>(count(cells)), at, moves);
  if (threadIdx.x == 0) first_of_block = atomicAdd(&slice.counters->found, moves);
  __syncthreads();
  at += first_of_block;
#pragma unroll
  for (int j = 0; j < kBeamColumnWords; ++j) {
    for (std::uint32_t word = cells.word[j]; word != 0; word &= word - 1)
      slice.moves[at++] = state << 8 | static_cast<std::uint32_t>(j * 32 + __ffs(word) - 1);
  }
}

// One child under the evaluation.
class BeamChildMaker {
 public:
  __device__ __forceinline__ explicit BeamChildMaker(const BeamSlice& slice) : slice_(slice) {}

  // Returns whether the child is to be stored.
  __device__ __forceinline__ bool make(std::uint32_t move) {
    const std::uint32_t state = move >> 8, slot = slice_.states[state];
    const int cell = static_cast<int>(move & 255);
    board_.load(slice_.pool.boards + std::size_t{slot} * kBeamBoardWords);
    const Columns group = flood(cell, board_.pairs());
    std::uint32_t lower = 0;  // cells of the group before this one
    int code = 0;
#pragma unroll
    for (int j = 0; j < kBeamColumnWords; ++j)
      lower |= group.word[j] & (j < cell / 32 ? ~0u : j == cell / 32 ? (1u << cell % 32) - 1 : 0u);
    if (lower != 0) return false;
    is_child_ = true;
#pragma unroll
    for (int p = 0; p < kBeamPlanes; ++p) {
      std::uint32_t bits = 0;
#pragma unroll
      for (int j = 0; j < kBeamColumnWords; ++j)
        bits |= board_.plane[p].word[j] & group.word[j];
      code |= bits != 0 ? 1 << p : 0;
    }
    const int size = count(group);
    points_ = points_of_rank(slice_.pool.rank[slot]) + slice_.tables.scoring.group_points(size);
    blocks_ = slice_.blocks - size;
    parent_ = slice_.first_parent + state;
    cell_ = cell;
    counts_ = slice_.color_counts[state] - (static_cast<std::uint64_t>(size) << 8 * (code - 1));
    board_.drop(group);
    board_.close();
    const BeamPairs pairs = board_.pairs();
    if (!pairs.any()) {
      finish();
      return false;
    }
    evaluation_ = points_ * game::kBeamScale + value(pairs);
    return evaluation_ >= slice_.counters->least[blocks_];
  }

  // Whether the move was one of its own, and not that of another thread.
  __device__ __forceinline__ bool is_child() const {
    return is_child_;
  }
  __device__ __forceinline__ int blocks() const {
    return blocks_;
  }

  __device__ __forceinline__ void store(std::uint32_t slot) const {
    const BeamPool& pool = slice_.pool;
    board_.store(pool.boards + std::size_t{slot} * kBeamBoardWords);
    pool.hash[slot] = board_.hash();
    pool.rank[slot] = beam_rank(points_, parent_, cell_ / 16, cell_ % 16);
    pool.evaluation[slot] = evaluation_;
    pool.bucket[slot] = static_cast<std::uint8_t>(blocks_);
  }

 private:
  __device__ __forceinline__ int blocks_of(int color) const {
    return static_cast<int>(counts_ >> 8 * color & 255);
  }

  __device__ void finish() const {
    const game::Scoring& scoring = slice_.tables.scoring;
    int left = 0, by_color = 0;
    for (int color = 0; color < slice_.tables.colors; ++color) {
      const int r = blocks_of(color);
      left += r;
      if (r > 0) by_color += scoring.left_per_color.at(r);
    }
    const int score = points_ + scoring.final_points(left, by_color);
    const std::uint64_t finished = beam_finish(score, parent_, cell_ / 16, cell_ % 16);
    atomicMax(reinterpret_cast<unsigned long long*>(&slice_.counters->best), static_cast<unsigned long long>(finished));
  }

  // Maximal rows of columns, given a bit for each column: bit 15 - j for column 2 * j, bit 31 - j for the one to its
  // right.
  __device__ static __forceinline__ int runs(std::uint32_t columns) {
    return __popc(columns & ~(columns << 16 | columns >> 17));
  }
  // The highest bit of each half of the word, if the half is not empty.
  __device__ static __forceinline__ std::uint32_t filled(std::uint32_t cells) {
    return logic<(kA | kB) & kC>((cells & ~kTopRow) + ~kTopRow, cells, kTopRow);
  }

  // The value of what is left on the board; the features are those of game::BeamTables.
  __device__ __forceinline__ std::int32_t value(const BeamPairs& pairs) const {
    const BeamTableArguments& tables = slice_.tables;
    Columns either, both, isolated;
#pragma unroll
    for (int j = 0; j < kBeamColumnWords; ++j) {
      const std::uint32_t above = pairs.above.word[j], right = pairs.right.word[j];
      // Pairs less squares is the number of cells in `either` plus that in `both`.
      either.word[j] = above | right;
      both.word[j] = logic<kA & kB & ~kC>(above, right, pairs.above.right(j));
      const std::uint32_t joined = logic<kA | kB | kC>(either.word[j], above << 1, pairs.right.left(j));
      isolated.word[j] = board_.occupied(j) & ~joined;
    }
    const Columns diagonal = equal_diagonally();
    const ColorCode target(tables.target);
    int single = 0, single_of_target = 0, lonely = 0, lonely_of_target = 0, steps = 0;
    std::uint32_t target_columns = 0;
#pragma unroll
    for (int j = 0; j < kBeamColumnWords; ++j) {
      const std::uint32_t alone = isolated.word[j], lone = alone & ~diagonal.word[j];
      const std::uint32_t of_target = board_.of_color(j, target);
      const std::uint32_t occupied = board_.occupied(j);
      const std::uint32_t to_right =
          __funnelshift_r(occupied, j + 1 < kBeamColumnWords ? board_.occupied(j + 1) : 0, 16);
      single += __popc(alone);
      lonely += __popc(lone);
      single_of_target += __popc(alone & of_target);
      lonely_of_target += __popc(lone & of_target);
      steps += __popc(occupied ^ to_right);
      target_columns |= filled(of_target) >> j;
    }
    const game::BeamTables::Weights& w = tables.weights[blocks_];
    std::int32_t value = w.steps * steps + w.columns * __popc(board_.columns());
    value += w.target_isolated * single_of_target + w.other_isolated * (single - single_of_target);
    value += w.target_lonely * lonely_of_target + w.other_lonely * (lonely - lonely_of_target);
    int other_components = 0, all_runs = 0;
    add_colors_from<0>(either, both, w, value, other_components, all_runs);
    const int target_runs = runs(target_columns);
    value += w.other_components * other_components;
    return value + w.target_runs * target_runs + w.other_runs * (all_runs - target_runs);
  }

  // No lambda does this, because clang++ would not inline it, and keep the board in memory.
  template <int kColor>
  __device__ __forceinline__ void add_colors_from(const Columns& either, const Columns& both,
                                                  const game::BeamTables::Weights& w, std::int32_t& value,
                                                  int& other_components, int& all_runs) const {
    if (kColor < slice_.tables.colors) add_color<kColor>(either, both, w, value, other_components, all_runs);
    if constexpr (kColor + 1 < kBeamColors)
      add_colors_from<kColor + 1>(either, both, w, value, other_components, all_runs);
  }

  template <int kColor>
  __device__ __forceinline__ void add_color(const Columns& either, const Columns& both,
                                            const game::BeamTables::Weights& w, std::int32_t& value,
                                            int& other_components, int& all_runs) const {
    const BeamTableArguments& tables = slice_.tables;
    int links = 0;
    std::uint32_t columns = 0;
#pragma unroll
    for (int j = 0; j < kBeamColumnWords; ++j) {
      const std::uint32_t cells = board_.template of_color<kColor>(j);
      links += __popc(cells & either.word[j]) + __popc(cells & both.word[j]);
      columns |= filled(cells) >> j;
    }
    all_runs += runs(columns);
    const int blocks = blocks_of(kColor);
    if (blocks == 0) return;
    const int components = max(1, blocks - links), at = blocks * tables.stride + components;
    if (kColor == tables.target) {
      value += tables.target_value[at] + w.target_components * components;
    } else {
      value += tables.other_value[at];
      other_components += components;
    }
  }

  // Cells that equal one of the four cells diagonally next to them.
  __device__ __forceinline__ Columns equal_diagonally() const {
    Columns cells, to_right;
#pragma unroll
    for (int j = 0; j < kBeamColumnWords; ++j) {
      const std::uint32_t up = board_.equal_right_above(j), down = board_.equal_right_below(j);
      cells.word[j] = up | down;
      to_right.word[j] = up << 1 | down >> 1;
    }
#pragma unroll
    for (int j = 0; j < kBeamColumnWords; ++j)
      cells.word[j] |= to_right.left(j);
    return cells;
  }

  const BeamSlice& slice_;
  BeamBoard board_;
  std::uint64_t counts_ = 0;  // blocks left, 8 bits per colour
  std::uint32_t parent_ = 0;
  int points_ = 0, blocks_ = 0, cell_ = 0;
  std::int32_t evaluation_ = 0;
  bool is_child_ = false;
};

__global__ void __launch_bounds__(kExpandThreads, kExpandBlocksPerSm) expand_moves_kernel(const BeamSlice slice) {
  __shared__ std::uint32_t opened[kBeamBuckets];
  __shared__ std::uint32_t children;
  for (int b = static_cast<int>(threadIdx.x); b < kBeamBuckets; b += kExpandThreads)
    opened[b] = 0;
  if (threadIdx.x == 0) children = 0;
  __syncthreads();
  const std::uint32_t found = slice.counters->found, lane = threadIdx.x % 32;
  int children_of_warp = 0;
  for (std::uint32_t first = blockIdx.x * kExpandThreads; first < found; first += gridDim.x * kExpandThreads) {
    const std::uint32_t i = first + threadIdx.x;
    BeamChildMaker child(slice);
    bool is_kept = i < found && child.make(slice.moves[i]);
    children_of_warp += __popc(__ballot_sync(~0u, child.is_child()));
    // The lanes of a warp take their slots together.
    const std::uint32_t kept = __ballot_sync(~0u, is_kept);
    std::uint32_t taken = 0;
    if (lane == 0 && kept != 0) taken = atomicAdd(&slice.counters->taken, static_cast<std::uint32_t>(__popc(kept)));
    taken = __shfl_sync(~0u, taken, 0) + static_cast<std::uint32_t>(__popc(kept & ((1u << lane) - 1)));
    if (is_kept && taken >= slice.free_slots) {
      atomicAdd(&slice.counters->overflowed, 1u);
      is_kept = false;
    }
    if (is_kept) {
      child.store(slice.pool.free[taken]);
      atomicAdd(&opened[child.blocks()], 1u);
    }
  }
  if (lane == 0) atomicAdd(&children, static_cast<std::uint32_t>(children_of_warp));
  __syncthreads();
  for (int b = static_cast<int>(threadIdx.x); b < kBeamBuckets; b += kExpandThreads)
    if (opened[b] != 0) atomicAdd(&slice.counters->size[b], opened[b]);
  if (threadIdx.x == 0)
    atomicAdd(reinterpret_cast<unsigned long long*>(&slice.counters->children),
              static_cast<unsigned long long>(children));
}

}  // namespace chainshot::cuda
