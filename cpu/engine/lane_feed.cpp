#include "cpu/engine/lane_feed.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace chainshot::cpu {
namespace {

// The points of a game from what its lane counted: the only value from the least points on that the lane cannot tell
// from them.
int earned(const Chunk& chunk, const Piece& piece, std::uint32_t in_lane) {
  if (chunk.program.wide) return static_cast<int>(in_lane);
  const auto least = static_cast<std::int32_t>(chunk.batch->prepared[piece.request].least_points);
  return least + static_cast<std::uint16_t>(in_lane - static_cast<std::uint32_t>(least));
}

std::size_t encoded_size(const lanes::LaneProgram& program) {
  return static_cast<std::size_t>(program.rows) * static_cast<std::size_t>(program.planes);
}

}  // namespace

void BatchQueue::push(std::shared_ptr<QueuedBatch> batch) {
  {
    const std::lock_guard lock(mutex_);
    batch->cancels_before = cancels_;
    finish_if_last(*batch);
    if (batch->unfinished == 0) return;
    batches_.push_back(std::move(batch));
  }
  work_.notify_all();
}

bool BatchQueue::take(Chunk& chunk, const lanes::LaneProgram* running, const QueuedBatch* until) {
  std::unique_lock lock(mutex_);
  if (until != nullptr && until->unfinished == 0) return false;
  if (running == nullptr && until == nullptr) work_.wait(lock, [&] { return stopping_ || !batches_.empty(); });
  if (stopping_ || batches_.empty()) return false;
  const std::shared_ptr<QueuedBatch> batch = batches_.front();
  const lanes::PreparedRequest& next = batch->prepared[batch->order[batch->next_in_order]];
  if (running != nullptr && !(next.in_lanes && next.program == *running)) return false;
  chunk.batch = batch;
  cut(chunk, *batch);
  if (batch->next_in_order == batch->order.size()) batches_.pop_front();
  return true;
}

void BatchQueue::cut(Chunk& chunk, QueuedBatch& batch) {
  const lanes::PreparedRequest& model = batch.prepared[batch.order[batch.next_in_order]];
  chunk.program = model.program;
  chunk.in_lanes = model.in_lanes;
  chunk.pieces.clear();
  std::uint64_t room = batch.chunk_size;
  while (room > 0 && batch.next_in_order < batch.order.size()) {
    const std::size_t index = batch.order[batch.next_in_order];
    const lanes::PreparedRequest& prepared = batch.prepared[index];
    if (prepared.program != chunk.program || prepared.in_lanes != chunk.in_lanes) break;
    const game::Request& request = batch.batch.requests[index];
    Piece& piece = chunk.pieces.emplace_back();
    piece.request = index;
    piece.first_playout = request.first_playout + batch.next_playout;
    piece.playouts = static_cast<std::uint32_t>(std::min<std::uint64_t>(room, request.playouts - batch.next_playout));
    room -= piece.playouts;
    batch.next_playout += piece.playouts;
    if (batch.next_playout == request.playouts) {
      ++batch.next_in_order;
      batch.next_playout = 0;
    }
  }
  chunk.next_piece = 0;
  chunk.next_in_piece = 0;
  chunk.unfinished = batch.chunk_size - room;
}

// The caller holds the mutex.
void BatchQueue::finish_if_last(const QueuedBatch& batch) {
  if (batch.unfinished > 0) return;
  if (batch.outcome.error.empty()) {
    ++usage_.batches;
    usage_.playouts += batch.playouts;
  }
  completed_.notify_all();
}

void BatchQueue::complete(Chunk& chunk, double busy_seconds) {
  const std::shared_ptr<QueuedBatch> batch = std::move(chunk.batch);
  const auto bins = static_cast<std::size_t>(batch->batch.histogram.bins);
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < chunk.pieces.size(); ++i) {
    const Piece& piece = chunk.pieces[i];
    game::Result& result = batch->outcome.results[piece.request];
    result.add(piece.result);
    for (std::size_t bin = 0; bin < bins; ++bin)
      result.histogram[bin] += chunk.histogram[i * bins + bin];
    batch->unfinished -= piece.playouts;
  }
  usage_.busy_seconds += busy_seconds;
  finish_if_last(*batch);
}

