// What block_board.hpp does with boards, for small boards in vectors: these overloads are chosen where there is AVX2.
#pragma once

#include "cpu/chain/block_board.hpp"

#if defined(__AVX2__)

namespace chainshot::cpu {
inline namespace CHAINSHOT_BLOCKS {

namespace small_columns {  // sixteen columns of sixteen rows in a register

using Small = BlockBoard<game::SmallGeometry>;

inline __m256i load(const Small::Cells& cells) {
  return _mm256_load_si256(reinterpret_cast<const __m256i*>(cells.data()));
}
inline void store(Small::Cells& cells, __m256i v) {
  _mm256_store_si256(reinterpret_cast<__m256i*>(cells.data()), v);
}
inline __m256i from_right(__m256i v) {  // what the column on the right holds
  return _mm256_alignr_epi8(_mm256_permute2x128_si256(v, v, 0x81), v, 2);
}
inline __m256i from_left(__m256i v) {
  return _mm256_alignr_epi8(v, _mm256_permute2x128_si256(v, v, 0x08), 14);
}
// All bits of the columns in a set.
inline __m256i columns_in(std::uint32_t set) {
#if defined(__AVX512VL__)
  return _mm256_movm_epi16(static_cast<__mmask16>(set));
#else
  const __m256i bit = _mm256_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, -32768);
  return _mm256_cmpeq_epi16(_mm256_and_si256(_mm256_set1_epi16(static_cast<short>(set)), bit), bit);
#endif
}
inline __m256i with_column(__m256i v, int column, std::uint32_t cells) {
#if defined(__AVX512VL__)
  return _mm256_mask_set1_epi16(v, static_cast<__mmask16>(1u << column), static_cast<short>(cells));
#else
  return _mm256_blendv_epi8(v, _mm256_set1_epi16(static_cast<short>(cells)), columns_in(1u << column));
#endif
}
inline std::uint32_t nonzero_columns(__m256i v) {
#if defined(__AVX512VL__)
  return _mm256_test_epi16_mask(v, v);
#else
  const auto zero = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi16(v, _mm256_setzero_si256())));
  return _pext_u32(~zero, 0x55555555u);
#endif
}

inline __m256i cells_of_code(const Small& board, int code) {
  const auto plane = [&](int p) {
    const __m256i unless = _mm256_set1_epi16(static_cast<short>(-(~code >> p & 1)));
    return _mm256_xor_si256(load(board.plane[p]), unless);
  };
  return _mm256_and_si256(plane(0), _mm256_and_si256(plane(1), plane(2)));
}

struct EqualCells {
  __m256i above, right, left;
};

}  // namespace small_columns

// A gap passes on sideways what reaches it.
inline std::uint32_t flood(const BlockBoard<game::SmallGeometry>& board, int column, int row, int code,
                           BlockBoard<game::SmallGeometry>::Cells& group) {
  using namespace small_columns;
  const __m256i cells = cells_of_code(board, code);
  const __m256i two = _mm256_and_si256(cells, _mm256_srli_epi16(cells, 1));
  const std::uint32_t gaps = inner_gaps(board);
  const __m256i sideways = gaps == 0 ? cells : _mm256_or_si256(cells, columns_in(gaps));
  __m256i found = _mm256_and_si256(_mm256_set1_epi16(static_cast<short>(1 << row)), columns_in(1u << column));
  __m256i more;
  const auto spread = [&] {
    found = _mm256_or_si256(found, _mm256_andnot_si256(_mm256_add_epi16(cells, found), cells));
    found = _mm256_or_si256(found, _mm256_and_si256(cells, _mm256_srli_epi16(found, 1)));
    found = _mm256_or_si256(found, _mm256_and_si256(two, _mm256_srli_epi16(found, 2)));
    const __m256i below = _mm256_and_si256(cells, _mm256_srli_epi16(found, 1));
    const __m256i beside = _mm256_and_si256(sideways, _mm256_or_si256(from_left(found), from_right(found)));
    more = _mm256_or_si256(below, beside);
  };
  spread();
  found = _mm256_or_si256(found, more);
  for (spread(); _mm256_testc_si256(found, more) == 0; spread())
    found = _mm256_or_si256(found, more);
  found = _mm256_and_si256(found, cells);
  store(group, found);
  return nonzero_columns(found);
}

