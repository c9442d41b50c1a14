// A game of the small geometry in the registers of one thread: up to 15 columns, 16 rows and 7 colours. Word j holds
// row j in its lower and row j + 8 in its upper half, so most steps do two rows at once; between rows 7 and 8 lies a
// seam that gravity, links and the flood cross by steps of their own. The pad column (bit 15 of each half) stays empty,
// so that shifts by one never mix the halves.
#pragma once

#include "cuda/device_word.cuh"
#include "cuda/playout_arguments.hpp"
#include "game/rules.hpp"

namespace chainshot::cuda {

class SmallGame {
 public:
  static constexpr int kPlanes = 3;
  static constexpr int kBoardWords = kSmallBoardWords;
  static constexpr int kBoardCells = kSmallPlaneWords;  // words of planes, at the start of a board
  static constexpr int kCountBits = 8;                  // of a colour's count: a board has 240 cells

  // An empty board, on which nothing can be played.
  __device__ __forceinline__ SmallGame() {
#pragma unroll
    for (int j = 0; j < kWords; ++j) {
#pragma unroll
      for (int p = 0; p < kPlanes; ++p)
        cells_[j].plane[p] = {0};
      flood_[j] = {0};
    }
  }

  __device__ __forceinline__ void start(const std::uint32_t* board) {
    const uint4* quads = reinterpret_cast<const uint4*>(board);
    std::uint32_t words[kBoardCells];
#pragma unroll
    for (int i = 0; i < kBoardCells / 4; ++i) {
      const uint4 quad = quads[i];
      words[4 * i] = quad.x;
      words[4 * i + 1] = quad.y;
      words[4 * i + 2] = quad.z;
      words[4 * i + 3] = quad.w;
    }
#pragma unroll
    for (int j = 0; j < kWords; ++j) {
#pragma unroll
      for (int p = 0; p < kPlanes; ++p)
        cells_[j].plane[p] = {words[j * kPlanes + p]};
    }
  }

  __device__ __forceinline__ void store(std::uint32_t* board) const {
    uint4* quads = reinterpret_cast<uint4*>(board);
#pragma unroll
    for (int i = 0; i < kBoardCells / 4; ++i) {
      const auto word = [&](int k) { return cells_[(4 * i + k) / kPlanes].plane[(4 * i + k) % kPlanes].bits; };
      quads[i] = make_uint4(word(0), word(1), word(2), word(3));
    }
  }

  // One turn. `choose` is told whether a candidate is not tabu and returns whether there may be a move; `book` is told
  // the result of the pick: over, closed, accepted, size. The code has no branches, because in every turn some lane of
  // the warp would take each of them. A game that is over keeps finding no move.
  template <class Choose, class Book>
  __device__ __forceinline__ void turn(std::uint32_t random, Choose&& choose, Book&& book) {
    if (unsettled_ == 0) {
      const bool may_move = choose(link());
      const bool has_move = pick(random) && may_move;
      const bool closed = flood() && has_move;
      const bool accepted = is_accepted() && closed;
      floods_ = has_move && !closed ? ~0u : 0u;
      unsettled_ = accepted ? 1 : 0;
      book(!has_move, closed, accepted, group_size());
    }
    if (unsettled_ != 0) unsettled_ = settle();
  }

  // For the choice: draws from candidates of the tabu colour too.
  __device__ __forceinline__ void lift_tabu() {
#pragma unroll
    for (int j = 0; j < kWords; ++j)
      open_[j] = or_and(open_[j], found_[j], cells_[j].plane[2]);
  }

  // A bit for every code that has a candidate, code 1 first. Codes above `colors` are not on the board.
  __device__ __forceinline__ std::uint32_t codes_with_candidate(std::uint32_t colors) const {
    std::uint32_t codes = bit_if_candidate<1>() | bit_if_candidate<2>() | bit_if_candidate<3>() |
                          bit_if_candidate<4>() | bit_if_candidate<5>();
    if (colors > 5) codes |= bit_if_candidate<6>() | bit_if_candidate<7>();
    return codes;
  }

  // Leaves only candidates of one code.
  __device__ __forceinline__ void keep_code(std::uint32_t code) {
    Row wanted;
#pragma unroll
    for (int p = 0; p < kPlanes; ++p)
      wanted.plane[p] = sign({code << (31 - p)});
#pragma unroll
    for (int j = 0; j < kWords; ++j)
      open_[j] = and_not(found_[j], game::walls(cells_[j], wanted));
  }

 private:
  static constexpr int kWords = 8;
  using Row = game::Cells<Word, kPlanes>;

