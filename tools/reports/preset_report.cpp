#include "tools/reports/preset_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string_view>
#include <vector>

#include "tools/reports/number_text.hpp"

namespace chainshot::tools {
namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;)
    words.push_back(word);
  return words;
}

// `label` in a column of its own, `text` wrapped beside it.
std::string entry(std::string_view label, std::size_t label_width, const std::string& text, int width) {
  const std::string indent(label_width + 4, ' ');
  std::string out = wrapped(words_of(text), width, indent);
  return out.replace(0, indent.size(), fmt::format("  {:{}}  ", label, label_width));
}

std::string with_source(std::string_view text, std::string_view source) {
  return source.empty() ? std::string(text) : fmt::format("{} ({})", text, source);
}

}  // namespace

std::string presets_text(const Terminal& terminal) {
  std::size_t label_width = 0;
  for (const host::Preset& preset : host::presets())
    label_width = std::max(label_width, preset.name.size());
  std::string out = terminal.bold("Presets of chainshot solve") + '\n';
  for (const host::Preset& preset : host::presets())
    out += entry(preset.name, label_width, with_source(preset.summary, preset.source), terminal.width());
  return out + "\n`chainshot solve --explain PRESET` shows the parts of one.\n";
}

Json presets_json() {
  Json list = Json::array();
  for (const host::Preset& preset : host::presets())
    list.push_back({{"preset", preset.name}, {"summary", preset.summary}, {"source", preset.source}});
  return list;
}

std::string preset_text(const host::Preset& preset, const host::SearchPlan& plan, const Terminal& terminal) {
  const std::vector<host::PresetPart> parts = host::explain(plan.method, plan.tree, plan.anneal);
  std::size_t label_width = 0;
  for (const host::PresetPart& part : parts)
    label_width = std::max(label_width, part.part.size());
  std::string out = terminal.bold(preset.name) + '\n';
  out += wrapped(words_of(with_source(preset.summary, preset.source)), terminal.width(), "") + '\n';
  for (const host::PresetPart& part : parts)
    out += entry(part.part, label_width, with_source(part.value, part.source), terminal.width());
  return out;
}

Json preset_json(const host::Preset& preset, const host::SearchPlan& plan) {
  Json parts = Json::array();
  for (const host::PresetPart& part : host::explain(plan.method, plan.tree, plan.anneal))
    parts.push_back({{"part", part.part}, {"value", part.value}, {"source", part.source}});
  return {{"preset", preset.name}, {"summary", preset.summary}, {"source", preset.source}, {"parts", std::move(parts)}};
}

}  // namespace chainshot::tools
