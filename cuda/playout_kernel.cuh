// The playout kernel: a lane plays a game. Every warp owns a range of playouts. All its lanes run one flat loop, the
// turn: link, pick, flood, settle; what a lane has not finished waits for the next turn. Every few turns, lanes whose
// game is over store it and take the next playout of the range, and all lanes draw random numbers for the turns to
// come. A playout depends on its key alone, so the order in which lanes take them changes nothing.
#pragma once

#include "cuda/philox.cuh"
#include "cuda/playout_arguments.hpp"
#include "cuda/playout_tuning.cuh"
#include "game/random.hpp"

namespace chainshot::cuda {

template <class Game, Picking kPicking>
class Lane {
 public:
  __device__ __forceinline__ Lane(const PlayoutArguments& arguments, std::uint32_t* ring)
      : arguments_(arguments), ring_(ring) {}

  // How many turns the draws of the ring last.
  __device__ __forceinline__ int turns_per_refill() const { return draws_per_pick() == 1 ? 4 : 2; }
  __device__ __forceinline__ bool is_over() const { return is_over_; }

  __device__ __forceinline__ void start(std::uint32_t playout, const PieceStart& piece) {
    playout_ = playout;
    number_ = playout + piece.numbering;
    key_low_ = piece.key_low;
    key_high_ = piece.key_high;
    std::uint32_t board = piece.board;
    if (arguments_.draws_tabu != 0) {
      const std::uint32_t* first = arguments_.boards + std::size_t{board} * Game::kBoardWords;
      const PhiloxBlock setup = philox(game::kSetupBlock, number_, key_low_, key_high_, arguments_.keys);
      board += __umulhi(setup.word[0], __ldg(first + Game::kBoardWords - 1));
    }
    const std::uint32_t* cells = arguments_.boards + std::size_t{board} * Game::kBoardWords;
    game_.start(cells);
    if constexpr (kPicking != Picking::kTabu) {
      left_ = __ldg(cells + Game::kBoardCells);
      if constexpr (kPicking == Picking::kRoulette) {
#pragma unroll
        for (int i = 0; i < kCountWords; ++i)
          counts_[i] = __ldg(cells + Game::kBoardCells + 1 + i);
      }
      is_fresh_ = true;
    }
    points_ = 0;
    length_ = 0;
    draw_ = 0;
    is_over_ = false;
  }

  __device__ __forceinline__ void store() const {
    game_.store(arguments_.final_boards + std::size_t{playout_} * Game::kBoardCells);
    arguments_.final_games[playout_] = points_ << 10 | length_;
  }

  // Computes the block that holds the fourth draw from here. With the block before it, the ring then has all draws
  // until the next refill.
  __device__ __forceinline__ void draw_ahead() {
    const std::uint32_t block = (draw_ + 3) >> 2;
    const PhiloxBlock words = philox(block, number_, key_low_, key_high_, arguments_.keys);
    std::uint32_t* place = ring_ + (block & 1) * (kRingWords / 2 * 32);
#pragma unroll
    for (int w = 0; w < 4; ++w)
      place[w * 32] = words.word[w];
  }

  __device__ __forceinline__ void turn() {
    std::uint32_t code = 0;
    const auto choose = [&](bool any_open) { return choose_colors(any_open, code); };
    const auto book = [&](bool over, bool closed, bool accepted, std::uint32_t size) {
      is_over_ = over;
      draw_ += closed ? draws_per_pick() : 0;
      points_ += accepted ? static_cast<std::uint32_t>(arguments_.points.at(static_cast<int>(size))) : 0;
      length_ += accepted ? 1 : 0;
      if constexpr (kPicking != Picking::kTabu) {
        left_ -= accepted ? size : 0;
        is_fresh_ = closed ? accepted : is_fresh_;
        if constexpr (kPicking == Picking::kRoulette) count_off(code - 1, accepted ? size : 0);
      }
    };
    game_.turn(drawn(0), choose, book);
  }

 private:
  static constexpr int kCountsPerWord = 32 / Game::kCountBits;
  static constexpr int kColors = (1 << Game::kPlanes) - 1;
  static constexpr int kCountWords = (kColors + kCountsPerWord - 1) / kCountsPerWord;

  __device__ __forceinline__ std::uint32_t draws_per_pick() const {
    return kPicking == Picking::kTabu ? 1 : kPicking == Picking::kRoulette ? 2 : arguments_.draws_per_pick;
  }
  __device__ __forceinline__ std::uint32_t drawn(std::uint32_t ahead) const {
    return ring_[((draw_ + ahead) & (kRingWords - 1)) * 32];
  }

