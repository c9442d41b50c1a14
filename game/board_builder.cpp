#include "game/board_builder.hpp"

#include <unordered_set>

namespace chainshot::game {
namespace {

// A board as its rows are read, with their places in the text. Rows count from the bottom once all are read.
class BoardBuilder {
 public:
  BoardBuilder(const std::string& name, std::string_view source) : name_(name), source_(source) {}

  // The first row tells how wide the others should be.
  void add(const std::vector<WrittenCell>& cells, Place start, const CellColors& colors) {
    Row row;
    for (const WrittenCell& cell : cells) {
      row.colors.push_back(colors.color(cell, source_));
      row.places.push_back(cell.place);
    }
    check_size(row, start);
    rows_.push_back(std::move(row));
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

  int columns() const { return rows_.empty() ? 0 : static_cast<int>(rows_.front().colors.size()); }
  int rows() const { return static_cast<int>(rows_.size()); }
  const Row& row(int r) const { return rows_[rows_.size() - 1 - static_cast<std::size_t>(r)]; }
  int color(int c, int r) const { return row(r).colors[static_cast<std::size_t>(c)]; }

  void check_size(const Row& row, Place start) const {
    const int width = static_cast<int>(row.colors.size());
    const std::string has = "a row of " + numbered(row.colors.size(), "column");
    if (width == 0) fail_at(source_, start, "an empty row; expected at least one column");
    if (width > kMaxColumns)
      fail_at(source_, row.places[kMaxColumns], has + "; expected at most " + std::to_string(kMaxColumns));
    if (!rows_.empty() && width != columns())
      fail_at(source_, width > columns() ? row.places[static_cast<std::size_t>(columns())] : start,
              has + "; expected " + std::to_string(columns()) + " as in the first row of board " + name_);
    if (rows() == kMaxRows)
      fail_at(source_, start, "board " + name_ + " goes on; expected at most " + numbered(kMaxRows, "row"));
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

  const std::string& name_;
  std::string_view source_;
  std::vector<Row> rows_;
};

std::string name_of(const std::vector<WrittenBoard>& boards, std::size_t i, std::string_view unnamed) {
  if (!boards[i].name.empty()) return boards[i].name;
  return std::string(unnamed) + (boards.size() == 1 ? "" : '-' + std::to_string(i + 1));
}

}  // namespace

const std::vector<WrittenCell>& cells_of(const WrittenRow& row, std::string_view source,
                                         std::vector<WrittenCell>& buffer) {
  if (row.line.empty()) return row.cells;
  split_row(row.line, row.place, source, buffer);
  return buffer;
}

std::vector<NamedBoard> finish_boards(const std::vector<WrittenBoard>& boards, std::string_view source,
                                      std::string_view unnamed) {
  std::vector<WrittenCell> buffer;
  CellColors colors;
  for (const WrittenBoard& board : boards)
    for (const WrittenRow& row : board.rows)
      for (const WrittenCell& cell : cells_of(row, source, buffer))
        colors.note(cell.text);
  std::vector<NamedBoard> finished;
  std::unordered_set<std::string> names;
  for (std::size_t i = 0; i < boards.size(); ++i) {
    const std::string name = name_of(boards, i, unnamed);
    check_board_name(name, source, boards[i].name_place);
    if (!names.insert(name).second)
      fail_at(source, boards[i].name_place, "a second board called " + shown(name) + "; expected a name of its own");
    BoardBuilder builder(name, source);
    for (const WrittenRow& row : boards[i].rows)
      builder.add(cells_of(row, source, buffer), row.place, colors);
    finished.push_back(builder.finish());
  }
  return finished;
}

std::string numbered(std::size_t n, std::string_view one) {
  return std::to_string(n) + ' ' + std::string(one) + (n == 1 ? "" : "s");
}

}  // namespace chainshot::game
