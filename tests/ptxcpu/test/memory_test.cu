// Allocation, copies, limits and errors.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

static __global__ void fill(int* p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}

static __global__ void use_shared(int* p) {
  extern __shared__ int data[];
  data[threadIdx.x] = threadIdx.x;
  __syncthreads();
  p[threadIdx.x] = data[blockDim.x - 1 - threadIdx.x];
}

static __global__ void __launch_bounds__(64) bounded(int* p) {
  p[threadIdx.x] = 1;
}

TEST(Memory, InfoFollowsAllocations) {
  size_t before, after, total;
  void* p = nullptr;
  ASSERT_EQ(cudaMemGetInfo(&before, &total), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&p, 1 << 20), cudaSuccess);
  ASSERT_EQ(cudaMemGetInfo(&after, &total), cudaSuccess);
  EXPECT_EQ(before - after, 1u << 20);
  ASSERT_EQ(cudaFree(p), cudaSuccess);
  ASSERT_EQ(cudaMemGetInfo(&after, &total), cudaSuccess);
  EXPECT_EQ(before, after);
  EXPECT_EQ(cudaMalloc(&p, total + 1), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST(Memory, BadCopiesAreRefused) {
  int* d = nullptr;
  std::vector<int> h(100);
  ASSERT_EQ(cudaMalloc(&d, 400), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(d, h.data(), 404, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(d, h.data(), 400, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(h.data(), d, 400, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(h.data(), d, 400, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(cudaMemset(d, 0, 401), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset(h.data(), 0, 4), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(d + 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(d), cudaSuccess);
  EXPECT_EQ(cudaFree(d), cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST(Memory, FreshMemoryIsNotZero) {
  int* d = nullptr;
  int value = 0;
  ASSERT_EQ(cudaMalloc(&d, 4), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(&value, d, 4, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_NE(value, 0);
  ASSERT_EQ(cudaFree(d), cudaSuccess);
}

TEST(Memory, PoolsAndAsyncAllocation) {
  cudaStream_t s;
  cudaMemPool_t pool;
  uint64_t threshold = ~0ull;
  int* d = nullptr;
  std::vector<int> h(256);
  ASSERT_EQ(cudaStreamCreate(&s), cudaSuccess);
  ASSERT_EQ(cudaDeviceGetDefaultMemPool(&pool, 0), cudaSuccess);
  ASSERT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold), cudaSuccess);
  ASSERT_EQ(cudaMallocAsync((void**)&d, 1024, s), cudaSuccess);
  fill<<<1, 256, 0, s>>>(d, 256);
  ASSERT_EQ(cudaMemcpyAsync(h.data(), d, 1024, cudaMemcpyDeviceToHost, s), cudaSuccess);
  ASSERT_EQ(cudaFreeAsync(d, s), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(s), cudaSuccess);
  EXPECT_EQ(h[255], 255);
  ASSERT_EQ(cudaStreamDestroy(s), cudaSuccess);
}

TEST(Launch, ConfigurationErrors) {
  int* d = nullptr;
  ASSERT_EQ(cudaMalloc(&d, 4096), cudaSuccess);
  fill<<<1, 1025>>>(d, 1);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
  fill<<<0, 1>>>(d, 1);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
  bounded<<<1, 65>>>(d);
  EXPECT_NE(cudaGetLastError(), cudaSuccess);
  use_shared<<<1, 64, 64 << 10>>>(d);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  ASSERT_EQ(cudaFuncSetAttribute(use_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10), cudaSuccess);
  use_shared<<<1, 64, 64 << 10>>>(d);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  ASSERT_EQ(cudaFree(d), cudaSuccess);
}

TEST(Launch, Occupancy) {
  int grid = 0;
  int block = 0;
  ASSERT_EQ(cudaOccupancyMaxPotentialBlockSize(&grid, &block, fill, 0, 0), cudaSuccess);
  EXPECT_GE(block, 32);
  EXPECT_LE(block, 1024);
  EXPECT_GE(grid, 1);
}

TEST(Errors, NamesAndTexts) {
  EXPECT_EQ(std::string(cudaGetErrorName(cudaErrorMemoryAllocation)), "cudaErrorMemoryAllocation");
  EXPECT_EQ(std::string(cudaGetErrorString(cudaErrorMemoryAllocation)), "out of memory");
  EXPECT_EQ(std::string(cudaGetErrorString(cudaErrorNoDevice)), "no CUDA-capable device is detected");
  EXPECT_EQ(std::string(cudaGetErrorString(cudaSuccess)), "no error");
}
