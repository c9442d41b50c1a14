// Suggestions for mistyped names: the known name that is nearest.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace chainshot::game {

// Counts the insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
int edit_distance(std::string_view from, std::string_view to);

// Returns the nearest name, ignoring case, or an empty string if none is near enough to be a likely typing error.
std::string closest_name(std::string_view name, std::span<const std::string> names);

// Returns the sentence for an unknown name: `no policy is called 'tabu-colr'; did you mean 'tabu-color-random'?`, or a
// list of the names if none is near.
std::string unknown_name(std::string_view what, std::string_view name, std::span<const std::string> names);

}  // namespace chainshot::game
