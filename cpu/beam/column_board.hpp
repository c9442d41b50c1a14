// A board as a beam holds it: a vector per plane of the colour code, a lane per column, a bit per row. The last lane
// stays empty. Included by files that are compiled with flags of their own, so everything is in an unnamed namespace.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

#include "game/beam_step.hpp"
#include "game/geometry.hpp"
#include "game/position.hpp"
#include "game/random.hpp"

namespace chainshot::cpu {
namespace {

template <class Geometry>
struct ColumnBoard {
  static constexpr int kPlanes = Geometry::kPlanes;
  static constexpr int kLanes = Geometry::kColumns + 1;
  using Lane = typename Geometry::Row;
  static_assert(Geometry::kRows == 8 * sizeof(Lane));
  typedef Lane Columns __attribute__((vector_size(kLanes * sizeof(Lane))));
  static constexpr std::size_t kWords = sizeof(Columns) / sizeof(std::uint64_t);
  using Words = std::array<std::uint64_t, kWords>;

  Columns plane[kPlanes];

  template <std::size_t... I>
  static CHAINSHOT_HD Columns from_right(const Columns& a, std::index_sequence<I...>) {
    return __builtin_shufflevector(a, Columns{}, (I + 1)...);
  }
  template <std::size_t... I>
  static CHAINSHOT_HD Columns from_left(const Columns& a, std::index_sequence<I...>) {
    return __builtin_shufflevector(a, Columns{}, (I == 0 ? kLanes : I - 1)...);
  }
  // Each column gets what its right or left neighbour has.
  static CHAINSHOT_HD Columns right(const Columns& a) { return from_right(a, std::make_index_sequence<kLanes>{}); }
  static CHAINSHOT_HD Columns left(const Columns& a) { return from_left(a, std::make_index_sequence<kLanes>{}); }

  static CHAINSHOT_HD bool any(const Columns& a) {
    const Words words = __builtin_bit_cast(Words, a);
    std::uint64_t all = 0;
    for (const std::uint64_t word : words)
      all |= word;
    return all != 0;
  }

  // Bits per lane. Clang knows this idiom and uses an instruction where there is one.
  static CHAINSHOT_HD Columns popcount(Columns a) {
    constexpr Lane kOnes = static_cast<Lane>(0x5555555555555555), kPairs = static_cast<Lane>(0x3333333333333333),
                   kNibbles = static_cast<Lane>(0x0F0F0F0F0F0F0F0F), kBytes = static_cast<Lane>(0x0101010101010101);
    a = a - ((a >> 1) & kOnes);
    a = (a & kPairs) + ((a >> 2) & kPairs);
    a = (a + (a >> 4)) & kNibbles;
    return (a * kBytes) >> (8 * sizeof(Lane) - 8);
  }

  // The sum of all lanes, modulo the size of a lane.
  static CHAINSHOT_HD Lane sum(const Columns& a) {
    constexpr std::uint64_t kOneInEachLane = ~std::uint64_t{0} / std::numeric_limits<Lane>::max();
    const Words words = __builtin_bit_cast(Words, a);
    std::uint64_t sums = 0;  // lanes of a word; the highest one collects them all
    for (const std::uint64_t word : words)
      sums += word;
    return static_cast<Lane>(sums * kOneInEachLane >> (64 - 8 * sizeof(Lane)));
  }

  CHAINSHOT_HD Columns occupied() const {
    Columns all = plane[0];
    for (int p = 1; p < kPlanes; ++p)
      all |= plane[p];
    return all;
  }

  CHAINSHOT_HD Columns of_color(int color) const {
    const unsigned code = static_cast<unsigned>(color) + 1;
    Columns cells = (code & 1) != 0 ? plane[0] : ~plane[0];
    for (int p = 1; p < kPlanes; ++p)
      cells &= (code >> p & 1) != 0 ? plane[p] : ~plane[p];
    return cells;
  }

  // Removes cells; blocks above them fall. The lowest cell of every column goes first.
  CHAINSHOT_HD void drop(Columns cells) {
    do {
      const Columns below = (cells & -cells) - 1;
      for (int p = 0; p < kPlanes; ++p)
        plane[p] = (plane[p] & below) | ((plane[p] >> 1) & ~below);
      cells = (cells & (cells - 1)) >> 1;
    } while (any(cells));
  }

  // Moves columns to the left over empty ones.
  void close() {
    Lane columns[kPlanes][kLanes];
    std::memcpy(columns, plane, sizeof columns);
    int next = 0;
    for (int c = 0; c < kLanes; ++c) {
      Lane any_block = 0;
      for (int p = 0; p < kPlanes; ++p)
        any_block = static_cast<Lane>(any_block | columns[p][c]);
      for (int p = 0; p < kPlanes; ++p)
        columns[p][next] = columns[p][c];
      next += any_block != 0 ? 1 : 0;
    }
    for (int p = 0; p < kPlanes; ++p)
      for (int c = next; c < kLanes; ++c)
        columns[p][c] = 0;
    std::memcpy(plane, columns, sizeof columns);
  }

  std::uint64_t hash() const {
    std::uint64_t total = 0;
    for (int p = 0; p < kPlanes; ++p) {
      const Words words = __builtin_bit_cast(Words, plane[p]);
      for (std::size_t i = 0; i < kWords; ++i)
        total += game::mix64(words[i] + game::kBeamHashStep * (static_cast<std::uint64_t>(p) * kWords + i + 1));
    }
    return game::mix64(total);
  }

  static ColumnBoard from(const game::Position& position) {
    Lane columns[kPlanes][kLanes] = {};
    for (int c = 0; c < position.columns(); ++c)
      for (int r = 0; r < position.rows(); ++r)
        for (int p = 0; p < kPlanes; ++p)
          columns[p][c] = static_cast<Lane>(columns[p][c] |
                                            static_cast<std::uint64_t>((position.color_at(c, r) + 1) >> p & 1) << r);
    ColumnBoard board;
    std::memcpy(board.plane, columns, sizeof columns);
    return board;
  }
};

}  // namespace
}  // namespace chainshot::cpu
