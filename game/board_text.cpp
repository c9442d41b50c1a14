#include "game/board_text.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "game/board_builder.hpp"
#include "game/located_json.hpp"

namespace chainshot::game {
namespace {

constexpr std::string_view kColorLetters = "0123456789ABCDE";
constexpr std::size_t kCodingameSize = 15;
constexpr std::string_view kCodingameName = "codingame";

struct StatedSize {
  std::size_t columns;
  std::size_t rows;
};

// Boards from lines of text: `board NAME` and rows, or only rows.
class TextBoards {
 public:
  TextBoards(std::string_view text, std::string_view source, std::string_view unnamed)
      : lines_(text, source), source_(source), unnamed_(unnamed) {}

  std::vector<NamedBoard> read() {
    while (lines_.next())
      read_line();
    close();
    if (boards_.empty()) lines_.fail("no board; expected a line `board NAME` and its rows");
    if (is_codingame()) return codingame_boards();
    take_size_lines();
    return finish_boards(boards_, source_, unnamed_);
  }

 private:
  void read_line() {
    const std::string_view word = lines_.word();
    if (word.empty()) {
      close();
    } else if (word == "board") {
      close();
      if (!boards_.empty() && !has_names_)
        lines_.fail("`board` after rows without a name; expected a name for every board or for none");
      begin_named();
    } else {
      if (!open_ && has_names_)
        lines_.fail(shown(word) + " outside a board; expected a line `board NAME` before its rows");
      if (!open_) boards_.push_back({{}, lines_.place(), {}});
      open_ = true;
      const auto start = static_cast<std::size_t>(word.data() - lines_.line().data());
      boards_.back().rows.push_back({lines_.place(), lines_.line().substr(start)});
    }
  }

  void begin_named() {
    const std::string_view name = lines_.word();
    if (name.empty()) lines_.fail("`board` without a name; expected `board NAME`");
    check_board_name(name, source_, lines_.place());
    boards_.push_back({std::string(name), lines_.place(), {}});
    open_ = has_names_ = true;
    if (!lines_.word().empty()) lines_.fail("more than a name after `board`; expected the end of the line");
  }

  void close() {
    if (open_ && boards_.back().rows.empty())
      lines_.fail("board " + boards_.back().name + " has no rows; expected its top row here");
    open_ = false;
  }

  const std::vector<WrittenCell>& cells_of_row(const WrittenRow& row) { return cells_of(row, source_, buffer_); }

  bool is_packed(const WrittenRow& row) const { return row.line.find_first_of(" \t,") == std::string_view::npos; }

  // CodinGame input is rows of 15 numbers apart. Every 15 rows are a board; blank lines do not matter. Fewer rows are
  // any board, but more that leave a remainder are likely a copy that lacks some.
  bool is_codingame() {
    std::size_t rows = 0;
    if (has_names_) return false;
    for (const WrittenBoard& board : boards_)
      for (const WrittenRow& row : board.rows) {
        const auto& cells = cells_of_row(row);
        if (cells.size() != kCodingameSize || is_packed(row)) return false;
        for (const WrittenCell& cell : cells)
          if (!is_integer(cell.text)) return false;
        ++rows;
      }
    if (rows > kCodingameSize && rows % kCodingameSize != 0)
      fail_at(source_, boards_.back().rows.back().place,
              numbered(rows, "row") +
                  " of 15 numbers; expected a multiple of 15 as CodinGame has them, or a first line with "
                  "their size or `board NAME`");
    return rows % kCodingameSize == 0;
  }

  std::vector<NamedBoard> codingame_boards() const {
    std::vector<WrittenBoard> boards;
    for (const WrittenBoard& board : boards_)
      for (const WrittenRow& row : board.rows) {
        if (boards.empty() || boards.back().rows.size() == kCodingameSize) boards.push_back({{}, row.place, {}});
        boards.back().rows.push_back(row);
      }
    return finish_boards(boards, source_, kCodingameName);
  }

  // Returns the size that a row may state: two numbers apart.
  std::optional<StatedSize> stated_size(const WrittenRow& row) {
    const auto& cells = cells_of_row(row);
    if (cells.size() != 2 || is_packed(row)) return std::nullopt;
    const auto columns = whole_number(cells[0].text), rows = whole_number(cells[1].text);
    if (!columns || !rows || *columns < 1 || *rows < 1) return std::nullopt;
    return StatedSize{static_cast<std::size_t>(*columns), static_cast<std::size_t>(*rows)};
  }

  // Returns the size if row `first` is one. Above rows of two cells apart it could be such a row itself: it is a size
  // only if the board has no name and exactly that many rows follow.
  std::optional<StatedSize> size_in(const WrittenBoard& board, std::size_t first) {
    const auto size = stated_size(board.rows[first]);
    if (!size) return std::nullopt;
    const WrittenRow& below = board.rows[first + 1];
    if (is_packed(below) || cells_of_row(below).size() != 2) return size;
    const bool fits = size->columns == 2 && size->rows == board.rows.size() - first - 1;
    return board.name.empty() && fits ? size : std::nullopt;
  }

