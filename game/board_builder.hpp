// From the rows of boards as they are written to named, settled boards. All readers of boards end here.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "game/board_cells.hpp"
#include "game/board_text.hpp"
#include "game/parse_error.hpp"

namespace chainshot::game {

// A row is a line of text, or, if there is no line, cells that stand apart already.
struct WrittenRow {
  Place place;
  std::string_view line;
  std::vector<WrittenCell> cells = {};
};

struct WrittenBoard {
  std::string name;  // empty: the file's stem names the board
  Place name_place;
  std::vector<WrittenRow> rows;  // the top row first; at least one
};

// Splits the row into cells if need be; `buffer` is overwritten.
const std::vector<WrittenCell>& cells_of(const WrittenRow& row, std::string_view source,
                                         std::vector<WrittenCell>& buffer);

// Names, colours and checks the boards. Boards without a name are called `unnamed`, or `unnamed-1`, `unnamed-2`, ... by
// their place in the file if it has several. Throws ParseError.
std::vector<NamedBoard> finish_boards(const std::vector<WrittenBoard>& boards, std::string_view source,
                                      std::string_view unnamed);

// `1 row`, `2 rows`
std::string numbered(std::size_t n, std::string_view one);

// The readers of the formats; `unnamed` as above.
std::vector<NamedBoard> parse_json_boards(std::string_view text, std::string_view source, std::string_view unnamed);
std::vector<NamedBoard> parse_bgf_board(std::string_view bytes, std::string_view source, std::string_view unnamed);
bool is_bgf(std::string_view bytes);

}  // namespace chainshot::game
