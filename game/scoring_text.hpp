// Scorings as text: the name of a built-in one, or a formula of up to four parts in any order, separated by ;
//
//   points=(n-2)^2           points of a group of n blocks
//   left=n                   deducted at the end of the game for n blocks left in all
//   left-per-color=(n-2)^2   deducted for every colour of which n blocks are left
//   bonus=1000               added for a cleared board
//
// What is left out is 0. The first three are polynomials in n with whole coefficients, written with + - * ^ and
// parentheses; the * may be left out, as in 2n(n-1).
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "game/scoring.hpp"

namespace chainshot::game {

// A text that is no scoring: one sentence, and where in the text the mistake is.
class ScoringError : public std::runtime_error {
 public:
  ScoringError(std::size_t offset, const std::string& sentence) : std::runtime_error(sentence), offset_(offset) {}
  std::size_t offset() const { return offset_; }

 private:
  std::size_t offset_;
};

// Whether a text is meant as a formula and not as a name.
constexpr bool is_formula(std::string_view text) {
  return text.find('=') != std::string_view::npos;
}

// Returns the built-in scoring of that name, or the scoring of a formula. Throws ScoringError.
Scoring parse_scoring(std::string_view text);
// The same, but nothing for text that is no scoring: for files whose error is somebody else's sentence.
std::optional<Scoring> scoring_from_text(std::string_view text);

std::string formula_of(const Polynomial& polynomial);
std::string formula_of(const Scoring& scoring);

}  // namespace chainshot::game
