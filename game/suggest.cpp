#include "game/suggest.hpp"

#include <algorithm>

namespace chainshot::game {

namespace {

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

}  // namespace

// Computes the restricted Damerau-Levenshtein distance with three rows of the usual table.
int edit_distance(std::string_view from, std::string_view to) {
  std::vector<int> before_last(to.size() + 1), last(to.size() + 1), row(to.size() + 1);
  for (std::size_t j = 0; j <= to.size(); ++j)
    row[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= from.size(); ++i) {
    before_last.swap(last);
    last.swap(row);
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= to.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (from[i - 1] != to[j - 1])});
      if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[to.size()];
}

std::string closest_name(std::string_view written, std::span<const std::string> names) {
  const std::string name = lower_case(written);
  constexpr std::size_t kLongest = 64;  // nobody mistypes a longer name
  if (name.size() > kLongest) return {};
  std::string closest;
  // A third of the letters may be wrong. A prefix (`tabu-colr` for tabu-color-random) counts as one more error.
  int distance = static_cast<int>(std::max<std::size_t>(1, name.size() / 3)) + 1;
  for (const std::string& original : names) {
    const std::string candidate = lower_case(original);
    int d = edit_distance(name, candidate);
    if (name.size() >= 3)
      for (std::size_t length = name.size() - 1; length <= name.size() + 1 && length < candidate.size(); ++length)
        d = std::min(d, 1 + edit_distance(name, std::string_view(candidate).substr(0, length)));
    if (d < distance) {
      distance = d;
      closest = original;
    }
  }
  return closest;
}

std::string unknown_name(std::string_view what, std::string_view name, std::span<const std::string> names) {
  std::string sentence = "no " + std::string(what) + " is called '" + std::string(name) + "'; ";
  const std::string closest = closest_name(name, names);
  if (!closest.empty()) return sentence + "did you mean '" + closest + "'?";
  sentence += "expected ";
  constexpr std::size_t kMostListed = 24;
  for (std::size_t i = 0; i < std::min(names.size(), kMostListed); ++i)
    sentence += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  if (names.size() > kMostListed) sentence += ", or another of " + std::to_string(names.size());
  return sentence;
}

}  // namespace chainshot::game
