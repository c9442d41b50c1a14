#include "cuda/device_chains.hpp"

#include <algorithm>
#include <chrono>
#include <map>

#include "cuda/nvtx.hpp"
#include "game/scoring_bounds.hpp"

namespace chainshot::cuda {
namespace {

constexpr const char* kToDevice = "copy chains to the device";
constexpr const char* kFromDevice = "copy chains from the device";

constexpr std::size_t kStartsAtOnce = 4096;
constexpr std::uint64_t kMostEvaluations = std::uint64_t{1} << 30;  // that chains are told to make at once
// Counters of a launch hold 16 bits, and a turn ends one evaluation at most.
constexpr int kMostTurns = 60'000;
constexpr double kSecondsOfLaunch = 0.03;

// Whether a colour earns most in one group, so that the formula of ChainPoints bounds what it can still add.
bool is_best_undivided(const game::Scoring& scoring) {
  const game::ScoringBounds& bounds = game::ScoringBounds::of(scoring);
  bool holds = bounds.most_of_color(1) == 0;
  for (int n = 2; n < kChainLeft; ++n)
    holds &= bounds.most_of_color(n) == scoring.group_points(n);
  return holds;
}

ChainPoints points_of(const game::Scoring& scoring) {
  ChainPoints points{.square = scoring.points.coefficient(2),
                     .linear = scoring.points.coefficient(1),
                     .constant = scoring.points.coefficient(0),
                     .per_color = scoring.left_per_color.is_zero() ? 0 : 1,
                     .by_table = false};
  points.by_table = scoring.points.degree() > 2 || !is_best_undivided(scoring) ||
                    (points.per_color == 1 && scoring.left_per_color != game::kSquareLessTwo);
  return points;
}

ChainTable table_of(const game::AcceptanceTable& acceptance, const game::Scoring& scoring, int blocks) {
  const game::ScoringBounds& bounds = game::ScoringBounds::of(scoring);
  ChainTable table{};
  std::copy(acceptance.loss.begin(), acceptance.loss.end(), table.loss);
  // A bonus that is deducted may be avoided.
  for (int singles = 0; singles < game::AcceptanceTable::kSoft; ++singles)
    table.bonus[singles] =
        std::max(0, acceptance.bonus[static_cast<std::size_t>(singles)]) + std::max(0, bounds.most_at_end(blocks));
  for (int left = 0; left < kChainLeft; ++left) {
    const int deducted = left == 0 ? 0 : scoring.left.at(left);
    const int soft_bonus = left < game::AcceptanceTable::kSoft ? acceptance.bonus[static_cast<std::size_t>(left)] : 0;
    table.end[left] = soft_bonus - deducted;
    table.true_end[left] = (left == 0 ? scoring.clear_bonus : 0) - deducted;
    table.group[left] = scoring.group_points(left);
    table.most_of_color[left] = bounds.most_of_color(left);
    table.left_of_color[left] = left == 0 ? 0 : scoring.left_per_color.at(left);
  }
  return table;
}

ChainBeginning beginning_of(const game::ChainStart& start, std::span<const game::BlockId> blocks) {
  ChainBeginning beginning{.chain = start.chain,
                           .tabu = start.tabu_color + 1,
                           .seed = start.seed,
                           .given = static_cast<std::int32_t>(start.moves.size()),
                           .blocks = {}};
  std::uint8_t* to = beginning.blocks;
  for (const game::BlockId block : blocks)
    *to++ = chain_block(block);
  return beginning;
}

}  // namespace

ChainArrays DeviceChains::chain_arrays(Layout& layout, std::size_t chains) {
  return {.memory = layout.array<ChainMemory>(chains), .best_score = layout.array<std::int32_t>(chains)};
}

DeviceChains::Work DeviceChains::work_arrays(Layout& layout, std::size_t chains, std::size_t islands) {
  const std::size_t starts = std::min(chains, kStartsAtOnce);
  return {.table = layout.array<ChainTable>(1),
          .board = layout.array<std::uint32_t>((kChainPlanes + 1) * kChainWords),
          .totals = layout.array<ChainTotals>(1),
          .beginnings = layout.array<ChainBeginning>(starts),
          .chosen = layout.array<std::int32_t>(starts),
          .fitness = layout.array<std::int32_t>(chains),
          .weights = layout.array<std::uint32_t>(game::ResampleTable::kWeights),
          .draws = layout.array<std::uint64_t>(islands),
          .sources = layout.array<std::int32_t>(chains),
          .targets = layout.array<std::int32_t>(chains),
          .moving = layout.array<std::int32_t>(islands)};
}

std::uint64_t chain_set_bytes(std::uint64_t chains) {
  Layout measure(nullptr);
  DeviceChains::chain_arrays(measure, chains);
  DeviceChains::work_arrays(measure, chains, chains);
  return measure.bytes();
}

DeviceChains::DeviceChains(const game::Position& board, const game::Scoring& scoring, const game::ChainLayout& layout,
                           const ChainLaunchLimits& limits)
    : board_(board),
      scoring_(scoring),
      layout_(layout),
      limits_(limits),
      staging_(std::max(sizeof(ChainTotals) + kBestLineBytes, static_cast<std::size_t>(layout.chains()) * sizeof(int)),
               "get pinned memory"),
      memory_(chain_set_bytes(static_cast<std::uint64_t>(layout.chains())), "get device memory"),
      members_(layout.members),
      turns_(limits.turns > 0 ? limits.turns : kFewestTurns) {
  const auto chains = static_cast<std::size_t>(layout.chains());
  exists_.assign(chains, false);
  best_.assign(chains, game::ChainSet::kNoScore);
  Layout arrays(memory_.get());
  arrays_ = chain_arrays(arrays, chains);
  work_ = work_arrays(arrays, chains, static_cast<std::size_t>(layout.islands));
  write(arrays_.best_score, best_.data(), chains);
  check(cudaMemsetAsync(work_.totals, 0, sizeof(ChainTotals), stream_.get()), "clear device memory");
  upload_board(board);
}

template <class T>
void DeviceChains::write(T* to, const T* from, std::size_t count) {
  check(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyHostToDevice, stream_.get()), kToDevice);
  synchronize();
}

