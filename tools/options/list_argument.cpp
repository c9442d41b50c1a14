#include "tools/options/list_argument.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "tools/options/input_error.hpp"
#include "tools/options/number_argument.hpp"

namespace chainshot::tools {
namespace {

constexpr std::size_t kMostItems = 100'000;

std::string joined(const std::vector<std::string>& items) {
  std::string list;
  for (std::size_t i = 0; i < items.size(); ++i)
    list += (i == 0 ? "" : ",") + items[i];
  return list;
}

std::string too_many() {
  return fmt::format("this list has more than {} values; expected fewer", kMostItems);
}

// Adds the numbers of `4` or `1..10`; returns what is wrong with the text, or an empty text.
std::string add_numbers(const std::string& text, std::uint64_t low, std::uint64_t high,
                        std::vector<std::string>& numbers) {
  const auto is_allowed = [&](const std::optional<std::uint64_t>& value) {
    return value && *value >= low && *value <= high;
  };
  const std::size_t dots = text.find("..");
  if (dots == std::string::npos) {
    const auto value = count_in(text);
    if (!is_allowed(value)) return fmt::format("'{}' is not a whole number from {} to {}", text, low, high);
    numbers.push_back(std::to_string(*value));
    return {};
  }
  const auto first = count_in(std::string_view(text).substr(0, dots));
  const auto last = count_in(std::string_view(text).substr(dots + 2));
  if (!is_allowed(first) || !is_allowed(last) || *first > *last)
    return fmt::format("'{}' is not a range; expected FIRST..LAST with whole numbers from {} to {}", text, low, high);
  if (*last - *first >= kMostItems) return too_many();
  for (std::uint64_t value = *first;; ++value) {
    numbers.push_back(std::to_string(value));
    if (value == *last) return {};
  }
}

}  // namespace

CLI::Validator list_of(CLI::Validator item) {
  const auto convert = [item = std::move(item)](std::string& text) -> std::string {
    std::vector<std::string> items = list_items(text);
    for (std::string& one : items)
      if (std::string complaint = item(one); !complaint.empty()) return complaint;
    text = joined(items);
    return {};
  };
  return CLI::Validator(convert, "");
}

CLI::Validator whole_numbers(std::uint64_t low, std::uint64_t high) {
  const auto convert = [low, high](std::string& text) -> std::string {
    std::vector<std::string> numbers;
    for (const std::string& item : list_items(text)) {
      if (std::string complaint = add_numbers(item, low, high, numbers); !complaint.empty()) return complaint;
      if (numbers.size() > kMostItems) return too_many();
    }
    text = joined(numbers);
    return {};
  };
  return CLI::Validator(convert, "");
}

std::vector<std::string> list_items(std::string_view list) {
  std::vector<std::string> items;
  for (;;) {
    const std::size_t comma = list.find(',');
    items.emplace_back(list.substr(0, comma));
    if (comma == std::string_view::npos) return items;
    list.remove_prefix(comma + 1);
  }
}

void expect_distinct_items(std::string_view option, const std::vector<std::string>& items) {
  std::vector<std::string> sorted = items;
  std::sort(sorted.begin(), sorted.end());
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
    throw InputError(fmt::format("{} names {} twice; expected every value once", option, *twice));
}

}  // namespace chainshot::tools
