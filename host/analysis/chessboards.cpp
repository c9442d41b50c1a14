#include "host/analysis/chessboards.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <stdexcept>
#include <vector>

#include "game/random.hpp"
#include "game/reference.hpp"
#include "game/scoring.hpp"
#include "host/analysis/clearing_search.hpp"

namespace chainshot::host {
namespace {

// Rows that the upper half has, from the top: 1 to floor(h / 2) in theorem 2, and in theorem 3 those above row
// ceil(h / 2).
int upper_rows(ChessClaim claim, int rows) {
  return claim == ChessClaim::kHalfChess ? (rows + 1) / 2 - 1 : rows / 2;
}

int chess_color(int column, int row) {
  return (column + row) % 2;
}

game::Position chessboard(int columns, int rows) {
  game::Position board(columns, rows);
  for (int c = 0; c < columns; ++c)
    for (int r = 0; r < rows; ++r)
      board.set(c, r, chess_color(c, r));
  return board;
}

// Counts the columns of 0 to `rows` blocks of two colours, which may stand on a column of theorem 3.
std::uint64_t tops_of_column(int rows) {
  return (std::uint64_t{2} << rows) - 1;
}

// Puts top number `top` on a column: the bits below the highest one of top + 1 are the colours from below.
void set_top(game::Position& board, int column, int first_row, std::uint64_t top) {
  const int blocks = std::bit_width(top + 1) - 1;
  for (int r = first_row; r < board.rows(); ++r)
    board.set(column, r, r - first_row < blocks ? static_cast<int>((top + 1) >> (r - first_row) & 1u) : game::kEmpty);
}

game::Position random_half_chess(int columns, int rows, std::uint64_t seed, std::uint64_t index) {
  game::Position board = chessboard(columns, rows);
  game::DrawSequence draws({.seed = seed, .request = index, .playout = 0});
  const int upper = upper_rows(ChessClaim::kHalfChess, rows);
  for (int c = 0; c < columns; ++c)
    set_top(board, c, rows - upper, game::scale_draw(draws.next(), static_cast<std::uint32_t>(tops_of_column(upper))));
  return board;
}

void expect_cleared(const game::Position& board, const std::vector<game::Cell>& moves) {
  if (!game::replay(board, moves, game::kStandardScoring).cleared)
    throw std::logic_error("the moves that were found do not clear the board under the reference rules");
}

struct ChessTally {
  std::unique_ptr<ClearingSearch> search;
  ChessResult found;
  std::uint64_t first_contrary = 0;

  void decide(const ChessTask& task, const game::Position& board, std::uint64_t index) {
    const ClearingAnswer answer = search->decide(board, {.nodes = task.nodes, .stop = task.stop});
    if (answer.clearable == Clearable::kUnknown && task.stop.stop_requested()) return;
    ++found.boards;
    found.nodes += answer.nodes;
    if (answer.clearable == Clearable::kYes) expect_cleared(board, answer.moves);
    if (answer.clearable == Clearable::kUnknown) {
      ++found.undecided;
    } else if ((answer.clearable == Clearable::kYes) == task.claim.solvable) {
      ++found.as_claimed;
    } else {
      ++found.contrary;
      if (found.counterexample && index > first_contrary) return;
      found.counterexample = board;
      first_contrary = index;
    }
  }
};

ChessResult sum_of(const std::vector<ChessTally>& tallies) {
  ChessResult sum;
  const ChessTally* first = nullptr;
  for (const ChessTally& tally : tallies) {
    sum.boards += tally.found.boards;
    sum.as_claimed += tally.found.as_claimed;
    sum.contrary += tally.found.contrary;
    sum.undecided += tally.found.undecided;
    sum.nodes += tally.found.nodes;
    if (tally.found.counterexample && (first == nullptr || tally.first_contrary < first->first_contrary))
      first = &tally;
  }
  if (first != nullptr) sum.counterexample = first->found.counterexample;
  return sum;
}

}  // namespace

std::optional<std::uint64_t> boards_of_claim(const NamedChessClaim& claim, int columns, int rows) {
  if (columns < claim.smallest || rows < claim.smallest) return 0;
  const auto cells = static_cast<std::uint64_t>(columns);
  const int upper = upper_rows(claim.claim, rows);
  if (claim.claim == ChessClaim::kCorner) return 1;
  if (claim.claim == ChessClaim::kLowerHalf) return cells * static_cast<std::uint64_t>(rows - upper);
  if (claim.claim == ChessClaim::kUpperHalf) return cells * static_cast<std::uint64_t>(upper);
  constexpr std::uint64_t kMost = std::uint64_t{1} << 63;
  std::uint64_t boards = 1;
  for (int c = 0; c < columns; ++c) {
    if (boards > (kMost - 1) / tops_of_column(upper)) return std::nullopt;
    boards *= tops_of_column(upper);
  }
  return boards;
}

game::Position board_of_claim(ChessClaim claim, int columns, int rows, std::uint64_t index) {
  game::Position board = chessboard(columns, rows);
  const int upper = upper_rows(claim, rows);
  if (claim == ChessClaim::kHalfChess) {
    for (int c = 0; c < columns; ++c, index /= tops_of_column(upper))
      set_top(board, c, rows - upper, index % tops_of_column(upper));
    return board;
  }
  const auto in_rows = static_cast<std::uint64_t>(columns);
  int column = static_cast<int>(index % in_rows), row = static_cast<int>(index / in_rows);
  if (claim == ChessClaim::kCorner) column = columns - 1;
  if (claim == ChessClaim::kUpperHalf) row += rows - upper;
  board.set(column, row, 1 - chess_color(column, row));
  return board;
}

ChessResult check_claim(const ChessTask& task) {
  const auto all = boards_of_claim(task.claim, task.columns, task.rows);
  const bool every = task.claim.claim != ChessClaim::kHalfChess || (all && *all <= task.most_boards);
  const std::uint64_t boards = every ? *all : task.most_boards;
  std::vector<ChessTally> tallies(static_cast<std::size_t>(std::max(task.threads, 1)));
  for (ChessTally& tally : tallies)
    tally.search = make_clearing_search(task.columns, task.rows, 2);
  share_items(task.threads, boards, task.stop, task.watcher, [&](int worker, std::uint64_t i) {
    const game::Position board = every ? board_of_claim(task.claim.claim, task.columns, task.rows, i)
                                       : random_half_chess(task.columns, task.rows, task.seed, i);
    tallies[static_cast<std::size_t>(worker)].decide(task, board, i);
  });
  ChessResult result = sum_of(tallies);
  result.every = every;
  result.complete = result.boards == boards;
  return result;
}

}  // namespace chainshot::host
