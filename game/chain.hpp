// Annealing chains share this, whichever processor runs them: how a line of play is written down, and what a
// temperature means to a chain. A chain walks from line to line by small random changes and accepts each by Metropolis'
// rule. Only integers decide, so a chain does the same on every processor.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "game/position.hpp"
#include "game/scoring.hpp"

namespace chainshot::game {

// A block, named by where it stood at the start of the game. A line is a list of blocks: a move removes the group its
// block is in when its turn comes, so moves keep their meaning when others around them change.
struct BlockId {
  std::uint8_t column = 0;
  std::uint8_t row = 0;

  bool operator==(const BlockId&) const = default;
};

inline constexpr int kMostMembers = 1 << 16;  // of an island: resampling counts in 64 bits
inline constexpr int kMaxLine = kMaxCells / 2;

// The blocks that a line of cells plays; throws std::invalid_argument if a move is illegal.
std::vector<BlockId> blocks_of(const Position& board, std::span<const Cell> moves);
// The cells in which the blocks of a line are when their turns come; throws as blocks_of does.
std::vector<Cell> cells_of(const Position& board, std::span<const BlockId> blocks);

// A temperature as integers: which losses a chain accepts, and what a nearly cleared board is worth. The table is made
// once from logarithms; machines whose libraries agree on those decide alike.
struct AcceptanceTable {
  static constexpr int kDrawBits = 12;
  static constexpr int kDraws = 1 << kDrawBits;
  static constexpr int kSoft = 64;

  std::array<int, kDraws> loss;  // points a change may lose, for each draw
  std::array<int, kSoft> bonus;  // for so many blocks left at the end; 0 from kSoft on

  // The bonus for a cleared board is spread over `soft` blocks left: no chain crosses a cliff of 1000 points.
  AcceptanceTable(double temperature, double soft, const Scoring& scoring);
};

// What the lines of an island weigh on the way from one temperature to a lower one: exp((f - best) d(1/T)), as
// integers.
struct ResampleTable {
  static constexpr int kWeights = 4096;
  static constexpr int kWeightBits = 24;  // of the fittest line

  int points_per_weight = 1;
  std::array<std::uint32_t, kWeights> weights;

  ResampleTable(double from_temperature, double to_temperature);

  // Of a line so many points below the fittest of its island.
  std::uint32_t weight(int behind) const { return weights[std::min(behind / points_per_weight, kWeights - 1)]; }
};

// The slot whose line each of the first `members` slots of an island holds after resampling (systematic resampling).
// With S(i) the sum of the weights of the slots below i, S that of all, and u = floor(D S / 2^24) where D is the upper
// 24 bits of the draw, line i is copied floor((S(i + 1) members + u) / S) - floor((S(i) members + u) / S) times. A line
// that is copied stays in its own slot if that is below `members`; the other copies, by their sources in order, fill
// the other slots in order.
std::vector<int> resampled_slots(std::span<const int> fitness, const ResampleTable& table, int members,
                                 std::uint64_t draw);
std::uint64_t resampling_draw(std::uint64_t seed, int island);

// Counts the work of chains since they were made.
struct ChainCounts {
  std::uint64_t evaluations = 0;
  std::uint64_t accepted = 0;
  std::uint64_t moves = 0;     // played by a flood
  std::uint64_t repeated = 0;  // taken over from the old line, because the change had not reached them
  std::uint64_t met = 0;       // evaluations that ended in a position of the old line
  std::uint64_t cut = 0;       // evaluations given up because they could not reach what was asked of them

  ChainCounts& operator+=(const ChainCounts& other);
};

}  // namespace chainshot::game
