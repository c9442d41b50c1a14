// The options of `tune`, and the plan that they make together with a preset or with a saved state.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "host/tune/tuning_state.hpp"
#include "tools/options/search_options.hpp"

namespace chainshot::tools {

struct TuneArguments {
  SearchArguments search = {.preset = {}, .budget = {}};
  host::EngineChoice engine;
  std::string parameters;
  std::string evaluated;  // --evaluate
  std::string scoring = "standard";
  std::string size = "15x15";
  host::TuningPlan plan;     // the numbers of the plan that options set directly
  std::optional<int> elite;  // default: a tenth of the population
  std::string state;
  std::string svg;
  bool json = false;
};

void add_tune_options(CLI::App& command, TuneArguments& arguments, std::set<std::string>& advanced_groups);

// Parses NAME, NAME=MEAN:DEVIATION or NAME=MEANxFACTOR, where a part that is left out follows from the preset; the
// items of the list are separated by commas. Throws InputError.
std::vector<host::TunedParameter> tuned_parameters(const std::string& text, const host::RunPlan& search);

// Parses NAME=VALUE,... of --evaluate into parameters with these means. Throws InputError.
std::vector<host::TunedParameter> evaluated_parameters(const std::string& text, const host::RunPlan& search);

// Returns the search that plays the games. Games with a counted budget are there to be repeated, so it is
// deterministic.
host::RunPlan search_of(const TuneArguments& arguments);

// Returns the plan of a new tuning, or of an evaluation. Throws InputError.
host::TuningPlan tuning_plan(const TuneArguments& arguments, const host::RunPlan& search);

// Takes from the plan of a saved tuning whatever the command line leaves out.
void take_over(TuneArguments& arguments, const CLI::App& command, const host::TuningPlan& saved);

// Throws InputError if a saved tuning cannot go on as `wanted`, or has parameters that the search does not have.
void expect_same_tuning(const host::TuningPlan& saved, const host::TuningPlan& wanted, const host::RunPlan& search,
                        const std::string& file);

}  // namespace chainshot::tools
