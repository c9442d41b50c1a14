// The interface between the runtime library and the C++ that ptx_to_cpp.py generates from PTX.
//
// Models: one CUDA thread (Thread), its warp and its block, registration of kernels and device variables, warp and
// block collectives, and the arithmetic helpers that PTX instructions need (PTX semantics, not C++ semantics:
// saturating conversions, shifts beyond the width, NaN handling).
// Does not model: clusters, tensor cores, textures, bf16/f16x2 arithmetic, approximate-function rounding (the
// .approx forms are computed with the host's libm).
#pragma once
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>

namespace ptxcpu {

struct Block;
struct Thread;

// Warp-wide operations; kBarrier + id marks a thread that waits at block barrier `id`.
enum Op : uint32_t {
  kShuffleUp = 1,
  kShuffleDown,
  kShuffleBfly,
  kShuffleIdx,
  kVoteAll,
  kVoteAny,
  kVoteUni,
  kVoteBallot,
  kSyncWarp,
  kMatchAny32,
  kMatchAll32,
  kMatchAny64,
  kMatchAll64,
  kReduceAdd,
  kReduceMinUnsigned,
  kReduceMaxUnsigned,
  kReduceMinSigned,
  kReduceMaxSigned,
  kReduceAnd,
  kReduceOr,
  kReduceXor,
  kBarrier = 64
};

struct Warp {
  uint32_t waiting;  // lanes that wait in a warp operation
  uint32_t exited;   // lanes that have ended or never existed
  Thread* lane0;
};

struct Decisions;

// The decisions of a CUDA thread at the ends of its basic blocks, one bit per decision, the oldest in the lowest bit.
// They determine the blocks that the thread passed. Only code compiled with PTXCPU_COUNT fills a trace.
struct Trace {
  uint64_t word;
  uint32_t bits;
  Decisions* kept;  // takes the full words; may be null
};

// The state of one CUDA thread.
struct Thread {
  uint32_t tx, ty, tz;               // threadIdx
  uint32_t lane, warp_index, index;  // lane, warp and linear index in the block
  int state;
  char* sh;  // start of the block's shared memory
  Block* b;
  Warp* w;
  // Operands and results of the collective in which the thread waits.
  uint32_t op, mask;
  uint64_t a;
  uint32_t sb, sc;
  uint64_t out;
  bool predicate_out;
  int line;  // PTX line of that collective
  void* sp;  // saved stack pointer of the fiber
  uint64_t instrs;
  Trace trace;
};

// The values that all threads of a block share: blockDim, gridDim, blockIdx.
struct Block {
  uint32_t ntx, nty, ntz;
  uint32_t ncx, ncy, ncz;
  uint32_t cx, cy, cz;
  uint32_t nthreads, dynsize;
  uint64_t gridid;
};

// How a basic block ends. In a guarded block, the lanes whose guard is false fall through.
enum Going : uint8_t {
  kFalls,
  kJumps,    // jumps to block `target`
  kChooses,  // jumps to one of `targets` blocks, listed from choices[target] on
  kCalls,    // calls the function that starts at block `target`
  kReturns,
  kEnds,  // ends the thread
};

constexpr uint32_t kReturned = ~0u;  // the block number that stands for the end of a function

struct Flow {
  uint32_t instrs;
  Going going;
  bool guarded;
  uint32_t targets, target;
  uint32_t follows;  // the next block in the text
  uint32_t meets;    // the immediate post-dominator, where lanes that diverge here reconverge
};

// The instructions of a basic block that come from the same source line.
struct SourceLine {
  uint32_t block, instrs;
  const char* functions;  // mangled names separated by spaces; each is inlined into the one before
  const char* file;
  uint32_t line;
};

// The basic blocks of a kernel, which are numbered across the whole module.
struct FlowGraph {
  const Flow* flow;
  const uint32_t* choices;
  uint32_t blocks;
  uint32_t entry;
  const SourceLine* source;  // set only in code compiled with PTXCPU_COUNT
  uint32_t source_rows;
};

typedef void (*KernelFunction)(Thread&, char* const*);

// A kernel; generated code owns it and registers it in a static constructor.
struct Kernel {
  const char* name;
  KernelFunction function;
  uint32_t static_shared;        // bytes this kernel uses
  uint32_t total_static_shared;  // bytes of the whole module, where dynamic shared memory starts
  uint32_t local_bytes;
  int params;
  const uint32_t* param_sizes;
  bool collective;       // uses collectives, so it needs a fiber per thread
  int arch;              // PTX target, e.g. 80
  uint32_t max_threads;  // from __launch_bounds__, 0 when absent
  FlowGraph graph;
  bool counted;  // compiled with PTXCPU_COUNT
  const void* module;
  Kernel* next;
};

// A __device__ or __constant__ variable.
struct Variable {
  const char* name;
  void* addr;
  size_t size;
  const void* module;
  Variable* next;
};

void enlist(Kernel*);
void enlist(Variable*);

uint64_t warp_op(Thread& t, uint32_t op, uint32_t mask, uint64_t a, uint32_t b, uint32_t c, bool* p, int line);
// `red` is the reduction: 0 none, 1 popc, 2 and, 3 or.
uint32_t barrier(Thread& t, uint32_t id, uint32_t cnt, bool wait, int red, bool p, int line);
[[noreturn]] void texit(Thread& t);
[[noreturn]] void trap(Thread& t, const char* why, int line);
void yield(Thread& t);
int vprintf_(const char* fmt, const char* args);
uint64_t clock64_();

// Checks one memory access; `space` is 0 for generic, 1 for global and const, 2 for shared memory.
void check_access(Thread& t, const void* p, size_t n, int space, const char* what, int line);
#ifdef PTXCPU_CHECK
#define CHECK_ACCESS(p, n, s, w, l) ptxcpu::check_access(t, (const void*)(p), n, s, w, l)
#else
#define CHECK_ACCESS(p, n, s, w, l) ((void)0)
#endif

// Generated code counts instructions with COUNTED at the start of a basic block, and records with DECIDED and CHOSEN
// how its end was decided.
void keep_decisions(Thread& t);
#ifdef PTXCPU_COUNT
constexpr bool kCounted = true;
static inline bool decided(Thread& t, bool decision) {
  t.trace.word |= (uint64_t)decision << t.trace.bits;
  if (++t.trace.bits == 64) keep_decisions(t);
  return decision;
}
static inline uint32_t chosen(Thread& t, uint32_t choice, int bits) {
  for (int i = 0; i < bits; i++)
    decided(t, choice >> i & 1);
  return choice;
}
#define COUNTED(n) t.instrs += n
#define DECIDED(p) ptxcpu::decided(t, p)
#define CHOSEN(i, bits) ptxcpu::chosen(t, i, bits)
#else
constexpr bool kCounted = false;
#define COUNTED(n) ((void)0)
#define DECIDED(p) (p)
#define CHOSEN(i, bits) (i)
#endif

// ---- PTX arithmetic and memory helpers

template <class D, class S>
static inline D bc(S s) {
  static_assert(sizeof(D) == sizeof(S));
  D d;
  memcpy(&d, &s, sizeof d);
  return d;
}

template <class T>
static inline T ld(const void* p) {
  T v;
  memcpy(&v, p, sizeof v);
  return v;
}

template <class T>
static inline void st(void* p, T v) {
  memcpy(p, &v, sizeof v);
}
// These are the acquire load, the release store and the atomic read-modify-write.

template <class T>
static inline T lda(const void* p) {
  T v;
  __atomic_load((T*)p, &v, __ATOMIC_ACQUIRE);
  return v;
}

template <class T>
static inline void sta(void* p, T v) {
  __atomic_store((T*)p, &v, __ATOMIC_RELEASE);
}

template <class T, class F>
static inline T rmw(void* p, F f) {
  T o;
  __atomic_load((T*)p, &o, __ATOMIC_RELAXED);
  for (;;) {
    T n = f(o);
    if (__atomic_compare_exchange((T*)p, &o, &n, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) return o;
  }
}

template <class T>
static inline T cas(void* p, T c, T n) {
  __atomic_compare_exchange((T*)p, &c, &n, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return c;
}

static inline uint32_t brev32(uint32_t x) {
  x = ((x >> 1) & 0x55555555u) | ((x & 0x55555555u) << 1);
  x = ((x >> 2) & 0x33333333u) | ((x & 0x33333333u) << 2);
  x = ((x >> 4) & 0x0f0f0f0fu) | ((x & 0x0f0f0f0fu) << 4);
  return __builtin_bswap32(x);
}

static inline uint64_t brev64(uint64_t x) {
  return ((uint64_t)brev32((uint32_t)x) << 32) | brev32((uint32_t)(x >> 32));
}

template <class T>
static inline T shl(T a, uint32_t b) {
  return b >= sizeof(T) * 8 ? T(0) : T(a << b);
}

template <class T>
static inline T shr(T a, uint32_t b) {
  constexpr uint32_t W = sizeof(T) * 8;
  if (b >= W) return std::is_signed<T>::value && a < 0 ? T(-1) : T(0);
  return T(a >> b);
}

static inline uint32_t prmt(uint32_t a, uint32_t b, uint32_t c, int mode) {
  uint64_t v = ((uint64_t)b << 32) | a;
  uint32_t r = 0;
  uint32_t k = c & 3;
  for (int i = 0; i < 4; i++) {
    uint32_t s;
    bool msb = false;
    switch (mode) {
      case 0:
        s = (c >> (4 * i)) & 15;
        msb = s & 8;
        s &= 7;
        break;
      case 1:
        s = (k + i) & 7;
        break;
      case 2:
        s = (k - i) & 7;
        break;
      case 3:
        s = k;
        break;
      case 4:
        s = k > uint32_t(i) ? k : i;
        break;
      case 5:
        s = k < uint32_t(i) ? k : i;
        break;
      default:
        s = (k & 1) * 2 + (i & 1);
    }
    uint32_t by = (v >> (8 * s)) & 255;
    if (msb) by = (by & 128) ? 255 : 0;
    r |= by << (8 * i);
  }
  return r;
}

template <class U>
static inline U lop3(U a, U b, U c, uint32_t l) {
  U r = 0;
  if (l & 1) r |= ~a & ~b & ~c;
  if (l & 2) r |= ~a & ~b & c;
  if (l & 4) r |= ~a & b & ~c;
  if (l & 8) r |= ~a & b & c;
  if (l & 16) r |= a & ~b & ~c;
  if (l & 32) r |= a & ~b & c;
  if (l & 64) r |= a & b & ~c;
  if (l & 128) r |= a & b & c;
  return r;
}

template <class T>
static inline T bfe(T a, uint32_t b, uint32_t c) {
  constexpr int W = sizeof(T) * 8;
  typedef typename std::make_unsigned<T>::type U;
  uint32_t pos = b & 255, len = c & 255;
  bool sg = false;
  if (std::is_signed<T>::value && len) {
    uint32_t m = pos + len - 1;
    if (m > W - 1) m = W - 1;
    sg = ((U)a >> m) & 1;
  }
  U r = 0;
  for (int i = 0; i < W; i++) {
    bool bit = (uint32_t(i) < len && pos + i < (uint32_t)W) ? ((U)a >> (pos + i)) & 1 : sg;
    r |= (U)bit << i;
  }
  return (T)r;
}

template <class U>
static inline U bfi(U a, U b, uint32_t c, uint32_t d) {
  constexpr uint32_t W = sizeof(U) * 8;
  uint32_t pos = c & 255, len = d & 255;
  if (pos >= W || !len) return b;
  if (len > W - pos) len = W - pos;
  U m = len >= W ? ~U(0) : ((U(1) << len) - 1);
  return (b & ~(m << pos)) | ((a & m) << pos);
}

template <class T>
static inline uint32_t bfind(T a, bool sh) {
  constexpr int W = sizeof(T) * 8;
  typedef typename std::make_unsigned<T>::type U;
  U u = a;
  if (std::is_signed<T>::value && a < 0) u = ~u;
  if (!u) return 0xffffffffu;
  uint32_t r = 63 - __builtin_clzll((uint64_t)u);
  return sh ? W - 1 - r : r;
}

template <class D, class F>
static inline D f2i(F f) {
  if (std::isnan(f)) {
    bool wide = sizeof(F) == 8 || sizeof(D) == 8;
    return wide ? (D)((uint64_t)1 << (sizeof(D) * 8 - 1)) : D(0);
  }
  constexpr long double lo =
      (long double)(std::is_signed<D>::value ? -(long double)(1ull << (sizeof(D) * 8 - 1)) : 0.0L);
  constexpr long double hi = std::is_signed<D>::value ? (long double)((1ull << (sizeof(D) * 8 - 1)) - 1)
                                                      : (long double)(~0ull >> (64 - 8 * sizeof(D)));
  if ((long double)f < lo) return (D)lo;
  if ((long double)f > hi)
    return std::is_signed<D>::value ? (D)((1ull << (sizeof(D) * 8 - 1)) - 1) : (D)(~0ull >> (64 - 8 * sizeof(D)));
  return (D)f;
}

template <class F>
static inline F sat01(F f) {
  return f != f ? F(0) : f < 0 ? F(0) : f > 1 ? F(1) : f;
}

template <class F>
static inline F fmin_(F a, F b) {
  return a != a ? b : b != b ? a : (a < b || (a == b && std::signbit(a))) ? a : b;
}

template <class F>
static inline F fmax_(F a, F b) {
  return a != a ? b : b != b ? a : (a > b || (a == b && !std::signbit(a))) ? a : b;
}

template <class D, class S>
static inline D satcvt(S s) {
  __int128 v = s;
  __int128 lo = std::is_signed<D>::value ? -((__int128)1 << (sizeof(D) * 8 - 1)) : 0,
           hi = std::is_signed<D>::value ? ((__int128)1 << (sizeof(D) * 8 - 1)) - 1
                                         : ((__int128)1 << (sizeof(D) * 8)) - 1;
  return (D)(v < lo ? lo : v > hi ? hi : v);
}
// Performs a floating-point operation in another rounding mode; the operation must read volatile operands.
template <class F, class O>
static inline F rounded(int mode, O operation) {
  int old = std::fegetround();
  std::fesetround(mode);
  volatile F result = operation();
  std::fesetround(old);
  return result;
}

// Adds the products of four bytes to `c`; A and B are int8_t or uint8_t.
template <class A, class B>
static inline uint32_t dp4a(uint32_t a, uint32_t b, uint32_t c) {
  for (int i = 0; i < 32; i += 8)
    c += (uint32_t)((int32_t)(A)(a >> i) * (int32_t)(B)(b >> i));
  return c;
}

}  // namespace ptxcpu
