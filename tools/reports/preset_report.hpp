// Presets for people and for machines: what there are, and what one is made of.
#pragma once

#include <string>

#include "host/search/search_plan.hpp"
#include "tools/reports/json_text.hpp"
#include "tools/terminal/terminal.hpp"

namespace chainshot::tools {

std::string presets_text(const Terminal& terminal);
Json presets_json();

// The parts of a preset, with those that the plan changes.
std::string preset_text(const host::Preset& preset, const host::SearchPlan& plan, const Terminal& terminal);
// Without the version field, which belongs to the answer as a whole.
Json preset_json(const host::Preset& preset, const host::SearchPlan& plan);

}  // namespace chainshot::tools
