#include "cuda/cuda_beam_step.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <numeric>
#include <optional>

#include "cuda/beam.hpp"
#include "cuda/beam_memory.hpp"
#include "cuda/nvtx.hpp"
#include "cuda/resources.hpp"
#include "cuda/usable_devices.hpp"
#include "game/beam_schedule.hpp"
#include "game/random.hpp"

namespace chainshot::cuda {
namespace {

// A state takes so many bytes on the CPU, which decides where a beam narrows. A device takes 161 bytes, the memory for
// selecting included, and the schedule leaves 192.
constexpr std::size_t kStateBytes = 24 + kBeamBoardWords * 4;
constexpr std::uint64_t kLeastMemory = 8 << 20;

using BoardWords = std::array<std::uint32_t, kBeamBoardWords>;

BoardWords words_of(const game::Position& position) {
  BoardWords words{};
  for (int c = 0; c < position.columns(); ++c)
    for (int r = 0; r < position.rows(); ++r)
      for (int p = 0; p < kBeamPlanes; ++p)
        words[static_cast<std::size_t>(p * kBeamColumnWords + c / 2)] |=
            static_cast<std::uint32_t>((position.color_at(c, r) + 1) >> p & 1) << (c % 2 * 16 + r);
  return words;
}

std::uint64_t hash_of(const BoardWords& words) {
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < words.size() / 2; ++i)
    total += game::mix64((std::uint64_t{words[2 * i + 1]} << 32 | words[2 * i]) + game::kBeamHashStep * (i + 1));
  return game::mix64(total);
}

// One beam from its seeds to its end. It follows cpu/beam/cpu_beam_step.cpp step by step.
class DeviceBeam {
 public:
  DeviceBeam(const game::BeamPlan& plan, int multiprocessors, BeamMemory& memory)
      : plan_(plan),
        multiprocessors_(multiprocessors),
        blocks_(plan.seeds.front().position.blocks()),
        schedule_(plan.memory_bytes, kStateBytes),
        sizes_(plan, schedule_),
        host_(sizeof(BeamCounters), "get pinned memory"),
        width_(static_cast<std::size_t>(std::max(1, plan.width))) {
    Layout measure(nullptr);
    lay_out(measure, sizes_);
    Layout layout(memory.at_least(measure.bytes()));
    arrays_ = lay_out(layout, sizes_);
    upload_tables();
    add_seeds();
  }

  int open_blocks() const {
    for (int b = blocks_; b > 0; --b)
      if (counters().size[b] > 0) return b;
    return 0;
  }
  int width() const { return static_cast<int>(width_); }

  game::BeamExpansion expand(const game::BeamLimit& limit) {
    CHAINSHOT_RANGE("expand bucket");
    game::BeamExpansion result;
    const int blocks = open_blocks();
    if (blocks == 0) return result;
    width_ = std::min(width_, static_cast<std::size_t>(std::max(1, limit.width)));
    if (ready_blocks_ != blocks) {
      prepare(blocks);
      read_counters();
    }
    std::swap(arrays_.current, arrays_.ready);
    ready_blocks_ = 0;
    const std::size_t in_order = std::min<std::size_t>(counters().size[blocks], width_);
    const std::size_t states = std::min<std::uint64_t>(in_order, limit.states);
    read_selected(states);
    result.selected = selected_;
    result.complete = states == in_order;
    expand_states(blocks, states, limit, result);
    result.best = best();
    clear_bucket(blocks, used_pool(), arrays_.counters, stream_.get());
    counters().size[blocks] = 0;
    is_free_list_old_ = true;
    first_id_ += static_cast<std::uint32_t>(states);
    return result;
  }

  // The states that are open, as children of the position that the beam began with.
  std::vector<game::BeamChild> open_children() {
    const auto hashes = read(arrays_.pool.hash, used_), ranks = read(arrays_.pool.rank, used_);
    const auto evaluations = read(arrays_.pool.evaluation, used_);
    const auto buckets = read(arrays_.pool.bucket, used_);
    std::vector<game::BeamChild> children;
    for (std::size_t i = 0; i < buckets.size(); ++i)
      if (buckets[i] != 0)
        children.push_back({move_of_rank(ranks[i]), blocks_ - buckets[i], evaluations[i], hashes[i]});
    return children;
  }

