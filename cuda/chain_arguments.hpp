// The arguments of the kernels of annealing chains: the memory of the chains, and what a launch shall do.
#pragma once

#include <vector_types.h>

#include <cstddef>
#include <cstdint>

#include "game/chain.hpp"

namespace chainshot::cuda {

// Boards that the device anneals.
inline constexpr int kChainColumns = 15;
inline constexpr int kChainRows = 15;
inline constexpr int kChainColors = 7;

// A position is a bit for each block that is alive. Word j holds column j in its lower half and column j + 8 in its
// upper half, the lowest row first. A set of columns has the same form: column c is bit c, or bit c + 8 from column 8
// on. Packed, column c is bit c.
inline constexpr int kChainWords = 8;
inline constexpr int kChainPlanes = 3;

inline constexpr int kChainMoves = kChainColumns * kChainRows / 2;
inline constexpr int kChainRecords = 128;
// The positions of a line and of a change, and then spare ones: what repeated moves go on from, where no move led
// there.
inline constexpr int kChainSlots = 256;
inline constexpr int kFirstSpare = 2 * kChainMoves + 1;
// A byte for the number of moves, and a byte for each.
inline constexpr int kBestLineBytes = 128;

constexpr std::uint8_t chain_block(game::BlockId block) {
  return static_cast<std::uint8_t>(block.column % 8 << 5 | block.column / 8 << 4 | block.row);
}
constexpr game::BlockId block_of_chain(std::uint8_t block) {
  return {static_cast<std::uint8_t>((block >> 5) + (block >> 1 & 8)), static_cast<std::uint8_t>(block & 15)};
}

struct ChainState {
  std::int32_t moves;  // of the line
  std::int32_t free;   // slots on the list of free ones
  std::int32_t tabu;   // colour code, 0 is none
  std::int32_t given;  // a chain that has yet to begin plays so many given moves first; else -1
  std::uint32_t seed;
  std::uint32_t evaluation;  // the next one
  std::uint32_t todo;        // evaluations until the chain rests
  std::int32_t chain;        // its number
};

// A move of a line: x = columns it depends on | columns it touches << 16, both packed;
// y = slot of the position after it | block << 8 | points << 16. A block is word << 5 | bit.
using ChainRecord = uint2;

// A position in two words for each lane.
struct alignas(32) ChainPosition {
  uint2 of_lane[4];
};

// All that a chain needs to walk. Unsigned numbers of slots and moves make short addresses.
struct ChainMemory {
  ChainPosition position[kChainSlots];
  uint2 counts[kChainSlots];         // of the positions: blocks of each colour code, a byte each
  ChainRecord line[kChainRecords];   // the start first
  ChainRecord trial[kChainRecords];  // of a change; one of two forms, see chain_walk.cuh
  std::uint8_t free[kChainSlots];    // a list of slots
  std::uint8_t best_line[kBestLineBytes];
  ChainState state;
};

struct ChainArrays {
  ChainMemory* memory;
  std::int32_t* best_score;
};
inline constexpr std::size_t kChainBytes = sizeof(ChainMemory) + sizeof(std::int32_t);

// What points mean. Tables are by blocks left at the end of the game.
inline constexpr int kChainLeft = 256;
struct ChainTable {
  std::int32_t loss[game::AcceptanceTable::kDraws];
  std::int32_t bonus[game::AcceptanceTable::kSoft];  // at most, for all blocks, by colours of which one block is left
  std::int32_t end[kChainLeft];                      // bonus and deduction, without that by colour
  std::int32_t true_end[kChainLeft];                 // the same with the true bonus
  // Of a scoring without formulas in ChainPoints: points of a group by its size; the most that a colour can still add,
  // and what is deducted for it at the end, by its blocks left.
  std::int32_t group[kChainLeft], most_of_color[kChainLeft], left_of_color[kChainLeft];
};

// Points of groups that a record of a line holds.
inline constexpr int kMostChainPoints = (1 << 16) - 1;

// A group of n blocks scores (square n + linear) n + constant points, and no more if it is divided.
struct ChainPoints {
  std::int32_t square, linear, constant;
  std::int32_t per_color;  // 1 if (r - 2)^2 is deducted for the r blocks left of a colour
  bool by_table;           // none of that holds: ChainTable says
};

struct ChainTotals {
  unsigned long long begun, evaluations, accepted, moves, repeated, met, cut;
};

// The chains of a launch: those chosen, or the first `members` of each island.
struct ChainGroup {
  const std::int32_t* chosen;  // null, or the chains' numbers
  int chains;                  // in all
  int members, slots;          // of an island: living ones and places
};

struct ChainAdvance {
  ChainArrays arrays;
  ChainGroup group;
  const ChainTable* table;
  const std::uint32_t* board;  // [plane][word]
  ChainTotals* totals;
  ChainPoints points;
  int turns;
  int slots_end;  // of the spare ones
  bool fresh;     // chains shall make `evaluations`, instead of what they still have to do
  std::uint32_t evaluations;
};

// A chain to begin anew.
struct ChainBeginning {
  std::int32_t chain;
  std::int32_t tabu;  // colour code
  std::uint32_t seed;
  std::int32_t given;  // moves
  std::uint8_t blocks[kChainMoves];
};

struct ChainBeginnings {
  ChainArrays arrays;
  const ChainBeginning* beginnings;
  int count;
  uint2 counts;                // of the board
  const std::uint32_t* alive;  // of the board
  std::int32_t* chosen;
};

struct ChainResampling {
  ChainArrays arrays;
  const std::int32_t* fitness;  // [island][living slot]
  const std::uint32_t* weights;
  const std::uint64_t* draws;  // [island]
  std::int32_t* sources;       // [island][slot]: the copies that go elsewhere, and ...
  std::int32_t* targets;       // ... the slots that they go to
  std::int32_t* moving;        // [island]: how many
  int points_per_weight;
  int living, members, slots;
  int islands;
};

}  // namespace chainshot::cuda
