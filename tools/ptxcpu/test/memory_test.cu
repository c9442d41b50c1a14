// Tests allocation, copies, limits and errors.
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

TEST(Memory, HostAndKernelsSharePinnedMemory) {
  int* h = nullptr;
  int* d = nullptr;
  ASSERT_EQ(cudaHostAlloc(&h, 1024, cudaHostAllocMapped), cudaSuccess);
  ASSERT_EQ(cudaHostGetDevicePointer(&d, h, 0), cudaSuccess);
  fill<<<1, 256>>>(d, 256);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(h[255], 255);
  EXPECT_EQ(cudaFree(h), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeHost(h), cudaSuccess);
  cudaGetLastError();
}

TEST(Memory, SetsRunInStreamOrder) {
  cudaStream_t s;
  unsigned char* h = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cudaMallocHost(&h, 4), cudaSuccess);
  h[0] = 1;
  ASSERT_EQ(cudaMemsetAsync(h, 7, 4, s), cudaSuccess);
  EXPECT_EQ(h[0], 1);
  ASSERT_EQ(cudaStreamSynchronize(s), cudaSuccess);
  EXPECT_EQ(h[0], 7);
  ASSERT_EQ(cudaFreeHost(h), cudaSuccess);
  ASSERT_EQ(cudaStreamDestroy(s), cudaSuccess);
}

TEST(Device, ResetFreesItsMemory) {
  size_t before, after, total;
  void* p = nullptr;
  ASSERT_EQ(cudaMemGetInfo(&before, &total), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&p, 1 << 20), cudaSuccess);
  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  ASSERT_EQ(cudaMemGetInfo(&after, &total), cudaSuccess);
  EXPECT_EQ(before, after);
  EXPECT_EQ(cudaFree(p), cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST(Device, DescribesItself) {
  cudaDeviceProp p;
  int value = 0, driver = 0, runtime = 0;
  char bus[16];
  ASSERT_EQ(cudaGetDeviceProperties(&p, 0), cudaSuccess);
  EXPECT_EQ(p.major, 8);
  EXPECT_EQ(p.warpSize, 32);
  ASSERT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0), cudaSuccess);
  EXPECT_EQ(value, p.multiProcessorCount);
  ASSERT_EQ(cudaDeviceGetPCIBusId(bus, sizeof bus, 0), cudaSuccess);
  EXPECT_EQ(std::string(bus), "0000:00:00.0");
  EXPECT_EQ(cudaGetDeviceProperties(&p, 1), cudaErrorInvalidDevice);
  ASSERT_EQ(cudaDriverGetVersion(&driver), cudaSuccess);
  ASSERT_EQ(cudaRuntimeGetVersion(&runtime), cudaSuccess);
  EXPECT_GE(driver, runtime);
  cudaGetLastError();
}

TEST(Launch, RefusesImpossibleConfigurations) {
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

TEST(Launch, OccupancyIsLimitedByThreads) {
  int grid = 0;
  int block = 0;
  ASSERT_EQ(cudaOccupancyMaxPotentialBlockSize(&grid, &block, fill, 0, 0), cudaSuccess);
  EXPECT_GE(block, 32);
  EXPECT_LE(block, 1024);
  EXPECT_GE(grid, 1);
  // A multiprocessor has room for 2048 threads, and a block has 64.
  int blocks = 0;
  ASSERT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 64, 0), cudaSuccess);
  EXPECT_EQ(blocks, 32);
  cudaFuncAttributes a;
  ASSERT_EQ(cudaFuncGetAttributes(&a, bounded), cudaSuccess);
  EXPECT_EQ(a.maxThreadsPerBlock, 64);
  EXPECT_EQ(a.sharedSizeBytes, 0u);
}

TEST(Errors, HaveNamesAndTexts) {
  EXPECT_EQ(std::string(cudaGetErrorName(cudaErrorMemoryAllocation)), "cudaErrorMemoryAllocation");
  EXPECT_EQ(std::string(cudaGetErrorString(cudaErrorMemoryAllocation)), "out of memory");
  EXPECT_EQ(std::string(cudaGetErrorString(cudaErrorNoDevice)), "no CUDA-capable device is detected");
  EXPECT_EQ(std::string(cudaGetErrorString(cudaSuccess)), "no error");
}
