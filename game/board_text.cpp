#include "game/board_text.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_set>

#include "game/located_json.hpp"

namespace chainshot::game {
namespace {

constexpr std::string_view kColorLetters = "0123456789ABCDE";
constexpr std::string_view kExpectedColor = " is no colour; expected a digit or letter 0-9, A-E, or '.' for empty";
constexpr int kCodingameSize = 15;

std::string numbered(int n, std::string_view one) {
  return std::to_string(n) + ' ' + std::string(one) + (n == 1 ? "" : "s");
}

// The rows of a board as they are read, top row first, with their places in the text. Only the last row tells how wide
// the others should have been.
class BoardBuilder {
 public:
  BoardBuilder(std::string name, std::string_view source) : name_(std::move(name)), source_(source) {}

  const std::string& name() const { return name_; }
  bool empty() const { return rows_.empty(); }
  int columns() const { return rows_.empty() ? 0 : static_cast<int>(rows_.front().colors.size()); }
  int rows() const { return static_cast<int>(rows_.size()); }

  // A row of letters; `place` is that of the first.
  void add_letters(std::string_view letters, Place place) {
    add_letters(letters, place, [place](std::size_t i) {
      return Place{place.line, place.column + static_cast<int>(i)};
    });
  }
  // `place_of(i)` is the place of letter i.
  template <class PlaceOf>
  void add_letters(std::string_view letters, Place first, PlaceOf place_of) {
    Row row;
    for (std::size_t i = 0; i < letters.size(); ++i) {
      const Place here = place_of(i);
      const char letter =
          letters[i] >= 'a' && letters[i] <= 'e' ? static_cast<char>(letters[i] - 'a' + 'A') : letters[i];
      const std::size_t color = kColorLetters.find(letter);
      if (color == std::string_view::npos && letters[i] != '.')
        fail_at(source_, here, shown(letters[i]) + std::string(kExpectedColor));
      row.colors.push_back(letters[i] == '.' ? kEmpty : static_cast<int>(color));
      row.places.push_back(here);
    }
    add(std::move(row), first);
  }

  void add_numbers(std::vector<int> colors, std::vector<Place> places) {
    const Place first = places.front();
    add({std::move(colors), std::move(places)}, first);
  }

  // The finished board; it must be settled.
  NamedBoard finish() const {
    NamedBoard board{name_, Position(columns(), rows())};
    for (int r = 0; r < rows(); ++r)
      for (int c = 0; c < columns(); ++c)
        board.position.set(c, r, color(c, r));
    check_settled();
    return board;
  }

 private:
  struct Row {
    std::vector<int> colors;
    std::vector<Place> places;
  };

  // Rows count from the bottom here.
  const Row& row(int r) const { return rows_[rows_.size() - 1 - static_cast<std::size_t>(r)]; }
  int color(int c, int r) const { return row(r).colors[static_cast<std::size_t>(c)]; }

  void add(Row row, Place start) {
    const int width = static_cast<int>(row.colors.size());
    if (width == 0) fail_at(source_, start, "an empty row; expected at least one column");
    if (width > kMaxColumns)
      fail_at(source_, row.places[kMaxColumns],
              "a row of " + numbered(width, "column") + "; expected at most " + std::to_string(kMaxColumns));
    if (!rows_.empty() && width != columns())
      fail_at(source_, width > columns() ? row.places[static_cast<std::size_t>(columns())] : start,
              "a row of " + numbered(width, "column") + "; expected " + std::to_string(columns()) +
                  " as in the first row of board " + name_);
    if (rows() == kMaxRows)
      fail_at(source_, start, "board " + name_ + " goes on; expected at most " + numbered(kMaxRows, "row"));
    rows_.push_back(std::move(row));
  }

  void check_settled() const {
    for (int r = 1; r < rows(); ++r)
      for (int c = 0; c < columns(); ++c)
        if (color(c, r) != kEmpty && color(c, r - 1) == kEmpty)
          fail_unsettled(c, r, "hangs in the air; expected a block below it");
    for (int c = 1; c < columns(); ++c)
      if (color(c, 0) != kEmpty && color(c - 1, 0) == kEmpty)
        fail_unsettled(c, 0, "stands right of an empty column; expected empty columns at the right only");
  }

  [[noreturn]] void fail_unsettled(int c, int r, std::string_view why) const {
    fail_at(source_, row(r).places[static_cast<std::size_t>(c)],
            "the block in column " + std::to_string(c) + ", row " + std::to_string(r) + " (from the bottom left, " +
                "counting from 0) " + std::string(why));
  }

  std::string name_;
  std::string_view source_;
  std::vector<Row> rows_;
};

// The boards of a text, each with a name of its own.
class BoardList {
 public:
  explicit BoardList(std::string_view source) : source_(source) {}

  void expect_new(std::string_view name, Place place) {
    check_board_name(name, source_, place);
    if (!names_.emplace(name).second)
      fail_at(source_, place, "a second board called " + shown(name) + "; expected a name of its own");
  }
  void add(const BoardBuilder& board) { boards_.push_back(board.finish()); }
  bool empty() const { return boards_.empty(); }
  std::vector<NamedBoard> take() { return std::move(boards_); }

