#include "host/archive/archive_text.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <chrono>

#include "game/board_text.hpp"
#include "game/random.hpp"
#include "game/solution_text.hpp"
#include "host/archive/archive.hpp"

namespace chainshot::host {
namespace {

// Returns the colour of a letter of a board file, kEmpty for '.', or nothing.
std::optional<int> color_of(char letter) {
  if (letter == '.') return game::kEmpty;
  for (int color = 0; color < game::kMaxColors; ++color)
    if (game::color_letter(color) == letter) return color;
  return std::nullopt;
}

std::uint64_t hash_of(std::string_view text, std::uint64_t seed) {
  std::uint64_t hash = game::mix64(seed);
  for (const char c : text)
    hash = game::mix64(hash ^ static_cast<unsigned char>(c));
  return hash;
}

}  // namespace

std::string cells_text(const game::Position& position) {
  return fmt::format("{}", fmt::join(game::letter_rows(position), "/"));
}

std::optional<game::Position> position_of(std::string_view cells, std::int64_t columns, std::int64_t rows) {
  if (columns < 1 || columns > game::kMaxColumns || rows < 1 || rows > game::kMaxRows) return std::nullopt;
  const auto width = static_cast<std::size_t>(columns) + 1;
  if (cells.size() + 1 != width * static_cast<std::size_t>(rows)) return std::nullopt;
  game::Position position(static_cast<int>(columns), static_cast<int>(rows));
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const int row = static_cast<int>(rows) - 1 - static_cast<int>(i / width), column = static_cast<int>(i % width);
    if (column == columns) {
      if (cells[i] != '/') return std::nullopt;
      continue;
    }
    const std::optional<int> color = color_of(cells[i]);
    if (!color) return std::nullopt;
    if (*color != game::kEmpty) position.set(column, row, *color);
  }
  return position.is_settled() ? std::optional(position) : std::nullopt;
}

std::string moves_text(const std::vector<game::Cell>& moves) {
  std::string text;
  for (const game::Cell& cell : moves)
    text += fmt::format("{}{},{}", text.empty() ? "" : " ", cell.column, cell.row);
  return text;
}

std::optional<std::vector<game::Cell>> moves_of(std::string_view text) {
  std::vector<game::Cell> moves;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::optional<game::Cell> cell = game::parse_cell(text.substr(0, end));
    if (!cell || end + 1 == text.size()) return std::nullopt;
    moves.push_back(*cell);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return moves;
}

std::string ids_text(const std::vector<std::int64_t>& ids) {
  return fmt::format("[{}]", fmt::join(ids, ","));
}

std::optional<std::vector<std::int64_t>> ids_of(std::string_view text) {
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return std::nullopt;
  std::vector<std::int64_t> ids;
  const char *at = text.data() + 1, *const end = text.data() + text.size() - 1;
  while (at != end) {
    if (!ids.empty() && *at++ != ',') return std::nullopt;
    const auto [next, error] = std::from_chars(at, end, ids.emplace_back());
    if (error != std::errc()) return std::nullopt;
    at = next;
  }
  return ids;
}

std::string now_text() {
  const auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const auto seconds = std::chrono::floor<std::chrono::seconds>(now);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(std::chrono::system_clock::to_time_t(seconds)),
                     (now - seconds).count());
}

bool is_board_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.';
  });
}

// Two 64-bit hashes of `COLUMNSxROWS CELLS` that start from different seeds; each byte is mixed in by mix64.
std::string board_hash(const game::Position& position) {
  const std::string text = fmt::format("{}x{} {}", position.columns(), position.rows(), cells_text(position));
  return fmt::format("{:016x}{:016x}", hash_of(text, 1), hash_of(text, 2));
}

}  // namespace chainshot::host
