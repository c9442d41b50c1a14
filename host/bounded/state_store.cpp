#include "host/bounded/state_store.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace chainshot::host {
namespace {

constexpr std::size_t kLargestBoard = game::kMaxRows * game::kMaxPlanes * sizeof(std::uint32_t);

}  // namespace

StateStore::StateStore(const game::Position& root, int lowest, int highest, std::uint64_t memory_bytes)
    : codec_(root),
      board_bytes_(codec_.bytes()),
      lowest_(lowest),
      width_((highest - lowest) / kMostStacks + 1),
      table_(0),
      stacks_(static_cast<std::size_t>((highest - lowest) / width_ + 1), kNone),
      dropped_bound_(std::numeric_limits<int>::min()) {
  // A chunk has a little more than its slots, and the table has at most one entry per slot.
  const std::size_t per_chunk = kChunk * (sizeof(State) + board_bytes_ + sizeof(Id)) + sizeof(Chunk) * 2 + 64;
  const std::uint64_t fixed = sizeof(Id) * stacks_.size();
  const std::uint64_t chunks = std::max<std::uint64_t>(1, (memory_bytes - std::min(memory_bytes, fixed)) / per_chunk);
  capacity_ = static_cast<std::size_t>(std::min<std::uint64_t>(chunks * kChunk, std::numeric_limits<Id>::max()));
  table_ = ZeroedArray<Id>(std::bit_floor(capacity_));
}

std::size_t StateStore::stack_of(const State& state) const {
  return static_cast<std::size_t>((state.f() - lowest_) / width_);
}

StateStore::Id StateStore::find(const game::Position& position) const {
  std::byte packed[kLargestBoard];
  codec_.pack(position, packed);
  const auto hash = static_cast<std::uint32_t>(position.hash());
  for (Id id = table_[hash & (table_.size() - 1)]; id != kNone; id = state(id).same_chain)
    if (state(id).hash == hash && std::memcmp(board(id), packed, board_bytes_) == 0) return id;
  return kNone;
}

StateStore::Id StateStore::take_slot() {
  if (free_ != kNone) {
    const Id id = free_;
    free_ = state(id).older;
    return id;
  }
  if (slots_ == capacity_) return kNone;
  if (slots_ % kChunk == 0)
    chunks_.push_back({std::make_unique<State[]>(kChunk), std::make_unique<std::byte[]>(kChunk * board_bytes_)});
  return static_cast<Id>(++slots_);
}

StateStore::Id StateStore::add(const game::Position& position, int bound, Id kept) {
  Id id = take_slot();
  if (id == kNone) {
    make_room(kept);
    id = take_slot();
    if (id == kNone) return kNone;
  }
  State& state = at(id);
  state = {};
  state.bound = bound;
  state.is_used = true;
  state.hash = static_cast<std::uint32_t>(position.hash());
  codec_.pack(position, board(id));
  Id& chain = chain_of(state.hash);
  state.same_chain = chain;
  chain = id;
  ++used_;
  return id;
}

void StateStore::open(Id id, Id parent, game::Cell move, int points) {
  State& state = at(id);
  if (state.is_open) unlink(id);
  if (state.parent != kNone) --at(state.parent).children;
  state.parent = parent;
  if (parent != kNone) ++at(parent).children;
  state.move = move;
  state.points = points;
  push(id);
}

void StateStore::close(Id id) {
  unlink(id);
}

void StateStore::drop(int f) {
  dropped_bound_ = std::max(dropped_bound_, f);
}

StateStore::Id StateStore::highest() {
  while (top_ > 0 && stacks_[top_] == kNone)
    --top_;
  return stacks_[top_];
}

int StateStore::open_bound() {
  return highest() == kNone ? std::numeric_limits<int>::min() : lowest_ + static_cast<int>(top_) * width_ + width_ - 1;
}

std::vector<game::Cell> StateStore::path(Id id) const {
  std::vector<game::Cell> moves;
  for (; state(id).parent != kNone; id = state(id).parent)
    moves.push_back(state(id).move);
  std::reverse(moves.begin(), moves.end());
  return moves;
}

std::uint64_t StateStore::bytes() const {
  return chunks_.size() * (kChunk * (sizeof(State) + board_bytes_) + sizeof(Chunk)) +
         (table_.size() + stacks_.size()) * sizeof(Id);
}

// Gives an eighth of the slots back, or all that can be.
void StateStore::make_room(Id kept) {
  const std::size_t enough = capacity_ - capacity_ / 8;
  if (kept != kNone) ++at(kept).children;
  for (Id id = 1; id <= slots_; ++id)
    if (const State& s = state(id); s.is_used && !s.is_open && s.children == 0) forget(id);
  for (std::size_t stack = 0; stack < stacks_.size() && used_ > 0 && used_ >= enough; ++stack)
    while (stacks_[stack] != kNone && used_ >= enough) {
      const Id id = stacks_[stack];
      drop(state(id).f());
      unlink(id);
      forget(id);
    }
  if (kept != kNone) --at(kept).children;
}

// A closed state whose last child is forgotten is of no use any more.
void StateStore::forget(Id id) {
  while (id != kNone) {
    const Id parent = state(id).parent;
    release(id);
    if (parent == kNone) return;
    const bool is_idle = --at(parent).children == 0 && !state(parent).is_open;
    id = is_idle ? parent : kNone;
  }
}

void StateStore::release(Id id) {
  State& state = at(id);
  Id* link = &chain_of(state.hash);
  while (*link != id)
    link = &at(*link).same_chain;
  *link = state.same_chain;
  state.is_used = false;
  state.older = free_;
  free_ = id;
  --used_;
}

void StateStore::push(Id id) {
  State& state = at(id);
  const std::size_t stack = stack_of(state);
  state.is_open = true;
  state.newer = kNone;
  state.older = stacks_[stack];
  if (state.older != kNone) at(state.older).newer = id;
  stacks_[stack] = id;
  top_ = std::max(top_, stack);
  ++open_count_;
}

void StateStore::unlink(Id id) {
  State& state = at(id);
  (state.newer != kNone ? at(state.newer).older : stacks_[stack_of(state)]) = state.older;
  if (state.older != kNone) at(state.older).newer = state.newer;
  state.is_open = false;
  --open_count_;
}

}  // namespace chainshot::host
