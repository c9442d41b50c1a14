// Tests what a program may and may not rely on before it synchronises.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <thread>
#include <vector>

static __global__ void set_value(int* p, int value) {
  *p = value;
}

static __global__ void increment(int* to, const int* from) {
  *to = *from + 1;
}

class Streams : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking), cudaSuccess);
    ASSERT_EQ(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking), cudaSuccess);
    ASSERT_EQ(cudaStreamCreate(&blocking), cudaSuccess);
    ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
    ASSERT_EQ(cudaMallocHost(&pinned, 4 * sizeof(int)), cudaSuccess);
    for (int i = 0; i < 4; i++)
      pinned[i] = 0;
  }
  void TearDown() override {
    EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
    EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(first), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(second), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(blocking), cudaSuccess);
  }
  cudaStream_t first, second, blocking;
  cudaEvent_t event;
  int* pinned;
};

TEST_F(Streams, HostSeesOldDataUntilItSynchronises) {
  set_value<<<1, 1, 0, first>>>(pinned, 5);
  EXPECT_EQ(pinned[0], 0);
  EXPECT_EQ(cudaStreamSynchronize(second), cudaSuccess);
  EXPECT_EQ(pinned[0], 0);
  EXPECT_EQ(cudaStreamSynchronize(first), cudaSuccess);
  EXPECT_EQ(pinned[0], 5);
}

TEST_F(Streams, ArgumentsAreCopiedAtTheLaunch) {
  int* p = pinned;
  int value = 3;
  void* args[] = {&p, &value};
  ASSERT_EQ(cudaLaunchKernel((const void*)set_value, dim3(1), dim3(1), args, 0, first), cudaSuccess);
  value = 4;
  p = nullptr;
  ASSERT_EQ(cudaStreamSynchronize(first), cudaSuccess);
  EXPECT_EQ(pinned[0], 3);
}

TEST_F(Streams, EventOrdersStreams) {
  set_value<<<1, 1, 0, first>>>(pinned, 1);
  ASSERT_EQ(cudaEventRecord(event, first), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(second, event, 0), cudaSuccess);
  increment<<<1, 1, 0, second>>>(pinned + 1, pinned);
  ASSERT_EQ(cudaStreamSynchronize(second), cudaSuccess);
  EXPECT_EQ(pinned[1], 2);
}

TEST_F(Streams, MissingDependencyShows) {
  set_value<<<1, 1, 0, first>>>(pinned, 10);
  increment<<<1, 1, 0, second>>>(pinned + 1, pinned);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(pinned[0], 10);
  EXPECT_EQ(pinned[1], 1);
}

TEST_F(Streams, WaitOnOldRecordDoesNotWaitForNewOne) {
  ASSERT_EQ(cudaEventRecord(event, first), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(second, event, 0), cudaSuccess);
  set_value<<<1, 1, 0, first>>>(pinned, 10);
  ASSERT_EQ(cudaEventRecord(event, first), cudaSuccess);
  increment<<<1, 1, 0, second>>>(pinned + 1, pinned);
  ASSERT_EQ(cudaStreamSynchronize(second), cudaSuccess);
  EXPECT_EQ(pinned[1], 1);
  EXPECT_EQ(cudaEventSynchronize(event), cudaSuccess);
  EXPECT_EQ(pinned[0], 10);
}

TEST_F(Streams, PollingAStreamEnds) {
  set_value<<<1, 1, 0, first>>>(pinned, 1);
  set_value<<<1, 1, 0, first>>>(pinned, 2);
  EXPECT_EQ(cudaStreamQuery(first), cudaErrorNotReady);
  int polls = 1;
  while (cudaStreamQuery(first) == cudaErrorNotReady)
    ASSERT_LT(++polls, 100);
  EXPECT_EQ(pinned[0], 2);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(Streams, PollingAnEventEnds) {
  set_value<<<1, 1, 0, first>>>(pinned, 1);
  ASSERT_EQ(cudaEventRecord(event, first), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(event), cudaErrorNotReady);
  int polls = 1;
  while (cudaEventQuery(event) == cudaErrorNotReady)
    ASSERT_LT(++polls, 100);
  EXPECT_EQ(pinned[0], 1);
}

TEST_F(Streams, ElapsedTimeNeedsCompletedEvents) {
  cudaEvent_t end;
  float ms = -1;
  ASSERT_EQ(cudaEventCreate(&end), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(event, first), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(end, first), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&ms, event, end), cudaErrorNotReady);
  ASSERT_EQ(cudaEventSynchronize(end), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&ms, event, end), cudaSuccess);
  EXPECT_GE(ms, 0);
  ASSERT_EQ(cudaEventDestroy(end), cudaSuccess);
}

