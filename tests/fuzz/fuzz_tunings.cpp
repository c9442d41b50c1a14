// The reader of tunings either refuses a text and names the place, or reads a state whose lists have the right lengths
// and whose numbers are finite, and which is the same again when it is written and read.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "game/parse_error.hpp"
#include "host/tune/tuning_state.hpp"

namespace {

using namespace chainshot;

void require(bool holds) {
  if (!holds) std::abort();
}

void check_samples(const host::TuningPlan& plan, const std::vector<host::TuningSample>& samples, int boards) {
  for (const host::TuningSample& sample : samples) {
    require(sample.point.size() == plan.parameters.size());
    require(sample.scores.size() == static_cast<std::size_t>(boards));
    if (sample.is_complete()) require(std::isfinite(sample.fitness()) && std::isfinite(sample.standard_error()));
  }
}

void check(const host::TuningState& state) {
  const host::TuningPlan& plan = state.plan;
  require(!plan.parameters.empty() && plan.elite <= plan.population);
  for (const auto& [mean, deviation] : state.distribution())
    require(std::isfinite(mean) && deviation >= 0);
  require(state.distribution().size() == plan.parameters.size());
  for (const host::TuningGeneration& generation : state.done)
    require(generation.best_point.size() == plan.parameters.size());
  check_samples(plan, state.samples, plan.boards);
  check_samples(plan, state.test, plan.test_boards);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  try {
    const host::TuningState state = host::parse_tuning(text, "input");
    check(state);
    const std::string written = host::tuning_text(state);
    require(host::tuning_text(host::parse_tuning(written, "written")) == written);
  } catch (const game::ParseError& error) {
    require(std::string_view(error.what()).starts_with("input:"));
  }
  return 0;
}
