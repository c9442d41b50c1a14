// Expands one state of a beam: finds its groups, makes every child in registers, evaluates it, and hands the children
// that are good enough to a sink. The code is compiled for every instruction set, and gives the same children on each.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <tuple>

#include "cpu/isa.hpp"
#include "game/beam_step.hpp"

namespace chainshot::cpu {

inline constexpr std::int32_t kSeedEvaluation = std::numeric_limits<std::int32_t>::max();

// An open state without its board. Keys are ordered by evaluation, then by hash; parent and move settle what is left.
struct BeamKey {
  std::int32_t evaluation = 0;
  std::uint32_t parent = 0;
  std::uint64_t hash = 0;
  std::int32_t points = 0;
  game::Cell move = {};

  // Whether it comes before another one in the order of selection.
  bool operator<(const BeamKey& o) const {
    if (evaluation != o.evaluation) return evaluation > o.evaluation;
    return std::tuple(hash, parent, move.row, move.column) < std::tuple(o.hash, o.parent, o.move.row, o.move.column);
  }
};

// Takes the children of one thread.
class BeamSink {
 public:
  virtual ~BeamSink() = default;
  virtual void add(int blocks, const BeamKey& key, const std::byte* board) = 0;

  void finish(const game::BeamFinish& end) {
    const auto rank = [](const game::BeamFinish& f) {
      return std::tuple(-f.score, f.parent, f.move.row, f.move.column);
    };
    if (best.score == std::numeric_limits<int>::min() || rank(end) < rank(best)) best = end;
  }

  std::span<const std::int32_t> least = {};  // the least evaluation that is kept, by blocks left
  game::BeamFinish best = {};
  std::uint64_t children = 0;
};

// The tables and the kind of board, as a kernel wants them.
struct BeamRules {
  const game::BeamTables* tables = nullptr;
  int colors = 0;
};

struct BeamParent {
  const std::byte* board = nullptr;
  int points = 0;
  int blocks = 0;
  std::uint32_t id = 0;
};

// The functions of one kernel. A board is the planes of its columns, aligned to 32 bytes.
struct BeamKernel {
  std::size_t board_bytes;
  void (*expand)(const BeamRules& rules, const BeamParent& parent, BeamSink& sink);
  void (*pack)(const game::Position& position, std::byte* board);
  std::uint64_t (*hash)(const std::byte* board);
};

const BeamKernel& beam_kernel(const game::Position& root, Isa isa);

namespace portable {
extern const BeamKernel kSmallBeam, kWideBeam;
}
namespace avx2 {
extern const BeamKernel kSmallBeam, kWideBeam;
}
namespace avx512 {
extern const BeamKernel kSmallBeam, kWideBeam;
}

}  // namespace chainshot::cpu
