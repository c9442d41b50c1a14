// Boards from JSON: objects with "cells" and perhaps a "name", or bare arrays of rows. A row is a string, or an array
// of cells: numbers of any size, letters in quotes, null for empty.
#include "game/board_builder.hpp"
#include "game/located_json.hpp"

namespace chainshot::game {
namespace {

// Strings start one character behind their quote.
class JsonBoards {
 public:
  JsonBoards(std::string_view text, std::string_view source, std::string_view unnamed)
      : text_(text), source_(source), unnamed_(unnamed), places_(text) {}

  std::vector<NamedBoard> read() {
    const LocatedJson root = parse_located_json(text_, source_);
    const LocatedJson* list = root.find("boards");
    add_all(list != nullptr ? *list : root);
    if (boards_.empty()) fail(root, "no board; expected an object with \"name\" and \"cells\"");
    const std::vector<NamedBoard> boards = finish_boards(boards_, source_, unnamed_);
    for (std::size_t i = 0; i < boards.size(); ++i) {
      check_size(objects_[i], "columns", boards[i].position.columns());
      check_size(objects_[i], "rows", boards[i].position.rows());
    }
    return boards;
  }

 private:
  using Kind = LocatedJson::Kind;

  [[noreturn]] void fail(const LocatedJson& value, std::string_view sentence) const {
    fail_at(source_, place_of(text_, value.offset), sentence);
  }

  // A list has objects, or arrays of arrays; everything else is one board.
  void add_all(const LocatedJson& value) {
    const auto is_board = [](const LocatedJson& item) {
      return item.kind == Kind::kObject ||
             (item.kind == Kind::kArray && !item.items.empty() && item.items.front().kind == Kind::kArray);
    };
    if (value.kind == Kind::kArray && (value.items.empty() || is_board(value.items.front()))) {
      for (const LocatedJson& item : value.items)
        add(item);
    } else {
      add(value);
    }
  }

  void add(const LocatedJson& value) {
    WrittenBoard board;
    board.name_place = places_.of(value.offset);
    const LocatedJson* cells = value.kind == Kind::kArray ? &value : value.find("cells");
    if (cells == nullptr) fail(value, "no board; expected an object with \"name\" and \"cells\"");
    if (const LocatedJson* name = value.find("name"); name != nullptr) {
      if (name->kind != Kind::kString || name->text.empty()) fail(*name, "expected a name in quotes");
      board.name = name->text;
      board.name_place = places_.of(name->offset + 1);
    }
    if (cells->kind != Kind::kArray || cells->items.empty())
      fail(*cells, "expected an array of rows, the top row first");
    for (const LocatedJson& row : cells->items)
      board.rows.push_back(row_of(row));
    boards_.push_back(std::move(board));
    objects_.push_back(&value);
  }

  WrittenRow row_of(const LocatedJson& row) {
    if (row.kind == Kind::kString) return row_of_text(row);
    if (row.kind != Kind::kArray) fail(row, "expected a row in quotes, or an array of cells");
    WrittenRow out{places_.of(row.offset), {}};
    for (const LocatedJson& cell : row.items)
      out.cells.push_back(cell_of(cell));
    return out;
  }

  WrittenRow row_of_text(const LocatedJson& row) {
    WrittenRow out{places_.of(row.offset + 1), row.text};
    const bool has_escapes = text_.substr(row.offset + 1, row.text.size()) != row.text;
    if (!has_escapes) return out;
    split_row(row.text, out.place, source_, out.cells);
    for (WrittenCell& cell : out.cells)
      cell.place = places_.of(row.offset_of(text_, static_cast<std::size_t>(cell.text.data() - row.text.data())));
    out.line = {};
    return out;
  }

  WrittenCell cell_of(const LocatedJson& cell) {
    if (cell.kind == Kind::kNull) return {".", places_.of(cell.offset)};
    if (cell.kind == Kind::kString) return cell_of_text(cell);
    if ((cell.kind != Kind::kInteger && cell.kind != Kind::kReal) || !is_integer(cell.text))
      fail(cell, "no cell; expected a whole number, a letter in quotes, or -1 or null for empty");
    return {cell.text, places_.of(cell.offset)};
  }

  WrittenCell cell_of_text(const LocatedJson& cell) {
    const Place place = places_.of(cell.offset + 1);
    if (cell.text.size() != 1 && cell.text != "-1")
      fail_at(source_, place, shown(cell.text) + " is no cell; expected one digit or letter, or '.' or '-1' for empty");
    return {cell.text, place};
  }

  void check_size(const LocatedJson* value, std::string_view key, int size) const {
    const LocatedJson* stated = value->find(key);
    if (stated != nullptr && (stated->kind != Kind::kInteger || stated->integer != size))
      fail(*stated,
           "the cells have " + std::to_string(size) + ' ' + std::string(key) + "; expected the same number here");
  }

  std::string_view text_;
  std::string_view source_;
  std::string_view unnamed_;
  PlaceFinder places_;
  std::vector<WrittenBoard> boards_;
  std::vector<const LocatedJson*> objects_;  // where each board was read
};

}  // namespace

std::vector<NamedBoard> parse_json_boards(std::string_view text, std::string_view source, std::string_view unnamed) {
  return JsonBoards(text, source, unnamed).read();
}

}  // namespace chainshot::game
