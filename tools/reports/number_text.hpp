// Formats numbers, names and lists of moves for people, in the same way in every command.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "game/position.hpp"
#include "game/solution_text.hpp"

namespace chainshot::tools {

std::string grouped(std::uint64_t n);                               // 1,234,567
std::string counted(std::uint64_t n, std::string_view noun);        // 1 move, 2 moves
std::string magnitude(double x);                                    // 2.07 M, 11.2 k, 950: three digits and a letter
std::string plain_number(double x);                                 // 23, 39, 3.5: one decimal below 10
inline constexpr std::size_t kWidestName = 15;                      // columns of a board's name in a table
std::string shortened(const std::string& name, std::size_t width);  // begi...end: keeps both ends
// The text without anything that a terminal would obey: control characters and bytes that are no UTF-8 become \x1B.
std::string printable_text(std::string_view text);
// Joins words by blanks into lines of at most `width` columns that start with `indent`.
std::string wrapped(const std::vector<std::string>& words, int width, std::string_view indent);
// Writes the moves of a board of so many rows, in lines as above.
std::string moves_text(const std::vector<game::Cell>& moves, int width, std::string_view indent,
                       game::Notation notation = game::Notation::kColumnRow, int rows = 0);

}  // namespace chainshot::tools
