// The options of `solve` that choose a search and change its settings. They follow from the settings tables of all
// searches (host/search/setting.hpp), so a new search or setting needs no change here.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "host/run/plan_choice.hpp"

namespace chainshot::tools {

using host::kDefaultSeconds;

struct SearchArguments {
  std::string preset = "auto";
  host::Budget budget;                                   // all 0 if none was given
  std::map<std::string, host::SettingValue> given = {};  // the settings that the user gave, by name
  // The settings that the user gave several values, in the order of the tables; only where lists are taken.
  std::vector<std::pair<std::string, std::vector<host::SettingValue>>> listed = {};
};

enum class SettingForm { kOneValue, kList };

// Adds --time and the other budgets.
void add_budget_options(CLI::App& command, host::Budget& budget);
// Adds an option for every setting of every search; `advanced` receives the headings that only --help-all shows. With
// kList an option also takes several values, such as 0.1,0.5.
void add_setting_options(CLI::App& command, SearchArguments& arguments, std::set<std::string>& advanced,
                         SettingForm form = SettingForm::kOneValue);

// These throw InputError with one sentence.
host::FoundPreset preset_from(const std::string& name);
// Fills preset, kind, settings, common settings and budget of a plan. Refuses a setting that the search does not have
// or that has no effect in it.
host::RunPlan plan_from(const SearchArguments& arguments, const game::Scoring& scoring);
// Refuses a deterministic search whose only budget is time.
void expect_deterministic_budget(const host::RunPlan& plan);

}  // namespace chainshot::tools
