// Fuzzes the short arguments of the command line: playout keys, cells, sizes and mistyped names. A key or cell that
// parses must read back as the same value when it is written.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "game/generate.hpp"
#include "game/random.hpp"
#include "game/solution_text.hpp"
#include "tools/options/suggest.hpp"

namespace {

using namespace chainshot;

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  if (const auto key = game::parse_playout_key(text)) require(game::parse_playout_key(to_string(*key)) == key);
  if (const auto cell = game::parse_cell(text))
    require(game::parse_cell(to_text(*cell, game::Notation::kColumnRow, game::kMaxRows)) == cell);
  if (const auto board = game::parse_board_size(text))
    require(board->columns >= 1 && board->columns <= game::kMaxColumns && board->rows >= 1 &&
            board->rows <= game::kMaxRows);
  const std::vector<std::string> names = {"standard", "standard-01", "tabu-random", "tabu-color-random"};
  const std::string closest = tools::closest_name(text, names);
  require(tools::unknown_name("name", text, names).find(closest) != std::string::npos);
  require(tools::edit_distance(text, text) == 0);
  require(tools::edit_distance(text, "board") == tools::edit_distance("board", text));
  return 0;
}
