// Tallies the playouts of each piece: a few threads score the finished games of a piece, and CUB reduces their tallies.
// Among equal scores the lowest number wins, so the answer does not depend on the order.
#pragma once

#include <cub/warp/warp_reduce.cuh>

#include "cuda/device_word.cuh"
#include "cuda/playout_arguments.hpp"
#include "cuda/tally_tuning.cuh"
#include "game/engine.hpp"
#include "game/playout.hpp"

namespace chainshot::cuda {

struct MergeTallies {
  __device__ __forceinline__ Tally operator()(const Tally& a, const Tally& b) const {
    if (a.count == 0) return b;
    if (b.count == 0) return a;
    Tally out = a;
    out.sum += b.sum;
    out.sum_of_squares += b.sum_of_squares;
    out.moves += b.moves;
    out.digest += b.digest;
    out.count += b.count;
    out.worst = min(a.worst, b.worst);
    if (b.best > a.best || (b.best == a.best && b.best_playout < a.best_playout)) {
      out.best = b.best;
      out.best_playout = b.best_playout;
    }
    return out;
  }
};

// Points for what a finished game left on the board.
template <class Game>
__device__ __forceinline__ int points_at_end(const std::uint32_t* board, const TallyArguments& arguments) {
  constexpr int kPlanes = Game::kPlanes, kCodes = 1 << kPlanes;
  int left_of[kCodes] = {};
  for (int i = 0; i < Game::kBoardCells; i += kPlanes) {
    Word plane[kPlanes];
    Word any{0};
#pragma unroll
    for (int p = 0; p < kPlanes; ++p) {
      plane[p] = {board[i + p]};
      any = any | plane[p];
    }
    if (any.bits == 0) continue;  // most of a finished board
#pragma unroll
    for (int code = 1; code < kCodes; ++code) {
      Word match{~0u};
#pragma unroll
      for (int p = 0; p < kPlanes; ++p)
        match = code >> p & 1 ? match & plane[p] : and_not(match, plane[p]);
      left_of[code] += static_cast<int>(popcount(match).bits);
    }
  }
  int left = 0, by_color = 0;
#pragma unroll
  for (int code = 1; code < kCodes; ++code) {
    left += left_of[code];
    if (left_of[code] > 0) by_color += arguments.scoring.left_per_color.at(left_of[code]);
  }
  return arguments.scoring.final_points(left, by_color);
}

template <class Game>
__device__ __forceinline__ Tally tally_of(std::uint32_t playout, std::uint32_t piece, const TallyArguments& arguments) {
  const std::uint32_t final_game = arguments.final_games[playout];
  const auto length = static_cast<int>(final_game & 1023);
  const int score = arguments.points_before[piece] + (static_cast<int>(final_game) >> 10) +
                    points_at_end<Game>(arguments.final_boards + std::size_t{playout} * Game::kBoardCells, arguments);
  const PieceStart& start = arguments.pieces[piece];
  const std::uint64_t request = std::uint64_t{start.key_high} << 32 | start.key_low;
  const std::uint32_t number = playout + start.numbering;
  if (arguments.histogram.bins > 0)
    atomicAdd(arguments.bin_counts + std::size_t{arguments.histograms[piece]} * arguments.histogram.bins +
                  arguments.histogram.bin_of(score),
              1u);
  Tally tally;
  tally.sum = score;
  tally.sum_of_squares = static_cast<unsigned long long>(static_cast<long long>(score) * score);
  tally.moves = static_cast<unsigned long long>(length);
  tally.digest = game::playout_digest({0, request, number}, score, length);
  tally.best = tally.worst = score;
  tally.best_playout = number;
  tally.count = 1;
  return tally;
}

// `kWidth` threads per piece.
template <class Game, int kWidth>
__global__ void __launch_bounds__(kTallyThreads) tally_kernel(const TallyArguments arguments) {
  using Reduce = cub::WarpReduce<Tally, kWidth>;
  __shared__ typename Reduce::TempStorage storage[kTallyThreads / kWidth];
  const std::uint32_t group = threadIdx.x / kWidth, rank = threadIdx.x % kWidth;
  const std::uint32_t piece = blockIdx.x * (kTallyThreads / kWidth) + group;
  Tally tally{};
  if (piece < arguments.pieces_count) {
    const std::uint32_t end = arguments.first_playout[piece + 1];
    for (std::uint32_t playout = arguments.first_playout[piece] + rank; playout < end; playout += kWidth)
      tally = MergeTallies{}(tally, tally_of<Game>(playout, piece, arguments));
  }
  tally = Reduce(storage[group]).Reduce(tally, MergeTallies{});
  if (rank == 0 && piece < arguments.pieces_count) arguments.tallies[piece] = tally;
}

}  // namespace chainshot::cuda
