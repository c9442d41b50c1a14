#include "tools/reports/preset_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "tools/reports/label_columns.hpp"

namespace chainshot::tools {
namespace {

// One line of --explain: a setting, its value and the paper it comes from.
struct SettingLine {
  std::string name;
  std::string value;
  std::string paper;
};

std::vector<SettingLine> setting_lines(const host::RunPlan& plan) {
  std::vector<SettingLine> lines;
  const auto add = [&](std::span<const host::Setting> table, const host::Settings& settings) {
    for (const host::Setting& row : table)
      if (row.applies(settings)) lines.push_back({row.name, row.text(settings), row.paper});
  };
  add(plan.kind->settings(), plan.settings);
  add(host::common_settings(*plan.kind), plan.common);
  return lines;
}

}  // namespace

std::string presets_text(const Terminal& terminal) {
  std::size_t label_width = 0;
  for (const std::string& name : host::preset_names())
    label_width = std::max(label_width, name.size());
  std::string out = terminal.bold("Presets of chainshot solve") + '\n';
  for (const host::SearchKind* kind : host::search_kinds()) {
    const std::string title = fmt::format("{}: {}", kind->name, kind->summary);
    out += '\n' + in_lines(with_source(title, kind->paper), terminal.width());
    for (const host::Preset& preset : kind->presets())
      out += labelled(preset.name, label_width, with_source(preset.summary, preset.paper), terminal.width());
  }
  return out + "\n`chainshot solve --explain PRESET` shows the settings of a preset.\n";
}

Json presets_json() {
  Json list = Json::array();
  for (const host::SearchKind* kind : host::search_kinds())
    for (const host::Preset& preset : kind->presets())
      list.push_back(
          {{"preset", preset.name}, {"search", kind->name}, {"summary", preset.summary}, {"source", preset.paper}});
  return list;
}

std::string preset_text(const host::RunPlan& plan, const Terminal& terminal) {
  const host::Preset& preset = *host::find_preset(plan.preset).preset;
  const std::vector<SettingLine> lines = setting_lines(plan);
  std::size_t label_width = 0;
  for (const SettingLine& line : lines)
    label_width = std::max(label_width, line.name.size());
  std::string out = terminal.bold(preset.name) + '\n';
  out += in_lines(with_source(preset.summary, preset.paper), terminal.width()) + '\n';
  for (const SettingLine& line : lines)
    out += labelled(line.name, label_width, with_source(line.value, line.paper), terminal.width());
  return out + "\n`chainshot solve --help-all` explains each setting.\n";
}

Json preset_json(const host::RunPlan& plan) {
  const host::Preset& preset = *host::find_preset(plan.preset).preset;
  Json parts = Json::array();
  for (const SettingLine& line : setting_lines(plan))
    parts.push_back({{"part", line.name}, {"value", line.value}, {"source", line.paper}});
  return {{"preset", preset.name},
          {"search", plan.kind->name},
          {"summary", preset.summary},
          {"source", preset.paper},
          {"parts", std::move(parts)}};
}

}  // namespace chainshot::tools
