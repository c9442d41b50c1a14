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

template <class Game, int kBlocksPerSm>
PlayoutKernel kernel_for(Picking picking) {
  switch (picking) {
    case Picking::kTaboo:
      return playout_kernel<Game, Picking::kTaboo, kBlocksPerSm>;
    case Picking::kCounting:
      return playout_kernel<Game, Picking::kCounting, kBlocksPerSm>;
    case Picking::kRoulette:
      break;
  }
  return playout_kernel<Game, Picking::kRoulette, kBlocksPerSm>;
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
  // A warp for many playouts a piece; where pieces are small most of its lanes would idle.
  if (playouts / arguments.pieces_count >= 16) {
    launch_tallies_by<Game, 32>(arguments, stream);
  } else {
    launch_tallies_by<Game, 4>(arguments, stream);
  }
}

}  // namespace

Residency playout_residency(bool wide, int multiprocessors) {
  const int blocks = multiprocessors * (wide ? kWideBlocksPerSm : kSmallBlocksPerSm);
  return {blocks, blocks * kPlayoutThreads};
}

cudaError_t try_kernels() {
  cudaFuncAttributes attributes;
  return cudaFuncGetAttributes(&attributes, kernel_for<SmallGame, kSmallBlocksPerSm>(Picking::kTaboo));
}

void launch_playouts(const PlayoutArguments& arguments, bool wide, Picking picking, int multiprocessors,
                     cudaStream_t stream) {
  const PlayoutKernel kernel =
      wide ? kernel_for<WideGame, kWideBlocksPerSm>(picking) : kernel_for<SmallGame, kSmallBlocksPerSm>(picking);
  const auto blocks = static_cast<std::uint32_t>(playout_residency(wide, multiprocessors).blocks);
  // A small launch takes no more lanes than it has playouts.
  const std::uint32_t needed = (arguments.playouts + kPlayoutThreads - 1) / kPlayoutThreads;
  kernel<<<std::min(blocks, needed), kPlayoutThreads, 0, stream>>>(arguments);
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