#if defined(__AVX512VL__)

// Takes the runs of cells out of all columns at once, the lowest run of each column first. The names of the blocks that
// stay are not needed for that, so the next flood does not wait for them.
inline void take_out(BlockBoard<game::SmallGeometry>& after, const BlockBoard<game::SmallGeometry>& before,
                     const BlockBoard<game::SmallGeometry>::Cells& group, std::uint32_t touched,
                     const BlockBoard<game::SmallGeometry>&) {
  using namespace small_columns;
  __m256i plane[3] = {load(before.plane[0]), load(before.plane[1]), load(before.plane[2])};
  __m256i gone = load(group);
  do {
    const __m256i lowest = _mm256_and_si256(gone, _mm256_sub_epi16(_mm256_setzero_si256(), gone));
    const __m256i stays = _mm256_add_epi16(lowest, _mm256_set1_epi16(-1));  // the cells below the run
    const __m256i others = _mm256_and_si256(gone, _mm256_add_epi16(gone, lowest));
    const __m256i length = _mm256_popcnt_epi16(_mm256_xor_si256(gone, others));
    for (__m256i& x : plane) {
      const __m256i fallen = _mm256_srlv_epi16(x, length);
      x = _mm256_xor_si256(fallen, _mm256_and_si256(_mm256_xor_si256(x, fallen), stays));
    }
    gone = _mm256_srlv_epi16(others, length);
  } while (_mm256_testz_si256(gone, gone) == 0);
  for (int p = 0; p < 3; ++p)
    store(after.plane[p], plane[p]);
  after.columns = nonzero_columns(_mm256_or_si256(plane[0], _mm256_or_si256(plane[1], plane[2])));
  __m256i alive = load(before.alive);
  for (; touched != 0; touched &= touched - 1) {
    const int c = std::countr_zero(touched);
    alive = with_column(alive, c, before.rest_of(c, group[c]));
  }
  store(after.alive, alive);
}

#endif

// Builds the board in registers: the next move loads whole planes, and a load after narrower stores waits long.
template <class RestOf>
inline void set_columns(BlockBoard<game::SmallGeometry>& after, const BlockBoard<game::SmallGeometry>& before,
                        std::uint32_t changed, const BlockBoard<game::SmallGeometry>& start, const RestOf& rest_of) {
  using namespace small_columns;
  __m256i plane[3] = {load(before.plane[0]), load(before.plane[1]), load(before.plane[2])};
  __m256i alive = load(before.alive);
  std::uint32_t columns = before.columns;
  for (; changed != 0; changed &= changed - 1) {
    const int c = std::countr_zero(changed);
    const std::uint32_t rest = rest_of(c);
    alive = with_column(alive, c, rest);
    for (int p = 0; p < 3; ++p)
      plane[p] = with_column(plane[p], c, gather_bits(start.plane[p][c], rest));
    if (rest == 0) columns &= ~(1u << c);
  }
  for (int p = 0; p < 3; ++p)
    store(after.plane[p], plane[p]);
  store(after.alive, alive);
  after.columns = columns;
}

inline small_columns::EqualCells equal_cells(const BlockBoard<game::SmallGeometry>& board) {
  using namespace small_columns;
  const std::uint32_t gaps = inner_gaps(board);
  const __m256i in_gaps = columns_in(gaps);
  __m256i blocks = _mm256_setzero_si256(), not_above = blocks, not_right = blocks;
  for (int p = 0; p < 3; ++p) {
    const __m256i x = load(board.plane[p]);
    __m256i next = from_right(x);
    for (std::uint32_t far = gaps; far != 0; far &= far >> 1)
      next = from_right(_mm256_blendv_epi8(x, next, in_gaps));
    blocks = _mm256_or_si256(blocks, x);
    not_above = _mm256_or_si256(not_above, _mm256_xor_si256(x, _mm256_srli_epi16(x, 1)));
    not_right = _mm256_or_si256(not_right, _mm256_xor_si256(x, next));
  }
  const __m256i right = _mm256_andnot_si256(not_right, blocks);
  __m256i left = from_left(right);
  for (std::uint32_t far = gaps; far != 0; far &= far >> 1)
    left = _mm256_or_si256(left, from_left(_mm256_and_si256(left, in_gaps)));
  return {_mm256_andnot_si256(not_above, blocks), right, left};
}

