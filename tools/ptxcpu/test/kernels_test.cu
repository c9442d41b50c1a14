// Compares kernels with the same computation on the host: instructions, collectives, atomics, memory spaces.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "same_names.hpp"

namespace {

constexpr int kThreads = 4096;

std::vector<uint64_t> random_words() {
  std::vector<uint64_t> words(kThreads);
  uint64_t state = 99;
  for (uint64_t& word : words) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    word = state ^ (state >> 29);
  }
  return words;
}

// Memory that the host and kernels share.
template <class T>
class Pinned {
 public:
  explicit Pinned(size_t count, int byte = 0) {
    EXPECT_EQ(cudaMallocHost(&at_, count * sizeof(T)), cudaSuccess);
    std::memset((void*)at_, byte, count * sizeof(T));
  }
  explicit Pinned(const std::vector<T>& values) : Pinned(values.size()) {
    std::copy(values.begin(), values.end(), at_);
  }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  ~Pinned() { cudaFreeHost(at_); }
  T* get() const { return at_; }
  T& operator[](size_t i) const { return at_[i]; }

 private:
  T* at_ = nullptr;
};

void finish() {
  ASSERT_EQ(cudaGetLastError(), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

// ---- instructions

struct Parameters {
  uint8_t bytes[12];
  int factor;
  long long offset;
  double scale;
};

__host__ __device__ uint64_t mixed(uint64_t x, int which, const Parameters& p) {
  auto narrow = (int32_t)(x >> 7);
  auto wide = (int64_t)(x * 0x9E3779B97F4A7C15ull);
  int32_t divisor = (int32_t)(x & 1023) - 512;
  if (!divisor) divisor = 3;
  uint64_t r = 0;
  switch (which % 12) {
    case 0:
      return (uint64_t)(narrow / divisor) ^ ((uint64_t)(narrow % divisor) << 20);
    case 1:
      return (uint64_t)(wide / (int64_t)divisor) ^ (uint64_t)(wide % (int64_t)divisor);
    case 2:
      return (x >> 3) / ((x & 0xffff) + 1) + (x >> 3) % ((x & 0xfff) + 7);
    case 3: {
      uint8_t b[16];
      for (int i = 0; i < 16; i++)
        b[i] = (uint8_t)(x >> (i * 3));
      for (int i = 0; i < 16; i++)
        b[(b[i] ^ i) & 15] += p.bytes[i % 12];
      memcpy(&r, b + 4, 8);
      return r;
    }
    case 4: {
      float f = (float)narrow * 0.37f;
      double d = (double)wide * 1e-9;
      return (uint64_t)(int64_t)f ^ (uint64_t)(int64_t)(d * 3.5) ^ (uint64_t)(uint32_t)(int)floorf(f * 0.5f);
    }
    case 5:
      return (uint64_t)(narrow >> (x & 31)) ^ (uint64_t)(wide >> (x & 63)) ^ ((uint64_t)(int16_t)x * (int8_t)(x >> 8));
    case 6:
      return (uint64_t)(narrow < (int32_t)(x >> 20) ? narrow : (int32_t)(x >> 20)) ^
             (uint64_t)(wide < 0 ? -wide : wide);
    case 7: {
      double d = sqrt((double)(x >> 40) + 1.0);
      float f = 1.0f / ((float)(x & 255) + 1.0f);
      uint32_t low;
      memcpy(&r, &d, 8);
      memcpy(&low, &f, 4);
      return r ^ low;
    }
    case 8:
      return (uint64_t)p.factor * p.offset + (uint64_t)(int64_t)(p.scale * divisor);
    case 9: {
      auto c = (int8_t)x;
      auto u = (uint8_t)(x >> 8);
      auto h = (int16_t)(x >> 16);
      return (uint64_t)(c * h) + (uint64_t)(u << 3) + (uint64_t)(c < h) + ((uint64_t)(uint16_t)(h + u) << 32);
    }
    case 10: {
      unsigned __int128 m = (unsigned __int128)x * 0xD1342543DE82EF95ull + wide;
      return (uint64_t)(m >> 64) ^ (uint64_t)m;
    }
    default:
      r = x * x + narrow;
      for (int i = 0; i < (int)(x & 15) && r % 7 != 3; i++)
        r = r & 1 ? r * 3 + 1 : r >> 1;
      return r;
  }
}

__global__ void mix(const uint64_t* in, uint64_t* out, Parameters p) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = mixed(in[i], i, p);
}

TEST(Instructions, AgreeWithTheHost) {
  Parameters p = {{0, 37, 74, 111, 148, 185, 222, 3, 40, 77, 114, 151}, -77, 123456789012ll, 2.75};
  Pinned<uint64_t> in(random_words()), out(kThreads);
  mix<<<kThreads / 128, 128>>>(in.get(), out.get(), p);
  finish();
  for (int i = 0; i < kThreads; i++)
    ASSERT_EQ(out[i], mixed(in[i], i, p)) << "case " << i % 12;
}

constexpr int kBitResults = 8;

__global__ void bits(const uint64_t* in, uint64_t* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  uint64_t x = in[i];
  auto a = (uint32_t)x, b = (uint32_t)(x >> 32);
  uint64_t* r = out + (size_t)i * kBitResults;
  r[0] = __byte_perm(a, b, (uint32_t)(x >> 13));
  r[1] = __funnelshift_l(a, b, i) | ((uint64_t)__funnelshift_r(a, b, i) << 32);
  r[2] = __umulhi(a, b) | ((uint64_t)(uint32_t)__mulhi((int)a, (int)b) << 32);
  r[3] = __clzll(x >> (i & 63)) | (__ffsll(x << (i & 63)) << 8) | (__popcll(x) << 16);
  r[4] = __brevll(x);
  uint32_t field, inserted, logic;
  int with_sign;
  asm("bfe.u32 %0,%1,%2,%3;" : "=r"(field) : "r"(a), "r"(i & 31), "r"((i >> 5) & 31));
  asm("bfe.s32 %0,%1,%2,%3;" : "=r"(with_sign) : "r"((int)a), "r"(i & 31), "r"((i >> 5) & 31));
  r[5] = field | ((uint64_t)(uint32_t)with_sign << 32);
  asm("lop3.b32 %0,%1,%2,%3,0x96;" : "=r"(logic) : "r"(a), "r"(b), "r"(i));
  asm("bfi.b32 %0,%1,%2,%3,%4;" : "=r"(inserted) : "r"(a), "r"(b), "r"(i & 31), "r"(5));
  r[6] = logic | ((uint64_t)inserted << 32);
  r[7] = (uint32_t)__vadd4(a, b);
}

uint64_t reversed(uint64_t x) {
  uint64_t r = 0;
  for (int k = 0; k < 64; k++)
    r |= (x >> k & 1) << (63 - k);
  return r;
}

TEST(Instructions, BitsAgreeWithTheirDefinition) {
  Pinned<uint64_t> in(random_words()), out(kThreads * kBitResults);
  bits<<<kThreads / 128, 128>>>(in.get(), out.get());
  finish();
  for (int i = 0; i < kThreads; i++) {
    uint64_t x = in[i];
    auto a = (uint32_t)x, b = (uint32_t)(x >> 32);
    const uint64_t* r = &out[(size_t)i * kBitResults];
    auto selector = (uint32_t)(x >> 13);
    uint32_t picked = 0, sums = 0;
    for (int k = 0; k < 4; k++) {
      picked |= (uint32_t)(uint8_t)(x >> (8 * (selector >> (4 * k) & 7))) << (8 * k);
      sums |= (uint32_t)(uint8_t)((a >> (8 * k)) + (b >> (8 * k))) << (8 * k);
    }
    ASSERT_EQ(r[0], picked);
    int n = i & 31;
    ASSERT_EQ(r[1], (uint32_t)((x << n) >> 32) | (uint64_t)(uint32_t)(x >> n) << 32);
    ASSERT_EQ(r[2], (uint64_t)a * b >> 32 | (uint64_t)(uint32_t)(((int64_t)(int)a * (int)b) >> 32) << 32);
    uint64_t right = x >> (i & 63), left = x << (i & 63);
    int zeros = right ? __builtin_clzll(right) : 64, first = left ? __builtin_ctzll(left) + 1 : 0;
    ASSERT_EQ(r[3], (uint64_t)(zeros | first << 8 | __builtin_popcountll(x) << 16));
    ASSERT_EQ(r[4], reversed(x));
    int length = i >> 5 & 31, top = std::min(n + length, 32) - n;
    uint32_t field = length ? (uint32_t)((uint64_t)a >> n & ((1ull << length) - 1)) : 0;
    int with_sign = length ? (int)((int64_t)((uint64_t)((int64_t)(int)a >> n) << (64 - top)) >> (64 - top)) : 0;
    ASSERT_EQ(r[5], field | (uint64_t)(uint32_t)with_sign << 32);
    uint32_t mask = ((1u << std::min(5, 32 - n)) - 1) << n;
    ASSERT_EQ(r[6], (a ^ b ^ (uint32_t)i) | (uint64_t)((b & ~mask) | (a << n & mask)) << 32);
    ASSERT_EQ(r[7], sums);
  }
}

__global__ void round_all(float a, float b, float c, int i, double d, float* r) {
  r[0] = __fadd_rz(a, b);
  r[1] = __fadd_ru(a, b);
  r[2] = __fmul_rd(a, b);
  r[3] = __fmaf_rd(a, b, c);
  r[4] = __fdiv_ru(a, b);
  r[5] = __fsqrt_rd(a);
  r[6] = __int2float_ru(i);
  r[7] = __double2float_rd(d);
}

template <class F>
float in_mode(int mode, F f) {
  std::fesetround(mode);
  volatile float r = f();
  std::fesetround(FE_TONEAREST);
  return r;
}

TEST(Instructions, RoundInTheRequestedMode) {
  volatile float a = 1.1f, b = 3.3333333f, c = -0.7f;
  volatile int i = 16777219;
  volatile double d = 0.1;
  Pinned<float> r(8);
  round_all<<<1, 1>>>(a, b, c, i, d, r.get());
  finish();
  EXPECT_EQ(r[0], in_mode(FE_TOWARDZERO, [&] { return a + b; }));
  EXPECT_EQ(r[1], in_mode(FE_UPWARD, [&] { return a + b; }));
  EXPECT_EQ(r[2], in_mode(FE_DOWNWARD, [&] { return a * b; }));
  EXPECT_EQ(r[3], in_mode(FE_DOWNWARD, [&] { return fmaf(a, b, c); }));
  EXPECT_EQ(r[4], in_mode(FE_UPWARD, [&] { return a / b; }));
  EXPECT_EQ(r[5], in_mode(FE_DOWNWARD, [&] { return sqrtf(a); }));
  EXPECT_EQ(r[6], in_mode(FE_UPWARD, [&] { return (float)i; }));
  EXPECT_EQ(r[7], in_mode(FE_DOWNWARD, [&] { return (float)d; }));
}

__global__ void convert(float f, double d, int* narrow, long long* wide) {
  narrow[0] = __float2int_rz(f);
  wide[0] = __float2ll_rz(f);
  wide[1] = __double2ll_rz(d);
}

TEST(Instructions, NanBecomesZeroOrTheSmallestWideNumber) {
  Pinned<int> narrow(1);
  Pinned<long long> wide(2);
  convert<<<1, 1>>>(NAN, NAN, narrow.get(), wide.get());
  finish();
  EXPECT_EQ(narrow[0], 0);
  EXPECT_EQ(wide[0], INT64_MIN);
  EXPECT_EQ(wide[1], INT64_MIN);
}

__device__ __noinline__ uint32_t fibonacci(uint32_t n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__global__ void recurse(uint32_t* out) {
  out[threadIdx.x] = fibonacci(threadIdx.x % 16);
}

TEST(Calls, CanRecurse) {
  Pinned<uint32_t> out(32);
  recurse<<<1, 32>>>(out.get());
  finish();
  EXPECT_EQ(out[10], 55u);
  EXPECT_EQ(out[31], 610u);
}

// ---- collectives

__global__ void collect(const uint32_t* in, uint32_t* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  uint32_t v = in[i];
  uint32_t* r = out + (size_t)i * 12;
  int same;
  r[0] = __match_any_sync(~0u, v & 7);
  r[1] = __match_all_sync(~0u, v >> 31, &same) ^ same;
  r[2] = __reduce_add_sync(~0u, v & 0xff);
  r[3] = __reduce_min_sync(~0u, (int)v);
  r[4] = lane & 1 ? __shfl_sync(0xAAAAAAAAu, v, 1) : __shfl_xor_sync(0x55555555u, v, 2);
  r[5] = __ballot_sync(~0u, v & 4);
  r[6] = __any_sync(~0u, (v & 31) == 7) << 1 | __all_sync(~0u, (v & 31) != 7);
  r[7] = (uint32_t)(__shfl_up_sync(~0u, (unsigned long long)v << 32 | i, 1) >> 17);
  r[8] = __shfl_down_sync(~0u, v, 3, 8);
  __syncwarp();
  r[9] = __syncthreads_count(v & 1);
  r[10] = __syncthreads_or((v & 255) == 3);
  r[11] = __syncthreads_and(v != 0);
}

TEST(Collectives, AgreeWithTheirDefinition) {
  std::vector<uint32_t> values;
  for (uint64_t word : random_words())
    values.push_back((uint32_t)(word >> 11));
  Pinned<uint32_t> in(values), out(kThreads * 12);
  collect<<<kThreads / 128, 128>>>(in.get(), out.get());
  finish();
  for (int i = 0; i < kThreads; i++) {
    int warp = i & ~31, lane = i & 31, block = i & ~127;
    uint32_t v = in[i], any7 = 0, same_low = 0, ballot = 0, sum = 0, odd = 0, threes = 0;
    int smallest = INT32_MAX;
    bool same_high = true, none_zero = true;
    for (int k = 0; k < 32; k++) {
      uint32_t other = in[warp + k];
      same_low |= (uint32_t)((other & 7) == (v & 7)) << k;
      same_high &= other >> 31 == in[warp] >> 31;
      sum += other & 0xff;
      smallest = std::min(smallest, (int)other);
      ballot |= (uint32_t)((other & 4) != 0) << k;
      any7 |= (other & 31) == 7;
    }
    for (int k = 0; k < 128; k++) {
      odd += in[block + k] & 1;
      threes |= (in[block + k] & 255) == 3;
      none_zero &= in[block + k] != 0;
    }
    const uint32_t* r = &out[(size_t)i * 12];
    ASSERT_EQ(r[0], same_low);
    ASSERT_EQ(r[1], same_high ? ~1u : 0u);
    ASSERT_EQ(r[2], sum);
    ASSERT_EQ((int)r[3], smallest);
    ASSERT_EQ(r[4], lane & 1 ? in[warp + 1] : in[warp + (lane ^ 2)]);
    ASSERT_EQ(r[5], ballot);
    ASSERT_EQ(r[6], any7 << 1 | (any7 ^ 1));
    int source = lane ? i - 1 : i;
    ASSERT_EQ(r[7], (uint32_t)(((uint64_t)in[source] << 32 | (uint32_t)source) >> 17));
    ASSERT_EQ(r[8], in[(lane & 7) + 3 < 8 ? i + 3 : i]);
    ASSERT_EQ(r[9], odd);
    ASSERT_EQ(r[10] != 0, threes != 0);
    ASSERT_EQ(r[11] != 0, none_zero);
  }
}

// ---- atomics

__global__ void count(const uint32_t* in, uint32_t* histogram, unsigned long long* largest, uint32_t* first) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&histogram[in[i] & 255], 1u);
  atomicOr(&histogram[256], 1u << (in[i] & 31));
  atomicMax(largest, (unsigned long long)in[i] << 32 | i);
  if (atomicCAS(first, 0u, i + 1) == 0) first[1] = i;
}

