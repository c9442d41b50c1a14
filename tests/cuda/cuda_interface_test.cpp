// Tests the CUDA engine through its interface: the promises of every engine, its description of itself, and what it
// refuses.
#include "cuda/cuda_engine.hpp"

#include "tests/support/cuda_cases.hpp"
#include "tests/support/engine_contract.hpp"

namespace chainshot {
namespace {

using game::Batch;
using tests::batch_for;
using tests::one_color;
using tests::request_for;

class CudaInterface : public tests::WithDevice {};

TEST_F(CudaInterface, RefusesHistogramsWithTooManyBins) {
  Batch batch = batch_for(request_for(one_color(3, 3), {}, 2));
  batch.histogram.bins = 1 << 18;
  const auto engine = cuda::make_cuda_engine({});
  tests::expect_right(*engine, tests::judged(batch, tests::Judge::kPosition));
  ++batch.histogram.bins;
  const game::Outcome outcome = engine->run(batch);
  EXPECT_EQ(outcome.error, "the CUDA engine counts at most 262144 bins of a histogram, not 262145");
  EXPECT_TRUE(outcome.results.empty());
}

TEST_F(CudaInterface, RefusesPoliciesThatDoNotRunInLanes) {
  const auto engine = cuda::make_cuda_engine({});
  Batch batch = batch_for(request_for(one_color(3, 3), {}, 2));
  batch.requests.push_back(request_for(one_color(3, 3), {.kind = game::PolicyKind::kLargestFirst}, 2));
  const game::Ticket ticket = engine->submit(batch);
  EXPECT_TRUE(engine->poll(ticket));
  const game::Outcome outcome = engine->wait(ticket);
  EXPECT_EQ(outcome.error, "the CUDA engine plays only policies that run in lanes, and that of request 1 does not");
  EXPECT_TRUE(outcome.results.empty());
  batch.requests.pop_back();
  tests::expect_right(*engine, tests::judged(batch, tests::Judge::kPosition));
}

TEST_F(CudaInterface, DescribesItself) {
  const auto engine = cuda::make_cuda_engine({});
  const game::Capabilities& capabilities = engine->capabilities();
  EXPECT_EQ(capabilities.name.rfind("cuda (" + cuda::list_devices().devices.at(0).name, 0), 0u) << capabilities.name;
  EXPECT_FALSE(capabilities.on_cpu);
  EXPECT_GE(capabilities.lanes, 32);
  EXPECT_GE(capabilities.recommended_batch, static_cast<std::uint64_t>(capabilities.lanes));
  EXPECT_GE(capabilities.batches_in_flight, 2);
}

TEST_F(CudaInterface, RefusesMissingDevices) {
  const std::size_t devices = cuda::list_devices().devices.size();
  for (const int index : {-1, static_cast<int>(devices), 77}) {
    try {
      cuda::make_cuda_engine({.devices = {index}});
      FAIL() << index;
    } catch (const cuda::NoDevice& error) {
      EXPECT_EQ(error.what(),
                "there is no CUDA device " + std::to_string(index) + "; this machine has " + std::to_string(devices));
    }
  }
}

// The number in the message is exact: that many MB make an engine, and one MB less does not.
TEST_F(CudaInterface, ReportsTheLeastMemoryItNeeds) {
  std::string sentence;
  try {
    cuda::make_cuda_engine({.devices = {}, .memory = 1 << 20});
  } catch (const cuda::NoDevice& error) {
    sentence = error.what();
  }
  int needed = 0;
  ASSERT_EQ(std::sscanf(sentence.c_str(), "the CUDA engine needs at least %d MB of device memory", &needed), 1)
      << sentence;
  EXPECT_EQ(sentence,
            "the CUDA engine needs at least " + std::to_string(needed) + " MB of device memory, and may use 1 MB");
  const auto with_megabytes = [](int megabytes) {
    return tests::make_routed_engine({.devices = {}, .memory = static_cast<std::uint64_t>(megabytes) << 20});
  };
  EXPECT_THROW(with_megabytes(needed - 1), cuda::NoDevice);
  tests::Dice dice(223);
  tests::expect_right(*with_megabytes(needed), tests::judged_by_cpu(tests::ragged_batch(dice, 20, 20)));
}

}  // namespace

namespace tests {
INSTANTIATE_TEST_SUITE_P(Cuda, EnginePromises,
                         ::testing::Values(EngineForm{"all_devices", [] { return make_routed_engine(); },
                                                      kEmulated ? "" : cuda::list_devices().unusable}),
                         name_of_form);
}  // namespace tests

}  // namespace chainshot
