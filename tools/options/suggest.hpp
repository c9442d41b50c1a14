// Help with mistyped names: the nearest of the names there are.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace chainshot::tools {

// Insertions, deletions, replacements and swaps of neighbours that lead from one word to the other.
int edit_distance(std::string_view from, std::string_view to);

// The nearest name whatever the case of its letters, or an empty string if none is near enough to be what was meant.
std::string closest_name(std::string_view name, std::span<const std::string> names);

// `no policy is called 'tabu-colr'; did you mean 'tabu-color-random'?`, or with every name where none is near.
std::string unknown_name(std::string_view what, std::string_view name, std::span<const std::string> names);

}  // namespace chainshot::tools