template <class T>
std::vector<T> DeviceChains::read(const T* from, std::size_t count) {
  check(cudaMemcpyAsync(staging_.get(), from, count * sizeof(T), cudaMemcpyDeviceToHost, stream_.get()), kFromDevice);
  synchronize();
  const auto* const values = reinterpret_cast<const T*>(staging_.get());
  return {values, values + count};
}

void DeviceChains::synchronize() {
  done_.record(stream_);
  done_.wait("finish the work of chains");
}

// The planes of the colour code, and after them the blocks.
void DeviceChains::upload_board(const game::Position& board) {
  std::vector<std::uint32_t> words((kChainPlanes + 1) * kChainWords);
  std::array<std::uint32_t, 2> counts{};
  for (int c = 0; c < board.columns(); ++c)
    for (int r = 0; r < board.rows(); ++r) {
      const int code = board.color_at(c, r) + 1;
      if (code == 0) continue;
      counts[static_cast<std::size_t>(code / 4)] += 1u << code % 4 * 8;
      for (int p = 0; p <= kChainPlanes; ++p)
        if (p == kChainPlanes || (code >> p & 1) != 0)
          words[static_cast<std::size_t>(p * kChainWords + c % 8)] |= 1u << (c / 8 * 16 + r);
    }
  board_counts_ = {counts[0], counts[1]};
  write(work_.board, words.data(), words.size());
}

void DeviceChains::upload_table(const game::AcceptanceTable& table) {
  const ChainTable copy = table_of(table, scoring_, board_.blocks());
  write(work_.table, &copy, 1);
}

ChainGroup DeviceChains::living() const {
  return {.chosen = nullptr, .chains = layout_.islands * members_, .members = members_, .slots = layout_.members};
}

ChainAdvance DeviceChains::arguments(const ChainGroup& group) const {
  return {.arrays = arrays_,
          .group = group,
          .table = work_.table,
          .board = work_.board,
          .totals = work_.totals,
          .points = cuda::points_of(scoring_),
          .turns = turns_,
          .slots_end = std::min(kChainSlots, kFirstSpare + limits_.spare_slots),
          .fresh = true,
          .evaluations = 0};
}

void DeviceChains::start(std::span<const game::ChainStart> starts, game::ChainObserver& observer) {
  CHAINSHOT_RANGE("start chains");
  // The best score has the true bonus, so any table will do.
  upload_table(game::AcceptanceTable(1, 1, scoring_));
  while (!starts.empty() && !observer.stopped()) {
    const std::size_t count = std::min(starts.size(), kStartsAtOnce);
    begin(starts.first(count));
    report(observer);
    starts = starts.subspan(count);
  }
}

void DeviceChains::begin(std::span<const game::ChainStart> starts) {
  std::vector<ChainBeginning> beginnings;
  std::map<const game::Cell*, std::vector<game::BlockId>> blocks;  // many chains may start from one line
  for (const game::ChainStart& start : starts) {
    const auto [known, is_new] = blocks.try_emplace(start.moves.data());
    if (is_new || known->second.size() != start.moves.size()) known->second = game::blocks_of(board_, start.moves);
    beginnings.push_back(beginning_of(start, known->second));
  }
  write(work_.beginnings, beginnings.data(), beginnings.size());
  const int count = static_cast<int>(starts.size());
  prepare_chains({.arrays = arrays_,
                  .beginnings = work_.beginnings,
                  .count = count,
                  .counts = board_counts_,
                  .alive = work_.board + kChainPlanes * kChainWords,
                  .chosen = work_.chosen},
                 stream_.get());
  const ChainGroup group{.chosen = work_.chosen, .chains = count, .members = 1, .slots = 1};
  for (std::uint64_t begun = 0; begun < starts.size();)
    begun += launch(arguments(group)).begun;
  for (const game::ChainStart& start : starts)
    exists_[static_cast<std::size_t>(start.chain)] = true;
}

