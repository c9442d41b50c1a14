#include "tools/options/search_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "host/run/plan_choice.hpp"
#include "tools/options/input_error.hpp"
#include "tools/options/list_argument.hpp"
#include "tools/options/number_argument.hpp"

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

// What a number on the command line must be like. None for names, which the row of the chosen search checks.
CLI::Validator validator_of(const Setting& row, SettingForm form) {
  const bool takes_lists = form == SettingForm::kList;
  if (row.kind == SettingKind::kReal) {
    const CLI::Validator real = real_number(row.low, row.high);
    return takes_lists ? list_of(real) : real;
  }
  const auto low = static_cast<std::uint64_t>(row.low), high = static_cast<std::uint64_t>(row.high);
  if (row.kind == SettingKind::kBytes) return takes_lists ? list_of(memory_size(low >> 10)) : memory_size(low >> 10);
  return takes_lists ? whole_numbers(low, high) : whole_number(low, high);
}

// `text` has passed the validator.
SettingValue value_of(const Setting& row, const std::string& text) {
  switch (row.kind) {
    case SettingKind::kName:
      return text;
    case SettingKind::kReal:
      return std::stod(text);
    default:
      return static_cast<std::int64_t>(std::stoull(text));
  }
}

void take_values(const Setting& row, const std::vector<std::string>& texts, SearchArguments& a) {
  if (texts.size() == 1) {
    a.given[row.name] = value_of(row, texts[0]);
    return;
  }
  expect_distinct_items("--" + row.name, texts);
  auto& [name, values] = a.listed.emplace_back(row.name, std::vector<SettingValue>());
  for (const std::string& text : texts)
    values.push_back(value_of(row, text));
}

void add_option(CLI::App& command, const Setting& row, const std::string& standard, SettingForm form,
                SearchArguments& a) {
  const std::string option = "--" + row.name, help = help_of(row, standard);
  if (row.kind == SettingKind::kFlag) {
    const auto take = [&a, name = row.name](std::int64_t count) { a.given[name] = count > 0; };
    command.add_flag_function(option + ",!--no-" + row.name, take, help);
    return;
  }
  const auto take = [&a, row, form](const std::string& text) {
    take_values(row, form == SettingForm::kList ? list_items(text) : std::vector{text}, a);
  };
  CLI::Option* added = command.add_option_function<std::string>(option, take, help);
  if (row.kind == SettingKind::kName) {
    added->type_name("NAME");
    return;
  }
  added->type_name(row.kind == SettingKind::kWhole ? "N" : row.kind == SettingKind::kBytes ? "SIZE" : "X");
  added->transform(validator_of(row, form));
}

}  // namespace

void add_budget_options(CLI::App& command, host::Budget& budget) {
  command.option_defaults()->group("Budget per board (the first limit reached ends the search)");
  command.add_option("--time", budget.seconds, "seconds, 90s, 1m30s or 5d (10 if no budget is given)")
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

void add_setting_options(CLI::App& command, SearchArguments& a, std::set<std::string>& advanced, SettingForm form) {
  std::set<std::string> added;
  const auto add = [&](const Setting& row, const std::string& standard) {
    if (!added.insert(row.name).second) return;
    command.option_defaults()->group(row.group);
    advanced.insert(row.group);
    add_option(command, option_row(row), standard, form, a);
  };
  for (const Setting& row : host::common_settings())
    add(row, {});
  for (const host::SearchKind* kind : host::search_kinds())
    for (const Setting& row : kind->settings())
      add(row, default_text(*kind, row));
  command.option_defaults()->group("Options");
}

host::FoundPreset preset_from(const std::string& name) try {
  return host::preset_from(name);
} catch (const std::invalid_argument& error) {
  throw InputError(error.what());
}

host::RunPlan plan_from(const SearchArguments& a, const game::Scoring& scoring) try {
  return host::plan_from(a.preset, a.given, a.budget, scoring);
} catch (const std::invalid_argument& error) {
  throw InputError(error.what());
}

void expect_deterministic_budget(const host::RunPlan& plan) try {
  host::expect_counted_budget(plan);
} catch (const std::invalid_argument& error) {
  throw InputError(error.what());
}

}  // namespace chainshot::tools
