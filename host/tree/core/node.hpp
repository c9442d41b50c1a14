// The records of a tree. A Node is made when a position is visited for the first time, and fills a cache line. A Block
// holds all moves of a position and is made when that is visited again: one line for every eight moves has what the
// selection reads, another one what a walk needs of the move it takes; then come the bounds, then the position itself.
// Points are local: counted from the node's own position, so that they do not depend on the way to it.
//
// Bytes: 64 a node, 20 a move (eight moves at a time), and the packed board a block; with the standard game's 21 moves
// and 90 bytes of board a block takes 576.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "game/position.hpp"
#include "host/tree/memory/node_pool.hpp"

namespace chainshot::host {

struct Node {
  static constexpr std::int32_t kNothing = std::numeric_limits<std::int32_t>::min() / 4;  // best of what was not played
  static constexpr int kMoveBits = 10;
  static_assert(game::kMaxCells / 2 < 1 << kMoveBits);

  std::int64_t sum = 0;
  double squares = 0;             // exact to 2^53; a night on a device has more than 64 bits of them
  std::uint64_t visits : 48 = 0;  // playouts: a night has more than 32 bits of them
  std::uint8_t tabu = 0;          // the colour the playout policy keeps for last
  bool has_end_below : 1 = false;
  bool has_cut_below : 1 = false;  // a move that leads to a node elsewhere
  bool is_end : 1 = false;
  // Nothing is left to visit below: closed, or every move is solved, cut or ruled out ('completely solved' in Klein
  // 2015, 5.1). Kept only where moves are left out; without that it is the same as closed.
  bool is_solved : 1 = false;
  std::uint32_t virtual_visits = 0;  // walks in flight through it
  std::int32_t best = kNothing;
  std::int32_t upper = 0;              // no line from here earns more
  Link block = 0;                      // its moves, or 0 while it is a leaf
  Link parent = 0;                     // its node
  std::int32_t gain = 0;               // points of the move that leads here
  float c = 0;                         // exploration factor, if each node has its own (Klein 2015, 6.9.2)
  std::uint32_t touched = 0;           // by which walk, the lowest bits of its number
  std::uint32_t hash = 0;              // of its position, where duplicates are looked for
  std::uint32_t slot : kMoveBits = 0;  // among the parent's moves
  std::uint32_t moves : kMoveBits = 0;
  std::uint32_t opened : kMoveBits = 0;  // moves before this one have a node or are ruled out

  // Nothing better is left to find below.
  bool is_closed() const { return upper <= best; }
};
static_assert(sizeof(Node) == kUnitBytes);

struct Move {
  game::Cell cell;
  std::uint16_t size : 12 = 0;
  std::uint16_t color : 4 = 0;
};
static_assert(sizeof(Move) == 4);

// Values of moves that are not chosen, and of those that are before all others.
inline constexpr float kNever = -std::numeric_limits<float>::infinity();
inline constexpr float kAlways = std::numeric_limits<float>::infinity();

// Factors of exploration grow with every end of a game that a tree reaches, and shrink with late urgency. Beyond these
// nothing else decides anyway, or no longer they; an infinite one would make scores that are no numbers, and one that
// has become 0 would never grow again.
inline constexpr float kMostExploration = 1e18F, kLeastExploration = 1e-18F;

// What the selection reads of eight moves. The score of a move is value + exploration * width.
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

// The arrays of a block of `moves` moves.
class Block {
 public:
  Block(std::byte* at, int moves) : at_(at), lines_((moves + 7) / 8) {}

  static constexpr std::size_t units(int moves, std::size_t board_bytes) {
    const std::size_t lines = static_cast<std::size_t>((moves + 7) / 8);
    return (lines * kLineBytes + board_bytes + kUnitBytes - 1) / kUnitBytes;
  }

  int lines() const { return lines_; }
  SelectionTerms* terms() const { return reinterpret_cast<SelectionTerms*>(at_); }
  float& value(int i) const { return terms()[i / 8].value[static_cast<std::size_t>(i % 8)]; }
  float& width(int i) const { return terms()[i / 8].width[static_cast<std::size_t>(i % 8)]; }
  MoveTargets* targets() const { return reinterpret_cast<MoveTargets*>(terms() + lines_); }
  Link& node(int i) const { return targets()[i / 8].node[static_cast<std::size_t>(i % 8)]; }
  Move& move(int i) const { return targets()[i / 8].move[static_cast<std::size_t>(i % 8)]; }
  // Counted from the parent's position: the move's points and the upper bound below it.
  std::int32_t* bound() const { return reinterpret_cast<std::int32_t*>(targets() + lines_); }
  std::byte* board() const { return at_ + lines_ * kLineBytes; }

 private:
  static constexpr std::size_t kLineBytes = sizeof(SelectionTerms) + sizeof(MoveTargets) + 8 * sizeof(std::int32_t);
  static_assert(kLineBytes == 8 * 20);

  std::byte* at_;
  int lines_;
};

// The widest board, with a group for every two cells and four planes.
static_assert(Block::units(game::kMaxCells / 2, sizeof(std::uint32_t) * game::kMaxPlanes * game::kMaxRows) <=
              NodeArena::kLargestUnits);

}  // namespace chainshot::host
