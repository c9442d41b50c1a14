#include "cuda/slot.hpp"

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "cuda/nvtx.hpp"
#include "cuda/playout.hpp"

namespace chainshot::cuda {
namespace {

constexpr std::size_t kAlignment = 256;

std::size_t aligned(std::size_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

// The boards of a launch. Each is written once, however many requests have it.
class BoardTable {
 public:
  BoardTable(std::uint32_t* words, bool wide) : words_(words), wide_(wide) {}

  std::size_t size() const { return size_; }

  // Returns the number of the request's board, or of its first board where the tabu colour is drawn.
  std::uint32_t add(const game::Request& request, const lanes::PreparedRequest& prepared) {
    const std::size_t first = size_;
    const bool draws_tabu = request.policy.kind == game::PolicyKind::kTabuRandom;
    const std::size_t boards = boards_of(request, prepared);
    std::size_t color = 0;
    for (std::size_t i = 0; i < boards; ++i, ++color) {
      while (draws_tabu && color + 1 < prepared.color_counts.size() && prepared.color_counts[color] == 0)
        ++color;
      write(request, prepared,
            draws_tabu ? static_cast<int>(color) : lanes::tabu_of(request.policy, prepared.color_counts), boards);
    }
    const std::size_t bytes = boards * board_words(wide_) * sizeof(std::uint32_t);
    const auto [begin, end] = numbers_.equal_range(request.position.hash());
    for (auto known = begin; known != end; ++known) {
      if (std::memcmp(board(known->second), board(first), bytes) != 0) continue;
      size_ = first;
      return static_cast<std::uint32_t>(known->second);
    }
    numbers_.emplace(request.position.hash(), first);
    return static_cast<std::uint32_t>(first);
  }

 private:
  std::uint32_t* board(std::size_t number) const { return words_ + number * board_words(wide_); }

  void write(const game::Request& request, const lanes::PreparedRequest& prepared, int tabu, std::size_t boards) {
    const int planes = wide_ ? 4 : 3, colors = lanes::colors_of(prepared.color_counts);
    std::uint32_t rows[game::kMaxRows * game::kMaxPlanes] = {};
    lanes::encode(request.position, colors, tabu, planes, rows);
    std::uint32_t* out = board(size_++);
    std::fill_n(out, board_words(wide_), 0u);
    const int count_bits = wide_ ? 16 : 8, counts_a_word = 32 / count_bits;
    std::uint32_t* tail = out + plane_words(wide_);
    if (wide_) {
      std::copy_n(rows, kWidePlaneWords, out);
    } else {
      for (int i = 0; i < kSmallPlaneWords; ++i)
        out[i] = rows[i] | rows[i + kSmallPlaneWords] << 16;
    }
    for (std::size_t c = 0; c < (wide_ ? 15u : 7u); ++c) {
      const auto count = static_cast<std::uint32_t>(prepared.color_counts[c]);
      tail[0] += count;
      tail[1 + c / static_cast<std::size_t>(counts_a_word)] |= count
                                                               << (static_cast<int>(c) % counts_a_word * count_bits);
    }
    out[board_words(wide_) - 1] = static_cast<std::uint32_t>(boards);
  }

  std::uint32_t* words_;
  bool wide_;
  std::size_t size_ = 0;
  std::unordered_multimap<std::uint64_t, std::size_t> numbers_;  // by hash of the position
};

Picking picking_of(const lanes::LaneProgram& program) {
  if (program.roulette != nullptr) return Picking::kRoulette;
  return program.epsilon != 0 || program.random_below != 0 ? Picking::kCounting : Picking::kTabu;
}

}  // namespace

struct Slot::Upload {
  std::size_t pieces = 0, first_playout, points, histograms, boards, bytes;

