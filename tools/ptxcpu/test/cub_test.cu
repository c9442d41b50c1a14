// Compares CUB and Thrust on the emulator with the standard library.
#include <gtest/gtest.h>
#include <thrust/device_vector.h>
#include <thrust/sort.h>

#include <algorithm>
#include <cstdint>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <map>
#include <numeric>
#include <vector>

namespace {

constexpr int kItems = 10000;

std::vector<uint32_t> keys() {
  std::vector<uint32_t> result(kItems);
  uint64_t state = 7;
  for (uint32_t& key : result) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    key = (uint32_t)(state >> 33) % 1000 * 4000001u;
  }
  return result;
}

std::vector<uint32_t> numbers() {
  std::vector<uint32_t> result(kItems);
  std::iota(result.begin(), result.end(), 0u);
  return result;
}

template <class T>
class OnDevice {
 public:
  explicit OnDevice(size_t count) : count_(count) { EXPECT_EQ(cudaMalloc(&at_, count * sizeof(T)), cudaSuccess); }
  explicit OnDevice(const std::vector<T>& values) : OnDevice(values.size()) {
    EXPECT_EQ(cudaMemcpy(at_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice), cudaSuccess);
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  ~OnDevice() { cudaFree(at_); }
  T* get() const { return at_; }
  std::vector<T> read() const {
    std::vector<T> values(count_);
    EXPECT_EQ(cudaMemcpy(values.data(), at_, count_ * sizeof(T), cudaMemcpyDeviceToHost), cudaSuccess);
    return values;
  }

 private:
  T* at_ = nullptr;
  size_t count_;
};

// Calls a CUB algorithm twice, as CUB requires: first for the size of its temporary memory, then with that memory.
template <class Algorithm>
void run(Algorithm algorithm) {
  size_t bytes = 0;
  ASSERT_EQ(algorithm(nullptr, bytes), cudaSuccess);
  OnDevice<char> memory(bytes);
  ASSERT_EQ(algorithm(memory.get(), bytes), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

TEST(Cub, RadixSortAgreesWithStableSort) {
  std::vector<uint32_t> k = keys(), order = numbers();
  OnDevice<uint32_t> in(k), values(order), out(kItems), sorted(kItems);
  run([&](void* p, size_t& n) {
    return cub::DeviceRadixSort::SortPairs(p, n, in.get(), out.get(), values.get(), sorted.get(), kItems);
  });
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return k[a] < k[b]; });
  EXPECT_EQ(sorted.read(), order);
  std::sort(k.begin(), k.end());
  EXPECT_EQ(out.read(), k);
}

TEST(Cub, ScanAddsUpAllItemsBefore) {
  std::vector<uint32_t> expected(kItems);
  OnDevice<uint32_t> in(numbers()), out(kItems);
  run([&](void* p, size_t& n) { return cub::DeviceScan::ExclusiveSum(p, n, in.get(), out.get(), kItems); });
  for (uint32_t i = 1; i < kItems; i++)
    expected[i] = expected[i - 1] + i - 1;
  EXPECT_EQ(out.read(), expected);
}

TEST(Cub, SegmentedReduceFindsTheMaximumOfEachSegment) {
  std::vector<uint32_t> k = keys(), expected;
  std::vector<int> ends = {0, 1, 3, 3, 500, 8000, kItems};
  OnDevice<uint32_t> in(k), out(ends.size() - 1);
  OnDevice<int> offsets(ends);
  run([&](void* p, size_t& n) {
    return cub::DeviceSegmentedReduce::Max(p, n, in.get(), out.get(), (int)ends.size() - 1, offsets.get(),
                                           offsets.get() + 1);
  });
  for (size_t s = 0; s + 1 < ends.size(); s++)
    expected.push_back(std::accumulate(k.begin() + ends[s], k.begin() + ends[s + 1], 0u,
                                       [](uint32_t a, uint32_t b) { return std::max(a, b); }));
  EXPECT_EQ(out.read(), expected);
}

TEST(Cub, ReduceByKeySumsTheValuesOfEachKey) {
  std::vector<uint32_t> k = keys();
  std::sort(k.begin(), k.end());
  OnDevice<uint32_t> in(k), values(numbers()), unique(kItems), sums(kItems);
  OnDevice<int> count(1);
  run([&](void* p, size_t& n) {
    return cub::DeviceReduce::ReduceByKey(p, n, in.get(), unique.get(), values.get(), sums.get(), count.get(),
                                          cuda::std::plus<>(), kItems);
  });
  std::map<uint32_t, uint32_t> expected;
  for (uint32_t i = 0; i < kItems; i++)
    expected[k[i]] += i;
  ASSERT_EQ(count.read()[0], (int)expected.size());
  auto u = unique.read(), s = sums.read();
  size_t i = 0;
  for (auto [key, sum] : expected) {
    ASSERT_EQ(u[i], key);
    ASSERT_EQ(s[i++], sum);
  }
}

TEST(Thrust, SortAgreesWithTheHost) {
  std::vector<uint32_t> k = keys(), sorted(kItems);
  thrust::device_vector<uint32_t> on_device(k.begin(), k.end());
  thrust::sort(on_device.begin(), on_device.end());
  thrust::copy(on_device.begin(), on_device.end(), sorted.begin());
  std::sort(k.begin(), k.end());
  EXPECT_EQ(sorted, k);
}

}  // namespace
