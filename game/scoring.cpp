#include "game/scoring.hpp"

#include <algorithm>
#include <cstdlib>

#include "game/scoring_text.hpp"

namespace chainshot::game {
namespace {

struct BuiltInScoring {
  std::string_view name;
  std::string_view summary;
};

// In the order of kScorings.
constexpr std::array<BuiltInScoring, kScorings.size()> kBuiltIn = {{
    {"standard", "(n-2)^2 a group, +1000 for a cleared board, minus (r-2)^2 for each colour left"},
    {"total", "as standard, but minus (r-2)^2 for all blocks left together"},
    {"bubble-breaker", "n(n-1) a group, nothing for the end"},
    {"clickomania", "minus one for each block left, nothing for groups"},
    {"points", "(n-2)^2 a group, nothing for the end"},
}};

const BuiltInScoring* built_in(const Scoring& scoring) {
  const auto* const found = std::find(kScorings.begin(), kScorings.end(), scoring);
  return found == kScorings.end() ? nullptr : &kBuiltIn[static_cast<std::size_t>(found - kScorings.begin())];
}

}  // namespace

std::string Scoring::name() const {
  const BuiltInScoring* const known = built_in(*this);
  return known == nullptr ? formula() : std::string(known->name);
}

std::string Scoring::summary() const {
  const BuiltInScoring* const known = built_in(*this);
  return known == nullptr ? formula() : std::string(known->summary);
}

std::string Scoring::formula() const {
  return formula_of(*this);
}

std::optional<Scoring> scoring_named(std::string_view name) {
  for (std::size_t i = 0; i < kScorings.size(); ++i)
    if (kBuiltIn[i].name == name) return kScorings[i];
  return std::nullopt;
}

}  // namespace chainshot::game