 private:
  BeamCounters& counters() { return *reinterpret_cast<BeamCounters*>(host_.get()); }
  const BeamCounters& counters() const { return *reinterpret_cast<const BeamCounters*>(host_.get()); }

  void synchronize() { check(cudaStreamSynchronize(stream_.get()), "expand states of a beam"); }

  template <class T>
  void write(T* to, const T* from, std::size_t count) {
    check(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyHostToDevice, stream_.get()),
          "copy a beam to the device");
  }
  template <class T>
  std::vector<T> read(const T* from, std::size_t count) {
    std::vector<T> values(count);
    check(cudaMemcpyAsync(values.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost, stream_.get()),
          "copy a beam from the device");
    synchronize();
    return values;
  }
  void read_counters() {
    check(cudaMemcpyAsync(&counters(), arrays_.counters, sizeof(BeamCounters), cudaMemcpyDeviceToHost, stream_.get()),
          "copy a beam from the device");
    synchronize();
    if (counters().overflowed > 0) throw std::logic_error("a beam has more states than its memory was made for");
  }

  void upload_tables() {
    const game::BeamTables& tables = plan_.tables;
    write(arrays_.target_value, tables.target_value.data(), sizes_.values);
    write(arrays_.other_value, tables.other_value.data(), sizes_.values);
    write(arrays_.weights, tables.weights.data(), sizes_.weights);
  }

  void add_seeds() {
    std::vector<std::uint32_t> boards;
    std::vector<std::uint64_t> hashes, ranks;
    std::vector<std::uint8_t> buckets;
    BeamCounters& first = counters() = {};
    std::fill(std::begin(first.least), std::end(first.least), std::numeric_limits<std::int32_t>::min());
    for (std::size_t i = 0; i < plan_.seeds.size(); ++i) {
      const game::BeamSeed& seed = plan_.seeds[i];
      if (!seed.position.has_moves()) continue;
      const BoardWords words = words_of(seed.position);
      boards.insert(boards.end(), words.begin(), words.end());
      hashes.push_back(hash_of(words));
      ranks.push_back(beam_rank(seed.points, game::kBeamSeed + static_cast<std::uint32_t>(i), 0, 0));
      buckets.push_back(static_cast<std::uint8_t>(seed.position.blocks()));
      ++first.size[buckets.back()];
    }
    const std::vector<std::int32_t> evaluations(hashes.size(), std::numeric_limits<std::int32_t>::max());
    check(cudaMemsetAsync(arrays_.pool.bucket, 0, arrays_.pool.slots, stream_.get()), "clear device memory");
    write(arrays_.pool.boards, boards.data(), boards.size());
    write(arrays_.pool.hash, hashes.data(), hashes.size());
    write(arrays_.pool.rank, ranks.data(), ranks.size());
    write(arrays_.pool.evaluation, evaluations.data(), evaluations.size());
    write(arrays_.pool.bucket, buckets.data(), buckets.size());
    write(arrays_.counters, &first, 1);
    synchronize();
    used_ = buckets.size();
  }

  // The pool up to the last slot that was ever in use: the lists of free slots begin with the first ones, so nothing
  // lies beyond.
  BeamPool used_pool() const {
    BeamPool pool = arrays_.pool;
    pool.slots = static_cast<std::uint32_t>(used_);
    return pool;
  }

  // Makes sure that the list of free slots has so many.
  void expect_free_slots(std::size_t wanted) {
    if (!is_free_list_old_ && free_slots_ - counters().taken >= wanted) return;
    BeamPool pool = arrays_.pool;
    pool.slots = static_cast<std::uint32_t>(std::min(sizes_.slots, used_ + wanted));
    list_free_slots(pool, arrays_.scratch, arrays_.counters, stream_.get());
    counters().taken = 0;
    open_when_listed_ = open_states();
    free_slots_ = static_cast<std::uint32_t>(pool.slots - open_when_listed_);
    is_free_list_old_ = false;
  }

  void read_selected(std::size_t states) {
    gather_ranks(arrays_.pool, arrays_.current, static_cast<std::uint32_t>(states), arrays_.scratch.keys[0],
                 stream_.get());
    selected_.clear();
    for (const std::uint64_t rank : read(arrays_.scratch.keys[0], states))
      selected_.push_back({parent_of_rank(rank), move_of_rank(rank)});
  }

