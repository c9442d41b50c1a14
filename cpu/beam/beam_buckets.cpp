#include "cpu/beam/beam_buckets.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

namespace chainshot::cpu {
namespace {

constexpr std::size_t kEntriesPerLook = 1 << 15;  // at the stop

// Merges two entries of the same position: the one with more points stays, and takes over the better evaluation,
// because the entries that a pass is seeded with have the best evaluation and must keep it. The order of merging does
// not matter.
void merge(BeamEntry& into, const BeamEntry& other) {
  const std::int32_t evaluation = std::max(into.key.evaluation, other.key.evaluation);
  const auto rank = [](const BeamKey& k) { return std::tuple(-k.points, k.parent, k.move.row, k.move.column); };
  if (rank(other.key) < rank(into.key)) into = other;
  into.key.evaluation = evaluation;
}

// Returns false if a stop came first.
bool remove_duplicates(BeamScratch& scratch, const std::function<bool()>& stopped) {
  const std::size_t size = std::bit_ceil(2 * scratch.entries.size() + 2), mask = size - 1;
  scratch.table.assign(size, 0);
  scratch.unique.clear();
  std::size_t seen = 0;
  for (const BeamEntry& entry : scratch.entries) {
    if (++seen % kEntriesPerLook == 0 && stopped()) return false;
    std::size_t at = entry.key.hash & mask;
    while (scratch.table[at] != 0 && scratch.unique[scratch.table[at] - 1].key.hash != entry.key.hash)
      at = (at + 1) & mask;
    if (scratch.table[at] != 0) {
      merge(scratch.unique[scratch.table[at] - 1], entry);
    } else {
      scratch.unique.push_back(entry);
      scratch.table[at] = static_cast<std::uint32_t>(scratch.unique.size());
    }
  }
  return true;
}

}  // namespace

BeamBuckets::BeamBuckets(int blocks, std::size_t page_states, std::size_t board_bytes)
    : page_states_(page_states),
      board_bytes_(board_bytes),
      buckets_(static_cast<std::size_t>(blocks) + 1),
      least_(static_cast<std::size_t>(blocks) + 1, std::numeric_limits<std::int32_t>::min()) {}

void BeamBuckets::put(int blocks, BeamPage* page) {
  if (page == nullptr) return;
  Bucket& into = bucket(blocks);
  const std::lock_guard lock(into.mutex);
  into.pages.push_back(page);
  if (page->count < page_states_) into.partial.push_back(page);
}

BeamPage* BeamBuckets::page_for(int blocks) {
  Bucket& from = bucket(blocks);
  {
    const std::lock_guard lock(from.mutex);
    if (!from.partial.empty()) {
      BeamPage* const page = from.partial.back();
      from.partial.pop_back();
      from.pages.erase(std::find(from.pages.begin(), from.pages.end(), page));
      return page;
    }
  }
  return new_page();
}

BeamPage* BeamBuckets::new_page() {
  const std::lock_guard lock(pool_mutex_);
  if (!free_.empty()) {
    BeamPage* const page = free_.back();
    free_.pop_back();
    page->count = 0;
    return page;
  }
  auto page = std::make_unique<BeamPage>();
  page->keys.resize(page_states_);
  page->boards.resize(page_states_ * board_bytes_);
  pool_.push_back(std::move(page));
  return pool_.back().get();
}

std::size_t BeamBuckets::size(int blocks) const {
  std::size_t total = 0;
  for (const BeamPage* page : bucket(blocks).pages)
    total += page->count;
  return total;
}

std::size_t BeamBuckets::states() const {
  std::size_t total = 0;
  for (std::size_t b = 0; b < buckets_.size(); ++b)
    total += size(static_cast<int>(b));
  return total;
}

int BeamBuckets::highest() const {
  for (int b = static_cast<int>(buckets_.size()) - 1; b > 0; --b)
    if (!bucket(b).pages.empty()) return b;
  return 0;
}

void BeamBuckets::prune(int blocks, std::size_t width, BeamScratch& scratch, const std::function<bool()>& stopped) {
  Bucket& pruned = bucket(blocks);
  scratch.entries.clear();
  for (std::size_t p = 0; p < pruned.pages.size(); ++p)
    for (std::size_t slot = 0; slot < pruned.pages[p]->count; ++slot)
      scratch.entries.push_back(
          {pruned.pages[p]->keys[slot], static_cast<std::uint32_t>(p), static_cast<std::uint32_t>(slot)});
  if (!remove_duplicates(scratch, stopped)) return;
  if (scratch.unique.size() >= width) {
    const auto last = scratch.unique.begin() + static_cast<std::ptrdiff_t>(width) - 1;
    std::nth_element(scratch.unique.begin(), last, scratch.unique.end());
    least_[static_cast<std::size_t>(blocks)] = last->key.evaluation;
    scratch.unique.resize(width);
  }
  compact(pruned, scratch);
}

// States move from the last pages into gaps of the first ones.
void BeamBuckets::compact(Bucket& bucket, BeamScratch& scratch) {
  const std::size_t kept = scratch.unique.size(), pages = (kept + page_states_ - 1) / page_states_;
  scratch.alive.assign(bucket.pages.size() * page_states_, 0);
  std::vector<BeamEntry*> movers;
  for (BeamEntry& entry : scratch.unique) {
    scratch.alive[entry.page * page_states_ + entry.slot] = 1;
    bucket.pages[entry.page]->keys[entry.slot] = entry.key;
    if (entry.page * page_states_ + entry.slot >= kept) movers.push_back(&entry);
  }
  std::size_t gap = 0;
  for (BeamEntry* entry : movers) {
    while (scratch.alive[gap] != 0)
      ++gap;
    BeamPage& from = *bucket.pages[entry->page];
    BeamPage& to = *bucket.pages[gap / page_states_];
    const std::size_t slot = gap % page_states_;
    to.keys[slot] = entry->key;
    std::memcpy(to.boards.data() + slot * board_bytes_, from.boards.data() + entry->slot * board_bytes_, board_bytes_);
    entry->page = static_cast<std::uint32_t>(gap / page_states_);
    entry->slot = static_cast<std::uint32_t>(slot);
    ++gap;
  }
  {
    const std::lock_guard lock(pool_mutex_);
    free_.insert(free_.end(), bucket.pages.begin() + static_cast<std::ptrdiff_t>(pages), bucket.pages.end());
  }
  bucket.pages.resize(pages);
  bucket.partial.clear();
  for (std::size_t p = 0; p < pages; ++p)
    bucket.pages[p]->count = std::min(page_states_, kept - p * page_states_);
  if (pages > 0 && bucket.pages.back()->count < page_states_) bucket.partial.push_back(bucket.pages.back());
}

void BeamBuckets::clear(int blocks) {
  Bucket& cleared = bucket(blocks);
  const std::lock_guard lock(pool_mutex_);
  free_.insert(free_.end(), cleared.pages.begin(), cleared.pages.end());
  cleared.pages.clear();
  cleared.partial.clear();
}

std::size_t BeamBuckets::memory_bytes() const {
  const std::lock_guard lock(pool_mutex_);
  return pool_.size() * (page_states_ * state_bytes() + sizeof(BeamPage));
}

}  // namespace chainshot::cpu
