// Chains on devices that refuse work or are lost: the user reads one sentence, and nothing but the chains of the set is
// lost.
#include "cuda/cuda_chain_engine.hpp"
#include "game/board_text.hpp"
#include "tests/support/fault_scene.hpp"

namespace chainshot {
namespace {

using CudaChainFaults = tests::CudaFaults;
using game::AcceptanceTable;
using tests::of_device;
using tests::with_faults;

constexpr const game::Scoring& kScoring = game::kStandardScoring;

const AcceptanceTable& table() {
  static const AcceptanceTable kTable(20, 5, kScoring);
  return kTable;
}

// Reports every line.
class Greedy final : public game::ChainObserver {
 public:
  bool wants(int) override { return true; }
};

std::unique_ptr<game::ChainSet> make_chains(game::ChainEngine& engine) {
  return engine.make_chains(game::standard_boards()[0].position, kScoring, {.islands = 2, .members = 2});
}

// All that annealing does with chains.
void anneal(game::ChainSet& chains) {
  Greedy observer;
  std::vector<game::ChainStart> starts;
  for (int i = 0; i < 4; ++i)
    starts.push_back({.chain = i, .seed = 7});  // all chains do the same, so all find a better line at a time
  chains.start(starts, observer);
  chains.advance(table(), 3, observer);
  chains.resample(table(), game::ResampleTable(20, 10), 1, 5);
  chains.fitness(table());
  chains.best_moves(0);
}

std::string message_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const game::ChainsLost& lost) {
    EXPECT_NE(dynamic_cast<const cuda::ChainFault*>(&lost), nullptr);
    return lost.what();
  } catch (const std::exception& error) {
    return std::string("unexpected: ") + error.what();
  }
  return "none";
}

// Anneals, and then again after a fault; returns the message of the first fault.
std::string message_of_annealing() {
  const auto engines = cuda::make_cuda_chain_engines({0}, 0);
  std::unique_ptr<game::ChainSet> chains;
  std::string message = message_of([&] { chains = make_chains(*engines[0]); });
  if (chains == nullptr) return message;
  message = message_of([&] { anneal(*chains); });
  if (message == "none") return message;
  Greedy observer;
  const std::vector<std::function<void()>> calls = {
      [&] { chains->start({}, observer); },
      [&] { chains->advance(table(), 1, observer); },
      [&] { chains->resample(table(), game::ResampleTable(20, 10), 1, 5); },
      [&] { chains->fitness(table()); },
      [&] { chains->best_scores(); },
      [&] { chains->best_moves(0); }};
  for (const auto& call : calls)
    EXPECT_EQ(message_of(call), message);
  return message;
}

// Fails each of the calls of a function while chains are annealed: there are `count`, some of which are refused in the
// words of the first sentence, others in those of the next.
void expect_sentences(const std::string& function, int count, const std::vector<std::string>& sentences) {
  for (int n = 1; n <= count; ++n)
    with_faults(function + ":" + std::to_string(n), [&] {
      const std::uint64_t free_before = cuda::list_devices().devices.at(0).free_memory;
      const std::string message = message_of_annealing();
      EXPECT_TRUE(std::any_of(sentences.begin(), sentences.end(), [&](const std::string& s) {
        return message == of_device(0, "could not " + s);
      })) << message;
      EXPECT_EQ(cuda::list_devices().devices.at(0).free_memory, free_before);
      EXPECT_EQ(message_of_annealing(), "none");  // chains that are made later work
    });
  with_faults(function + ":" + std::to_string(count + 1), [] { EXPECT_EQ(message_of_annealing(), "none"); });
}

TEST_F(CudaChainFaults, ARefusedCallLosesTheChains) {
  expect_sentences("cudaStreamCreate", 1, {"make a stream (unknown error)"});
  expect_sentences("cudaHostAlloc", 1, {"get pinned memory (out of memory)"});
  expect_sentences("cudaMalloc", 1, {"get device memory (out of memory)"});
  expect_sentences("cudaMemsetAsync", 1, {"clear device memory (unknown error)"});
  expect_sentences("cudaLaunchKernel", 7,
                   {"start chains (unknown error)", "advance chains (unknown error)", "measure chains (unknown error)",
                    "resample chains (unknown error)"});
  expect_sentences("cudaMemcpyAsync", 23,
                   {"copy chains to the device (unknown error)", "copy chains from the device (unknown error)"});
  expect_sentences("cudaEventCreate", 1, {"make an event (unknown error)"});
  expect_sentences("cudaEventRecord", 24, {"record an event (unknown error)"});
  expect_sentences("cudaEventSynchronize", 24, {"finish the work of chains (unknown error)"});
}

