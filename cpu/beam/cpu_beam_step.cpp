#include "cpu/beam/cpu_beam_step.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <mutex>
#include <utility>

#include "cpu/beam/beam_buckets.hpp"
#include "cpu/chain/thread_team.hpp"
#include "game/beam_schedule.hpp"

namespace chainshot::cpu {

const BeamKernel& beam_kernel(const game::Position& root, Isa isa) {
  const bool small = game::fits_small(root.columns(), root.rows(), root.colors());
  switch (isa) {
#if defined(__x86_64__)
    case Isa::kAvx2:
      return small ? avx2::kSmallBeam : avx2::kWideBeam;
    case Isa::kAvx512Ymm:
    case Isa::kAvx512Zmm:
      return small ? avx512::kSmallBeam : avx512::kWideBeam;
#endif
    default:
      return small ? portable::kSmallBeam : portable::kWideBeam;
  }
}

namespace {

constexpr std::size_t kChunk = 32;              // states that a thread takes at a time
constexpr std::size_t kMostPage = 64;           // states
constexpr std::size_t kSortedAtOnce = 1 << 15;  // between two looks at the stop

// The sink of a thread, with a page of its own for every bucket.
class Worker final : public BeamSink {
 public:
  Worker(BeamBuckets& buckets, std::size_t blocks, std::size_t page_states, std::size_t board_bytes)
      : buckets_(buckets), page_states_(page_states), board_bytes_(board_bytes), pages_(blocks + 1) {
    least = buckets.least();
  }

  void add(int blocks, const BeamKey& key, const std::byte* board) override {
    BeamPage*& page = pages_[static_cast<std::size_t>(blocks)];
    if (page == nullptr || page->count == page_states_) {
      buckets_.put(blocks, page);
      page = buckets_.page_for(blocks);
    }
    page->keys[page->count] = key;
    std::copy_n(board, board_bytes_, page->boards.data() + page->count * board_bytes_);
    ++page->count;
  }

  void hand_in() {
    for (std::size_t b = 0; b < pages_.size(); ++b)
      buckets_.put(static_cast<int>(b), std::exchange(pages_[b], nullptr));
  }

 private:
  BeamBuckets& buckets_;
  const std::size_t page_states_, board_bytes_;
  std::vector<BeamPage*> pages_;  // by blocks left
};

// Collects the children of one position.
class ChildList final : public BeamSink {
 public:
  explicit ChildList(std::span<const std::int32_t> any) { least = any; }
  void add(int blocks, const BeamKey& key, const std::byte*) override {
    found.push_back({key.move, blocks, key.evaluation, key.hash});
  }
  std::vector<game::BeamChild> found;
};

// One beam from its seeds to its end.
class Beam {
 public:
  Beam(ThreadTeam& team, Isa isa, const game::BeamPlan& plan)
      : team_(team),
        plan_(plan),
        kernel_(beam_kernel(plan.seeds.front().position, isa)),
        rules_{&plan_.tables, plan.seeds.front().position.colors()},
        blocks_(plan.seeds.front().position.blocks()),
        width_(static_cast<std::size_t>(std::max(1, plan.width))),
        schedule_(plan.memory_bytes, sizeof(BeamKey) + kernel_.board_bytes),
        page_states_(page_states(team, plan)),
        buckets_(blocks_, page_states_, kernel_.board_bytes) {
    for (std::size_t i = 0; i < plan_.seeds.size(); ++i)
      add_seed(i);
  }

  int open_blocks() const { return buckets_.highest(); }
  int width() const { return static_cast<int>(width_); }
  std::uint64_t peak_memory() const { return peak_; }

  std::uint64_t memory_bytes() const {
    std::uint64_t bytes = buckets_.memory_bytes() + (ready_.capacity() + current_.capacity()) * sizeof(BeamEntry) +
                          selected_.capacity() * sizeof(game::BeamSelected);
    for (const auto& scratch : scratches_)
      bytes += scratch->bytes();
    return bytes;
  }

  game::BeamExpansion expand(const game::BeamLimit& limit) {
    game::BeamExpansion result;
    const int blocks = open_blocks();
    if (blocks == 0) return result;
    width_ = std::min(width_, static_cast<std::size_t>(std::max(1, limit.width)));
    if (ready_blocks_ != blocks) prepare(blocks, limit.stopped);
    current_.swap(ready_);
    ready_blocks_ = 0;
    if (current_.size() > width_) current_.resize(width_);
    const std::size_t count = std::min<std::uint64_t>(current_.size(), limit.states);
    selected_.clear();
    for (std::size_t i = 0; i < count; ++i)
      selected_.push_back({current_[i].key.parent, current_[i].key.move});
    result.selected = selected_;
    result.complete = count == current_.size();
    expand_states(blocks, count, limit, result);
    for (const auto& worker : workers_)
      if (worker->best.score > std::numeric_limits<int>::min()) finish_.finish(worker->best);
    result.best = finish_.best;
    buckets_.clear(blocks);
    first_id_ += static_cast<std::uint32_t>(count);
    return result;
  }