TEST(Atomics, LoseNoUpdate) {
  std::vector<uint32_t> values, expected(257);
  unsigned long long most = 0;
  for (uint64_t word : random_words()) {
    auto v = (uint32_t)(word >> 11);
    expected[v & 255]++;
    expected[256] |= 1u << (v & 31);
    most = std::max(most, (unsigned long long)v << 32 | values.size());
    values.push_back(v);
  }
  Pinned<uint32_t> in(values), histogram(257), first(2);
  Pinned<unsigned long long> largest(1);
  count<<<kThreads / 256, 256>>>(in.get(), histogram.get(), largest.get(), first.get());
  finish();
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), histogram.get()));
  EXPECT_EQ(largest[0], most);
  EXPECT_EQ(first[0], first[1] + 1);
}

__device__ int lock_word = 0;
__device__ unsigned long long guarded_counter = 5;

__global__ void spin(int turns) {
  for (int k = 0; k < turns; k++) {
    for (bool done = false; !done;) {
      if (atomicCAS(&lock_word, 0, 1) != 0) continue;
      __threadfence();
      volatile unsigned long long* p = &guarded_counter;
      *p = *p + 1;
      __threadfence();
      atomicExch(&lock_word, 0);
      done = true;
    }
  }
  __syncthreads();
}

