// The interface between beam search and the processor that expands its states. A step holds the open states in buckets
// by blocks left and expands one bucket per call, so a device can keep them in its memory. All arithmetic is on
// integers and every choice follows a total order (BeamKey), so each processor selects the same states to the bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "game/position.hpp"
#include "game/scoring.hpp"

namespace chainshot::game {

inline constexpr int kBeamScale = 256;  // units of an evaluation per point

// The hash of a state mixes each 64-bit word of its board with a multiple of this (cpu/beam/column_board.hpp).
inline constexpr std::uint64_t kBeamHashStep = 0xD1B54A32D192ED03u;

// The evaluation of a state, as tables of integers in units of 1 / kBeamScale points:
//   points + value[n][k] of every colour, by its n blocks and k components + the weighted features of the whole board.
// Components are counted as blocks - equal pairs + equal 2 x 2 squares, which is their number less the holes in them,
// and as 1 at least.
struct BeamTables {
  // Weights of features, for one number of blocks left. A block is isolated if none of its four neighbours is equal,
  // and lonely if none of the eight around it is. A run is a maximal row of columns that hold the colour.
  struct Weights {
    std::int32_t target_components = 0, other_components = 0;
    std::int32_t target_isolated = 0, other_isolated = 0;
    std::int32_t target_lonely = 0, other_lonely = 0;
    std::int32_t target_runs = 0, other_runs = 0;
    std::int32_t steps = 0;  // for each cell that is occupied where the cell to its right is not, or the reverse
    std::int32_t columns = 0;
  };

  Scoring scoring = kStandardScoring;
  int target = 0;                                                 // the colour kept for last
  int stride = 1;                                                 // 1 + the most blocks of a colour
  std::vector<std::int32_t> target_value = {}, other_value = {};  // [blocks * stride + components]
  std::vector<Weights> weights = {};                              // by blocks left on the board
};

// A state from outside: the first is the root, the others lie on a known line through it and are never dropped.
struct BeamSeed {
  Position position;
  int points = 0;
};

// The parent of a state: its number in the order of selection, or kBeamSeed + the number of the seed that it is.
inline constexpr std::uint32_t kBeamSeed = 0x80000000u;
inline constexpr std::uint64_t kMostBeamStates = kBeamSeed;  // of one beam

struct BeamPlan {
  std::vector<BeamSeed> seeds = {};
  BeamTables tables = {};
  int width = 1;                   // states of a bucket that are expanded
  std::uint64_t memory_bytes = 0;  // a cap for the step's memory; where it is short, the width shrinks
};

struct BeamSelected {
  std::uint32_t parent = 0;
  Cell move = {};  // from the parent to this state
};

// A game that ended.
struct BeamFinish {
  int score = std::numeric_limits<int>::min();
  std::uint32_t parent = 0;
  Cell move = {};
};

struct BeamLimit {
  int width = std::numeric_limits<int>::max();                         // from now on, if that is less than the plan's
  std::uint64_t states = std::numeric_limits<std::uint64_t>::max();    // to expand at most
  std::uint64_t children = std::numeric_limits<std::uint64_t>::max();  // to evaluate at most
  std::function<bool()> stopped = [] { return false; };                // asked from several threads
};

struct BeamExpansion {
  std::span<const BeamSelected> selected = {};  // best first; valid until the next call
  std::uint64_t expanded = 0;                   // states; fewer than selected if a limit came first
  std::uint64_t children = 0;                   // evaluated
  BeamFinish best = {};                         // of the games that ended here
  bool complete = true;                         // false: a limit or a stop came first, and the beam is over
};

// One child as the evaluation sees it.
struct BeamChild {
  Cell move = {};
  int size = 0;
  std::int32_t evaluation = 0;
  std::uint64_t hash = 0;
};

class BeamStep {
 public:
  virtual ~BeamStep() = default;

  // Forgets the beam before and opens the seeds of the plan.
  virtual void begin(const BeamPlan& plan) = 0;
  // The most blocks of an open state; 0 if no state is open.
  virtual int open_blocks() const = 0;
  // Selects the best states of the bucket with the most blocks and expands them. Of equal positions only the one with
  // the most points stays.
  virtual BeamExpansion expand(const BeamLimit& limit) = 0;
  // The children of a position under the tables of the plan, in no particular order, without those that end the game.
  virtual std::vector<BeamChild> children(const Position& position, int points) const = 0;

  virtual int width() const = 0;                                    // after shrinking
  virtual std::uint64_t memory_bytes() const = 0;                   // held now
  virtual std::uint64_t peak_memory() const = 0;                    // since `begin`
  virtual std::size_t state_bytes(const Position& root) const = 0;  // of an open state
};

}  // namespace chainshot::game
