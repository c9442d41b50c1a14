// Numbers and lists of moves as people read them, the same in every command.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "game/position.hpp"

namespace chainshot::tools {

std::string grouped(std::uint64_t n);                               // 1,234,567
std::string counted(std::uint64_t n, std::string_view noun);        // 1 move, 2 moves
std::string magnitude(double x);                                    // three digits and a letter: 2.07 M, 11.2 k, 950
std::string plain_number(double x);                                 // 23, 39, 3.5: a decimal only below 10
inline constexpr std::size_t kWidestName = 15;                      // of a board in a table
std::string shortened(const std::string& name, std::size_t width);  // its beginning and its end: begi...end
// Words separated by blanks, broken into lines of at most `width` that start with `indent`.
std::string wrapped(const std::vector<std::string>& words, int width, std::string_view indent);
// The moves of a line as C,R.
std::string moves_text(const std::vector<game::Cell>& moves, int width, std::string_view indent);

}  // namespace chainshot::tools
