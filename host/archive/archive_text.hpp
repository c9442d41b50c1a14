// How cells, moves and lists stand in the tables of an archive. All of it stays as it is for ever, because files do.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "game/position.hpp"

namespace chainshot::host {

// Rows as in board files, the top row first, separated by '/'.
std::string cells_text(const game::Position& position);
// Returns nothing if the text is no settled board of that size.
std::optional<game::Position> position_of(std::string_view cells, std::int64_t columns, std::int64_t rows);

// `C,R C,R ...` as in solution files.
std::string moves_text(const std::vector<game::Cell>& moves);
std::optional<std::vector<game::Cell>> moves_of(std::string_view text);

// A JSON array of numbers: [1,2,3].
std::string ids_text(const std::vector<std::int64_t>& ids);
std::optional<std::vector<std::int64_t>> ids_of(std::string_view text);

// Now, as ISO 8601 in UTC with milliseconds.
std::string now_text();

// Board names are letters, digits and - _ . only.
bool is_board_name(std::string_view name);

}  // namespace chainshot::host
