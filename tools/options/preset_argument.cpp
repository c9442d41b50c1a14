#include "tools/options/preset_argument.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <string_view>

#include "tools/options/input_error.hpp"
#include "tools/options/number_argument.hpp"
#include "tools/options/suggest.hpp"

namespace chainshot::tools {
namespace {

constexpr auto kTreeGroups = {kTreeGroup, kPlayoutGroup, kParallelGroup};

// The first option of these groups that was given, but for `others`; empty if there is none.
std::string first_given(const CLI::App& command, std::initializer_list<const char*> groups,
                        std::initializer_list<std::string_view> others = {}) {
  for (const CLI::Option* option : command.get_options())
    for (const std::string_view group : groups)
      if (option->get_group() == group && option->count() > 0 &&
          std::find(others.begin(), others.end(), option->get_name()) == others.end())
        return option->get_name();
  return {};
}

void expect_all_apply(const PresetArguments& a, host::Method method, const CLI::App& command) {
  const std::string tree = first_given(command, kTreeGroups);
  if (method == host::Method::kAnneal && !tree.empty())
    throw InputError(fmt::format("{} is a part of a tree search, and preset {} has none", tree, a.preset));
  const std::string anneal = first_given(command, {kAnnealGroup});
  if (method == host::Method::kTree && !anneal.empty())
    throw InputError(fmt::format("{} is a part of annealing, and preset {} has none", anneal, a.preset));
  if (method != host::Method::kTree && (a.budget.nodes > 0 || a.budget.resource_units > 0))
    throw InputError(
        fmt::format("{} counts what a tree search does, and preset {} anneals; expected --time or "
                    "--playouts, or a preset that only searches a tree",
                    a.budget.nodes > 0 ? "--nodes" : "--ru", a.preset));
}

bool is_counted(const host::Budget& budget) {
  return budget.playouts > 0 || budget.nodes > 0 || budget.resource_units > 0;
}

host::TreeSettings tree_from(const PresetArguments& a, host::TreeSettings settings) {
  if (!a.policy.policy.empty()) {
    const bool pruned = settings.policy.vs_pruning;
    settings.policy = policy_named(a.policy.policy);
    settings.policy.vs_pruning = pruned;
  }
  settings.policy = with_parameters(settings.policy, a.policy);
  for (const auto& change : a.tree_changes)
    change(settings);
  for (const auto& check : a.tree_checks)
    check(settings);
  return settings;
}

}  // namespace

void add_budget_arguments(CLI::App& command, host::Budget& budget) {
  command.option_defaults()->group("Budget of a board (several: the first one reached ends the search)");
  command.add_option("--time", budget.seconds, "seconds, or 90s, 2m, 1h (default 10 where no budget is given)")
      ->type_name("T")
      ->transform(time_span());
  const auto count = whole_number(1, std::numeric_limits<std::uint64_t>::max());
  command.add_option("--playouts", budget.playouts, "playouts of a tree search, evaluations of annealing")
      ->type_name("N")
      ->check(count);
  command.add_option("--nodes", budget.nodes, "nodes visited for the first time")->type_name("N")->check(count);
  command.add_option("--ru", budget.resource_units, "resource units (Klein 2015, 5.2)")->type_name("N")->check(count);
  command.option_defaults()->group("Options");
}

const host::Preset& preset_from(const std::string& name) {
  if (const host::Preset* preset = host::preset_named(name)) return *preset;
  std::vector<std::string> names;
  for (const host::Preset& preset : host::presets())
    names.emplace_back(preset.name);
  throw InputError(unknown_name("preset", name, names));
}

void expect_deterministic_budget(const host::SearchPlan& plan) {
  if (!is_counted(plan.budget))
    throw InputError(
        fmt::format("--deterministic: how far a search gets in its time depends on the machine; expected --playouts{}",
                    host::anneals(plan) ? "" : ", --nodes or --ru"));
}

void expect_no_tree_options(const CLI::App& command) {
  // The memory is that of a proof, too, and annealing is deterministic anyway.
  const std::string option = first_given(command, kTreeGroups, {"--memory", "--deterministic"});
  if (!option.empty())
    throw InputError(fmt::format(
        "{} is for the tree search that preset auto makes on a device, and there is none; expected another --preset",
        option));
}

host::SearchPlan plan_from(const PresetArguments& a, const CLI::App& command, const game::Scoring& scoring) {
  const host::Preset& preset = preset_from(a.preset);
  expect_all_apply(a, preset.method, command);
  host::SearchPlan plan{.method = preset.method, .tree = tree_from(a, preset.tree), .anneal = {}, .budget = a.budget};
  for (const auto& change : a.anneal_changes)
    change(plan.anneal);
  const host::Temperatures t = host::temperatures_for(plan.anneal, scoring);
  if (t.cold > t.hot)
    throw InputError(fmt::format("--cold {} is above --hot {}; expected a search that cools", t.cold, t.hot));
  plan.anneal.hot = t.hot;
  plan.anneal.cold = t.cold;
  const host::Budget& b = a.budget;
  if (b.seconds == 0 && !is_counted(b)) plan.budget.seconds = kDefaultSeconds;
  return plan;
}

}  // namespace chainshot::tools
