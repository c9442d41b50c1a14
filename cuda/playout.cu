#include "cuda/playout.hpp"

#include <algorithm>

#include "cuda/playout_kernel.cuh"
#include "cuda/resources.hpp"
#include "cuda/small_game.cuh"
#include "cuda/tally_kernel.cuh"
#include "cuda/wide_game.cuh"

namespace chainshot::cuda {
namespace {

using PlayoutKernel = void (*)(PlayoutArguments);

int blocks_per_sm(bool wide, Picking picking) {
  if (wide) return kWideBlocksPerSm;
  return picking == Picking::kRoulette ? kRouletteBlocksPerSm : kSmallBlocksPerSm;
}

PlayoutKernel kernel_for(bool wide, Picking picking) {
  switch (picking) {
    case Picking::kTabu:
      return wide ? playout_kernel<WideGame, Picking::kTabu, kWideBlocksPerSm>
                  : playout_kernel<SmallGame, Picking::kTabu, kSmallBlocksPerSm>;
    case Picking::kCounting:
      return wide ? playout_kernel<WideGame, Picking::kCounting, kWideBlocksPerSm>
                  : playout_kernel<SmallGame, Picking::kCounting, kSmallBlocksPerSm>;
    case Picking::kRoulette:
      break;
  }
  return wide ? playout_kernel<WideGame, Picking::kRoulette, kWideBlocksPerSm>
              : playout_kernel<SmallGame, Picking::kRoulette, kRouletteBlocksPerSm>;
}

template <class Game, int kWidth>
void launch_tallies_by(const TallyArguments& arguments, cudaStream_t stream) {
  constexpr std::uint32_t kPiecesPerBlock = kTallyThreads / kWidth;
  const std::uint32_t blocks = (arguments.pieces_count + kPiecesPerBlock - 1) / kPiecesPerBlock;
  tally_kernel<Game, kWidth><<<blocks, kTallyThreads, 0, stream>>>(arguments);
  check(cudaGetLastError(), "count the results of playouts");
}

template <class Game>
void launch_tallies_of(const TallyArguments& arguments, std::uint32_t playouts, cudaStream_t stream) {
  // A warp per piece if pieces have many playouts; with small pieces most of its lanes would idle.
  if (playouts / arguments.pieces_count >= 16) {
    launch_tallies_by<Game, 32>(arguments, stream);
  } else {
    launch_tallies_by<Game, 4>(arguments, stream);
  }
}

}  // namespace

int resident_lanes(int multiprocessors) {
  return multiprocessors * kSmallBlocksPerSm * kPlayoutThreads;
}

cudaError_t try_kernels() {
  cudaFuncAttributes attributes;
  return cudaFuncGetAttributes(&attributes, kernel_for(false, Picking::kTabu));
}

void launch_playouts(const PlayoutArguments& arguments, bool wide, Picking picking, int multiprocessors,
                     cudaStream_t stream) {
  const auto blocks = static_cast<std::uint32_t>(multiprocessors * blocks_per_sm(wide, picking));
  // A small launch takes no more lanes than it has playouts.
  const std::uint32_t needed = (arguments.playouts + kPlayoutThreads - 1) / kPlayoutThreads;
  kernel_for(wide, picking)<<<std::min(blocks, needed), kPlayoutThreads, 0, stream>>>(arguments);
  check(cudaGetLastError(), "start playouts");
}

void launch_tallies(const TallyArguments& arguments, bool wide, std::uint32_t playouts, cudaStream_t stream) {
  if (wide) {
    launch_tallies_of<WideGame>(arguments, playouts, stream);
  } else {
    launch_tallies_of<SmallGame>(arguments, playouts, stream);
  }
}

}  // namespace chainshot::cuda
