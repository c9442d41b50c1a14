// The options that name a preset and change parts of it, and the plan of searches they make.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "host/search/search_plan.hpp"
#include "tools/options/policy_argument.hpp"

namespace chainshot::tools {

// Titles of the options in the help; a preset that does not have the part refuses the whole group.
inline constexpr const char* kTreeGroup = "Tree search (in place of what the preset says)";
inline constexpr const char* kPlayoutGroup = "Playouts of the tree search";
inline constexpr const char* kParallelGroup = "Tree search in parallel";
inline constexpr const char* kAnnealGroup = "Annealing";

struct PresetArguments {
  std::string preset = "auto";
  PolicyArguments policy{.policy = ""};
  host::Budget budget;  // all 0 if none was given
  // In the order of the options' declaration.
  std::vector<std::function<void(host::TreeSettings&)>> tree_changes;
  // Of the options given: throw InputError where the settings do not heed them.
  std::vector<std::function<void(const host::TreeSettings&)>> tree_checks;
  std::vector<std::function<void(host::AnnealSettings&)>> anneal_changes;
};

inline constexpr double kDefaultSeconds = 10;  // a board, where no budget is given

void add_budget_arguments(CLI::App& command, host::Budget& budget);
void add_tree_arguments(CLI::App& command, PresetArguments& arguments);    // tools/options/tree_argument.cpp
void add_anneal_arguments(CLI::App& command, PresetArguments& arguments);  // tools/options/anneal_argument.cpp

// All throw InputError.
const host::Preset& preset_from(const std::string& name);
// An option means nothing to the preset.
host::SearchPlan plan_from(const PresetArguments& arguments, const CLI::App& command, const game::Scoring& scoring);
// There is no budget but time.
void expect_deterministic_budget(const host::SearchPlan& plan);
// For a plan whose tree search is not made, for want of a device.
void expect_no_tree_options(const CLI::App& command);

}  // namespace chainshot::tools
