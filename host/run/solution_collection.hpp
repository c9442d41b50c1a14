// The text of a solution file, taken apart so that a better line can take the place of a worse one. Everything else,
// comments included, stays as it is to the byte.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "game/board_text.hpp"
#include "game/scoring.hpp"
#include "game/solution_text.hpp"

namespace chainshot::host {

// Formats a line for a solution file.
std::string saved_line(const game::NamedBoard& board, const game::Scoring& scoring, int score,
                       const std::vector<game::Cell>& moves);

class SolutionCollection {
 public:
  // Throws game::ParseError if the text is not one of solutions. A text without any words is an empty collection.
  // `source` names the file in errors and must outlive the collection.
  SolutionCollection(std::string_view text, std::string_view source);

  // Replays the lines of a board, of any scoring, by the reference rules; a line that names no scoring is of `scoring`.
  // Throws game::ParseError if a line is illegal or does not score what it claims, as on another board of that name.
  void expect_replays(const game::NamedBoard& board, const game::Scoring& scoring) const;

  // Adds a line, or puts it in the place of the best line of its board and scoring if it is better. Returns false and
  // changes nothing otherwise. Expects that the lines of this board replay.
  bool improve(const game::NamedBoard& board, const game::Scoring& scoring, int score,
               const std::vector<game::Cell>& moves);

  std::string text() const;

 private:
  struct Entry {
    game::Solution solution;
    std::string lines;  // from its first line to its last
    std::string after;  // blank lines and comments up to the next solution
  };

  // Returns the indices of the entries of a board.
  const std::vector<std::size_t>& entries_of(const std::string& board) const;

  std::string_view source_;
  std::string before_;  // blank lines and comments before the first solution
  std::vector<Entry> entries_;
  std::unordered_map<std::string, std::vector<std::size_t>> entries_of_;  // by the name of the board
};

}  // namespace chainshot::host
