// Values in a list, as a sweep takes them: 0.1,0.5 and 1..10. The validators replace the items by plain values, so that
// what is left is a list of these with commas between.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace chainshot::tools {

// Takes items with commas between and checks each of them.
CLI::Validator list_of(CLI::Validator item);
// Takes whole numbers and ranges of them: 1,3,10..12. Both ends of a range belong to it.
CLI::Validator whole_numbers(std::uint64_t low, std::uint64_t high);

// The items of a list; one that is empty is an empty text.
std::vector<std::string> list_items(std::string_view list);
// Throws InputError if a value is there twice: its results would only repeat each other.
void expect_distinct_items(std::string_view option, const std::vector<std::string>& items);

}  // namespace chainshot::tools
