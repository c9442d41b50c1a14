#include "host/search/line_distance.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "game/random.hpp"

namespace chainshot::host {
namespace {

// A board whose blocks keep their identities while they fall: columns of blocks from the bottom, empty columns closed.
class BlockBoard {
 public:
  explicit BlockBoard(const game::Position& board) {
    std::uint64_t id = 0;
    for (int c = 0; c < board.columns(); ++c) {
      Column column;
      for (int r = 0; r < board.rows() && board.color_at(c, r) != game::kEmpty; ++r)
        column.push_back({++id, board.color_at(c, r), false});
      if (!column.empty()) columns_.push_back(std::move(column));
    }
  }

  // Removes the group around a cell and returns the hash of its blocks, whatever their order.
  std::uint64_t remove_group(game::Cell cell) {
    if (!has_block(cell.column, cell.row)) return 0;
    const std::uint64_t hash = mark(cell.column, cell.row, columns_[cell.column][cell.row].color);
    for (Column& column : columns_)
      std::erase_if(column, [](const Block& block) { return block.is_marked; });
    std::erase_if(columns_, [](const Column& column) { return column.empty(); });
    return game::mix64(hash);
  }

 private:
  struct Block {
    std::uint64_t id;
    int color;
    bool is_marked;  // to be removed
  };
  using Column = std::vector<Block>;

  bool has_block(std::size_t column, std::size_t row) const {
    return column < columns_.size() && row < columns_[column].size();
  }

  // Marks the blocks of one colour that are connected with a cell and returns the sum of their hashes.
  std::uint64_t mark(std::size_t column, std::size_t row, int color) {
    if (!has_block(column, row)) return 0;  // a neighbour left of the first column or below the first row wraps around
    Block& block = columns_[column][row];
    if (block.is_marked || block.color != color) return 0;
    block.is_marked = true;
    return game::mix64(block.id) + mark(column - 1, row, color) + mark(column + 1, row, color) +
           mark(column, row - 1, color) + mark(column, row + 1, color);
  }

  std::vector<Column> columns_;
};

}  // namespace

LineGroups groups_of_line(const game::Position& board, const std::vector<game::Cell>& moves) {
  BlockBoard blocks(board);
  LineGroups groups;
  for (const game::Cell move : moves)
    groups.push_back(blocks.remove_group(move));
  std::sort(groups.begin(), groups.end());
  return groups;
}

double line_distance(const LineGroups& a, const LineGroups& b) {
  const std::size_t larger = std::max(a.size(), b.size());
  if (larger == 0) return 0;
  LineGroups common;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
  return 1 - static_cast<double>(common.size()) / static_cast<double>(larger);
}

std::vector<std::size_t> choose_apart(const game::Position& board, const std::vector<ScoredLine>& lines,
                                      std::size_t most, double distance) {
  std::vector<std::size_t> order(lines.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return lines[a].score > lines[b].score; });
  std::vector<std::size_t> chosen;
  std::vector<LineGroups> groups_of_chosen;
  for (const std::size_t i : order) {
    if (chosen.size() == most) break;
    LineGroups groups = groups_of_line(board, lines[i].moves);
    const auto is_apart = [&](const LineGroups& other) { return line_distance(groups, other) >= distance; };
    if (!std::all_of(groups_of_chosen.begin(), groups_of_chosen.end(), is_apart)) continue;
    chosen.push_back(i);
    groups_of_chosen.push_back(std::move(groups));
  }
  return chosen;
}

}  // namespace chainshot::host