void BatchQueue::fail(Chunk& chunk, const char* error, double busy_seconds) {
  const std::shared_ptr<QueuedBatch> batch = std::move(chunk.batch);
  const std::lock_guard lock(mutex_);
  batch->outcome.error = error;
  for (const Piece& piece : chunk.pieces)
    batch->unfinished -= piece.playouts;
  chunk.pieces.clear();
  chunk.next_piece = 0;
  usage_.busy_seconds += busy_seconds;
  finish_if_last(*batch);
}

game::Usage BatchQueue::usage() const {
  const std::lock_guard lock(mutex_);
  return usage_;
}

bool BatchQueue::is_complete(const QueuedBatch& batch) {
  const std::lock_guard lock(mutex_);
  return batch.unfinished == 0;
}

void BatchQueue::wait_complete(const QueuedBatch& batch) {
  std::unique_lock lock(mutex_);
  completed_.wait(lock, [&] { return batch.unfinished == 0; });
}

void BatchQueue::cancel() {
  const std::lock_guard lock(mutex_);
  ++cancels_;
  for (const auto& batch : batches_) {
    for (; batch->next_in_order < batch->order.size(); ++batch->next_in_order)
      batch->unfinished -=
          batch->batch.requests[batch->order[batch->next_in_order]].playouts - std::exchange(batch->next_playout, 0);
    batch->outcome.error = game::kCancelled;
    finish_if_last(*batch);
  }
  batches_.clear();
}

void BatchQueue::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  work_.notify_all();
}

Chunk& LaneFeed::free_chunk() {
  for (const auto& chunk : chunks_)
    if (chunk->batch == nullptr) return *chunk;
  return *chunks_.emplace_back(std::make_unique<Chunk>());
}

// Encodes the boards of a chunk.
bool LaneFeed::begin(Chunk& chunk) try {
  const game::Batch& batch = chunk.batch->batch;
  const std::size_t board = encoded_size(chunk.program);
  chunk.cells.clear();
  chunk.histogram.assign(chunk.pieces.size() * static_cast<std::size_t>(batch.histogram.bins), 0);
  for (Piece& piece : chunk.pieces) {
    if (!chunk.in_lanes) continue;
    const game::Request& request = batch.requests[piece.request];
    const auto& counts = chunk.batch->prepared[piece.request].color_counts;
    for (std::size_t c = 0; c < counts.size(); ++c) {
      piece.color_counts[c] = static_cast<std::uint16_t>(counts[c]);
      piece.blocks += static_cast<std::uint32_t>(counts[c]);
      if (counts[c] > 0) piece.present[piece.colors_present++] = static_cast<std::uint8_t>(c);
    }
    piece.cells = chunk.cells.size();
    const int planes = chunk.program.planes, colors = lanes::colors_of(counts);
    if (request.policy.kind == game::PolicyKind::kTabuRandom) {
      chunk.cells.resize(piece.cells + std::max(piece.colors_present, 1u) * board);
      for (std::uint32_t i = 0; i < piece.colors_present; ++i)
        lanes::encode(request.position, colors, piece.present[i], planes, chunk.cells.data() + piece.cells + i * board);
    } else {
      chunk.cells.resize(piece.cells + board);
      lanes::encode(request.position, colors, lanes::tabu_of(request.policy, counts), planes,
                    chunk.cells.data() + piece.cells);
    }
  }
  return true;
} catch (const std::exception&) {
  queue_.fail(chunk, "the CPU engine ran out of memory while it prepared a batch", busy_seconds());
  return false;
}

void LaneFeed::work(lanes::RunLanes run) {
  for (;;) {
    Chunk& chunk = free_chunk();
    if (!queue_.take(chunk, nullptr, until_)) return;
    busy_since_ = std::chrono::steady_clock::now();
    if (!begin(chunk)) continue;
    if (chunk.in_lanes) {
      current_ = &chunk;
      const lanes::LaneProgram program = chunk.program;
      // Keeps the roulette table alive: idle lanes read it even after the last game of its batch.
      const auto rules = chunk.batch->prepared[chunk.pieces.front().request].rules;
      run(program, *this);
    } else {
      play_single(chunk);
    }
  }
}

