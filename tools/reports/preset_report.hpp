// The answers of `solve --presets` and `solve --explain`: the list of presets, and the settings of one preset, as text
// and as JSON.
#pragma once

#include <string>

#include "host/run/run_plan.hpp"
#include "tools/reports/json_text.hpp"
#include "tools/terminal/terminal.hpp"

namespace chainshot::tools {

std::string presets_text(const Terminal& terminal);
Json presets_json();

// Show the settings of a plan, including those that the user changed.
std::string preset_text(const host::RunPlan& plan, const Terminal& terminal);
// Leaves out the version field, which belongs to the whole answer.
Json preset_json(const host::RunPlan& plan);

}  // namespace chainshot::tools