  // Decides which candidates to draw from. False if there is none.
  __device__ __forceinline__ bool choose_colors(bool any_open, std::uint32_t& code) {
    if constexpr (kPicking != Picking::kTabu) {
      if (is_fresh_) second_ = drawn(1);
    }
    if constexpr (kPicking == Picking::kRoulette) {
      const std::uint32_t available = game_.codes_with_candidate(arguments_.colors);
      code = roulette_code(available);
      game_.keep_code(code);
      return available != 0;
    } else {
      bool lifted = !any_open || arguments_.has_tabu == 0;
      if constexpr (kPicking == Picking::kCounting)
        lifted = lifted || left_ <= arguments_.random_below || second_ < arguments_.epsilon;
      if (lifted) game_.lift_tabu();
      return true;
    }
  }

  __device__ __forceinline__ std::uint32_t count_of(int color) const {
    return counts_[color / kCountsPerWord] >> (color % kCountsPerWord * Game::kCountBits) &
           ((1u << Game::kCountBits) - 1);
  }
  __device__ __forceinline__ void count_off(std::uint32_t color, std::uint32_t size) {
    const std::uint32_t taken = size << (color % kCountsPerWord * Game::kCountBits);
#pragma unroll
    for (int i = 0; i < kCountWords; ++i)
      counts_[i] -= color / kCountsPerWord == static_cast<std::uint32_t>(i) ? taken : 0;
  }

  // A colour by the roulette wheel, as game/playout.cpp draws it; `available` has a bit for each that has a group.
  __device__ __forceinline__ std::uint32_t roulette_code(std::uint32_t available) const {
    const std::uint32_t* weights = arguments_.roulette + (left_ * (left_ + 1) >> 1);
    std::uint32_t weight[kColors], sum = 1, total = 0;
#pragma unroll
    for (int c = 0; c < kColors; ++c) {
      weight[c] = 0;
      if (c < static_cast<int>(arguments_.colors)) weight[c] = __ldg(weights + count_of(c));
      sum += weight[c];
    }
#pragma unroll
    for (int c = 0; c < kColors; ++c) {
      if (available >> c & 1u) total += sum - weight[c];
      weight[c] = total;  // up to this colour
    }
    const std::uint32_t ball = __umulhi(second_, total);
    std::uint32_t code = 1;
#pragma unroll
    for (int c = 0; c < kColors; ++c)
      code += ball >= weight[c] ? 1u : 0u;
    return code;
  }

  const PlayoutArguments& arguments_;
  std::uint32_t* ring_;
  Game game_;
  bool is_over_ = true;
  std::uint32_t playout_ = 0, number_ = 0, key_low_ = 0, key_high_ = 0;
  std::uint32_t draw_ = 0, points_ = 0, length_ = 0;
  std::uint32_t left_ = 0, second_ = 0;
  std::uint32_t counts_[kCountWords] = {};  // of colours; a lane without a game looks them up too
  bool is_fresh_ = true;                    // the next pick takes a new second word
};

template <class Game, Picking kPicking, int kBlocksPerSm>
__global__ void __launch_bounds__(kPlayoutThreads, kBlocksPerSm) playout_kernel(const PlayoutArguments arguments) {
  constexpr std::uint32_t kAllLanes = 0xFFFFFFFFu;
  __shared__ std::uint32_t rings[kPlayoutThreads / 32][kRingWords][32];
  const std::uint32_t lane_number = threadIdx.x % 32;
  const std::uint32_t warps = gridDim.x * (kPlayoutThreads / 32);
  const std::uint32_t warp = blockIdx.x * (kPlayoutThreads / 32) + threadIdx.x / 32;
  // This warp's range, and the piece its next playout lies in.
  std::uint32_t next = static_cast<std::uint32_t>(std::uint64_t{arguments.playouts} * warp / warps);
  const std::uint32_t end = static_cast<std::uint32_t>(std::uint64_t{arguments.playouts} * (warp + 1) / warps);
  std::uint32_t cursor = 0;
  for (std::uint32_t step = 1u << 31 >> __clz(arguments.pieces_count | 1); step != 0; step >>= 1)
    if (cursor + step < arguments.pieces_count && arguments.first_playout[cursor + step] <= next) cursor += step;

  Lane<Game, kPicking> lane(arguments, &rings[threadIdx.x / 32][0][lane_number]);
  bool has_game = false;
  std::uint32_t lanes_before;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lanes_before));
  bool done = false;
  do {
    const std::uint32_t over = __ballot_sync(kAllLanes, lane.is_over());
    if (over != 0) {
      const std::uint32_t mine = next + __popc(over & lanes_before);
      std::uint32_t piece = cursor;
      if (lane.is_over()) {
        if (has_game) lane.store();
        has_game = mine < end;
        if (has_game) {
          while (arguments.first_playout[piece + 1] <= mine)
            ++piece;
          lane.start(mine, arguments.pieces[piece]);
        }
      }
      done = over == kAllLanes && next >= end;
      next += __popc(over);
      cursor = __shfl_sync(kAllLanes, piece, 31 - __clz(over));
    }
    lane.draw_ahead();
    int turns = lane.turns_per_refill();
    do {
      lane.turn();
      __syncwarp();
    } while (--turns != 0);
  } while (!done);
}

}  // namespace chainshot::cuda
