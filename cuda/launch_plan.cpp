#include "cuda/launch_plan.hpp"

#include <algorithm>

namespace chainshot::cuda {
namespace {

constexpr std::size_t kSmallFinalBytes = (kSmallPlaneWords + 1) * sizeof(std::uint32_t);
constexpr std::size_t kWideFinalBytes = (kWidePlaneWords + 1) * sizeof(std::uint32_t);

constexpr std::size_t kUploadSlack = 4096;  // for the alignment of what is uploaded

// Counts the room left in a slot while a launch is filled.
struct Room {
  std::uint32_t playouts;
  std::uint32_t pieces;
  std::size_t upload_bytes;
  std::size_t histograms;
};

Room room_of(const SlotSizes& sizes, bool wide, std::uint64_t largest, int bins) {
  return {.playouts = static_cast<std::uint32_t>(std::min<std::uint64_t>(sizes.playouts(wide), largest)),
          .pieces = sizes.pieces(),
          .upload_bytes = sizes.upload_bytes() - kUploadSlack,
          .histograms = bins == 0 ? sizes.pieces() : kHistogramCounters / static_cast<std::size_t>(bins)};
}

}  // namespace

SlotSizes SlotSizes::for_playouts(std::uint64_t playouts) {
  return {static_cast<std::uint32_t>(std::clamp<std::uint64_t>(playouts, kFewestPlayouts, 1u << 26))};
}

std::uint32_t SlotSizes::playouts(bool wide) const {
  return wide ? static_cast<std::uint32_t>(final_bytes() / kWideFinalBytes) : small_playouts;
}

std::uint32_t SlotSizes::pieces() const {
  return std::max(small_playouts / 4, 256u);
}

std::size_t SlotSizes::final_bytes() const {
  return std::size_t{small_playouts} * kSmallFinalBytes;
}

// A board of the small geometry for every piece, and room for the boards of at least one wide request.
std::size_t SlotSizes::upload_bytes() const {
  const std::size_t boards = std::max(pieces() * std::size_t{kSmallBoardWords} * sizeof(std::uint32_t),
                                      game::kMaxColors * std::size_t{kWideBoardWords} * sizeof(std::uint32_t));
  return pieces() * kPieceUploadBytes + boards + kUploadSlack;
}

std::size_t SlotSizes::download_bytes() const {
  return pieces() * sizeof(Tally) + kHistogramCounters * sizeof(std::uint32_t);
}

std::size_t board_words(bool wide) {
  return static_cast<std::size_t>(wide ? kWideBoardWords : kSmallBoardWords);
}

std::size_t plane_words(bool wide) {
  return static_cast<std::size_t>(wide ? kWidePlaneWords : kSmallPlaneWords);
}

std::size_t boards_of(const game::Request& request, const lanes::PreparedRequest& prepared) {
  if (request.policy.kind != game::PolicyKind::kTabuRandom) return 1;
  const auto present =
      std::count_if(prepared.color_counts.begin(), prepared.color_counts.end(), [](int n) { return n > 0; });
  return std::max<std::size_t>(1, static_cast<std::size_t>(present));
}

std::vector<Launch> cut_launches(const std::shared_ptr<DeviceBatch>& batch, const std::vector<std::size_t>& order,
                                 const SlotSizes& sizes, std::uint64_t largest) {
  std::vector<Launch> launches;
  Room room{};
  std::size_t last_request = order.size();
  for (std::size_t at = 0; at < order.size(); ++at) {
    const std::size_t index = order[at];
    const game::Request& request = batch->batch.requests[index];
    const lanes::PreparedRequest& prepared = batch->prepared[index];
    const bool wide = prepared.program.wide;
    const std::size_t bytes =
        kPieceUploadBytes + boards_of(request, prepared) * board_words(wide) * sizeof(std::uint32_t);
    for (std::uint32_t done = 0; done < request.playouts;) {
      const bool starts_histogram = launches.empty() || last_request != at;
      if (launches.empty() || launches.back().program != prepared.program || room.playouts == 0 || room.pieces == 0 ||
          room.upload_bytes < bytes || (starts_histogram && room.histograms == 0)) {
        launches.push_back({batch, prepared.program, {}, 0, 0});
        room = room_of(sizes, wide, largest, batch->batch.histogram.bins);
        last_request = order.size();
      }
      if (last_request != at) {
        last_request = at;
        ++launches.back().histograms;
        --room.histograms;
      }
      const std::uint32_t playouts = std::min({request.playouts - done, room.playouts, kPiecePlayouts});
      launches.back().pieces.push_back({index, done, playouts});
      launches.back().playouts += playouts;
      done += playouts;
      room.playouts -= playouts;
      --room.pieces;
      room.upload_bytes -= bytes;
    }
  }
  return launches;
}

}  // namespace chainshot::cuda
