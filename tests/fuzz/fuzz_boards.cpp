// The parser of boards either refuses a text and names the place, or reads settled boards that stay the same when they
// are written and read again.
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "game/board_text.hpp"

namespace {

using namespace chainshot::game;

void require(bool holds) {
  if (!holds) std::abort();
}

void check_same(const std::vector<NamedBoard>& read, const NamedBoard& written) {
  require(read.size() == 1 && read[0].name == written.name && read[0].position == written.position);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  try {
    const auto boards = parse_boards(text, "input");
    require(!boards.empty());
    for (const NamedBoard& board : boards) {
      require(board.position.is_settled());
      check_same(parse_boards(to_text(board), "text"), board);
      check_same(parse_boards(to_json(board).dump(), "json"), board);
    }
  } catch (const ParseError& error) {
    require(std::string_view(error.what()).starts_with("input:"));
  }
  return 0;
}
