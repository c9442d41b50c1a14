// Presets for people and for machines: which there are, and the settings of one.
#pragma once

#include <string>

#include "host/run/run_plan.hpp"
#include "tools/reports/json_text.hpp"
#include "tools/terminal/terminal.hpp"

namespace chainshot::tools {

std::string presets_text(const Terminal& terminal);
Json presets_json();

// The settings of a plan, with those that the user changed.
std::string preset_text(const host::RunPlan& plan, const Terminal& terminal);
// Without the version field, which belongs to the answer as a whole.
Json preset_json(const host::RunPlan& plan);

}  // namespace chainshot::tools
