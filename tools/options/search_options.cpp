#include "tools/options/search_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>

#include "tools/options/input_error.hpp"
#include "tools/options/number_argument.hpp"
#include "tools/options/suggest.hpp"

namespace chainshot::tools {
namespace {

using host::Setting;
using host::SettingKind;
using host::SettingValue;

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

// Returns the value as the row spells it, or throws InputError. Searches may give a setting of the same name different
// ranges: the option accepts what any of them does, and the row of the chosen search decides here.
SettingValue checked(const Setting& row, const SettingValue& value) {
  if (row.kind == SettingKind::kName) {
    const std::string& name = std::get<std::string>(value);
    for (const std::string& known : row.names)
      if (equals_ignoring_case(known, name)) return known;
    throw InputError(unknown_name(row.noun, name, row.names));
  }
  if (row.kind == SettingKind::kFlag) return value;
  const double number =
      row.kind == SettingKind::kReal ? std::get<double>(value) : static_cast<double>(std::get<std::int64_t>(value));
  if (number < row.low || number > row.high)
    throw InputError(fmt::format("--{} {}: expected a number from {} to {}", row.name, number, row.low, row.high));
  return value;
}

// The row of an option: of all searches that have a setting of this name, the widest range.
Setting option_row(const Setting& first) {
  Setting row = first;
  for (const host::SearchKind* kind : host::search_kinds())
    if (const Setting* other = host::setting_named(kind->settings(), row.name); other != nullptr) {
      row.low = std::min(row.low, other->low);
      row.high = std::max(row.high, other->high);
      for (const std::string& name : other->names)
        if (std::find(row.names.begin(), row.names.end(), name) == row.names.end()) row.names.push_back(name);
    }
  return row;
}

// Returns the default for the help if all presets of the search agree on it, else an empty string.
std::string default_text(const host::SearchKind& kind, const Setting& row) {
  std::string text;
  for (const host::Preset& preset : kind.presets()) {
    const std::string one = row.text(preset.settings);
    if (!text.empty() && text != one) return {};
    text = one;
  }
  if (text.empty() || row.kind == SettingKind::kFlag) return {};
  const bool help_explains_zero = text == row.zero && row.help.find("0: " + row.zero) != std::string::npos;
  return fmt::format(" (default {})", help_explains_zero ? "0" : text);
}

std::string help_of(const Setting& row, const std::string& standard) {
  return row.help + (row.names.empty() || row.noun == "colour" ? "" : ": " + listed(row.names)) + standard;
}

void add_option(CLI::App& command, const Setting& row, const std::string& standard,
                std::map<std::string, SettingValue>& given) {
  const std::string option = "--" + row.name, help = help_of(row, standard);
  const auto take = [&given, name = row.name](const auto& value) { given[name] = value; };
  switch (row.kind) {
    case SettingKind::kFlag:
      command.add_flag_function(
          option + ",!--no-" + row.name, [take](std::int64_t count) { take(count > 0); }, help);
      break;
    case SettingKind::kWhole:
      command.add_option_function<std::int64_t>(option, take, help)
          ->type_name("N")
          ->transform(whole_number(static_cast<std::uint64_t>(row.low), static_cast<std::uint64_t>(row.high)));
      break;
    case SettingKind::kBytes:
      command.add_option_function<std::int64_t>(option, take, help)
          ->type_name("SIZE")
          ->transform(memory_size(static_cast<std::uint64_t>(row.low) >> 10));
      break;
    case SettingKind::kReal:
      command.add_option_function<double>(option, take, help)
          ->type_name("X")
          ->transform(real_number(row.low, row.high));
      break;
    case SettingKind::kName:
      command.add_option_function<std::string>(option, take, help)->type_name("NAME");
      break;
  }
}

// Lists the titles of the searches that have a setting: `tree search`.
std::string owners_of(const std::string& setting) {
  std::vector<std::string> titles;
  for (const host::SearchKind* kind : host::search_kinds())
    if ((host::setting_named(kind->settings(), setting) != nullptr ||
         host::setting_named(host::common_settings(*kind), setting) != nullptr) &&
        std::find(titles.begin(), titles.end(), kind->title) == titles.end())
      titles.emplace_back(kind->title);
  return listed(titles);
}

void expect_applies(const Setting& row, const host::Settings& settings, const SettingValue& value) {
  const bool* flag = std::get_if<bool>(&value);
  if (flag != nullptr && !*flag) return;  // switching off what does not apply is harmless
  if (!row.applies(settings))
    throw InputError(fmt::format("--{} has no effect in this search; expected it with {}", row.name, row.condition));
}

void expect_budget_counts(const host::Budget& budget, const host::RunPlan& plan) {
  const host::Counters& counters = plan.kind->counters;
  const bool is_wrong_nodes = budget.nodes > 0 && !counters.nodes;
  if (is_wrong_nodes || (budget.resource_units > 0 && !counters.resource_units))
    throw InputError(fmt::format("preset {} ({}) does not support the budget {}; expected --time or --playouts",
                                 plan.preset, plan.kind->title, is_wrong_nodes ? "--nodes" : "--ru"));
}

}  // namespace

void add_budget_options(CLI::App& command, host::Budget& budget) {
  command.option_defaults()->group("Budget per board (the first limit reached ends the search)");
  command.add_option("--time", budget.seconds, "seconds, or 90s, 1m30s, 1.5h, 5d (default 10 if no budget is given)")
      ->type_name("T")
      ->transform(time_span());
  const auto count = whole_number(1, std::numeric_limits<std::uint64_t>::max());
  command
      .add_option("--playouts", budget.playouts,
                  "number of playouts, or of evaluations for annealing, beams, IDA* and A*: 50000, 10M, 1e6")
      ->type_name("N")
      ->transform(count);
  command
      .add_option("--nodes", budget.nodes, "number of tree nodes visited for the first time, or of positions expanded")
      ->type_name("N")
      ->transform(count);
  command.add_option("--ru", budget.resource_units, "number of resource units of a tree search (Klein 2015, 5.2)")
      ->type_name("N")
      ->transform(count);
  command.option_defaults()->group("Options");
}

void add_setting_options(CLI::App& command, SearchArguments& a, std::set<std::string>& advanced) {
  std::set<std::string> added;
  const auto add = [&](const Setting& row, const std::string& standard) {
    if (!added.insert(row.name).second) return;
    command.option_defaults()->group(row.group);
    advanced.insert(row.group);
    add_option(command, option_row(row), standard, a.given);
  };
  for (const Setting& row : host::common_settings())
    add(row, {});
  for (const host::SearchKind* kind : host::search_kinds())
    for (const Setting& row : kind->settings())
      add(row, default_text(*kind, row));
  command.option_defaults()->group("Options");
}

host::FoundPreset preset_from(const std::string& name) {
  if (const host::FoundPreset found = host::find_preset(name); found.preset != nullptr) return found;
  throw InputError(unknown_name("preset", name, host::preset_names()));
}

host::RunPlan plan_from(const SearchArguments& a, const game::Scoring& scoring) {
  const auto [kind, preset] = preset_from(a.preset);
  host::RunPlan plan{.preset = a.preset,
                     .kind = kind,
                     .settings = preset->settings,
                     .common = {},
                     .budget = a.budget,
                     .choice = {},
                     .scoring = scoring};
  host::Settings common = plan.common;
  const auto rows = kind->settings();
  const std::vector<Setting> common_rows = host::common_settings(*kind);
  for (const auto& [name, value] : a.given)
    if (host::setting_named(common_rows, name) == nullptr && host::setting_named(rows, name) == nullptr)
      throw InputError(
          fmt::format("--{} is a setting of {}; preset {} does not have it", name, owners_of(name), plan.preset));
  // The order of the table matters: a policy must be set before its parameters.
  const auto apply = [&](std::span<const Setting> table, host::Settings& settings) {
    for (const Setting& row : table)
      if (const auto found = a.given.find(row.name); found != a.given.end())
        row.set(settings, checked(row, found->second));
    for (const Setting& row : table)
      if (const auto found = a.given.find(row.name); found != a.given.end())
        expect_applies(row, settings, found->second);
  };
  apply(common_rows, common);
  apply(rows, plan.settings);
  plan.common = std::any_cast<host::CommonSettings>(common);
  if (kind->objection != nullptr)
    if (const std::string objection = kind->objection(plan.settings, scoring); !objection.empty())
      throw InputError(objection);
  expect_budget_counts(a.budget, plan);
  if (a.budget.seconds == 0 && !a.budget.is_counted()) plan.budget.seconds = kDefaultSeconds;
  return plan;
}

void expect_deterministic_budget(const host::RunPlan& plan) {
  if (!plan.common.deterministic || plan.budget.is_counted()) return;
  throw InputError(fmt::format(
      "--deterministic needs a counted budget, since a time limit depends on the machine; expected --playouts{}",
      plan.kind->counters.resource_units ? ", --nodes or --ru"
      : plan.kind->counters.nodes        ? " or --nodes"
                                         : ""));
}

}  // namespace chainshot::tools
