#include "host/run/run_plan.hpp"

#include <nlohmann/json.hpp>
#include <variant>

namespace chainshot::host {

using nlohmann::ordered_json;

const StartLine* RunPlan::best_start(const std::string& board) const {
  const auto found = starts.find(board);
  return found == starts.end() || found->second.empty() ? nullptr : &found->second.front();
}

ordered_json budget_json(const Budget& b) {
  ordered_json budget = ordered_json::object();
  if (b.seconds > 0) budget["seconds"] = b.seconds;
  if (b.playouts > 0) budget["playouts"] = b.playouts;
  if (b.nodes > 0) budget["nodes"] = b.nodes;
  if (b.resource_units > 0) budget["resource_units"] = b.resource_units;
  return budget;
}

ordered_json settings_json(const RunPlan& plan) {
  ordered_json settings = ordered_json::object();
  const auto add = [&](std::span<const Setting> table, const Settings& values) {
    for (const Setting& row : table) {
      if (!row.applies(values)) continue;
      // A value that stands for something else is written as words.
      if (!row.zero.empty() && row.text(values) == row.zero)
        settings[row.name] = row.zero;
      else
        std::visit([&](const auto& value) { settings[row.name] = value; }, row.get(values));
    }
  };
  add(plan.kind->settings(), plan.settings);
  add(common_settings(*plan.kind), plan.common);
  return settings;
}

}  // namespace chainshot::host