 private:
  class Finish final : public BeamSink {
    void add(int, const BeamKey&, const std::byte*) override {}
  };

  void add_seed(std::size_t i) {
    const game::BeamSeed& seed = plan_.seeds[i];
    if (!seed.position.has_moves()) return;
    std::vector<std::byte> board(kernel_.board_bytes);
    kernel_.pack(seed.position, board.data());
    Worker& worker = take_worker();
    worker.add(
        seed.position.blocks(),
        {kSeedEvaluation, game::kBeamSeed + static_cast<std::uint32_t>(i), kernel_.hash(board.data()), seed.points, {}},
        board.data());
    worker.hand_in();
    give_back(worker);
  }

  // Works through the states best first, in slices whose size does not depend on the threads. After each slice, buckets
  // that hold many more states than the width are pruned; that raises the bar for the next slice.
  void expand_states(int blocks, std::size_t count, const game::BeamLimit& limit, game::BeamExpansion& result) {
    const std::uint64_t most_children = schedule_.most_children(blocks);
    for (std::size_t first = 0; first < count;) {
      std::size_t slice = std::min(count - first, schedule_.slice(width_, blocks));
      slice = std::min<std::uint64_t>(slice, (limit.children - result.children) / most_children);
      if (slice == 0 || limit.stopped()) {
        result.complete = false;
        return;
      }
      make_room(slice * most_children, limit.stopped);
      expand_slice(blocks, first, slice, limit.stopped, result);
      first += slice;
      result.expanded += slice;
      prune_above(schedule_.crowded(width_), limit.stopped);
      peak_ = std::max(peak_, memory_bytes());
    }
    if (limit.stopped()) result.complete = false;
  }

  // Shrinks the width until `states` more may be added.
  void make_room(std::size_t states, const std::function<bool()>& stopped) {
    while (schedule_.is_short(width_, open_states_, states) && !stopped()) {
      width_ = schedule_.narrowed(width_);
      prune_above(width_, stopped);
    }
  }

  void expand_slice(int blocks, std::size_t first, std::size_t count, const std::function<bool()>& stopped,
                    game::BeamExpansion& result) {
    const std::size_t chunks = (count + kChunk - 1) / kChunk;
    // No child falls into the next bucket, so that one is put in order meanwhile. One thread does so too, because the
    // width depends on how many states are open.
    const int next = blocks - 1;
    const bool prepares = first == 0 && next > 0 && !buckets_.pages(next).empty();
    team_.for_each(chunks + (prepares ? 1 : 0), [&](std::size_t item) {
      if (stopped()) return;
      if (prepares && item-- == 0) return prepare(next, stopped);
      Worker& worker = take_worker();
      const std::size_t begin = first + item * kChunk, end = std::min(first + count, begin + kChunk);
      for (std::size_t i = begin; i < end; ++i)
        kernel_.expand(rules_,
                       {buckets_.board(blocks, current_[i]), current_[i].key.points, blocks,
                        first_id_ + static_cast<std::uint32_t>(i)},
                       worker);
      give_back(worker);
    });
    for (const auto& worker : workers_) {
      worker->hand_in();
      result.children += std::exchange(worker->children, 0);
    }
  }

  // Puts the best states of a bucket in order.
  void prepare(int blocks, const std::function<bool()>& stopped) {
    BeamScratch& scratch = take_scratch();
    buckets_.prune(blocks, width_, scratch, stopped);
    ready_.swap(scratch.unique);
    give_back(scratch);
    sort(ready_.begin(), ready_.end(), stopped);
    ready_blocks_ = blocks;
  }

  // Sorts in parts, because a stop must not wait for millions of states.
  static void sort(std::vector<BeamEntry>::iterator first, std::vector<BeamEntry>::iterator last,
                   const std::function<bool()>& stopped) {
    if (stopped()) return;
    if (last - first < static_cast<std::ptrdiff_t>(kSortedAtOnce)) return std::sort(first, last);
    const auto middle = first + (last - first) / 2;
    std::nth_element(first, middle, last);
    sort(first, middle, stopped);
    sort(middle, last, stopped);
  }

  // Prunes the buckets with more states than that, except the current one and the one that is in order already.
  void prune_above(std::size_t states, const std::function<bool()>& stopped) {
    std::vector<int> crowded;
    open_states_ = 0;
    const int current = buckets_.highest();
    for (int b = 1; b <= blocks_; ++b) {
      const std::size_t size = buckets_.size(b);
      open_states_ += size;
      if (size > states && b != ready_blocks_ && b != current) crowded.push_back(b);
    }
    if (crowded.empty()) return;
    const std::size_t pruners = std::min(crowded.size(), most_pruners());
    team_.for_each(pruners, [&](std::size_t item) {
      BeamScratch& scratch = take_scratch();
      for (std::size_t i = item; i < crowded.size() && !stopped(); i += pruners)
        buckets_.prune(crowded[i], width_, scratch, stopped);
      give_back(scratch);
    });
    open_states_ = buckets_.states();
  }

