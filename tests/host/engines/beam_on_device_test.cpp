// A beam goes on when its device fails, lies, or cannot hold the board. The device is a CPU step that does so.
#include "host/engines/beam_on_device.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "cpu/beam/cpu_beam_step.hpp"
#include "tests/support/beam_cases.hpp"
#include "tests/support/random_boards.hpp"

namespace chainshot::host {
namespace {

using tests::BeamSelection;

std::unique_ptr<game::BeamStep> make_cpu() {
  return cpu::make_cpu_beam_step({.threads = 1});
}

struct Script {
  int fails_at = -1;  // the call of `begin` (0) or of `expand` that fails
  int lies_at = -1;   // the call of `expand` that hides a child
  int device = 0;
  std::uint64_t memory = std::uint64_t{1} << 30;
};

class ScriptedDevice final : public cuda::CudaBeamStep {
 public:
  explicit ScriptedDevice(const Script& script) : script_(script) {}

  void begin(const game::BeamPlan& plan) override {
    count();
    memory = plan.memory_bytes;
    step_->begin(plan);
  }
  int open_blocks() const override { return step_->open_blocks(); }
  game::BeamExpansion expand(const game::BeamLimit& limit) override {
    count();
    game::BeamExpansion expansion = step_->expand(limit);
    if (calls_ - 1 == script_.lies_at) --expansion.children;
    return expansion;
  }
  std::vector<game::BeamChild> children(const game::Position& position, int points) const override {
    return step_->children(position, points);
  }
  int width() const override { return step_->width(); }
  std::uint64_t memory_bytes() const override { return step_->memory_bytes(); }
  std::uint64_t peak_memory() const override { return step_->peak_memory(); }
  std::size_t state_bytes(const game::Position& root) const override { return step_->state_bytes(root); }
  std::uint64_t memory_limit() const override { return script_.memory; }
  std::string name() const override { return "cuda (Scripted)"; }
  int device() const override { return script_.device; }

  std::uint64_t memory = 0;  // of the last plan

 private:
  void count() {
    if (calls_++ == script_.fails_at)
      throw cuda::BeamFault("CUDA device " + std::to_string(script_.device) + " (Scripted) could not go on");
  }

