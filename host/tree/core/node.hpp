// The records a tree is made of. A Node is one position that was visited, and fills a cache line. A MoveBlock holds all
// moves of a position; the tree makes it at the second visit. One cache line per eight moves holds what the selection
// reads, another one what a walk needs of the move it takes; the bounds and the packed position follow.
// Points are local: they count from the node's own position and do not depend on the path that leads to it.
//
// A node takes 64 bytes. A block takes 20 bytes per move (rounded up to eight moves) and the packed board: 576 bytes
// for the 21 moves and the 90 bytes of board of the standard game.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "game/position.hpp"
#include "host/tree/memory/node_pool.hpp"

namespace chainshot::host {

struct Node {
  static constexpr std::int32_t kNothing = std::numeric_limits<std::int32_t>::min() / 4;  // `best` before any playout
  static constexpr int kMoveBits = 10;
  static_assert(game::kMaxCells / 2 < 1 << kMoveBits);

  std::int64_t sum = 0;
  double squares = 0;             // exact up to 2^53; a night on a device outgrows 64-bit integers
  std::uint64_t visits : 48 = 0;  // playouts; a night on a device outgrows 32 bits
  std::uint8_t tabu = 0;          // the colour that the playout policy keeps for last
  bool has_end_below : 1 = false;
  bool has_cut_edge_below : 1 = false;  // some move below leads to a position whose node hangs elsewhere
  bool is_end : 1 = false;
  // Nothing is left to visit below: the node is closed, or every move is solved, cut or ruled out ("completely solved"
  // in Klein 2015, 5.1). Tracked only where moves may be left out; elsewhere it means the same as closed.
  bool is_solved : 1 = false;
  bool has_own_c : 1 = false;                // `c` has grown here, so that it no longer cools with the others
  std::uint32_t virtual_visits = 0;          // walks in flight through the node
  std::int32_t best = kNothing;              // the lower bound: the best line seen from here
  std::int32_t upper = 0;                    // the upper bound: no line from here earns more
  Link move_block = 0;                       // 0 while the node is a leaf
  Link parent = 0;                           // 0 for the root
  std::int32_t gain = 0;                     // points of the move that leads here
  float c = 0;                               // exploration factor (node_exploration.hpp)
  std::uint32_t touched = 0;                 // number of the last walk through here, its lowest 32 bits
  std::uint32_t hash = 0;                    // of the position, where the tree looks for duplicates
  std::uint32_t move_index : kMoveBits = 0;  // of the move that leads here, in the parent's block
  std::uint32_t move_count : kMoveBits = 0;
  std::uint32_t opened : kMoveBits = 0;  // moves before this index have a node or are ruled out

  // No line below beats the best one seen.
  bool is_closed() const { return upper <= best; }
};
static_assert(sizeof(Node) == kUnitBytes);

struct Move {
  game::Cell cell;
  std::uint16_t size : 12 = 0;
  std::uint16_t color : 4 = 0;
};
static_assert(sizeof(Move) == 4);

// Values of moves that must not be chosen, and of moves that are chosen before all others.
inline constexpr float kNever = -std::numeric_limits<float>::infinity();
inline constexpr float kAlways = std::numeric_limits<float>::infinity();

// The selection reads this of eight moves. The score of a move is value + exploration * width.
struct alignas(kUnitBytes) SelectionTerms {
  std::array<float, 8> value;
  std::array<float, 8> width;
};

// Where eight moves lead.
struct alignas(kUnitBytes) MoveTargets {
  std::array<Link, 8> node;
  std::array<Move, 8> move;
};
static_assert(sizeof(SelectionTerms) == kUnitBytes && sizeof(MoveTargets) == kUnitBytes);

// A view of the arrays in the memory of a block; like a pointer it gives write access even when it is const.
class MoveBlock {
 public:
  MoveBlock(std::byte* at, int moves) : at_(at), lines_((moves + 7) / 8) {}

  static constexpr std::size_t units(int moves, std::size_t board_bytes) {
    const std::size_t lines = static_cast<std::size_t>((moves + 7) / 8);
    return (lines * kLineBytes + board_bytes + kUnitBytes - 1) / kUnitBytes;
  }

  int lines() const { return lines_; }  // of eight moves
  SelectionTerms* terms() const { return reinterpret_cast<SelectionTerms*>(at_); }
  float& value(int i) const { return terms()[i / 8].value[static_cast<std::size_t>(i % 8)]; }
  float& width(int i) const { return terms()[i / 8].width[static_cast<std::size_t>(i % 8)]; }
  MoveTargets* targets() const { return reinterpret_cast<MoveTargets*>(terms() + lines_); }
  Link& node(int i) const { return targets()[i / 8].node[static_cast<std::size_t>(i % 8)]; }
  Move& move(int i) const { return targets()[i / 8].move[static_cast<std::size_t>(i % 8)]; }
  // Upper bounds, counted from the parent's position: the move's points and the bound of the position it leads to.
  std::int32_t* bound() const { return reinterpret_cast<std::int32_t*>(targets() + lines_); }
  std::byte* board() const { return at_ + lines_ * kLineBytes; }

 private:
  static constexpr std::size_t kLineBytes = sizeof(SelectionTerms) + sizeof(MoveTargets) + 8 * sizeof(std::int32_t);
  static_assert(kLineBytes == 8 * 20);

  std::byte* at_;
  int lines_;
};

// The widest board has a group for every two cells, and four planes.
static_assert(MoveBlock::units(game::kMaxCells / 2, sizeof(std::uint32_t) * game::kMaxPlanes * game::kMaxRows) <=
              NodeArena::kLargestUnits);

}  // namespace chainshot::host
