// Implements warp collectives and block barriers.
//
// Models: a warp operation completes when every live lane of its mask has arrived at it with the same operation and
// mask; a barrier completes when all live threads, or the given number of threads, have arrived. A thread that ends no
// longer counts.
// Does not model: the undefined results of a real warp when lanes disagree; that is reported as a deadlock.
#include <algorithm>
#include <atomic>
#include "run.hpp"

namespace ptxcpu {

// ---- warp collectives

// Values over all participating lanes, which several operations use.
struct WarpValues {
  bool all = true, any = false, same = true;
  uint32_t ballot = 0;
  uint32_t reduced = 0;
};

static uint32_t reduce(uint32_t op, uint32_t a, uint32_t b) {
  switch (op) {
    case kReduceAdd:
      return a + b;
    case kReduceAnd:
      return a & b;
    case kReduceOr:
      return a | b;
    case kReduceXor:
      return a ^ b;
    case kReduceMinUnsigned:
      return std::min(a, b);
    case kReduceMaxUnsigned:
      return std::max(a, b);
    case kReduceMinSigned:
      return (uint32_t)std::min((int32_t)a, (int32_t)b);
    case kReduceMaxSigned:
      return (uint32_t)std::max((int32_t)a, (int32_t)b);
    default:
      return 0;
  }
}

static WarpValues combine(const Thread* lanes, uint32_t op, uint32_t who) {
  WarpValues v;
  int first = __builtin_ctz(who);
  for (uint32_t m = who; m; m &= m - 1) {
    int l = __builtin_ctz(m);
    uint64_t a = lanes[l].a;
    v.all &= a != 0;
    v.any |= a != 0;
    v.same &= a == lanes[first].a;
    if (a) v.ballot |= 1u << l;
    v.reduced = l == first ? (uint32_t)a : reduce(op, v.reduced, (uint32_t)a);
  }
  return v;
}

static void warn_undefined_shuffle(const Run* r, int source, int line) {
  static std::atomic<bool> warned{false};
  if (!warned.exchange(true))
    fprintf(stderr,
            "ptxcpu: warning: shfl reads lane %d, which has ended or is outside its mask, in kernel %s, PTX line %d\n",
            source, r->k->name, line);
}

// Follows the pseudo code of shfl.sync in the PTX manual.
static void shuffle(const Run* r, Thread* lanes, int l, uint32_t op, uint32_t who) {
  Thread& lane = lanes[l];
  int bval = lane.sb & 31;
  int cval = lane.sc & 31;
  int segment = (lane.sc >> 8) & 31;
  int max_lane = (l & segment) | (cval & ~segment);
  int min_lane = l & segment;
  int j;
  switch (op) {
    case kShuffleUp:
      j = l - bval;
      break;
    case kShuffleDown:
      j = l + bval;
      break;
    case kShuffleBfly:
      j = l ^ bval;
      break;
    default:
      j = min_lane | (bval & ~segment);
  }
  bool in_range = op == kShuffleUp ? j >= max_lane : j <= max_lane;
  if (!in_range) j = l;
  lane.predicate_out = in_range;
  if ((who >> j) & 1) {
    lane.out = (uint32_t)lanes[j].a;
    return;
  }
  warn_undefined_shuffle(r, j, lane.line);
  lane.out = 0xDEADBEEF;
}

static uint32_t matching_lanes(const Thread* lanes, int l, uint32_t who) {
  uint32_t found = 0;
  for (uint32_t m = who; m; m &= m - 1) {
    int k = __builtin_ctz(m);
    if (lanes[k].a == lanes[l].a) found |= 1u << k;
  }
  return found;
}

static void give_result(const Run* r, Thread* lanes, int l, uint32_t op, uint32_t who, const WarpValues& v) {
  Thread& lane = lanes[l];
  lane.predicate_out = false;
  switch (op) {
    case kShuffleUp:
    case kShuffleDown:
    case kShuffleBfly:
    case kShuffleIdx:
      shuffle(r, lanes, l, op, who);
      break;
    case kVoteAll:
      lane.out = v.all;
      break;
    case kVoteAny:
      lane.out = v.any;
      break;
    case kVoteUni:
      lane.out = v.all || !v.any;
      break;
    case kVoteBallot:
      lane.out = v.ballot;
      break;
    case kSyncWarp:
      lane.out = 0;
      break;
    case kMatchAny32:
    case kMatchAny64:
      lane.out = matching_lanes(lanes, l, who);
      break;
    case kMatchAll32:
    case kMatchAll64:
      lane.out = v.same ? who : 0;
      lane.predicate_out = v.same;
      break;
    default:
      lane.out = v.reduced;
  }
}

// Completes a warp operation when every live lane of its mask has arrived at it.
static bool try_warp(const Run* r, Warp* w, uint32_t op, uint32_t mask) {
  uint32_t who = mask & ~w->exited;
  if (!who || (w->waiting & who) != who) return false;
  Thread* lanes = w->lane0;
  for (uint32_t m = who; m; m &= m - 1) {
    const Thread& lane = lanes[__builtin_ctz(m)];
    if (lane.op != op || lane.mask != mask) return false;
  }
  WarpValues v = combine(lanes, op, who);
  for (uint32_t m = who; m; m &= m - 1)
    give_result(r, lanes, __builtin_ctz(m), op, who, v);
  for (uint32_t m = who; m; m &= m - 1)
    lanes[__builtin_ctz(m)].state = kReady;
  w->waiting &= ~who;
  return true;
}

uint64_t warp_op(Thread& t, uint32_t op, uint32_t mask, uint64_t a, uint32_t b, uint32_t c, bool* p, int line) {
  if (!((mask >> t.lane) & 1)) trap(t, "a lane outside its own mask executed a warp collective", line);
  t.op = op;
  t.mask = mask;
  t.a = a;
  t.sb = b;
  t.sc = c;
  t.line = line;
  t.state = kInWarpOp;
  t.w->waiting |= 1u << t.lane;
  if (!try_warp(run_of(t), t.w, op, mask)) leave(t);
  if (p) *p = t.predicate_out;
  return t.out;
}

// ---- block barriers

static uint64_t barrier_result(const Barrier& state, uint32_t reduction) {
  if (reduction == 1) return state.popc;
  return reduction == 2 ? state.all : state.any;
}

static void try_barrier(Run* r, int id) {
  Barrier& state = r->barriers[id];
  if (!state.arrived) return;
  uint32_t expected = state.expected ? state.expected : r->live;
  if (state.arrived < expected) return;
  for (Thread& t : r->threads) {
    if (t.state != kAtBarrier || t.op != (uint32_t)(kBarrier + id)) continue;
    t.state = kReady;
    t.out = barrier_result(state, t.sb);
  }
  state = Barrier();
}

uint32_t barrier(Thread& t, uint32_t id, uint32_t cnt, bool wait, int red, bool p, int line) {
  if (id > 15) trap(t, "a barrier number above 15", line);
  Run* r = run_of(t);
  Barrier& state = r->barriers[id];
  state.arrived++;
  state.expected = cnt;
  state.popc += p;
  state.all &= p;
  state.any |= p;
  if (wait) {
    t.state = kAtBarrier;
    t.op = kBarrier + id;
    t.sb = red;
    t.line = line;
  }
  try_barrier(r, id);
  if (wait && t.state != kReady) leave(t);
  return (uint32_t)t.out;
}

void thread_ended(Run* r, Thread& t) {
  t.state = kDone;
  r->live--;
  t.w->exited |= 1u << t.lane;
  for (uint32_t m = t.w->waiting; m; m &= m - 1) {
    Thread& lane = t.w->lane0[__builtin_ctz(m)];
    if (lane.state == kInWarpOp && try_warp(r, t.w, lane.op, lane.mask)) break;
  }
  for (int i = 0; i < 16; i++)
    try_barrier(r, i);
}

}  // namespace ptxcpu