  // Buckets that may be pruned at the same time: each takes memory for the keys of a bucket, and all together may take
  // a sixteenth.
  std::size_t most_pruners() const {
    const auto threads = static_cast<std::size_t>(team_.size());
    if (plan_.memory_bytes == 0) return threads;
    return std::clamp<std::size_t>(plan_.memory_bytes / 16 / (3 * sizeof(BeamEntry) * 2 * width_), 1, threads);
  }

  // Each thread has a page for every bucket, and all together may take a sixteenth of the memory.
  static std::size_t page_states(const ThreadTeam& team, const game::BeamPlan& plan) {
    const auto wanted = std::clamp<std::size_t>(static_cast<std::size_t>(plan.width) / 4, 1, kMostPage);
    if (plan.memory_bytes == 0) return wanted;
    const game::Position& root = plan.seeds.front().position;
    const std::size_t states =
        plan.memory_bytes / 16 / (sizeof(BeamKey) + beam_kernel(root, Isa::kPortable).board_bytes);
    const std::size_t pages = static_cast<std::size_t>(team.size()) * static_cast<std::size_t>(root.blocks());
    return std::clamp<std::size_t>(states / pages, 1, wanted);
  }

  Worker& take_worker() {
    const std::lock_guard lock(workers_mutex_);
    if (idle_.empty()) {
      workers_.push_back(
          std::make_unique<Worker>(buckets_, static_cast<std::size_t>(blocks_), page_states_, kernel_.board_bytes));
      return *workers_.back();
    }
    Worker& worker = *idle_.back();
    idle_.pop_back();
    return worker;
  }
  void give_back(Worker& worker) {
    const std::lock_guard lock(workers_mutex_);
    idle_.push_back(&worker);
  }
  BeamScratch& take_scratch() {
    const std::lock_guard lock(workers_mutex_);
    if (idle_scratches_.empty()) {
      scratches_.push_back(std::make_unique<BeamScratch>());
      return *scratches_.back();
    }
    BeamScratch& scratch = *idle_scratches_.back();
    idle_scratches_.pop_back();
    return scratch;
  }
  void give_back(BeamScratch& scratch) {
    const std::lock_guard lock(workers_mutex_);
    idle_scratches_.push_back(&scratch);
  }

  ThreadTeam& team_;
  const game::BeamPlan plan_;
  const BeamKernel& kernel_;
  const BeamRules rules_;
  const int blocks_;
  std::size_t width_;
  const game::BeamSchedule schedule_;
  const std::size_t page_states_;
  BeamBuckets buckets_;
  std::mutex workers_mutex_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<Worker*> idle_;
  std::vector<std::unique_ptr<BeamScratch>> scratches_;
  std::vector<BeamScratch*> idle_scratches_;
  Finish finish_;

  std::vector<BeamEntry> current_, ready_;  // in order
  int ready_blocks_ = 0;                    // the bucket that ready_ lists; 0: none
  std::vector<game::BeamSelected> selected_;
  std::uint32_t first_id_ = 0;
  std::size_t open_states_ = 0;  // after the last slice
  std::uint64_t peak_ = 0;
};

class CpuBeamStep final : public game::BeamStep {
 public:
  explicit CpuBeamStep(const CpuBeamOptions& options) : team_(options.threads), isa_(options.isa) {}

  void begin(const game::BeamPlan& plan) override {
    beam_.reset();
    beam_ = std::make_unique<Beam>(team_, isa_, plan);
    plan_ = plan;
  }
  int open_blocks() const override { return beam_->open_blocks(); }
  game::BeamExpansion expand(const game::BeamLimit& limit) override { return beam_->expand(limit); }

  std::vector<game::BeamChild> children(const game::Position& position, int points) const override {
    const BeamKernel& kernel = beam_kernel(plan_.seeds.front().position, isa_);
    std::vector<std::byte> board(kernel.board_bytes);
    kernel.pack(position, board.data());
    const std::vector<std::int32_t> any(static_cast<std::size_t>(position.blocks()) + 1,
                                        std::numeric_limits<std::int32_t>::min());
    ChildList list(any);
    kernel.expand({&plan_.tables, plan_.seeds.front().position.colors()}, {board.data(), points, position.blocks(), 0},
                  list);
    for (game::BeamChild& child : list.found)
      child.size = position.blocks() - child.size;
    return list.found;
  }

  int width() const override { return beam_->width(); }
  std::uint64_t memory_bytes() const override { return beam_->memory_bytes(); }
  std::uint64_t peak_memory() const override { return beam_->peak_memory(); }
  std::size_t state_bytes(const game::Position& root) const override {
    return sizeof(BeamKey) + beam_kernel(root, isa_).board_bytes;
  }

 private:
  ThreadTeam team_;
  const Isa isa_;
  game::BeamPlan plan_;
  std::unique_ptr<Beam> beam_;
};

}  // namespace

std::unique_ptr<game::BeamStep> make_cpu_beam_step(const CpuBeamOptions& options) {
  return std::make_unique<CpuBeamStep>(options);
}

}  // namespace chainshot::cpu
