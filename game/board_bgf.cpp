// BGF, the binary files of the solver sgbust: the four bytes BGF2; one byte each for columns, rows and the size of the
// smallest group; then one byte for every cell, the top row first. 0 is empty, and n is colour n - 1.
#include <algorithm>
#include <iterator>

#include "game/board_builder.hpp"

namespace chainshot::game {
namespace {

constexpr std::string_view kMagic = "BGF2";
constexpr std::size_t kHead = kMagic.size() + 3;
constexpr int kSmallestGroup = 2;

// The file has no lines, so a place is line 1 and the number of the byte, counting from 1.
Place byte_place(std::size_t offset) {
  return {1, static_cast<int>(offset) + 1};
}

int checked_size(std::string_view bytes, std::size_t offset, std::string_view source, std::string_view what, int most) {
  const int size = static_cast<unsigned char>(bytes[offset]);
  if (size < 1 || size > most)
    fail_at(
        source, byte_place(offset),
        "a BGF board of " + numbered(static_cast<std::size_t>(size), what) + "; expected 1 to " + std::to_string(most));
  return size;
}

}  // namespace

bool is_bgf(std::string_view bytes) {
  return bytes.starts_with(kMagic);
}

std::vector<NamedBoard> parse_bgf_board(std::string_view bytes, std::string_view source, std::string_view unnamed) {
  if (bytes.size() < kHead)
    fail_at(source, byte_place(bytes.size()), "the BGF file ends in its head; expected columns, rows and a group size");
  const int columns = checked_size(bytes, kMagic.size(), source, "column", kMaxColumns);
  const int rows = checked_size(bytes, kMagic.size() + 1, source, "row", kMaxRows);
  if (const int group = static_cast<unsigned char>(bytes[kHead - 1]); group != kSmallestGroup)
    fail_at(source, byte_place(kHead - 1),
            "a BGF board whose smallest group has " + numbered(static_cast<std::size_t>(group), "block") +
                "; expected 2, the rule of SameGame");
  const std::size_t end = kHead + static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows);
  if (bytes.size() != end)
    fail_at(source, byte_place(std::min(bytes.size(), end)),
            "a BGF file of " + numbered(bytes.size(), "byte") + "; expected " + std::to_string(end) + " for " +
                std::to_string(columns) + 'x' + std::to_string(rows) + " cells");
  static constexpr std::string_view kCells[] = {".", "0", "1", "2",  "3",  "4",  "5",  "6",
                                                "7", "8", "9", "10", "11", "12", "13", "14"};
  WrittenBoard board{{}, byte_place(0), {}};
  for (std::size_t at = kHead; at < end; ++at) {
    const auto cell = static_cast<unsigned char>(bytes[at]);
    if (cell >= std::size(kCells))
      fail_at(source, byte_place(at), numbered(cell, "colour") + "; expected a cell from 0, empty, to 15");
    if ((at - kHead) % static_cast<std::size_t>(columns) == 0) board.rows.push_back({byte_place(at), {}});
    board.rows.back().cells.push_back({kCells[cell], byte_place(at)});
  }
  return finish_boards({board}, source, unnamed);
}

}  // namespace chainshot::game