  explicit Upload(std::size_t count) {
    first_playout = aligned(count * sizeof(PieceStart));
    points = first_playout + aligned((count + 1) * sizeof(std::uint32_t));
    histograms = points + aligned(count * sizeof(std::int32_t));
    boards = histograms + aligned(count * sizeof(std::uint32_t));
    bytes = boards;
  }
};

Slot::Slot(const SlotSizes& sizes, int multiprocessors)
    : sizes_(sizes),
      multiprocessors_(multiprocessors),
      upload_(sizes.upload_bytes(), "get pinned memory"),
      download_(sizes.download_bytes(), "get pinned memory"),
      device_upload_(sizes.upload_bytes(), "get device memory"),
      device_download_(sizes.download_bytes(), "get device memory"),
      finals_(sizes.final_bytes(), "get device memory"),
      roulette_(kRouletteBytes, "get device memory") {}

void Slot::begin(Launch launch) {
  CHAINSHOT_RANGE("begin launch");
  launch_ = std::move(launch);
  const game::Batch& batch = launch_.batch->batch;
  Upload upload(launch_.pieces.size());
  const auto at = [&](std::size_t offset) { return upload_.get() + offset; };
  auto* pieces = reinterpret_cast<PieceStart*>(at(upload.pieces));
  auto* first_playout = reinterpret_cast<std::uint32_t*>(at(upload.first_playout));
  auto* points = reinterpret_cast<std::int32_t*>(at(upload.points));
  auto* histograms = reinterpret_cast<std::uint32_t*>(at(upload.histograms));
  BoardTable boards(reinterpret_cast<std::uint32_t*>(at(upload.boards)), launch_.program.wide);
  std::uint32_t next = 0, histogram = 0, board = 0;
  for (std::size_t i = 0; i < launch_.pieces.size(); ++i) {
    const LaunchPiece& piece = launch_.pieces[i];
    const game::Request& request = batch.requests[piece.request];
    if (i == 0 || launch_.pieces[i - 1].request != piece.request) {
      board = boards.add(request, launch_.batch->prepared[piece.request]);
      if (i > 0) ++histogram;
    }
    pieces[i] = {board, static_cast<std::uint32_t>(request.key), static_cast<std::uint32_t>(request.key >> 32),
                 request.first_playout + piece.first - next};
    first_playout[i] = next;
    points[i] = request.points;
    histograms[i] = histogram;
    next += piece.playouts;
  }
  first_playout[launch_.pieces.size()] = next;
  upload.bytes += boards.size() * board_words(launch_.program.wide) * sizeof(std::uint32_t);

  if (launch_.program.roulette != nullptr) bring_roulette(launch_.batch->prepared[launch_.pieces[0].request].rules);
  const cudaStream_t stream = stream_.get();
  check(cudaMemcpyAsync(device_upload_.get(), upload_.get(), upload.bytes, cudaMemcpyHostToDevice, stream),
        "copy boards to the device");
  const std::size_t tallies = launch_.pieces.size() * sizeof(Tally);
  const std::size_t counters =
      launch_.histograms * static_cast<std::size_t>(batch.histogram.bins) * sizeof(std::uint32_t);
  if (counters > 0) check(cudaMemsetAsync(device_download_.get() + tallies, 0, counters, stream), "clear histograms");
  kernels_begin_.record(stream_);
  launch_playouts(playout_arguments(upload), launch_.program.wide, picking_of(launch_.program), multiprocessors_,
                  stream);
  launch_tallies(tally_arguments(upload), launch_.program.wide, launch_.playouts, stream);
  kernels_end_.record(stream_);
  check(cudaMemcpyAsync(download_.get(), device_download_.get(), tallies + counters, cudaMemcpyDeviceToHost, stream),
        "copy results from the device");
  done_.record(stream_);
}

void Slot::bring_roulette(const std::shared_ptr<const game::PlayoutRules>& rules) {
  if (roulette_rules_ == rules) return;
  const std::size_t bytes =
      static_cast<std::size_t>(game::RouletteTable::first(rules->full_cells() + 1)) * sizeof(std::uint32_t);
  roulette_rules_ = nullptr;
  check(cudaMemcpyAsync(roulette_.get(), rules->roulette().data(), std::min(bytes, kRouletteBytes),
                        cudaMemcpyHostToDevice, stream_.get()),
        "copy the roulette wheel to the device");
  roulette_rules_ = rules;
}

PlayoutArguments Slot::playout_arguments(const Upload& upload) {
  const lanes::LaneProgram& program = launch_.program;
  const std::byte* base = device_upload_.get();
  PlayoutArguments arguments{};
  arguments.boards = reinterpret_cast<const std::uint32_t*>(base + upload.boards);
  arguments.pieces = reinterpret_cast<const PieceStart*>(base + upload.pieces);
  arguments.first_playout = reinterpret_cast<const std::uint32_t*>(base + upload.first_playout);
  arguments.playouts = launch_.playouts;
  arguments.pieces_count = static_cast<std::uint32_t>(launch_.pieces.size());
  arguments.keys = philox_keys(program.seed);
  arguments.draws_per_pick = static_cast<std::uint32_t>(program.draws_per_pick);
  arguments.epsilon = program.epsilon;
  arguments.random_below = static_cast<std::uint32_t>(program.random_below);
  arguments.has_tabu = program.tabu;
  const auto draws_tabu = [&](const LaunchPiece& piece) {
    return launch_.batch->batch.requests[piece.request].policy.kind == game::PolicyKind::kTabuRandom;
  };
  arguments.draws_tabu = std::any_of(launch_.pieces.begin(), launch_.pieces.end(), draws_tabu);
  arguments.points = launch_.batch->batch.scoring.points;
  arguments.colors = static_cast<std::uint32_t>(program.colors);
  arguments.roulette = reinterpret_cast<const std::uint32_t*>(roulette_.get());
  arguments.final_boards = reinterpret_cast<std::uint32_t*>(finals_.get());
  arguments.final_games = arguments.final_boards + launch_.playouts * plane_words(program.wide);
  return arguments;
}

TallyArguments Slot::tally_arguments(const Upload& upload) {
  const game::Batch& batch = launch_.batch->batch;
  const std::byte* base = device_upload_.get();
  TallyArguments arguments{};
  arguments.final_boards = reinterpret_cast<const std::uint32_t*>(finals_.get());
  arguments.final_games = arguments.final_boards + launch_.playouts * plane_words(launch_.program.wide);
  arguments.pieces = reinterpret_cast<const PieceStart*>(base + upload.pieces);
  arguments.first_playout = reinterpret_cast<const std::uint32_t*>(base + upload.first_playout);
  arguments.points_before = reinterpret_cast<const int*>(base + upload.points);
  arguments.histograms = reinterpret_cast<const std::uint32_t*>(base + upload.histograms);
  arguments.pieces_count = static_cast<std::uint32_t>(launch_.pieces.size());
  arguments.scoring = batch.scoring;
  arguments.histogram = batch.histogram;
  arguments.tallies = reinterpret_cast<Tally*>(device_download_.get());
  arguments.bin_counts =
      reinterpret_cast<std::uint32_t*>(device_download_.get() + launch_.pieces.size() * sizeof(Tally));
  return arguments;
}

void Slot::wait() {
  CHAINSHOT_RANGE("wait for launch");
  done_.wait();
}

void Slot::deliver() {
  CHAINSHOT_RANGE("deliver results");
  const auto* tallies = reinterpret_cast<const Tally*>(download_.get());
  const auto bins = static_cast<std::size_t>(launch_.batch->batch.histogram.bins);
  const auto* counters =
      reinterpret_cast<const std::uint32_t*>(download_.get() + launch_.pieces.size() * sizeof(Tally));
  for (std::size_t i = 0; i < launch_.pieces.size(); ++i) {
    game::Result& result = launch_.batch->outcome.results[launch_.pieces[i].request];
    const Tally& tally = tallies[i];
    game::Result piece;
    piece.count = tally.count;
    piece.sum = tally.sum;
    piece.sum_of_squares = tally.sum_of_squares;
    piece.moves = tally.moves;
    piece.digest = tally.digest;
    piece.best = tally.best;
    piece.worst = tally.worst;
    piece.best_playout = tally.best_playout;
    result.add(piece);
    if (i > 0 && launch_.pieces[i - 1].request == launch_.pieces[i].request) continue;
    for (std::size_t bin = 0; bin < bins; ++bin)
      result.histogram[bin] += counters[bin];
    counters += bins;
  }
}

}  // namespace chainshot::cuda