  game::BeamFinish best() const {
    if (counters().best == 0) return {};
    const std::uint64_t rank = kFinishTies - (counters().best & kFinishTies);
    return {.score = static_cast<int>(counters().best >> 40) - kBeamScoreBias,
            .parent = parent_of_rank(rank),
            .move = move_of_rank(rank)};
  }

  void expand_states(int blocks, std::size_t states, const game::BeamLimit& limit, game::BeamExpansion& result) {
    const std::uint64_t most_children = game::BeamSchedule::most_children(blocks);
    const std::uint64_t children_before = counters().children;
    for (std::size_t first = 0; first < states;) {
      std::size_t slice = std::min(states - first, schedule_.slice(width_, blocks));
      slice = std::min<std::uint64_t>(slice, (limit.children - result.children) / most_children);
      if (slice == 0 || limit.stopped()) {
        result.complete = false;
        return;
      }
      make_room(slice * most_children, limit.stopped);
      expand_slice_of(blocks, first, slice);
      result.children = counters().children - children_before;
      first += slice;
      result.expanded += slice;
      prune_above(game::BeamSchedule::crowded(width_));
    }
    if (limit.stopped()) result.complete = false;
  }

  void make_room(std::size_t states, const std::function<bool()>& stopped) {
    while (schedule_.is_short(width_, open_states_, states) && !stopped()) {
      width_ = game::BeamSchedule::narrowed(width_);
      prune_above(width_);
    }
  }

  void expand_slice_of(int blocks, std::size_t first, std::size_t count) {
    expect_free_slots(count * game::BeamSchedule::most_children(blocks));
    expand_slice({.pool = arrays_.pool,
                  .tables = tables(),
                  .counters = arrays_.counters,
                  .states = arrays_.current + first,
                  .count = static_cast<std::uint32_t>(count),
                  .first_parent = first_id_ + static_cast<std::uint32_t>(first),
                  .blocks = blocks,
                  .free_slots = free_slots_,
                  .color_counts = arrays_.color_counts,
                  .moves = arrays_.moves},
                 multiprocessors_, stream_.get());
    // No child falls into the next bucket, and the CPU puts that one in order meanwhile.
    if (first == 0 && counters().size[blocks - 1] > 0) prepare(blocks - 1);
    read_counters();
    used_ = std::max(used_, open_when_listed_ + counters().taken);
  }

  BeamTableArguments tables() const {
    return {.target_value = arrays_.target_value,
            .other_value = arrays_.other_value,
            .weights = arrays_.weights,
            .stride = plan_.tables.stride,
            .target = plan_.tables.target,
            .colors = plan_.seeds.front().position.colors(),
            .scoring = plan_.tables.scoring};
  }

  // Puts the best states of a bucket in order. The counters must be read before they are used.
  void prepare(int blocks) {
    BucketSet bucket;
    bucket.add(blocks);
    prune(bucket, counters().size[blocks], arrays_.ready);
    ready_blocks_ = blocks;
  }

  void prune(const BucketSet& buckets, std::size_t states, std::uint32_t* order) {
    prune_buckets({.buckets = buckets,
                   .is_one_bucket = order != nullptr,
                   .states = static_cast<std::uint32_t>(states),
                   .width = static_cast<std::uint32_t>(width_),
                   .order = order},
                  used_pool(), arrays_.scratch, arrays_.counters, stream_.get());
    is_free_list_old_ = true;
  }

  // Prunes the buckets with more states than that, except the current one and the one that is in order already.
  void prune_above(std::size_t states) {
    BucketSet crowded;
    std::size_t states_of_crowded = 0;
    const int current = open_blocks();
    for (int b = 1; b <= blocks_; ++b) {
      if (counters().size[b] <= states || b == ready_blocks_ || b == current) continue;
      crowded.add(b);
      states_of_crowded += counters().size[b];
    }
    if (states_of_crowded > 0) {
      prune(crowded, states_of_crowded, nullptr);
      read_counters();
    }
    open_states_ = open_states();
  }

  std::size_t open_states() const {
    return std::accumulate(std::begin(counters().size), std::end(counters().size), std::size_t{0});
  }