  const Script script_;
  int calls_ = 0;
  std::unique_ptr<game::BeamStep> step_ = make_cpu();
};

PassRequest small_request() {
  tests::Dice dice(51);
  return tests::beam_request(tests::full_board(dice, {6, 6, 3}), 25);
}

TEST(BeamOnDevice, TheCpuGoesOnWhereTheDeviceFailed) {
  const PassRequest request = small_request();
  const BeamSelection expected = tests::selection_of(*make_cpu(), request);
  for (const int call : {0, 1, 2, 9}) {
    std::vector<std::string> said;
    BeamOnDevice step(std::make_unique<ScriptedDevice>(Script{.fails_at = call}), {}, make_cpu, DeviceTrust::kTakeOver,
                      [&](const std::string& sentence) { said.push_back(sentence); });
    EXPECT_EQ(tests::selection_of(step, request), expected) << call;
    EXPECT_EQ(tests::selection_of(step, request), expected) << call;
    EXPECT_EQ(said,
              std::vector<std::string>{"beam search on a device failed: CUDA device 0 (Scripted) could not go on; "
                                       "the CPU goes on with its work"});
  }
}

// Limits may narrow a beam on the way, and the CPU must repeat them.
TEST(BeamOnDevice, TheCpuRepeatsTheLimitsOfTheBeam) {
  const PassRequest request = small_request();
  const auto scores = [&](game::BeamStep& step) {
    step.begin({.seeds = {{request.root, 0}}, .tables = request.tables, .width = 25});
    std::vector<std::uint64_t> counts;
    for (int width = 25; step.open_blocks() > 0; --width)
      counts.push_back(step.expand({.width = std::max(2, width)}).children);
    return counts;
  };
  BeamOnDevice step(std::make_unique<ScriptedDevice>(Script{.fails_at = 16}), {}, make_cpu, DeviceTrust::kTakeOver, {});
  EXPECT_EQ(scores(step), scores(*make_cpu()));
}

TEST(BeamOnDevice, WithoutTheCpuAFailureIsThrown) {
  BeamOnDevice step(std::make_unique<ScriptedDevice>(Script{.fails_at = 3}), {}, make_cpu, DeviceTrust::kThrows, {});
  EXPECT_THROW(tests::selection_of(step, small_request()), cuda::BeamFault);
}

TEST(BeamOnDevice, AnotherDeviceGoesOnBeforeTheCpu) {
  const PassRequest request = small_request();
  const BeamSelection expected = tests::selection_of(*make_cpu(), request);
  for (const DeviceTrust trust : {DeviceTrust::kTakeOver, DeviceTrust::kThrows}) {
    // Device 0 fails in a beam, device 1 when it repeats that beam, and device 2 holds.
    std::vector<std::vector<int>> asked;
    const auto make_other = [&](const std::vector<int>& without) {
      asked.push_back(without);
      const int device = static_cast<int>(without.size());
      return std::make_unique<ScriptedDevice>(Script{.fails_at = device == 1 ? 3 : -1, .device = device});
    };
    std::vector<std::string> said;
    const auto known = std::make_shared<BeamDevices>();
    BeamOnDevice step(
        std::make_unique<ScriptedDevice>(Script{.fails_at = 9}), make_other, make_cpu, trust,
        [&](const std::string& sentence) { said.push_back(sentence); }, known);
    EXPECT_EQ(tests::selection_of(step, request), expected);
    EXPECT_EQ(asked, (std::vector<std::vector<int>>{{0}, {0, 1}}));
    EXPECT_EQ(said, (std::vector<std::string>{"beam search on a device failed: CUDA device 0 (Scripted) could not go "
                                              "on; cuda (Scripted) goes on with its work",
                                              "beam search on a device failed: CUDA device 1 (Scripted) could not go "
                                              "on; cuda (Scripted) goes on with its work"}));
    EXPECT_EQ(known->in_use(), "cuda (Scripted)");
  }
}

TEST(BeamOnDevice, ADeviceWithLessMemoryDoesNotTakeOver) {
  const PassRequest request = small_request();
  const auto make_other = [](const std::vector<int>&) {
    return std::make_unique<ScriptedDevice>(Script{.device = 1, .memory = 1 << 20});
  };
  const auto known = std::make_shared<BeamDevices>();
  BeamOnDevice step(std::make_unique<ScriptedDevice>(Script{.fails_at = 3}), make_other, make_cpu,
                    DeviceTrust::kTakeOver, {}, known);
  EXPECT_EQ(tests::selection_of(step, request), tests::selection_of(*make_cpu(), request));
  EXPECT_EQ(known->in_use(), "cpu");
}

TEST(BeamOnDevice, ACheckFailsAtTheFirstDifference) {
  const PassRequest request = small_request();
  BeamOnDevice honest(std::make_unique<ScriptedDevice>(Script{}), {}, make_cpu, DeviceTrust::kChecks, {});
  EXPECT_EQ(tests::selection_of(honest, request), tests::selection_of(*make_cpu(), request));
  BeamOnDevice liar(std::make_unique<ScriptedDevice>(Script{.lies_at = 1}), {}, make_cpu, DeviceTrust::kChecks, {});
  try {
    tests::selection_of(liar, request);
    ADD_FAILURE() << "the difference was not found";
  } catch (const std::runtime_error& error) {
    EXPECT_TRUE(
        std::string(error.what())
            .starts_with("cuda (Scripted) and the CPU disagree on a beam with 36 blocks left: 1 and 1 states, "))
        << error.what();
  }
}

TEST(BeamOnDevice, TheMemoryOfTheDeviceCapsThatOfThePlan) {
  for (const auto& [of_plan, of_device, expected] :
       {std::tuple{0u, 500u, 500u}, std::tuple{300u, 500u, 300u}, std::tuple{900u, 500u, 500u}}) {
    auto device = std::make_unique<ScriptedDevice>(Script{.memory = of_device * 1024});
    const ScriptedDevice& seen = *device;
    BeamOnDevice step(std::move(device), {}, make_cpu, DeviceTrust::kThrows, {});
    PassRequest request = small_request();
    request.memory_bytes = of_plan * 1024;
    tests::selection_of(step, request);
    EXPECT_EQ(seen.memory, expected * 1024);
  }
}

}  // namespace
}  // namespace chainshot::host
