#include "tools/options/search_combinations.hpp"

#include <fmt/format.h>

#include <variant>

#include "tools/options/input_error.hpp"
#include "tools/options/list_argument.hpp"

namespace chainshot::tools {
namespace {

constexpr std::size_t kMostCombinations = 10'000;

struct ValueText {
  std::string operator()(bool value) const { return value ? "on" : "off"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return fmt::format("{:.6g}", value); }
  std::string operator()(const std::string& value) const { return value; }
};

// Every combination so far with every value of one more setting.
std::vector<SearchCombination> varied_by(const std::vector<SearchCombination>& combinations, const std::string& name,
                                         const std::vector<host::SettingValue>& values) {
  if (combinations.size() * values.size() > kMostCombinations)
    throw InputError(fmt::format("these lists have more than {} combinations; expected fewer", kMostCombinations));
  std::vector<SearchCombination> all;
  for (const SearchCombination& combination : combinations)
    for (const host::SettingValue& value : values) {
      SearchCombination& next = all.emplace_back(combination);
      next.search.given[name] = value;
      next.varied.emplace_back(name, value);
      next.label += fmt::format("{}{} {}", next.label.empty() ? "" : ", ", name, value_text(value));
    }
  return all;
}

}  // namespace

std::string value_text(const host::SettingValue& value) {
  return std::visit(ValueText{}, value);
}

std::vector<SearchCombination> search_combinations(const SearchArguments& arguments) {
  const std::vector<std::string> presets = list_items(arguments.preset);
  expect_distinct_items("--preset", presets);
  std::vector<SearchCombination> combinations;
  for (const std::string& preset : presets) {
    SearchCombination& one = combinations.emplace_back();
    one.search = arguments;
    one.search.preset = preset;
    one.search.listed.clear();
    if (presets.size() > 1 || arguments.listed.empty()) one.label = preset;
  }
  for (const auto& [name, values] : arguments.listed)
    combinations = varied_by(combinations, name, values);
  return combinations;
}

}  // namespace chainshot::tools
