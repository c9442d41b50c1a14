// The program that lanes run, and the source that feeds them games and takes results. Only plain types: the code behind
// run_lanes is compiled once for every instruction set and must not share inline functions with the rest.
#pragma once

#include <cstdint>

namespace chainshot::lanes {

// A game for a lane to play.
struct LaneGame {
  const std::uint32_t* cells = nullptr;         // colour codes: word [row * planes + plane], rows from the bottom
  const std::uint16_t* color_counts = nullptr;  // blocks of every colour; for the roulette wheel
  std::uint32_t blocks = 0;
  std::uint32_t playout = 0;
  std::uint64_t request = 0;
  void* owner = nullptr;  // handed back with the result
  std::uint32_t owner_index = 0;
};

struct LaneResult {
  std::uint32_t points = 0;  // of groups, modulo what a lane holds: 2^16, or 2^32 in the wide geometry
  std::uint32_t length = 0;
  std::uint32_t playout = 0;
  void* owner = nullptr;
  std::uint32_t owner_index = 0;
  int left_by_code[16] = {};  // [0] unused
};

class LaneSource {
 public:
  virtual bool take(LaneGame& game) = 0;  // false: no more games
  virtual void finish(const LaneResult& result) = 0;

 protected:
  ~LaneSource() = default;
};

// All lanes of a run share this.
struct LaneProgram {
  bool wide = false;
  int rows = 0;    // 15 or 16, or 32 in the wide geometry
  int planes = 3;  // 4 for more than seven colours, which are wide
  int colors = 0;  // roulette: colours the wheel goes through
  std::uint64_t seed = 0;
  bool tabu = false;
  std::uint32_t epsilon = 0;
  int random_below = 0;
  const std::uint32_t* roulette = nullptr;  // RouletteTable::data(), or none
  int degree = -1;                          // of the polynomial of a group's points; -1: groups earn none
  std::int32_t points[7] = {};              // its coefficients, of 1, n, n^2, ...
  int draws_per_pick = 1;                   // or 2, where something is decided before the group is drawn

  bool operator==(const LaneProgram&) const = default;
};

using RunLanes = void (*)(const LaneProgram& program, LaneSource& source);

}  // namespace chainshot::lanes
