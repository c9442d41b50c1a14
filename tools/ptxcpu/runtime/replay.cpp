#include "replay.hpp"

namespace ptxcpu {

static uint32_t bits_of_choice(const Flow& f) {
  return f.going == kChooses && f.targets > 1 ? 32 - __builtin_clz(f.targets - 1) : 0;
}

void Decisions::forget_used() {
  uint64_t whole = used / 64;
  words.erase(words.begin(), words.begin() + (ptrdiff_t)whole);
  used -= 64 * whole;
  known -= 64 * whole;
}

Replay::Replay(const FlowGraph& graph, uint32_t lanes, Issues& issues) : graph_(graph), live_(lanes), issues_(&issues) {
  stack_.push_back({graph.entry, kReturned, lanes});
}

// Tells whether all lanes have run far enough to have made their decisions at the end of this block.
bool Replay::known(const Flow& f, uint32_t lanes, std::vector<Decisions>::iterator decisions) const {
  uint32_t bits = f.guarded + bits_of_choice(f);
  if (!bits) return true;
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    const Decisions& d = decisions[__builtin_ctz(rest)];
    if (!d.complete && !d.has(bits)) return false;
  }
  return true;
}

bool Replay::advance(std::vector<Decisions>::iterator lanes) {
  while (!stack_.empty()) {
    Group& top = stack_.back();
    top.lanes &= live_;
    if (!top.lanes || top.block == top.meet) {
      stack_.pop_back();
      continue;
    }
    const Flow& f = graph_.flow[top.block];
    if (!known(f, top.lanes, lanes)) return false;
    issues_->warps[top.block]++;
    issues_->lanes[top.block] += (uint64_t)__builtin_popcount(top.lanes);
    step(f, lanes);
  }
  return true;
}

void Replay::add_side(uint32_t block, uint32_t lanes) {
  if (!lanes) return;
  for (Side& side : sides_) {
    if (side.block != block) continue;
    side.lanes |= lanes;
    return;
  }
  sides_.push_back({block, lanes});
}

// Moves the lanes of the topmost group on from the block that they have just issued.
void Replay::step(const Flow& f, std::vector<Decisions>::iterator decisions) {
  Group& top = stack_.back();
  uint32_t going = top.lanes;
  if (f.guarded)
    for (uint32_t rest = top.lanes; rest; rest &= rest - 1) {
      int lane = __builtin_ctz(rest);
      if (!decisions[lane].next()) going &= ~(1u << lane);
    }
  uint32_t staying = top.lanes & ~going;
  sides_.clear();
  switch (f.going) {
    case kFalls:
      top.block = f.follows;
      return;
    case kCalls:
      top.block = f.follows;
      if (going) stack_.push_back({f.target, kReturned, going});
      return;
    case kEnds:
      live_ &= ~going;
      top.block = f.follows;
      return;
    case kJumps:
      add_side(f.target, going);
      break;
    case kReturns:
      add_side(kReturned, going);
      break;
    case kChooses:
      for (uint32_t rest = going; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        uint32_t choice = 0;
        for (uint32_t bit = 0; bit < bits_of_choice(f); bit++)
          choice |= decisions[lane].next() << bit;
        add_side(graph_.choices[f.target + choice], 1u << lane);
      }
  }
  add_side(f.follows, staying);
  part(f);
}

// The group beneath the sides holds all their lanes and waits at the meeting point. A group that would wait at the same
// point as the group beneath it is dropped: this happens in every iteration of a loop, so the stack grows with the
// depth of nesting and not with the number of iterations.
void Replay::part(const Flow& f) {
  Group& top = stack_.back();
  if (sides_.size() == 1) {
    top.block = sides_[0].block;
    return;
  }
  if (top.meet == f.meets)
    stack_.pop_back();
  else
    top.block = f.meets;
  for (const Side& side : sides_)
    if (side.block != f.meets) stack_.push_back({side.block, f.meets, side.lanes});
}

uint64_t warp_instrs(const FlowGraph& graph, const Issues& issues) {
  uint64_t sum = 0;
  for (uint32_t block = 0; block < graph.blocks; block++)
    sum += issues.warps[block] * graph.flow[block].instrs;
  return sum;
}

}  // namespace ptxcpu