// A kernel that fails takes the device with it; the next call that waits says so.
TEST_F(CudaChainFaults, ALostDeviceLosesTheChains) {
  for (int n = 1; n <= 7; ++n)
    with_faults("launch:" + std::to_string(n), [] {
      const std::string beginning = of_device(0, "could not ");
      const std::string message = message_of_annealing();
      EXPECT_TRUE(message.starts_with(beginning)) << message;
      EXPECT_TRUE(message.ends_with(" (unspecified launch failure)")) << message;
      // There is no other chain to be had of this device.
      EXPECT_NE(message_of([] { make_chains(*cuda::make_cuda_chain_engines({0}, 0)[0]); }), "none");
    });
}

TEST_F(CudaChainFaults, AnotherDeviceGoesOn) {
  with_faults(
      "launch:1",
      [] {
        const auto engines = cuda::make_cuda_chain_engines({}, 0);
        ASSERT_EQ(engines.size(), 2u);
        const auto lost = make_chains(*engines[0]), kept = make_chains(*engines[1]);
        EXPECT_NE(message_of([&] { anneal(*lost); }), "none");
        EXPECT_EQ(message_of([&] { anneal(*kept); }), "none");
      },
      2);
}

TEST_F(CudaChainFaults, DevicesThatCannotBeUsedAreRefused) {
  const auto refusal = [](const std::vector<int>& devices, std::uint64_t memory) -> std::string {
    try {
      cuda::make_cuda_chain_engines(devices, memory);
    } catch (const cuda::NoDevice& none) {
      return none.what();
    }
    return "none";
  };
  with_faults("nodevice", [&] { EXPECT_EQ(refusal({}, 0), "there is no CUDA device on this machine"); });
  with_faults("", [&] {
    EXPECT_EQ(refusal({1}, 0), "there is no CUDA device 1; this machine has 1");
    EXPECT_EQ(refusal({0}, 10'000), "chains need at least 1 MB of device memory, and may use 0 MB");
    EXPECT_EQ(refusal({0}, 1 << 20), "none");
  });
  with_faults("cudaOccupancyMaxActiveBlocksPerMultiprocessor:1",
              [&] { EXPECT_EQ(refusal({0}, 0), of_device(0, "could not count the chains that fit (unknown error)")); });
}

TEST_F(CudaChainFaults, ADeviceThatRefusesIsLeftOut) {
  with_faults(
      "cudaOccupancyMaxActiveBlocksPerMultiprocessor:1",
      [] {
        std::vector<std::string> notices;
        const auto engines =
            cuda::make_cuda_chain_engines({}, 0, {}, [&](const std::string& s) { notices.push_back(s); });
        ASSERT_EQ(engines.size(), 1u);
        EXPECT_EQ(notices,
                  std::vector{of_device(0, "could not count the chains that fit (unknown error); it is left out")});
        const auto kept = make_chains(*engines[0]);
        EXPECT_EQ(message_of([&] { anneal(*kept); }), "none");
      },
      2);
}

// An exception of the observer is no fault of the device.
TEST_F(CudaChainFaults, AnObserverThatThrowsEndsOnlyTheCall) {
  class Throws final : public game::ChainObserver {
   public:
    void advanced(std::uint64_t) override { throw std::domain_error("enough"); }
  };
  with_faults("", [] {
    const auto engines = cuda::make_cuda_chain_engines({0}, 0);
    const auto chains = make_chains(*engines[0]);
    anneal(*chains);
    Throws observer;
    EXPECT_THROW(chains->advance(table(), 1, observer), std::domain_error);
    EXPECT_EQ(message_of([&] { chains->fitness(table()); }), "none");
  });
}

}  // namespace
}  // namespace chainshot
