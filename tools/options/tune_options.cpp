#include "tools/options/tune_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <system_error>
#include <variant>

#include "game/generate.hpp"
#include "tools/options/engine_argument.hpp"
#include "tools/options/input_error.hpp"
#include "tools/options/number_argument.hpp"
#include "tools/options/output_option.hpp"
#include "tools/options/policy_argument.hpp"
#include "tools/options/suggest.hpp"

namespace chainshot::tools {
namespace {

using host::Setting;
using host::SettingKind;
using host::TunedParameter;
using host::TuningPlan;

// One item of --parameters or --evaluate, taken apart.
struct Item {
  std::string whole;  // as it was given
  std::string name;
  std::string_view rest;  // after the equals sign
};

std::vector<Item> items_of(const std::string& option, const std::string& text) {
  std::vector<Item> items;
  const std::string missing = option + " " + text + ": a name is missing; expected settings such as c,d";
  if (text.ends_with(',')) throw InputError(missing);
  for (const std::string& part : CLI::detail::split(text, ',')) {
    Item& item = items.emplace_back();
    item.whole = CLI::detail::trim_copy(part);
    item.name = item.whole.substr(0, item.whole.find('='));
    if (item.name.empty()) throw InputError(missing);
    for (std::size_t i = 0; i + 1 < items.size(); ++i)
      if (items[i].name == item.name)
        throw InputError(fmt::format("{} names {} twice; expected it once", option, item.name));
  }
  for (Item& item : items)
    if (item.name.size() < item.whole.size()) item.rest = std::string_view(item.whole).substr(item.name.size() + 1);
  return items;
}

bool is_number(const Setting& row) {
  return row.kind == SettingKind::kReal || row.kind == SettingKind::kWhole;
}

const Setting& tunable_row(const std::string& option, const std::string& name, const host::RunPlan& search) {
  std::vector<std::string> numbers;
  for (const Setting& row : search.kind->settings())
    if (is_number(row) && row.applies(search.settings)) numbers.push_back(row.name);
  const Setting* row = host::setting_named(search.kind->settings(), name);
  // A game of the tuning is one search.
  if (row == nullptr && name != "shares") row = host::setting_named(host::common_settings(), name);
  if (row == nullptr) throw InputError(unknown_name("parameter of preset " + search.preset, name, numbers));
  if (!is_number(*row))
    throw InputError(fmt::format("{}: {} is {}, which cannot be tuned; expected numbers such as {}", option, name,
                                 row->kind == SettingKind::kFlag    ? "a switch"
                                 : row->kind == SettingKind::kBytes ? "a size"
                                                                    : "a choice of names",
                                 numbers.empty() ? "those of another preset" : numbers.front()));
  if (!row->applies(search.settings))
    throw InputError(
        fmt::format("{}: {} has no effect in this search; expected it with {}", option, name, row->condition));
  return *row;
}

double value_of(const Setting& row, const host::Settings& settings) {
  const host::SettingValue value = row.get(settings);
  return row.kind == SettingKind::kReal ? std::get<double>(value) : static_cast<double>(std::get<std::int64_t>(value));
}

// A whole number whose 0 means something else starts at 1.
TunedParameter parameter_of(const Setting& row) {
  const bool is_whole = row.kind == SettingKind::kWhole;
  return {.name = row.name,
          .is_whole = is_whole,
          .low = is_whole && !row.zero.empty() ? std::max(row.low, 1.0) : row.low,
          .high = row.high};
}

void expect_in_range(const std::string& option, const TunedParameter& parameter, double value) {
  if (value < parameter.low || value > parameter.high)
    throw InputError(fmt::format("{}: {} is out of the range of {}; expected {} to {}", option, value, parameter.name,
                                 parameter.low, parameter.high));
}

// The paper's start has half the difference between two bounds as its deviation. Without bounds from the user they are
// 0 and twice the mean, as far as the range allows.
double usual_deviation(const TunedParameter& parameter, double mean) {
  const double low = std::max(parameter.low, mean - std::abs(mean));
  const double high = std::min(parameter.high, mean + std::abs(mean));
  return (high - low) / 2;
}

TunedParameter parameter_from(const Item& item, const host::RunPlan& search) {
  const std::string option = "--parameters " + item.whole;
  const auto fail = [&] {
    throw InputError(option + ": expected NAME, NAME=MEAN:DEVIATION, or NAME=MEANxFACTOR for a logarithmic scale");
  };
  const Setting& row = tunable_row("--parameters", item.name, search);
  TunedParameter parameter = parameter_of(row);
  std::string_view rest = item.rest;
  const bool is_bare = item.name.size() == item.whole.size();
  const std::optional<double> given_mean = take_real(rest);
  const char mark = rest.empty() ? ' ' : rest.front();
  std::optional<double> spread;
  if (mark == ':' || mark == 'x') {
    rest.remove_prefix(1);
    spread = take_real(rest);
    if (!spread) fail();
  }
  if (!rest.empty() || (!is_bare && !given_mean && !spread)) fail();
  const double mean = given_mean.value_or(value_of(row, search.settings));
  if (!given_mean && mean == 0 && !row.zero.empty())
    throw InputError(fmt::format("{}: preset {} has no number for it ({}); expected a mean, such as {}=MEAN:DEVIATION",
                                 option, search.preset, row.zero, item.name));
  expect_in_range(option, parameter, mean);
  parameter.is_logarithmic = mark == 'x';
  if (mark == 'x' && (mean <= 0 || *spread <= 1))
    throw InputError(option + ": a logarithmic scale needs a mean above 0 and a factor above 1");
  if (mark == ':' && *spread <= 0) throw InputError(option + ": expected a deviation above 0");
  if (!spread && mean == 0)
    throw InputError(
        fmt::format("{}: the mean is 0, from which no deviation follows; expected {}=0:DEVIATION", option, item.name));
  const double deviation = spread.value_or(usual_deviation(parameter, mean));
  parameter.start = {parameter.coordinate_of(mean), mark == 'x' ? std::log(deviation) : deviation};
  return parameter;
}

TunedParameter value_from(const Item& item, const host::RunPlan& search) {
  const std::string option = "--evaluate " + item.whole;
  TunedParameter parameter = parameter_of(tunable_row("--evaluate", item.name, search));
  std::string_view rest = item.rest;
  const std::optional<double> value = take_real(rest);
  if (!value || !rest.empty() || (parameter.is_whole && *value != std::round(*value)))
    throw InputError(
        fmt::format("{}: expected NAME=VALUE with a{} number", option, parameter.is_whole ? " whole" : ""));
  expect_in_range(option, parameter, *value);
  parameter.start.mean = *value;
  return parameter;
}

void add_method_options(CLI::App& command, TuneArguments& a) {
  const auto whole = [](int low, int high) {
    return whole_number(static_cast<std::uint64_t>(low), static_cast<std::uint64_t>(high));
  };
  command.option_defaults()->group("Cross-entropy method");
  command
      .add_option("--boards", a.plan.boards,
                  "new random boards of each generation, which every sample plays (default 30)")
      ->type_name("N")
      ->transform(whole(1, TuningPlan::kMostBoards));
  command.add_option("--population", a.plan.population, "samples of a generation (default 100)")
      ->type_name("N")
      ->transform(whole(2, TuningPlan::kMostSamples));
  command.add_option("--elite", a.elite, "best samples, to which the next generation is fitted (default a tenth)")
      ->type_name("N")
      ->transform(whole(2, TuningPlan::kMostSamples));
  command.add_option("--generations", a.plan.generations, "generations in all (default 20)")
      ->type_name("N")
      ->transform(whole(1, TuningPlan::kMostGenerations));
  command
      .add_option("--smoothing", a.plan.smoothing,
                  "weight of the elite in the next distribution; the rest is the distribution before (default 1)")
      ->type_name("X")
      ->transform(real_number(0.01, 1));
  command
      .add_option("--test-boards", a.plan.test_boards,
                  "boards on which the result is compared with the start at the end (default 0)")
      ->type_name("N")
      ->transform(whole(0, TuningPlan::kMostBoards));
  command.add_option("--size", a.size, "columns and rows of the boards (default 15x15)")->type_name("WxH");
  command.add_option("--colors", a.plan.colors, "their colours (default 5)")
      ->type_name("C")
      ->transform(whole_number(1, game::kMaxColors));
  command.add_option("--seed", a.plan.seed, "seed of boards, samples and searches (default 0)")
      ->type_name("S")
      ->transform(whole_number(0, ~std::uint64_t{0}));
}

// Refuses boards that cannot be made.
void set_board_size(TuningPlan& plan, const std::string& text) {
  const auto size = game::parse_board_size(text);
  if (!size) throw InputError("'" + text + "' is not a size; expected COLUMNSxROWS, such as 15x15, up to 31x32");
  plan.columns = size->columns;
  plan.rows = size->rows;
}

}  // namespace

void add_tune_options(CLI::App& command, TuneArguments& a, std::set<std::string>& advanced_groups) {
  command.add_option("PRESET", a.search.preset, "search to tune; see chainshot solve --presets")->type_name("");
  CLI::Option* parameters = command
                                .add_option("--parameters", a.parameters,
                                            "settings to tune, with a mean and deviation to start from: c,d=32:10,t")
                                ->type_name("LIST")
                                ->check(not_empty("settings such as c,d"));
  CLI::Option* state = add_output_option(command, "--state", a.state,
                                         "file that keeps the state; if it exists, the tuning goes on from it");
  CLI::Option* svg =
      add_output_option(command, "--svg", a.svg, "draw means and deviations over the generations to FILE");
  CLI::Option* evaluated =
      command.add_option("--evaluate", a.evaluated, "only print the mean score with these values: c=0.1,d=32")
          ->type_name("LIST")
          ->check(not_empty("values such as c=0.1,d=32"));
  for (CLI::Option* other : {parameters, state, svg})
    evaluated->excludes(other);
  command.add_flag("--json", a.json, "print the result as JSON");
  add_scoring_argument(command, a.scoring);
  add_method_options(command, a);
  add_budget_options(command, a.search.budget);
  command.option_defaults()->group("Engine");
  add_engine_arguments(command, a.engine);
  add_setting_options(command, a.search, advanced_groups);
  command.set_help_all_flag("--help-all", "also show the settings of every search");
}

std::vector<TunedParameter> tuned_parameters(const std::string& text, const host::RunPlan& search) {
  std::vector<TunedParameter> parameters;
  for (const Item& item : items_of("--parameters", text))
    parameters.push_back(parameter_from(item, search));
  return parameters;
}

std::vector<TunedParameter> evaluated_parameters(const std::string& text, const host::RunPlan& search) {
  std::vector<TunedParameter> parameters;
  for (const Item& item : items_of("--evaluate", text))
    parameters.push_back(value_from(item, search));
  return parameters;
}

host::RunPlan search_of(const TuneArguments& a) {
  if (a.search.preset.empty())
    throw InputError(a.state.empty()
                         ? "tune needs a PRESET; expected one, or --state with the file of a tuning to go on with"
                         : a.state + " has no tuning to go on with; expected its file, or a PRESET to begin one");
  host::RunPlan search = plan_from(a.search, scoring_from(a.scoring));
  if (search.common.shares > 1) throw InputError("--shares has no effect in tune; every game is one search");
  search.choice = a.engine;
  search.engines = CLI::detail::split(a.engine.name, ',');
  for (const std::string& name : search.engines) {
    host::EngineChoice choice = a.engine;
    choice.name = name;
    check_engine(choice);
  }
  if (search.budget.is_counted()) search.common.deterministic = true;
  expect_deterministic_budget(search);
  return search;
}

TuningPlan tuning_plan(const TuneArguments& a, const host::RunPlan& search) {
  TuningPlan plan = a.plan;
  plan.preset = search.preset;
  plan.settings = a.search.given;
  plan.budget = search.budget;
  plan.scoring = search.scoring.name();
  set_board_size(plan, a.size);
  if (!a.evaluated.empty())
    plan.parameters = evaluated_parameters(a.evaluated, search);
  else if (!a.parameters.empty())
    plan.parameters = tuned_parameters(a.parameters, search);
  if (plan.parameters.empty())
    throw InputError("tune needs --parameters; expected settings of the search, such as --parameters c,d");
  plan.elite = a.elite.value_or(std::max(2, plan.population / 10));
  if (plan.elite > plan.population)
    throw InputError(
        fmt::format("--elite {} is above --population {}; expected a part of it", plan.elite, plan.population));
  return plan;
}

void take_over(TuneArguments& a, const CLI::App& command, const TuningPlan& saved) {
  const auto is_given = [&](const std::string& option) { return command.get_option(option)->count() > 0; };
  const host::Budget& budget = a.search.budget;
  if (a.search.preset.empty()) a.search.preset = saved.preset;
  if (a.search.given.empty()) a.search.given = saved.settings;
  if (budget.seconds == 0 && !budget.is_counted()) a.search.budget = saved.budget;
  if (!is_given("--parameters")) a.plan.parameters = saved.parameters;
  if (!is_given("--scoring")) a.scoring = saved.scoring;
  if (!is_given("--size")) a.size = fmt::format("{}x{}", saved.columns, saved.rows);
  if (!is_given("--colors")) a.plan.colors = saved.colors;
  if (!is_given("--boards")) a.plan.boards = saved.boards;
  if (!is_given("--population")) a.plan.population = saved.population;
  if (!is_given("--elite")) a.elite = saved.elite;
  if (!is_given("--smoothing")) a.plan.smoothing = saved.smoothing;
  if (!is_given("--seed")) a.plan.seed = saved.seed;
  if (!is_given("--generations")) a.plan.generations = saved.generations;
  if (!is_given("--test-boards")) a.plan.test_boards = saved.test_boards;
}

void expect_same_tuning(const TuningPlan& saved, const TuningPlan& wanted, const host::RunPlan& search,
                        const std::string& file) {
  if (const std::string what = difference(saved, wanted); !what.empty())
    throw InputError(
        fmt::format("{} is the state of another tuning, where {}; expected the same, or another file", file, what));
  for (const TunedParameter& parameter : saved.parameters) {
    const TunedParameter known = parameter_of(tunable_row(file, parameter.name, search));
    if (parameter.is_whole != known.is_whole || parameter.low < known.low || parameter.high > known.high)
      throw InputError(
          fmt::format("{} is damaged: it allows {} values that the search does not have", file, parameter.name));
  }
}

}  // namespace chainshot::tools
