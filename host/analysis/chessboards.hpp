// Checks what Takes 2009, section 3, says about chessboards, board by board, by search. Rows count from the top there:
// (h, w) is the bottom right cell.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string_view>

#include "game/position.hpp"
#include "host/analysis/work_sharing.hpp"

namespace chainshot::host {

enum class ChessClaim : std::uint8_t {
  kCorner,     // theorem 1: a chessboard with cell (h, w) inverted is solvable if h, w >= 4
  kLowerHalf,  // section 3, without proof: one with any single cell of the lower half inverted is, if h, w >= 5
  kUpperHalf,  // theorem 2: one with any single cell of rows 1 to floor(h / 2) inverted is not, if h, w >= 5
  kHalfChess,  // theorem 3: no board is whose rows from ceil(h / 2) on are a chessboard, if h, w >= 5
};

struct NamedChessClaim {
  ChessClaim claim;
  std::string_view name;  // in JSON
  std::string_view text;
  int smallest;   // rows and columns
  bool solvable;  // what it says of its boards
};

inline constexpr std::array<NamedChessClaim, 4> kChessClaims = {{
    {ChessClaim::kCorner, "theorem-1", "the bottom right cell inverted: solvable", 4, true},
    {ChessClaim::kLowerHalf, "lower-half", "one cell of the lower half inverted: solvable", 5, true},
    {ChessClaim::kUpperHalf, "theorem-2", "one cell of the upper half inverted: not solvable", 5, false},
    {ChessClaim::kHalfChess, "theorem-3", "a chessboard below, anything above: not solvable", 5, false},
}};

struct ChessTask {
  NamedChessClaim claim = kChessClaims[0];
  int columns = 0;
  int rows = 0;
  std::uint64_t most_boards = 0;  // of theorem 3: all if there are at most so many, else so many random ones
  std::uint64_t nodes = 0;        // limit of each search
  std::uint64_t seed = 1;
  int threads = 1;
  std::stop_token stop = {};
  WorkWatcher watcher = {};
};

struct ChessResult {
  bool complete = false;  // false if it was stopped
  bool every = false;     // every board of the claim was searched, not a sample
  std::uint64_t boards = 0;
  std::uint64_t as_claimed = 0;
  std::uint64_t contrary = 0;
  std::uint64_t undecided = 0;  // the search reached its limit
  std::uint64_t nodes = 0;
  std::optional<game::Position> counterexample;  // the first one in the order of boards
};

// How many boards of a size a claim is about; nothing if there are 2^63 or more. 0 if the size is too small for it.
std::optional<std::uint64_t> boards_of_claim(const NamedChessClaim& claim, int columns, int rows);
// Board number `index` of a claim, below that number.
game::Position board_of_claim(ChessClaim claim, int columns, int rows, std::uint64_t index);

// Boards that are found solvable are replayed under the reference rules; throws std::logic_error if that fails.
ChessResult check_claim(const ChessTask& task);

}  // namespace chainshot::host