 private:
  std::string_view source_;
  std::vector<NamedBoard> boards_;
  std::unordered_set<std::string> names_;
};

std::vector<NamedBoard> parse_text(std::string_view text, std::string_view source) {
  BoardList boards(source);
  std::optional<BoardBuilder> open;
  LineReader lines(text, source);
  const auto close = [&] {
    if (!open) return;
    if (open->empty()) lines.fail("board " + open->name() + " has no rows; expected its top row here");
    boards.add(*open);
    open.reset();
  };
  while (lines.next()) {
    const std::string_view word = lines.word();
    if (word.empty()) {
      close();
    } else if (word == "board") {
      close();
      const std::string name(lines.word());
      if (name.empty()) lines.fail("`board` without a name; expected `board NAME`");
      boards.expect_new(name, lines.place());
      open.emplace(name, source);
      if (!lines.word().empty()) lines.fail("more than a name after `board`; expected the end of the line");
    } else if (!open) {
      lines.fail(shown(word) + " outside a board; expected a line `board NAME` before its rows");
    } else {
      open->add_letters(word, lines.place());
      if (!lines.word().empty()) lines.fail("a space within a row; expected the end of the line");
    }
  }
  close();
  if (boards.empty()) lines.fail("no board; expected a line `board NAME` and its rows");
  return boards.take();
}

std::vector<NamedBoard> parse_codingame(std::string_view text, std::string_view source) {
  BoardBuilder board("codingame", source);
  LineReader lines(text, source, LineReader::Tabs::kAreBlanks);
  while (lines.next()) {
    if (lines.blank()) continue;
    std::vector<int> colors;
    std::vector<Place> places;
    for (std::string_view word = lines.word(); !word.empty(); word = lines.word()) {
      const std::optional<int> color = whole_number(word);
      if (!color || *color < kEmpty || *color >= kMaxColors)
        lines.fail(shown(word) + " is no colour; expected a number from 0 to 14, or -1 for empty");
      if (colors.size() == kCodingameSize) lines.fail("a 16th number in a row; expected 15 as in CodinGame input");
      colors.push_back(*color);
      places.push_back(lines.place());
    }
    if (colors.size() < kCodingameSize)
      lines.fail("a row of " + numbered(static_cast<int>(colors.size()), "number") +
                 "; expected 15 as in CodinGame input");
    if (board.rows() == kCodingameSize) lines.fail("a 16th row; expected 15 as in CodinGame input");
    board.add_numbers(std::move(colors), std::move(places));
  }
  if (board.rows() < kCodingameSize)
    lines.fail("the input ends after " + numbered(board.rows(), "row") + "; expected 15 as in CodinGame input");
  return {board.finish()};
}

// Boards from JSON. Strings start one character behind their quote.
class JsonBoards {
 public:
  JsonBoards(std::string_view text, std::string_view source)
      : text_(text), source_(source), places_(text), boards_(source) {}

  std::vector<NamedBoard> read() {
    const LocatedJson root = parse_located_json(text_, source_);
    const LocatedJson* list = root.find("boards");
    add_all(list != nullptr ? *list : root);
    if (boards_.empty()) fail(root, "no board; expected an object with \"name\" and \"cells\"");
    return boards_.take();
  }

 private:
  using Kind = LocatedJson::Kind;

  [[noreturn]] void fail(const LocatedJson& value, std::string_view sentence) const {
    fail_at(source_, place_of(text_, value.offset), sentence);
  }

  void add_all(const LocatedJson& value) {
    if (value.kind == Kind::kArray) {
      for (const LocatedJson& item : value.items)
        add(item);
    } else {
      add(value);
    }
  }

  void add(const LocatedJson& value) {
    const LocatedJson* name = value.find("name");
    const LocatedJson* cells = value.find("cells");
    if (name == nullptr || cells == nullptr) fail(value, "no board; expected an object with \"name\" and \"cells\"");
    if (name->kind != Kind::kString || name->text.empty()) fail(*name, "expected a name in quotes");
    if (cells->kind != Kind::kArray || cells->items.empty())
      fail(*cells, "expected an array of rows, the top row first");
    boards_.expect_new(name->text, places_.of(name->offset + 1));
    BoardBuilder board(name->text, source_);
    for (const LocatedJson& row : cells->items) {
      if (row.kind != Kind::kString) fail(row, "expected a row in quotes");
      board.add_letters(row.text, places_.of(row.offset + 1),
                        [&](std::size_t i) { return places_.of(row.offset_of(text_, i)); });
    }
    check_size(value, "columns", board.columns());
    check_size(value, "rows", board.rows());
    boards_.add(board);
  }

  void check_size(const LocatedJson& value, std::string_view key, int size) const {
    const LocatedJson* stated = value.find(key);
    if (stated != nullptr && (stated->kind != Kind::kInteger || stated->integer != size))
      fail(*stated,
           "the cells have " + std::to_string(size) + ' ' + std::string(key) + "; expected the same number here");
  }

  std::string_view text_;
  std::string_view source_;
  PlaceFinder places_;
  BoardList boards_;
};

// CodinGame input is the only format whose first line starts with a number and goes on after a blank.
bool is_codingame(std::string_view text, std::string_view source) {
  LineReader lines(text, source, LineReader::Tabs::kAreBlanks);
  while (lines.next()) {
    const std::string_view word = lines.word();
    if (!word.empty()) return whole_number(word) && !lines.word().empty();
  }
  return false;
}

}  // namespace

std::vector<NamedBoard> parse_boards(std::string_view text, std::string_view source) {
  text = without_byte_order_mark(text);
  if (is_json(text)) return JsonBoards(text, source).read();
  return is_codingame(text, source) ? parse_codingame(text, source) : parse_text(text, source);
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
