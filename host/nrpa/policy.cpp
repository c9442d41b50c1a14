#include "host/nrpa/policy.hpp"

#include <algorithm>
#include <cassert>

namespace chainshot::host::nrpa {

Policy::Policy(std::uint64_t memory_bytes) {
  most_slots_ = std::max<std::uint64_t>(kLeastSlots, std::bit_floor(memory_bytes / (kSlotBytes + 2 * sizeof(Change))));
  entries_.resize(kLeastSlots);
  details_.resize(kLeastSlots);
  use_of_slot_.resize(kLeastSlots);
  mask_ = kLeastSlots - 1;
  shift_ = 64 - std::countr_zero(kLeastSlots);
}

void Policy::open_level() {
  levels_.emplace_back();
}

// Removing entries in the reverse order of their insertion leaves every chain of the table as it was before.
void Policy::close_level() {
  assert(!levels_.empty() && "a level closes only after it opened");
  const Level& level = levels_.back();
  for (auto change = level.rbegin(); change != level.rend(); ++change) {
    entries_[change->slot].weight = change->weight_before;
    details_[change->slot] = change->before;
    if (!change->inserted) continue;
    entries_[change->slot].code = 0;
    --taken_;
  }
  levels_.pop_back();
}

std::uint32_t Policy::slot_of(Code code) const {
  std::size_t slot = code >> shift_;
  while (entries_[slot].code != code && entries_[slot].code != 0)
    slot = (slot + 1) & mask_;
  return static_cast<std::uint32_t>(slot);
}

std::uint32_t Policy::insert(Code code, Logit first_logit) {
  if (4 * (taken_ + 1) > entries_.size() && 2 * entries_.size() <= most_slots_) grow();
  if (2 * (taken_ + 1) > entries_.size()) return kNoSlot;
  const std::uint32_t slot = slot_of(code);
  entries_[slot] = {code, weight_of(first_logit)};
  details_[slot] = {first_logit, static_cast<std::int32_t>(levels_.size())};
  levels_.back().push_back({slot, true, {}, 0});
  ++taken_;
  return slot;
}

// Every entry was inserted by an open level, so the levels know all of them, in the order of insertion.
void Policy::grow() {
  std::vector<Entry> entries(2 * entries_.size());
  std::vector<Detail> details(entries.size());
  std::vector<std::uint32_t> new_slot(entries_.size());
  entries.swap(entries_);
  details.swap(details_);
  use_of_slot_.assign(entries_.size(), 0);
  mask_ = entries_.size() - 1;
  --shift_;
  ++version_;
  for (Level& level : levels_)
    for (Change& change : level) {
      if (change.inserted) {
        const std::uint32_t slot = slot_of(entries[change.slot].code);
        entries_[slot] = entries[change.slot];
        details_[slot] = details[change.slot];
        new_slot[change.slot] = slot;
      }
      change.slot = new_slot[change.slot];
    }
}

Lesson Policy::prepare(const Rollout& rollout) {
  Lesson lesson;
  prepare(rollout, lesson);
  return lesson;
}

void Policy::prepare(const Rollout& rollout, Lesson& lesson) {
  for (const Life& life : rollout.lives)
    if (const std::uint32_t slot = slot_of(life.code); entries_[slot].code == 0) insert(life.code, life.first_logit);
  lesson.uses.clear();
  lesson.spans.clear();
  for (const Life& life : rollout.lives) {
    std::uint32_t slot = slot_of(life.code);
    const bool known = entries_[slot].code == life.code;
    std::uint32_t use = known ? use_of_slot_[slot] : 0;
    if (use == 0) {
      lesson.uses.push_back({known ? slot : kNoSlot, 0, life.first_logit, 0, 0});
      use = static_cast<std::uint32_t>(lesson.uses.size());
      if (known) use_of_slot_[slot] = use;
    }
    lesson.spans.push_back({use - 1, life.birth, life.death});
  }
  for (const std::uint32_t life : rollout.played)
    ++lesson.uses[lesson.spans[life].use].times_played;
  for (const Lesson::Use& use : lesson.uses)
    if (use.slot != kNoSlot) use_of_slot_[use.slot] = 0;
  lesson.length = rollout.length();
  lesson.table_version = version_;
}

void Policy::set(std::uint32_t slot, Logit logit) {
  const auto level = static_cast<std::int32_t>(levels_.size());
  Detail& detail = details_[slot];
  if (detail.level != level) {
    levels_.back().push_back({slot, false, detail, entries_[slot].weight});
    detail.level = level;
  }
  detail.logit = logit;
  entries_[slot].weight = weight_of(logit);
}

// Algorithm 3 of Negrevergne and Cazenave 2017. All probabilities are those before the adaptation, so a code's loss is
// its weight times the sum of alpha / z over the steps of its lives: a difference of prefix sums.
void Policy::adapt(const Rollout& rollout, Lesson& lesson, Logit alpha) {
  if (lesson.table_version != version_) prepare(rollout, lesson);
  const auto length = static_cast<std::size_t>(lesson.length);
  sums_.assign(length + 1, 0);
  shares_.resize(length + 1);
  for (Lesson::Use& use : lesson.uses) {
    use.weight = use.slot == kNoSlot ? weight_of(use.first_logit) : entries_[use.slot].weight;
    use.shares = 0;
  }
  for (const Lesson::Span& span : lesson.spans) {
    const Weight weight = lesson.uses[span.use].weight;
    sums_[span.birth] += weight;
    sums_[span.death] -= weight;
  }
  Weight sum = 0;
  std::uint64_t share = 0;
  for (std::size_t step = 0; step < length; ++step) {
    shares_[step] = share;
    sum += sums_[step];
    share += share_of_step(sum);
  }
  shares_[length] = share;
  for (const Lesson::Span& span : lesson.spans)
    lesson.uses[span.use].shares += shares_[span.death] - shares_[span.birth];
  for (const Lesson::Use& use : lesson.uses) {
    if (use.slot == kNoSlot) continue;
    const Logit before = details_[use.slot].logit;
    const Logit after = adapted(before, use.weight, use.shares, use.times_played, alpha);
    if (after != before) set(use.slot, after);
  }
}

Learned Policy::learned_by_level() const {
  Learned learned;
  for (const Change& change : levels_.back())
    learned.emplace_back(entries_[change.slot].code, details_[change.slot].logit);
  return learned;
}

void Policy::learn(const Learned& learned) {
  assert(!levels_.empty() && "only a level learns");
  for (const auto& [code, logit] : learned) {
    std::uint32_t slot = slot_of(code);
    if (entries_[slot].code == 0) slot = insert(code, logit);
    if (slot != kNoSlot) set(slot, logit);
  }
}

Logit Policy::logit(Code code, Logit first_logit) const {
  const std::uint32_t slot = slot_of(code);
  return entries_[slot].code == code ? details_[slot].logit : first_logit;
}

std::uint64_t Policy::bytes() const {
  std::uint64_t bytes = entries_.size() * kSlotBytes;
  for (const Level& level : levels_)
    bytes += level.capacity() * sizeof(Change);
  return bytes;
}

}  // namespace chainshot::host::nrpa
