// The cells of boards as people write them, and the colours they stand for. A row is packed (`310..`), or its cells
// stand apart, with spaces, tabs or commas between them. All cells of a file together decide what they mean:
//
//   digits and A to E          colours 0 to 14, if the file has nothing else
//   letters, one beyond E      the letters of the file in alphabetical order are colours 0, 1, 2, ...
//   numbers, all up to 14      colours 0 to 14
//   other numbers              the numbers of the file in ascending order are colours 0, 1, 2, ...
//
// `.` and -1 are empty, and 0 is a colour. Small letters mean the same as capitals.
#pragma once

#include <array>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "game/parse_error.hpp"

namespace chainshot::game {

struct WrittenCell {
  std::string_view text;
  Place place;
};

// Splits a row, whose first character is at `place`, into cells.
void split_row(std::string_view row, Place place, std::string_view source, std::vector<WrittenCell>& cells);

// A decimal integer of any size without a plus sign.
bool is_integer(std::string_view text);

class CellColors {
 public:
  // Takes note of a cell of the file. Text that is no cell is left to color().
  void note(std::string_view cell);
  // Returns the colour of a cell, or kEmpty, once all cells of the file are noted.
  int color(const WrittenCell& cell, std::string_view source) const;

 private:
  struct Smaller {
    bool operator()(const std::string& a, const std::string& b) const;
  };

  bool has_numbers() const { return has_digits_ || !integers_.empty(); }
  int letter_color(const WrittenCell& cell, char letter, std::string_view source) const;
  int number_color(const WrittenCell& cell, std::string_view source) const;

  std::array<bool, 26> letters_ = {};
  bool has_letters_ = false;
  bool has_letters_beyond_e_ = false;
  std::array<bool, 10> digits_ = {};
  bool has_digits_ = false;
  std::set<std::string, Smaller> integers_;  // of more than one character
  bool has_integers_beyond_colors_ = false;
};

}  // namespace chainshot::game