TEST_F(Streams, DefaultStreamWaitsForBlockingStreamsOnly) {
  set_value<<<1, 1, 0, blocking>>>(pinned, 1);
  set_value<<<1, 1, 0, first>>>(pinned + 1, 1);
  set_value<<<1, 1>>>(pinned + 2, 1);
  ASSERT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
  EXPECT_EQ(pinned[0], 1);
  EXPECT_EQ(pinned[1], 0);
  EXPECT_EQ(pinned[2], 1);
}

TEST_F(Streams, FreeWaitsForWorkInFlight) {
  int* d = nullptr;
  ASSERT_EQ(cudaMalloc(&d, sizeof(int)), cudaSuccess);
  set_value<<<1, 1, 0, first>>>(d, 9);
  increment<<<1, 1, 0, first>>>(pinned, d);
  ASSERT_EQ(cudaFree(d), cudaSuccess);
  EXPECT_EQ(pinned[0], 10);
}

TEST_F(Streams, PageableSourceIsStagedPinnedSourceIsNot) {
  int* d = nullptr;
  std::vector<int> pageable(1, 1);
  ASSERT_EQ(cudaMalloc(&d, 2 * sizeof(int)), cudaSuccess);
  pinned[0] = 1;
  ASSERT_EQ(cudaMemcpyAsync(d, pageable.data(), sizeof(int), cudaMemcpyHostToDevice, first), cudaSuccess);
  ASSERT_EQ(cudaMemcpyAsync(d + 1, pinned, sizeof(int), cudaMemcpyHostToDevice, first), cudaSuccess);
  pageable[0] = 2;
  pinned[0] = 2;
  ASSERT_EQ(cudaMemcpyAsync(pinned + 2, d, 2 * sizeof(int), cudaMemcpyDeviceToHost, first), cudaSuccess);
  EXPECT_EQ(pinned[2], 0);
  ASSERT_EQ(cudaStreamSynchronize(first), cudaSuccess);
  EXPECT_EQ(pinned[2], 1);
  EXPECT_EQ(pinned[3], 2);
  ASSERT_EQ(cudaFree(d), cudaSuccess);
}

static void note(void* data) {
  int* p = (int*)data;
  p[1] = p[0];
  p[2] = cudaDeviceSynchronize() == cudaErrorNotPermitted;
}

TEST_F(Streams, HostFunctionRunsInOrder) {
  set_value<<<1, 1, 0, first>>>(pinned, 6);
  ASSERT_EQ(cudaLaunchHostFunc(first, note, pinned), cudaSuccess);
  set_value<<<1, 1, 0, first>>>(pinned, 7);
  EXPECT_EQ(pinned[1], 0);
  ASSERT_EQ(cudaStreamSynchronize(first), cudaSuccess);
  EXPECT_EQ(pinned[0], 7);
  EXPECT_EQ(pinned[1], 6);
  EXPECT_EQ(pinned[2], 1);
  cudaGetLastError();
}

TEST_F(Streams, DestroyedStreamStillFinishesItsWork) {
  cudaStream_t s;
  ASSERT_EQ(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking), cudaSuccess);
  set_value<<<1, 1, 0, s>>>(pinned, 8);
  ASSERT_EQ(cudaStreamDestroy(s), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(s), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidResourceHandle);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(pinned[0], 8);
}

static void work_on_own_stream(int* cell, bool* ok) {
  cudaStream_t s;
  cudaEvent_t e;
  cudaStreamCreate(&s);
  cudaEventCreate(&e);
  *ok = true;
  for (int i = 1; i <= 50; i++) {
    set_value<<<1, 1, 0, s>>>(cell, i);
    increment<<<1, 1, 0, s>>>(cell + 1, cell);
    cudaEventRecord(e, s);
    cudaEventSynchronize(e);
    *ok = *ok && cell[1] == i + 1;
    if (i % 10 == 0) cudaDeviceSynchronize();
  }
  cudaEventDestroy(e);
  cudaStreamDestroy(s);
}

TEST(Threads, SeveralHostThreadsUseTheirOwnStreams) {
  int* cells = nullptr;
  bool ok[4] = {};
  std::vector<std::thread> threads;
  ASSERT_EQ(cudaMallocHost(&cells, 8 * sizeof(int)), cudaSuccess);
  for (int i = 0; i < 4; i++)
    threads.emplace_back(work_on_own_stream, cells + 2 * i, &ok[i]);
  for (std::thread& t : threads)
    t.join();
  for (bool o : ok)
    EXPECT_TRUE(o);
  ASSERT_EQ(cudaFreeHost(cells), cudaSuccess);
}
