// The parser of solutions either refuses a text and names the place, or reads solutions that stay the same when they
// are written and read again. The first byte of the input chooses the notation.
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "game/solution_text.hpp"

namespace {

using namespace chainshot::game;

constexpr int kRows = 15;

void require(bool holds) {
  if (!holds) std::abort();
}

void check_same(const std::vector<Solution>& read, const Solution& written) {
  require(read.size() == 1 && read[0].board == written.board && read[0].scoring == written.scoring &&
          read[0].score == written.score && read[0].moves == written.moves);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const Notation notation = bytes[0] == 'p'   ? Notation::kPaper
                            : bytes[0] == 'x' ? Notation::kCodingame
                                              : Notation::kColumnRow;
  const std::string_view text(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  try {
    const auto solutions = parse_solutions(text, "input", notation, kRows);
    require(!solutions.empty());
    for (const Solution& solution : solutions) {
      check_same(parse_solutions(to_text(solution, notation, kRows), "text", notation, kRows), solution);
      check_same(parse_solutions(to_json(solution).dump(), "json", Notation::kColumnRow, kRows), solution);
    }
  } catch (const ParseError& error) {
    require(std::string_view(error.what()).starts_with("input:"));
  }
  return 0;
}
