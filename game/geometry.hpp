// The sizes of board the lanes are built for. A row is one word, bit 0 its leftmost column; the highest bit of a word
// is a pad column that stays empty, so that a shift by one never carries a cell from one end of a row to the other.
#pragma once

#include <cstdint>

#if defined(__CUDACC__)
#define CHAINSHOT_HD __host__ __device__ __forceinline__
#else
#define CHAINSHOT_HD inline __attribute__((always_inline))
#endif

namespace chainshot::game {

inline constexpr int kMaxColumns = 31;
inline constexpr int kMaxRows = 32;
inline constexpr int kMaxColors = 15;
inline constexpr int kMaxCells = kMaxColumns * kMaxRows;
inline constexpr int kMaxPlanes = 4;  // bits of a colour code; code 0 is empty

// Up to 15 columns, 16 rows and 7 colours: three planes of 16-bit rows. The standard 15 x 15 x 5 game is small.
struct SmallGeometry {
  using Row = std::uint16_t;
  static constexpr int kColumns = 15;
  static constexpr int kRows = 16;
  static constexpr int kPlanes = 3;
};

// All other boards: four planes of 32-bit rows. Lanes leave out the highest plane where no colour needs it.
struct WideGeometry {
  using Row = std::uint32_t;
  static constexpr int kColumns = kMaxColumns;
  static constexpr int kRows = kMaxRows;
  static constexpr int kPlanes = kMaxPlanes;
};

constexpr bool fits_small(int columns, int rows, int colors) {
  return columns <= SmallGeometry::kColumns && rows <= SmallGeometry::kRows && colors <= 7;
}

// Candidates of a draw are numbered row by row in the order 0, 8, 1, 9, ..., 7, 15, 16, 17, ..., 31, and from left to
// right within a row. A word of a device holds rows j and j + 8, so its words are in this order. All engines use it.
constexpr int row_in_draw_order(int i) {
  return i >= 16 ? i : (i & 1) ? 8 + i / 2 : i / 2;
}

}  // namespace chainshot::game
