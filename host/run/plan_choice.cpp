#include "host/run/plan_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <any>
#include <cctype>
#include <span>
#include <stdexcept>
#include <variant>
#include <vector>

#include "game/suggest.hpp"

namespace chainshot::host {
namespace {

std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i)
    out += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  return out;
}

bool equals_ignoring_case(const std::string& a, const std::string& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

// Returns the value as the row spells it, or throws std::invalid_argument. Searches may give a setting of the same name
// different ranges: the option accepts what any of them does, and the row of the chosen search decides here.
SettingValue checked(const Setting& row, const SettingValue& value) {
  if (row.kind == SettingKind::kName) {
    const std::string& name = std::get<std::string>(value);
    for (const std::string& known : row.names)
      if (equals_ignoring_case(known, name)) return known;
    throw std::invalid_argument(game::unknown_name(row.noun, name, row.names));
  }
  if (row.kind == SettingKind::kFlag) return value;
  const double number =
      row.kind == SettingKind::kReal ? std::get<double>(value) : static_cast<double>(std::get<std::int64_t>(value));
  if (!(number >= row.low && number <= row.high))
    throw std::invalid_argument(
        fmt::format("--{} {}: expected a number from {} to {}", row.name, number, row.low, row.high));
  return value;
}

// Lists the titles of the searches that have a setting: `tree search`.
std::string owners_of(const std::string& setting) {
  std::vector<std::string> titles;
  for (const SearchKind* kind : search_kinds())
    if ((setting_named(kind->settings(), setting) != nullptr ||
         setting_named(common_settings(*kind), setting) != nullptr) &&
        std::find(titles.begin(), titles.end(), kind->title) == titles.end())
      titles.emplace_back(kind->title);
  return listed(titles);
}

// For a setting that the search of the preset does not have.
[[noreturn]] void refuse_setting(const std::string& name, const std::string& preset, std::span<const Setting> common,
                                 std::span<const Setting> rows) {
  if (const std::string owners = owners_of(name); !owners.empty())
    throw std::invalid_argument(
        fmt::format("--{} is a setting of {}; preset {} does not have it", name, owners, preset));
  std::vector<std::string> names;
  for (const std::span<const Setting> table : {rows, common})
    for (const Setting& row : table)
      names.push_back(row.name);
  throw std::invalid_argument(game::unknown_name("setting of preset " + preset, name, names));
}

void expect_applies(const Setting& row, const Settings& settings, const SettingValue& value) {
  const bool* flag = std::get_if<bool>(&value);
  if (flag != nullptr && !*flag) return;  // switching off what does not apply is harmless
  if (!row.applies(settings))
    throw std::invalid_argument(
        fmt::format("--{} has no effect in this search; expected it with {}", row.name, row.condition));
}

void expect_budget_counts(const Budget& budget, const RunPlan& plan) {
  const Counters& counters = plan.kind->counters;
  const bool is_wrong_nodes = budget.nodes > 0 && !counters.nodes;
  if (is_wrong_nodes || (budget.resource_units > 0 && !counters.resource_units))
    throw std::invalid_argument(
        fmt::format("preset {} ({}) does not support the budget {}; expected --time or --playouts", plan.preset,
                    plan.kind->title, is_wrong_nodes ? "--nodes" : "--ru"));
}

}  // namespace

FoundPreset preset_from(const std::string& name) {
  if (const FoundPreset found = find_preset(name); found.preset != nullptr) return found;
  throw std::invalid_argument(game::unknown_name("preset", name, preset_names()));
}

RunPlan plan_from(const std::string& preset_name, const std::map<std::string, SettingValue>& given,
                  const Budget& budget, const game::Scoring& scoring) {
  const auto [kind, preset] = preset_from(preset_name);
  RunPlan plan{.preset = preset_name,
               .kind = kind,
               .settings = preset->settings,
               .common = {},
               .budget = budget,
               .choice = {},
               .scoring = scoring};
  Settings common = plan.common;
  const auto rows = kind->settings();
  const std::vector<Setting> common_rows = common_settings(*kind);
  for (const auto& [name, value] : given)
    if (setting_named(common_rows, name) == nullptr && setting_named(rows, name) == nullptr)
      refuse_setting(name, plan.preset, common_rows, rows);
  // The order of the table matters: a policy must be set before its parameters.
  const auto apply = [&](std::span<const Setting> table, Settings& settings) {
    for (const Setting& row : table)
      if (const auto found = given.find(row.name); found != given.end()) row.set(settings, checked(row, found->second));
    for (const Setting& row : table)
      if (const auto found = given.find(row.name); found != given.end()) expect_applies(row, settings, found->second);
  };
  apply(common_rows, common);
  apply(rows, plan.settings);
  plan.common = std::any_cast<CommonSettings>(common);
  if (kind->objection != nullptr)
    if (const std::string objection = kind->objection(plan.settings, scoring); !objection.empty())
      throw std::invalid_argument(objection);
  expect_budget_counts(budget, plan);
  if (budget.seconds == 0 && !budget.is_counted()) plan.budget.seconds = kDefaultSeconds;
  return plan;
}

void expect_counted_budget(const RunPlan& plan) {
  if (!plan.common.deterministic || plan.budget.is_counted()) return;
  throw std::invalid_argument(fmt::format(
      "--deterministic needs a counted budget, since a time limit depends on the machine; expected --playouts{}",
      plan.kind->counters.resource_units ? ", --nodes or --ru"
      : plan.kind->counters.nodes        ? " or --nodes"
                                         : ""));
}

}  // namespace chainshot::host