inline int corners(const BlockBoard<game::SmallGeometry>& board, BlockBoard<game::SmallGeometry>::Cells& found) {
  using namespace small_columns;
  const auto [above, right, left] = equal_cells(board);
  const __m256i not_lowest = _mm256_or_si256(_mm256_slli_epi16(above, 1), left);
  store(found, _mm256_andnot_si256(not_lowest, _mm256_or_si256(above, right)));
  return count<game::SmallGeometry>(found);
}

inline ColumnRow nth_cell(const BlockBoard<game::SmallGeometry>&, const BlockBoard<game::SmallGeometry>::Cells& cells,
                          int n) {
  using namespace small_columns;
  const __m256i all = load(cells);
  const __m128i low = _mm256_castsi256_si128(all), high = _mm256_extracti128_si256(all, 1);
  alignas(32) std::array<std::uint64_t, 4> words;  // four columns each, in their order
  _mm_store_si128(reinterpret_cast<__m128i*>(&words[0]), _mm_unpacklo_epi16(low, high));
  _mm_store_si128(reinterpret_cast<__m128i*>(&words[2]), _mm_unpackhi_epi16(low, high));
  const int to0 = std::popcount(words[0]), to1 = to0 + std::popcount(words[1]), to2 = to1 + std::popcount(words[2]);
  const std::array<int, 4> before = {0, to0, to1, to2};
  const int word = (n >= to0) + (n >= to1) + (n >= to2);
  const int bit = std::countr_zero(_pdep_u64(std::uint64_t{1} << (n - before[word]), words[word]));
  return {BlockColumns<game::SmallGeometry>::column_in_order(4 * word + bit / 16), bit % 16};
}

inline std::uint32_t cells_of_groups(const BlockBoard<game::SmallGeometry>& board, int code,
                                     BlockBoard<game::SmallGeometry>::Cells& found) {
  using namespace small_columns;
  const __m256i cells = cells_of_code(board, code);
  const std::uint32_t gaps = inner_gaps(board);
  __m256i right = from_right(cells), left = from_left(cells);
  if (gaps != 0) {
    const __m256i in_gaps = columns_in(gaps);
    for (std::uint32_t far = gaps; far != 0; far &= far >> 1) {
      right = _mm256_or_si256(right, from_right(_mm256_and_si256(right, in_gaps)));
      left = _mm256_or_si256(left, from_left(_mm256_and_si256(left, in_gaps)));
    }
  }
  const __m256i upright = _mm256_or_si256(_mm256_slli_epi16(cells, 1), _mm256_srli_epi16(cells, 1));
  const __m256i joined = _mm256_and_si256(cells, _mm256_or_si256(upright, _mm256_or_si256(left, right)));
  store(found, joined);
  return nonzero_columns(joined);
}

inline std::uint32_t columns_left_of_move(const BlockBoard<game::SmallGeometry>& before,
                                          const BlockBoard<game::SmallGeometry>& after,
                                          const BlockBoard<game::SmallGeometry>& now) {
  using namespace small_columns;
  const __m256i taken = _mm256_andnot_si256(load(after.alive), load(before.alive));
  return nonzero_columns(_mm256_and_si256(taken, load(now.alive)));
}

inline std::uint32_t difference(const BlockBoard<game::SmallGeometry>& a, const BlockBoard<game::SmallGeometry>& b) {
  using namespace small_columns;
  return nonzero_columns(_mm256_xor_si256(load(a.alive), load(b.alive)));
}

inline void copy_columns(BlockBoard<game::SmallGeometry>& to, const BlockBoard<game::SmallGeometry>& from,
                         const BlockBoard<game::SmallGeometry>& other, std::uint32_t columns) {
  using namespace small_columns;
  const __m256i mask = columns_in(columns);
  const auto mix = [&](Small::Cells& out, const Small::Cells& a, const Small::Cells& b) {
    store(out, _mm256_blendv_epi8(load(a), load(b), mask));
  };
  for (int p = 0; p < 3; ++p)
    mix(to.plane[p], from.plane[p], other.plane[p]);
  mix(to.alive, from.alive, other.alive);
  to.columns = (from.columns & ~columns) | (other.columns & columns);
}

}  // namespace CHAINSHOT_BLOCKS
}  // namespace chainshot::cpu

#endif