  // Refuses a size with nothing below it. Numbers that are colours are a row.
  void check_is_no_size(const WrittenBoard& board) {
    if (!board.name.empty() || board.rows.size() != 1) return;
    const auto size = stated_size(board.rows[0]);
    if (!size || size->columns > std::size_t{kMaxColumns} || size->rows > std::size_t{kMaxRows}) return;
    if (std::max(size->columns, size->rows) >= std::size_t{kMaxColors})
      fail_at(source_, board.rows[0].place,
              "a size without a board; expected " + numbered(size->rows, "row") + " below it");
  }

  // Takes the size lines off the boards that begin with one. What follows the last row of such a board is the next one.
  void take_size_lines() {
    std::vector<WrittenBoard> boards;
    for (std::size_t i = 0; i < boards_.size(); ++i) {
      WrittenBoard& board = boards_[i];
      if (i + 1 < boards_.size() && joined_with_size(board, boards_[i + 1])) continue;
      std::size_t first = 0;  // the rows before it are in `boards`
      while (first + 1 < board.rows.size()) {
        const auto size = size_in(board, first);
        if (!size) break;
        boards.push_back(sized_board(board, first, *size));
        first += 1 + size->rows;
      }
      board.rows.erase(board.rows.begin(), board.rows.begin() + static_cast<std::ptrdiff_t>(first));
      check_is_no_size(board);
      if (!board.rows.empty()) boards.push_back(std::move(board));
    }
    boards_ = std::move(boards);
  }

  // Puts a size that stands above a blank line back on top of its board. Returns false if it is no size.
  bool joined_with_size(const WrittenBoard& size, WrittenBoard& board) {
    if (size.rows.size() != 1 || !size.name.empty()) return false;
    WrittenBoard joined = board;
    joined.rows.insert(joined.rows.begin(), size.rows[0]);
    if (!size_in(joined, 0)) return false;
    board = std::move(joined);
    return true;
  }

  // The board whose size line is row `first` of the rows of `all`.
  WrittenBoard sized_board(const WrittenBoard& all, std::size_t first, const StatedSize& size) {
    const std::size_t rows = std::min(size.rows, all.rows.size() - first - 1), end = first + 1 + rows;
    WrittenBoard board{all.name, all.rows[first].place, {}};
    if (!all.name.empty()) board.name_place = all.name_place;
    for (std::size_t row = first + 1; row < end; ++row) {
      if (const std::size_t width = cells_of_row(all.rows[row]).size(); width != size.columns)
        fail_at(source_, all.rows[row].place,
                "a row of " + numbered(width, "column") + "; expected " + std::to_string(size.columns) +
                    " as the first line of the board says");
      board.rows.push_back(all.rows[row]);
    }
    if (rows < size.rows)
      fail_at(source_, all.rows.back().place,
              "the board ends after " + numbered(rows, "row") + "; expected " + std::to_string(size.rows) +
                  " as its first line says");
    if (!all.name.empty() && end < all.rows.size())
      fail_at(source_, all.rows[end].place,
              "board " + all.name + " goes on; expected " + numbered(size.rows, "row") + " as its first line says");
    return board;
  }

  LineReader lines_;
  std::string_view source_;
  std::string_view unnamed_;
  std::vector<WrittenBoard> boards_;
  std::vector<WrittenCell> buffer_;
  bool open_ = false;  // rows belong to the last board
  bool has_names_ = false;
};

}  // namespace

std::vector<NamedBoard> parse_boards(std::string_view text, std::string_view source, std::string_view unnamed) {
  if (is_bgf(text)) return parse_bgf_board(text, source, unnamed);
  text = without_byte_order_mark(text);
  if (is_json(text)) return parse_json_boards(text, source, unnamed);
  return TextBoards(text, source, unnamed).read();
}

std::string board_name_of(std::string_view stem) {
  std::string name(stem);
  for (char& c : name)
    if (!is_board_name_character(c)) c = '_';
  return name.empty() ? std::string(kUnnamedBoard) : name;
}

std::string to_text(const NamedBoard& board) {
  std::string text = "board " + board.name + '\n';
  for (const std::string& row : letter_rows(board.position))
    text += row + '\n';
  return text;
}

std::string to_codingame(const Position& position) {
  std::string text;
  for (int r = position.rows() - 1; r >= 0; --r)
    for (int c = 0; c < position.columns(); ++c)
      text += std::to_string(position.color_at(c, r)) + (c + 1 < position.columns() ? ' ' : '\n');
  return text;
}

nlohmann::ordered_json to_json(const NamedBoard& board) {
  return {{"name", board.name},
          {"columns", board.position.columns()},
          {"rows", board.position.rows()},
          {"cells", letter_rows(board.position)}};
}

char color_letter(int color) {
  return color == kEmpty ? '.' : kColorLetters[static_cast<std::size_t>(color)];
}

std::vector<std::string> letter_rows(const Position& position) {
  std::vector<std::string> rows;
  for (int r = position.rows() - 1; r >= 0; --r) {
    std::string& row = rows.emplace_back();
    for (int c = 0; c < position.columns(); ++c)
      row += color_letter(position.color_at(c, r));
  }
  return rows;
}

}  // namespace chainshot::game