  // Walls and candidates. True if a candidate is not tabu.
  __device__ __forceinline__ bool link() {
    Row above_last;
#pragma unroll
    for (int p = 0; p < kPlanes; ++p)
      above_last.plane[p] = shr<16>(cells_[0].plane[p]);
#pragma unroll
    for (int j = 0; j < kWords; ++j)
      wall_above_[j] = game::walls(cells_[j], j + 1 < kWords ? cells_[j + 1] : above_last);
    // Row 0 stands on a wall, row 8 on row 7.
    Word below = shl<16>(wall_above_[kWords - 1]) | Word{0xFFFF};
#pragma unroll
    for (int j = 0; j < kWords; ++j) {
      const Row& row = cells_[j];
      const Word left = game::walls_on_left(row);
      wall_right_[j] = shr<1>(left);
      const Word found = game::candidates(left, wall_right_[j], below, wall_above_[j]);
      open_[j] = and_or(found, row.plane[0], row.plane[1]);
      found_[j] = found;
      below = wall_above_[j];
    }
    return any_of(open_) != 0;
  }

  // Draws a candidate; while its group is being flooded, the same one again. False if there is none.
  __device__ __forceinline__ bool pick(std::uint32_t random) {
    const auto in_two = [&](int j) { return popcount(open_[j]) + popcount(open_[j + 1]); };
    const Word in01 = in_two(0), in23 = in_two(2), in45 = in_two(4), in67 = in_two(6);
    const Word in0123 = in01 + in23, total = in0123 + in45 + in67;
    Word k = multiply_high({random}, total);
    // Halves of the words, then of what is left: `low` where the k-th candidate is in the lower half.
    const auto halve = [&](Word in_lower) {
      const Word beyond = k - in_lower;
      k = unsigned_min(k, beyond);
      return sign(beyond);
    };
    const Word low4 = halve(in0123);
    Word four[4];
#pragma unroll
    for (int j = 0; j < 4; ++j)
      four[j] = select(low4, open_[j], open_[j + 4]);
    const Word low2 = halve(select(low4, in01, in45));
    const Word two[2] = {select(low2, four[0], four[2]), select(low2, four[1], four[3])};
    const Word low1 = halve(popcount(two[0]));
    Word bits = select(low1, two[0], two[1]);
    bits = keep_half<0x0000FFFF>(bits, k);
    bits = keep_half<0x00FF00FF>(bits, k);
    bits = keep_half<0x0F0F0F0F>(bits, k);
    bits = keep_half<0x33333333>(bits, k);
    // One bit or two are left.
    const Word rest = bits & (bits - Word{1});
    const Word cell = Word::ternary<(kA & (kB ^ kC)) | (~kA & kC)>(sign(k - Word{1}), bits, rest);
    const Word in_low4 = cell & low4, in_high4 = and_not(cell, low4);
    const Word quarter[4] = {in_low4 & low2, and_not(in_low4, low2), in_high4 & low2, and_not(in_high4, low2)};
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      seed_[2 * i] = quarter[i] & low1;
      seed_[2 * i + 1] = and_not(quarter[i], low1);
    }
    const Word kept{floods_};
#pragma unroll
    for (int j = 0; j < kWords; ++j)
      flood_[j] = or_and(seed_[j], flood_[j], kept);
    return total.bits != 0;
  }

  // One pass up, one across the seam, one down. True if the group is closed.
  __device__ __forceinline__ bool flood() {
    Word cells = flood_[0];
#pragma unroll
    for (int j = 0; j < kWords; ++j) {
      if (j > 0) cells = or_and_not(flood_[j], cells, wall_above_[j - 1]);
      cells = game::step_left(game::fill_right(cells, wall_right_[j]), wall_right_[j]);
      flood_[j] = cells;
    }
    const Word raised = flood_[0] | shl<16>(and_not(cells, wall_above_[kWords - 1]));  // from row 7 to row 8
    Word grown = raised ^ flood_[0];
    flood_[0] = raised;
    cells = shr<16>(raised);
#pragma unroll
    for (int j = kWords - 1; j >= 0; --j) {
      const Word before = flood_[j];
      cells = game::step_left(or_and_not(before, cells, wall_above_[j]), wall_right_[j]);
      grown = or_xor(grown, cells, before);
      flood_[j] = cells;
    }
    return grown.bits == 0;
  }

  // Whether the picked cell is the last candidate of its group, which makes the draw uniform over groups. It is the
  // last one if the other candidates of the group, read as a number of 256 bits, are less than the picked cell.
  __device__ __forceinline__ bool is_accepted() const {
    std::uint32_t others[kWords];
#pragma unroll
    for (int j = 0; j < kWords; ++j)
      others[j] = Word::ternary<(kA & kB) ^ kC>(flood_[j], open_[j], seed_[j]).bits;
    std::uint32_t borrow;
    asm("{\n\t"
        ".reg .u32 t;\n\t"
        "sub.cc.u32 t, %1, %9;\n\t"
        "subc.cc.u32 t, %2, %10;\n\t"
        "subc.cc.u32 t, %3, %11;\n\t"
        "subc.cc.u32 t, %4, %12;\n\t"
        "subc.cc.u32 t, %5, %13;\n\t"
        "subc.cc.u32 t, %6, %14;\n\t"
        "subc.cc.u32 t, %7, %15;\n\t"
        "subc.cc.u32 t, %8, %16;\n\t"
        "subc.u32 %0, 0, 0;\n\t"
        "}"
        : "=r"(borrow)
        : "r"(seed_[0].bits), "r"(seed_[1].bits), "r"(seed_[2].bits), "r"(seed_[3].bits), "r"(seed_[4].bits),
          "r"(seed_[5].bits), "r"(seed_[6].bits), "r"(seed_[7].bits), "r"(others[0]), "r"(others[1]), "r"(others[2]),
          "r"(others[3]), "r"(others[4]), "r"(others[5]), "r"(others[6]), "r"(others[7]));
    return borrow == 0;
  }

