#include "host/engines/engines.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "cpu/engine/cpu_engine.hpp"
#include "cuda/cuda_engine.hpp"
#include "game/board_text.hpp"
#include "tests/support/engine_cases.hpp"

namespace chainshot::host {
namespace {

std::string complaint(const EngineChoice& choice) {
  try {
    make_engine(choice);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "none";
}

game::Batch board_one(std::uint32_t first, std::uint32_t playouts) {
  game::Batch batch{.seed = 11, .scoring = game::kStandardScoring, .histogram = {-1000, 100, 40}, .requests = {}};
  batch.requests.push_back({.position = game::standard_boards()[0].position,
                            .points = 0,
                            .policy = {},
                            .playouts = playouts,
                            .key = 7,
                            .first_playout = first});
  return batch;
}

TEST(Engines, EveryAvailableChoicePlaysTheReferencesGames) {
  const game::Batch batch = board_one(0, 40);
  const std::vector<game::Result> expected = tests::expected_results(batch, tests::Judge::kReference);
  for (const char* name : {"auto", "cpu"})
    tests::expect_outcome(batch, make_engine({.name = name, .threads = 1})->run(batch), expected);
  for (const cpu::Isa isa : cpu::available_isas()) {
    const std::string isa_name(cpu::name_of(isa));
    tests::expect_outcome(batch, make_engine({.name = "cpu", .threads = 2, .isa = isa_name})->run(batch), expected);
  }
}

TEST(Engines, ResultsDoNotDependOnHowPlayoutsAreSplit) {
  const auto engine = make_engine({.threads = 2});
  const game::Result whole = engine->run(board_one(100, 1000)).results.at(0);
  game::Result parts;
  for (const auto& [first, playouts] : {std::pair{100u, 1u}, {101u, 399u}, {500u, 600u}})
    parts.add(engine->run(board_one(first, playouts)).results.at(0));
  EXPECT_EQ(whole, parts);
}

TEST(Engines, SaysWhatItCannotOffer) {
  EXPECT_EQ(complaint({.name = "gpu"}), "no engine 'gpu'; expected auto, cpu, cuda or check");
  EXPECT_EQ(complaint({.isa = "mmx"}),
            "no instruction set 'mmx'; expected auto, portable, avx2, avx512, avx512ymm or avx512zmm");
  EXPECT_EQ(complaint({.threads = -1}), "cannot run -1 threads; expected 1 to 1024, or 0 for one per processor");
  EXPECT_EQ(complaint({.threads = 1025}), "cannot run 1025 threads; expected 1 to 1024, or 0 for one per processor");
}

TEST(Engines, CudaWithoutADeviceSaysWhyThereIsNone) {
  const cuda::DeviceList list = cuda::list_devices();
  if (list.unusable.empty()) GTEST_SKIP() << "this machine has a CUDA device";
  EXPECT_EQ(complaint({.name = "cuda"}), list.unusable);
  // Who names devices does not want another engine without a word.
  EXPECT_EQ(complaint({.name = "auto", .devices = {0}}), list.unusable);
  EXPECT_TRUE(make_engine({.name = "auto", .threads = 1})->capabilities().on_cpu);
}

TEST(Engines, TheCpuHasNoDevices) {
  EXPECT_EQ(complaint({.name = "cpu", .devices = {0}}), "engine cpu has no devices; expected engine auto or cuda");
}

TEST(Engines, AutoChecksWhatItWouldNeedToFallBack) {
  EXPECT_EQ(complaint({.name = "auto", .isa = "mmx"}),
            "no instruction set 'mmx'; expected auto, portable, avx2, avx512, avx512ymm or avx512zmm");
}

TEST(Engines, AnInstructionSetTheProcessorLacksIsNamed) {
  const std::vector<cpu::Isa> available = cpu::available_isas();
  for (const cpu::Isa isa : cpu::kIsas) {
    const std::string name(cpu::name_of(isa));
    const bool has = std::find(available.begin(), available.end(), isa) != available.end();
    const std::string missing = "this processor or build has no " + name + "; the best it can run is " +
                                std::string(cpu::name_of(cpu::best_isa()));
    EXPECT_EQ(complaint({.isa = name}), has ? "none" : missing);
  }
}

TEST(Engines, ChainsRunOnTheThreadsAndTheInstructionSetOfTheChoice) {
  EXPECT_EQ(make_cpu_chain_engine({.threads = 2, .isa = "portable"})->capabilities().name, "cpu (portable, 2 threads)");
  EXPECT_THROW(make_cpu_chain_engine({.threads = 1025}), std::invalid_argument);
  EXPECT_THROW(make_cpu_chain_engine({.isa = "mmx"}), std::invalid_argument);
}

TEST(Engines, EveryNameIsListed) {
  EXPECT_EQ(engine_names(), (std::vector<std::string>{"auto", "cpu", "cuda", "check"}));
  EXPECT_EQ(isa_names(), (std::vector<std::string>{"auto", "portable", "avx2", "avx512", "avx512ymm", "avx512zmm"}));
}

}  // namespace
}  // namespace chainshot::host