void DeviceChains::advance(const game::AcceptanceTable& table, std::uint64_t evaluations_each,
                           game::ChainObserver& observer) {
  CHAINSHOT_RANGE("advance chains");
  upload_table(table);
  while (evaluations_each > 0) {
    const std::uint64_t part = std::min(evaluations_each, kMostEvaluations);
    if (!run(static_cast<std::uint32_t>(part), observer)) return;
    if (evaluations_each != game::ChainSet::kUntilStopped) evaluations_each -= part;
  }
}

// Lets every living chain make so many evaluations; false if the observer stopped it.
bool DeviceChains::run(std::uint32_t evaluations, game::ChainObserver& observer) {
  ChainAdvance advance = arguments(living());
  advance.evaluations = evaluations;
  const auto chains = static_cast<std::uint64_t>(advance.group.chains);
  for (std::uint64_t left = chains * evaluations; left > 0;) {
    if (observer.stopped()) return false;
    advance.turns = turns_;
    const auto begin = std::chrono::steady_clock::now();
    const std::uint64_t made = launch(advance).evaluations;
    advance.fresh = false;
    left -= made;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    busy_seconds_ += seconds;
    // Launches in which chains come to rest take fewer turns than they may.
    if (left >= made) plan_turns(seconds);
    slice_ = std::max<std::uint64_t>(1, made / chains);
    observer.advanced(made);
    report(observer);
  }
  return true;
}

// Lets a launch take about as long as it should, by what the last one took.
void DeviceChains::plan_turns(double seconds) {
  if (limits_.turns > 0) return;
  const double wanted = turns_ * std::min(2.0, kSecondsOfLaunch / std::max(seconds, 1e-6));
  turns_ = static_cast<int>(std::clamp<double>(wanted, kFewestTurns, kMostTurns));
}

// Returns what was done.
ChainTotals DeviceChains::launch(const ChainAdvance& advance) {
  const ChainTotals before = totals_;
  advance_chains(advance, stream_.get());
  totals_ = read(work_.totals, 1).front();
  ChainTotals made{};
  made.evaluations = totals_.evaluations - before.evaluations;
  made.begun = totals_.begun - before.begun;
  return made;
}

// Reports the best lines that are new, the best of them first.
void DeviceChains::report(game::ChainObserver& observer) {
  std::vector<int> scores = read(arrays_.best_score, best_.size());
  std::vector<int> better;
  for (std::size_t i = 0; i < scores.size(); ++i)
    if (scores[i] > best_[i]) better.push_back(static_cast<int>(i));
  best_ = std::move(scores);
  const auto score_of = [&](int chain) { return best_[static_cast<std::size_t>(chain)]; };
  std::stable_sort(better.begin(), better.end(), [&](int a, int b) { return score_of(a) > score_of(b); });
  for (const int chain : better)
    if (observer.wants(score_of(chain))) observer.found(score_of(chain), best_moves(chain));
}

void DeviceChains::resample(const game::AcceptanceTable& table, const game::ResampleTable& weights, int members,
                            std::uint64_t seed) {
  CHAINSHOT_RANGE("resample chains");
  upload_table(table);
  std::vector<std::uint64_t> draws;
  for (int island = 0; island < layout_.islands; ++island)
    draws.push_back(game::resampling_draw(seed, layout_.first_island + island));
  write(work_.draws, draws.data(), draws.size());
  write(work_.weights, weights.weights.data(), weights.weights.size());
  measure_chains(arguments(living()), work_.fitness, stream_.get());
  resample_chains({.arrays = arrays_,
                   .fitness = work_.fitness,
                   .weights = work_.weights,
                   .draws = work_.draws,
                   .sources = work_.sources,
                   .targets = work_.targets,
                   .moving = work_.moving,
                   .points_per_weight = weights.points_per_weight,
                   .living = members_,
                   .members = members,
                   .slots = layout_.members,
                   .islands = layout_.islands},
                  stream_.get());
  synchronize();
  members_ = members;
}

std::vector<int> DeviceChains::fitness(const game::AcceptanceTable& table) {
  upload_table(table);
  const ChainGroup group = living();
  measure_chains(arguments(group), work_.fitness, stream_.get());
  return read(work_.fitness, static_cast<std::size_t>(group.chains));
}

std::vector<game::Cell> DeviceChains::best_moves(int chain) {
  const std::vector<std::uint8_t> line =
      read(static_cast<const std::uint8_t*>(arrays_.memory[chain].best_line), kBestLineBytes);
  std::vector<game::BlockId> blocks;
  for (std::size_t i = 1; i <= line[0]; ++i)
    blocks.push_back(block_of_chain(line[i]));
  return game::cells_of(board_, blocks);
}

game::ChainCounts DeviceChains::counts() const {
  return {.evaluations = totals_.evaluations,
          .accepted = totals_.accepted,
          .moves = totals_.moves,
          .repeated = totals_.repeated,
          .met = totals_.met,
          .cut = totals_.cut};
}

}  // namespace chainshot::cuda
