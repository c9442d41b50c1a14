// Makes the plan of a run from what a user chose by name: a preset, settings and a budget. Refuses a setting that the
// search does not have or that has no effect in it. All functions throw std::invalid_argument with one sentence, which
// calls a setting by its option: `--memory`.
#pragma once

#include <map>
#include <string>

#include "host/run/run_plan.hpp"

namespace chainshot::host {

inline constexpr double kDefaultSeconds = 10;  // per board, if no budget is given

FoundPreset preset_from(const std::string& name);
// Fills preset, kind, settings, common settings and budget of a plan. `given` has the settings that the user chose.
RunPlan plan_from(const std::string& preset_name, const std::map<std::string, SettingValue>& given,
                  const Budget& budget, const game::Scoring& scoring);
// Refuses a deterministic search whose only budget is time.
void expect_counted_budget(const RunPlan& plan);

}  // namespace chainshot::host
