#include "tools/measure/scaling.hpp"

#include <algorithm>
#include <utility>

#include "game/scoring.hpp"
#include "tools/terminal/interrupt.hpp"

namespace chainshot::tools {
namespace {

// The batch is fitted in the first round, and the same in all.
void measure_playouts(const ScalingPlan& plan, ScalingStep& step, double seconds) {
  const std::unique_ptr<game::Engine> engine = plan.open(step.choice);
  if (step.speed_case.batch.requests.empty()) {
    step.speed_case = speed_cases(plan.policy, plan.board).front();
    fit_batch(*engine, step.speed_case, seconds);
  }
  step.playouts.push_back(measure(*engine, step.speed_case, seconds));
}

void measure_chains(const ScalingPlan& plan, ScalingStep& step, double seconds) {
  const game::Position& board = plan.board.position;
  const auto engine =
      host::make_chain_engine(step.choice, host::open_chain_devices(step.choice), board, game::kStandardScoring);
  ChainCase chains(*engine, board, chain_counts(engine->capabilities()).back());
  step.chains.push_back(chains.measure(seconds));
}

}  // namespace

std::vector<int> usual_thread_counts(int processors) {
  std::vector<int> counts;
  for (int threads = 1; threads < processors; threads *= 2)
    counts.push_back(threads);
  counts.push_back(processors);
  return counts;
}

void measure_scaling(const ScalingPlan& plan, Scaling& scaling) {
  Progress progress("measuring");
  const std::size_t runs = plan.rounds * scaling.steps.size();
  std::size_t done = 0;
  bool goes_on = !interrupted();
  while (goes_on && scaling.rounds < plan.rounds) {
    for (ScalingStep& step : scaling.steps) {
      if (interrupted()) break;
      measure_playouts(plan, step, scaling.seconds_a_run);
      if (interrupted()) break;
      measure_chains(plan, step, scaling.seconds_a_run);
      progress.update(static_cast<double>(++done) / static_cast<double>(runs), step.workers_text);
    }
    goes_on = !interrupted();
    if (goes_on) ++scaling.rounds;
  }
  scaling.complete = scaling.rounds == plan.rounds;
  for (ScalingStep& step : scaling.steps) {
    step.playouts.resize(std::min(step.playouts.size(), scaling.rounds));
    step.chains.resize(std::min(step.chains.size(), scaling.rounds));
  }
}

}  // namespace chainshot::tools