  __device__ __forceinline__ std::uint32_t group_size() const {
    std::uint32_t size = 0;
#pragma unroll
    for (int j = 0; j < kWords; ++j)
      size += static_cast<std::uint32_t>(__popc(flood_[j].bits));
    return size;
  }

  // Drops rows by two and by one over the holes, which are the cells that were flooded; then closes one empty column.
  // Returns 0 if nothing is left to do.
  __device__ __forceinline__ std::uint32_t settle() {
    fall<2>();
    fall<1>();
    std::uint32_t rest = any_of(flood_);
    if (rest == 0 && gaps() != 0) {
      // Both halves, and their pad columns, in which nothing may move.
      const std::uint32_t before = game::columns_before_gap(game::occupied(cells_[0])).bits * 0x10001u + 0x80008000u;
#pragma unroll
      for (int j = 0; j < kWords; ++j) {
#pragma unroll
        for (int p = 0; p < kPlanes; ++p)
          cells_[j].plane[p] = shift_above(cells_[j].plane[p], {before});
      }
      rest = gaps();
    }
    return rest;
  }

  static __device__ __forceinline__ std::uint32_t any_of(const Word (&words)[kWords]) {
    return or3(or3(words[0], words[1], words[2]), or3(words[3], words[4], words[5]), words[6] | words[7]).bits;
  }

  // Only row 0 matters: no carry leaves the lower half, because its pad column is empty.
  __device__ __forceinline__ std::uint32_t gaps() const {
    const Word bottom = game::occupied(cells_[0]);
    return game::gaps(bottom).bits & 0xFFFF;  // as one lop3 it would crash ptxas 13.0
  }

  template <std::uint32_t Lower>
  static __device__ __forceinline__ Word keep_half(Word bits, Word& k) {
    const Word beyond = k - popcount(bits & Word{Lower});
    k = unsigned_min(k, beyond);
    return logic_with<kA & ~(kB ^ kC), Lower>(bits, sign(beyond));
  }

  template <int Code>
  __device__ __forceinline__ std::uint32_t bit_if_candidate() const {
    constexpr int kMatch = (Code & 1 ? kA : ~kA) & (Code & 2 ? kB : ~kB) & (Code & 4 ? kC : ~kC);
    Word found{0};
#pragma unroll
    for (int j = 0; j < kWords; ++j) {
      const Word match = Word::ternary<kMatch>(cells_[j].plane[0], cells_[j].plane[1], cells_[j].plane[2]);
      found = or_and(found, match, found_[j]);
    }
    return found.bits != 0 ? 1u << (Code - 1) : 0u;
  }

  // Drops everything above the lowest N adjacent holes of a column by N rows.
  template <int N>
  __device__ __forceinline__ void fall() {
    Row cells[kWords + N];  // with rows 8 to 7 + N, which follow the lower half
    Word hole[kWords + N];
#pragma unroll
    for (int j = 0; j < kWords; ++j) {
      cells[j] = cells_[j];
      hole[j] = flood_[j];
    }
#pragma unroll
    for (int i = 0; i < N; ++i) {
#pragma unroll
      for (int p = 0; p < kPlanes; ++p)
        cells[kWords + i].plane[p] = shr<16>(cells_[i].plane[p]);
      hole[kWords + i] = shr<16>(flood_[i]);
    }
    // A column that falls in row 7 falls in all rows above.
    Word falls = shl<16>(N == 1 ? Word{any_of(flood_)} : any_pair(hole));
#pragma unroll
    for (int j = 0; j < kWords; ++j) {
      falls = N == 1 ? falls | hole[j] : or_and(falls, hole[j], hole[j + N - 1]);
      cells_[j] = game::select(falls, cells[j + N], cells[j]);
      flood_[j] = select(falls, hole[j + N], hole[j]);
    }
  }
  // Holes with a hole above them.
  static __device__ __forceinline__ Word any_pair(const Word* hole) {
    Word any = hole[0] & hole[1];
#pragma unroll
    for (int j = 1; j < kWords; ++j)
      any = or_and(any, hole[j], hole[j + 1]);
    return any;
  }

  Row cells_[kWords];
  Word flood_[kWords];  // the group being found; in a game that settles, the holes
  Word wall_above_[kWords], wall_right_[kWords], found_[kWords], open_[kWords], seed_[kWords];
  std::uint32_t floods_ = 0;     // mask: the picked group is not closed yet
  std::uint32_t unsettled_ = 0;  // 0, or something is left to fall or to close
};

}  // namespace chainshot::cuda
