// The combinations of a sweep: every preset that the user named with every value of the settings that he listed.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tools/options/search_options.hpp"

namespace chainshot::tools {

struct SearchCombination {
  std::string label;  // what tells it from the others: `uct, c 0.1`
  SearchArguments search;
  std::vector<std::pair<std::string, host::SettingValue>> varied;  // the settings with several values
};

// Presets are written as a list, such as sp-mcts,nrpa; the values of the last setting change fastest. At least one
// combination. Throws InputError if a preset is named twice, or if there are too many combinations.
std::vector<SearchCombination> search_combinations(const SearchArguments& arguments);

// A value as the option takes it.
std::string value_text(const host::SettingValue& value);

}  // namespace chainshot::tools