TEST(Atomics, LetThreadsTakeTurnsAtALock) {
  spin<<<3, 64>>>(5);
  finish();
  unsigned long long counter = 0;
  ASSERT_EQ(cudaMemcpyFromSymbol(&counter, guarded_counter, sizeof counter), cudaSuccess);
  EXPECT_EQ(counter, 5 + 3 * 64 * 5u);
}

// ---- memory spaces

__constant__ uint16_t squares[256];
__constant__ uint32_t powers[4] = {1, 10, 100, 1000};

__global__ void spaces(const float* in, float* out) {
  __shared__ float tile[16][17];
  extern __shared__ float doubled[];
  unsigned t = threadIdx.y * 16 + threadIdx.x, i = blockIdx.x * 256 + t;
  tile[threadIdx.y][threadIdx.x] = in[i];
  doubled[t] = in[i] * 2;
  __syncthreads();
  out[i] = tile[threadIdx.x][threadIdx.y] + doubled[255 - t] + squares[t] + powers[t & 3];
}

TEST(Memory, KernelsUseSharedDynamicAndConstantMemory) {
  uint16_t table[256];
  for (int i = 0; i < 256; i++)
    table[i] = (uint16_t)(i * i);
  ASSERT_EQ(cudaMemcpyToSymbol(squares, table, sizeof table), cudaSuccess);
  std::vector<float> values;
  for (uint64_t word : random_words())
    values.push_back((float)(word & 1023) * 0.25f);
  Pinned<float> in(values), out(kThreads);
  spaces<<<kThreads / 256, dim3(16, 16), 1024>>>(in.get(), out.get());
  finish();
  const float powers_of_ten[4] = {1, 10, 100, 1000};
  for (int i = 0; i < kThreads; i++) {
    int block = i & ~255, t = i & 255;
    ASSERT_EQ(out[i],
              in[block + t % 16 * 16 + t / 16] + in[block + 255 - t] * 2 + (float)(t * t) + powers_of_ten[t & 3]);
  }
}