void LaneFeed::help(lanes::RunLanes run, const QueuedBatch& until) {
  until_ = &until;
  work(run);
  until_ = nullptr;
}

double LaneFeed::busy_seconds() {
  const auto now = std::chrono::steady_clock::now();
  return std::chrono::duration<double>(now - std::exchange(busy_since_, now)).count();
}

bool LaneFeed::take(lanes::LaneGame& game) {
  while (current_->exhausted()) {
    const lanes::LaneProgram program = current_->program;
    Chunk& chunk = free_chunk();
    const bool was_busy =
        std::any_of(chunks_.begin(), chunks_.end(), [](const auto& c) { return c->batch != nullptr; });
    if (!queue_.take(chunk, &program, until_)) return false;
    // The last game may have ended long ago, and another process may have had the processor since.
    if (!was_busy) busy_since_ = std::chrono::steady_clock::now();
    if (begin(chunk)) current_ = &chunk;
  }
  Chunk& chunk = *current_;
  Piece& piece = chunk.pieces[chunk.next_piece];
  const game::Request& request = chunk.batch->batch.requests[piece.request];
  game.playout = piece.first_playout + chunk.next_in_piece;
  game.request = request.key;
  game.blocks = piece.blocks;
  game.color_counts = piece.color_counts;
  game.owner = &chunk;
  game.owner_index = static_cast<std::uint32_t>(chunk.next_piece);
  game.cells = chunk.cells.data() + piece.cells;
  if (request.policy.kind == game::PolicyKind::kTabuRandom && piece.colors_present > 0) {
    const game::PlayoutKey key{chunk.program.seed, request.key, game.playout};
    const std::uint32_t which = game::scale_draw(game::random_block(key, game::kSetupBlock)[0], piece.colors_present);
    game.cells += which * encoded_size(chunk.program);
  }
  if (++chunk.next_in_piece == piece.playouts) {
    ++chunk.next_piece;
    chunk.next_in_piece = 0;
  }
  return true;
}

void LaneFeed::finish(const lanes::LaneResult& result) {
  Chunk& chunk = *static_cast<Chunk*>(result.owner);
  Piece& piece = chunk.pieces[result.owner_index];
  const game::Batch& batch = chunk.batch->batch;
  const int score = batch.requests[piece.request].points + earned(chunk, piece, result.points) +
                    batch.scoring.final_points({result.left_by_code + 1, chunk.program.planes == 3 ? 7u : 15u});
  record(chunk, piece, result.playout, score, static_cast<int>(result.length));
  if (--chunk.unfinished == 0) queue_.complete(chunk, busy_seconds());
}

void LaneFeed::play_single(Chunk& chunk) try {
  for (Piece& piece : chunk.pieces) {
    const game::Request& request = chunk.batch->batch.requests[piece.request];
    const game::PlayoutRules& rules = *chunk.batch->prepared[piece.request].rules;
    for (std::uint32_t i = 0; i < piece.playouts; ++i) {
      if (queue_.is_cancelled(*chunk.batch)) return queue_.fail(chunk, game::kCancelled, busy_seconds());
      const game::PlayoutKey key{chunk.program.seed, request.key, piece.first_playout + i};
      const game::Playout playout = game::play(request.position, rules, key, request.points);
      record(chunk, piece, key.playout, playout.score, playout.length);
    }
  }
  queue_.complete(chunk, busy_seconds());
} catch (const std::exception&) {
  queue_.fail(chunk, "the CPU engine ran out of memory while it played a batch", busy_seconds());
}

void LaneFeed::record(Chunk& chunk, Piece& piece, std::uint32_t playout, int score, int length) {
  const game::Batch& batch = chunk.batch->batch;
  piece.result.add({batch.seed, batch.requests[piece.request].key, playout}, score, length);
  if (batch.histogram.bins > 0) {
    const auto index = static_cast<std::size_t>(&piece - chunk.pieces.data());
    ++chunk.histogram[index * static_cast<std::size_t>(batch.histogram.bins) +
                      static_cast<std::size_t>(batch.histogram.bin_of(score))];
  }
}

}  // namespace chainshot::cpu
