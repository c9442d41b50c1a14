// How a batch becomes launches. A launch holds pieces of requests that run the same program, as many as fit into a
// slot. This file needs no CUDA.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "cuda/playout_arguments.hpp"
#include "game/engine.hpp"
#include "game/lanes/lane_plan.hpp"

namespace chainshot::cuda {

// A submitted batch. The engine's mutex guards `unfinished` and `outcome`.
struct DeviceBatch {
  game::Batch batch;
  std::vector<lanes::PreparedRequest> prepared;  // one per request
  std::size_t unfinished = 0;                    // launches
  game::Outcome outcome;
};

// Some playouts of one request.
struct LaunchPiece {
  std::size_t request = 0;
  std::uint32_t first = 0;  // counted from the request's first playout
  std::uint32_t playouts = 0;
};

struct Launch {
  std::shared_ptr<DeviceBatch> batch;
  lanes::LaneProgram program;
  std::vector<LaunchPiece> pieces;
  std::uint32_t playouts = 0;
  std::size_t histograms = 0;  // requests it has pieces of
};

// Room for the roulette table of any board. A table made for a fuller board is not read beyond the blocks of this one.
inline constexpr std::size_t kRouletteBytes =
    static_cast<std::size_t>(game::RouletteTable::first(game::kMaxCells + 1)) * sizeof(std::uint32_t);

// The capacity of a slot. All sizes follow from the number of playouts on small boards; wide boards take more room
// each.
struct SlotSizes {
  std::uint32_t small_playouts = 0;

  static SlotSizes for_playouts(std::uint64_t playouts);
  std::uint32_t playouts(bool wide) const;
  std::uint32_t pieces() const;
  std::size_t final_bytes() const;
  std::size_t upload_bytes() const;
  std::size_t download_bytes() const;
  // All that a slot ever takes of a device.
  std::size_t device_bytes() const { return final_bytes() + upload_bytes() + download_bytes() + kRouletteBytes; }
};

inline constexpr std::uint32_t kFewestPlayouts = 1024;  // of the smallest slot
inline constexpr std::uint32_t kPiecePlayouts = 4096;   // a larger request is cut, so that many warps count its results
// A tally on a device sums the squares of a piece in 64 bits; game::Result adds them up in more. No score of a board of
// n blocks is further from 0 than n^2 and the bonus.
static_assert(std::uint64_t{kPiecePlayouts} * (game::kMaxCells * game::kMaxCells + 1000) <=
              std::numeric_limits<std::uint64_t>::max() / (game::kMaxCells * game::kMaxCells + 1000));
inline constexpr std::size_t kHistogramCounters = 1 << 18;  // per slot

std::size_t board_words(bool wide);
std::size_t plane_words(bool wide);
// Upload bytes of a piece besides its boards.
inline constexpr std::size_t kPieceUploadBytes =
    sizeof(PieceStart) + sizeof(std::uint32_t) + sizeof(std::int32_t) + sizeof(std::uint32_t);
// How many boards a request may need: one, or one per colour where the tabu colour is drawn.
std::size_t boards_of(const game::Request& request, const lanes::PreparedRequest& prepared);

// Cuts the requests named by `order` (all in lanes, of the same program side by side) into launches of at most
// `largest` playouts.
std::vector<Launch> cut_launches(const std::shared_ptr<DeviceBatch>& batch, const std::vector<std::size_t>& order,
                                 const SlotSizes& sizes, std::uint64_t largest);

}  // namespace chainshot::cuda