__global__ void copy_through_shared(const int4* in, int4* out) {
  __shared__ int4 tile[32];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int4));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.x] = tile[31 - threadIdx.x];
}

TEST(Memory, AsynchronousCopiesReachSharedMemory) {
  Pinned<int4> in(32), out(32);
  for (int i = 0; i < 32; i++)
    in[i] = make_int4(i, i + 1, i + 2, i + 3);
  copy_through_shared<<<1, 32>>>(in.get(), out.get());
  finish();
  for (int i = 0; i < 32; i++) {
    EXPECT_EQ(out[i].x, 31 - i);
    EXPECT_EQ(out[i].w, 34 - i);
  }
}

__device__ const char* word = "hi";

__global__ void print() {
  if (threadIdx.x == 1) printf("%d %s %.2f %llu %x\n", (int)blockIdx.x, word, 1.5, 1234567890123ull, 0xabu);
}

TEST(Printf, FormatsAsTheHostDoes) {
  testing::internal::CaptureStdout();
  print<<<2, 32>>>();
  finish();
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "0 hi 1.50 1234567890123 ab\n1 hi 1.50 1234567890123 ab\n");
}

// ---- before main

__global__ void set_to_seven(int* out) {
  *out = 7;
}

struct Early {
  int* value = nullptr;
  Early() {
    cudaMallocHost(&value, sizeof(int));
    set_to_seven<<<1, 1>>>(value);
    cudaDeviceSynchronize();
  }
} early;

TEST(Modules, CanLaunchBeforeMain) {
  EXPECT_EQ(*early.value, 7);
}

// ---- several files

__device__ int same_name = 3;
__global__ void same_kernel(int* out) {
  out[threadIdx.x] = same_name;
}

TEST(Modules, CanUseTheSameNames) {
  Pinned<int> out(1);
  same_kernel<<<1, 1>>>(out.get());
  finish();
  EXPECT_EQ(out[0], 3);
  multiply_by_eleven(out.get());
  EXPECT_EQ(out[0], 33);
}

}  // namespace