  const game::BeamPlan plan_;
  const int multiprocessors_, blocks_;
  const game::BeamSchedule schedule_;
  const BeamSizes sizes_;
  Stream stream_;
  PinnedBuffer host_;  // a copy of the counters
  std::size_t width_;
  BeamArrays arrays_;
  int ready_blocks_ = 0;  // the bucket whose order arrays_.ready holds; 0: none
  std::vector<game::BeamSelected> selected_;
  std::uint32_t first_id_ = 0;
  std::size_t open_states_ = 0;   // after the last slice
  std::size_t used_ = 0;          // slots up to the last one that was ever in use
  std::uint32_t free_slots_ = 0;  // that are listed
  std::size_t open_when_listed_ = 0;
  bool is_free_list_old_ = true;
};

class DeviceBeamStep final : public CudaBeamStep {
 public:
  DeviceBeamStep(const DeviceInfo& device, std::uint64_t memory)
      : device_(device), limit_(usable_memory(device_, memory)) {
    if (limit_ < kLeastMemory)
      throw NoDevice("a beam needs at least " + std::to_string(kLeastMemory >> 20) +
                     " MB of device memory, and may use " + std::to_string(limit_ >> 20) + " MB");
  }

  ~DeviceBeamStep() override { cudaSetDevice(device_.index); }

  void begin(const game::BeamPlan& plan) override {
    [[maybe_unused]] const game::Position& root = plan.seeds.front().position;
    assert(game::fits_small(root.columns(), root.rows(), root.colors()));
    assert(plan.memory_bytes > 0 && plan.memory_bytes <= limit_);
    on_device([&] {
      beam_.reset();
      beam_.emplace(plan, device_.multiprocessors, memory_);
    });
    plan_ = plan;
  }
  int open_blocks() const override { return beam_->open_blocks(); }

  game::BeamExpansion expand(const game::BeamLimit& limit) override {
    game::BeamExpansion result;
    on_device([&] { result = beam_->expand(limit); });
    return result;
  }

  std::vector<game::BeamChild> children(const game::Position& position, int points) const override {
    // Wide enough that no child is dropped.
    constexpr int kWidth = 128;
    constexpr std::uint64_t kMemory = 1 << 18;
    std::vector<game::BeamChild> children;
    const game::BeamPlan plan{
        .seeds = {{position, points}}, .tables = plan_.tables, .width = kWidth, .memory_bytes = kMemory};
    on_device([&] {
      BeamMemory memory;
      DeviceBeam beam(plan, device_.multiprocessors, memory);
      beam.expand({});
      children = beam.open_children();
    });
    return children;
  }

  int width() const override { return beam_->width(); }
  std::uint64_t memory_bytes() const override { return memory_.bytes(); }
  std::uint64_t peak_memory() const override { return memory_.bytes(); }
  std::size_t state_bytes(const game::Position&) const override { return kStateBytes; }
  std::uint64_t memory_limit() const override { return limit_; }
  std::string name() const override { return "cuda (" + device_.name + ")"; }
  int device() const override { return device_.index; }

 private:
  template <class Work>
  void on_device(Work work) const {
    try {
      check(cudaSetDevice(device_.index), "use the device");
      cudaGetLastError();  // another device that this thread used may be lost
      work();
    } catch (const CudaError& error) {
      throw BeamFault(title_of(device_) + " " + error.what());
    }
  }

  const DeviceInfo device_;
  const std::uint64_t limit_;
  game::BeamPlan plan_;
  BeamMemory memory_;
  std::optional<DeviceBeam> beam_;
};

}  // namespace

std::unique_ptr<CudaBeamStep> make_cuda_beam_step(const CudaBeamOptions& options) {
  const auto has_failed = [&](int device) {
    return std::find(options.without.begin(), options.without.end(), device) != options.without.end();
  };
  std::vector<int> wanted = options.devices;
  std::erase_if(wanted, has_failed);
  const bool are_named = !options.devices.empty();
  if (are_named && wanted.empty()) throw NoDevice("no other CUDA device is left");
  std::vector<DeviceInfo> devices = usable_devices(wanted, options.notice);
  std::erase_if(devices, [&](const DeviceInfo& device) { return has_failed(device.index); });
  if (devices.empty()) throw NoDevice("no other CUDA device is left");
  std::unique_ptr<CudaBeamStep> step;
  open_each(devices, are_named, options.notice, [&](const DeviceInfo& device) {
    if (step == nullptr) step = std::make_unique<DeviceBeamStep>(device, options.memory);
  });
  return step;
}

}  // namespace chainshot::cuda
