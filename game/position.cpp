#include "game/position.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "game/move_bounds.hpp"
#include "game/random.hpp"

namespace chainshot::game {
namespace {

using Word = Position::Word;
using Row = Position::Row;

int code_at(const Row& row, int column) {
  int code = 0;
  for (int p = 0; p < kMaxPlanes; ++p)
    code |= static_cast<int>(row.plane[p].bits >> column & 1u) << p;
  return code;
}

template <int Codes>
inline __attribute__((always_inline)) void count_codes(const std::uint64_t* plane,
                                                       std::array<int, kMaxColors>& counts) {
  for (int code = 1; code <= Codes; ++code) {
    std::uint64_t cells = ~std::uint64_t{0};
    for (int p = 0; p < kMaxPlanes; ++p)
      cells &= code >> p & 1 ? plane[p] : ~plane[p];
    counts[code - 1] += std::popcount(cells);
  }
}

// Two rows at a time.
inline __attribute__((always_inline)) std::array<int, kMaxColors> counts_of(const Row* rows, int height) {
  std::array<int, kMaxColors> counts{};
  for (int r = 0; r < height; r += 2) {
    std::uint64_t plane[kMaxPlanes];
    for (int p = 0; p < kMaxPlanes; ++p)
      plane[p] = rows[r].plane[p].bits | (r + 1 < height ? std::uint64_t{rows[r + 1].plane[p].bits} << 32 : 0);
    if (plane[3] != 0)
      count_codes<15>(plane, counts);
    else if (plane[2] != 0)
      count_codes<7>(plane, counts);
    else
      count_codes<3>(plane, counts);
  }
  return counts;
}

#if defined(__x86_64__)
// The same with a population count instruction, which not every processor has; without it counting takes a dozen
// others.
__attribute__((target("popcnt"))) std::array<int, kMaxColors> counts_with_popcnt(const Row* rows, int height) {
  return counts_of(rows, height);
}

const bool kHasPopcnt = __builtin_cpu_supports("popcnt");
#endif

// Cells of a row that are equal to the one above, and to the one on their right.
std::uint32_t links_up(const Row& row, const Row& above) {
  return occupied(row).bits & ~walls(row, above).bits;
}
std::uint32_t links_right(const Row& row) {
  return occupied(row).bits & ~shr<1>(walls_on_left(row)).bits;
}

// Connected equal blocks and the rows they lie in.
struct Flood {
  CellSet cells{};
  int low, high;

  Flood(Cell start, const Links& links, int rows) : low(start.row), high(start.row) {
    cells[start.row] = 1u << start.column;
    grow(start.row, 0, links);
    for (bool grew = true; grew;) {
      grew = false;
      for (int r = low; r < rows - 1 && (r < high || (cells[r] & links.above[r]) != 0); ++r) {
        grew |= grow(r + 1, cells[r] & links.above[r], links);
        high = std::max(high, r + 1);
      }
      for (int r = high; r > 0 && (r > low || (cells[r] & links.above[r - 1]) != 0); --r) {
        grew |= grow(r - 1, cells[r] & links.above[r - 1], links);
        low = std::min(low, r - 1);
      }
    }
  }
  int size() const {
    int n = 0;
    for (int r = low; r <= high; ++r)
      n += std::popcount(cells[r]);
    return n;
  }

 private:
  bool grow(int r, std::uint32_t from, const Links& links) {
    const Word right = ~Word{links.right[r]};
    Word row{cells[r] | from};
    for (Word before{0}; before.bits != row.bits;) {
      before = row;
      row = step_left(fill_right(row, right), right);
    }
    const bool grew = row.bits != cells[r];
    cells[r] = row.bits;
    return grew;
  }
};

}  // namespace

Position::Position(int columns, int rows)
    : columns_(static_cast<std::uint8_t>(columns)), rows_(static_cast<std::uint8_t>(rows)) {}

int Position::color_at(int column, int row) const {
  return code_at(cells_[row], column) - 1;
}

void Position::set(int column, int row, int color) {
  for (int p = 0; p < kMaxPlanes; ++p) {
    std::uint32_t& bits = cells_[row].plane[p].bits;
    bits = (bits & ~(1u << column)) | static_cast<std::uint32_t>((color + 1) >> p & 1) << column;
  }
}

int Position::height() const {
  int height = 0;
  while (height < rows_ && occupied(cells_[height]).bits != 0)
    ++height;
  return height;
}

int Position::blocks() const {
  int blocks = 0;
  for (int r = 0, top = height(); r < top; ++r)
    blocks += std::popcount(occupied(cells_[r]).bits);
  return blocks;
}

std::array<int, kMaxColors> Position::color_counts() const {
#if defined(__x86_64__)
  if (kHasPopcnt) return counts_with_popcnt(cells_.data(), height());
#endif
  return counts_of(cells_.data(), height());
}

int Position::colors() const {
  const auto counts = color_counts();
  int colors = 0;
  for (int c = 0; c < kMaxColors; ++c)
    if (counts[c] > 0) colors = c + 1;
  return colors;
}

int Position::most_frequent_color() const {
  return most_frequent(color_counts());
}

Links Position::links() const {
  Links links{};
  const int top = height();
  for (int r = 0; r < top; ++r) {
    if (r + 1 < top) links.above[r] = links_up(cells_[r], cells_[r + 1]);
    links.right[r] = links_right(cells_[r]);
  }
  return links;
}

// Links of one colour only. They suffice for its groups and take a third of the operations.
Links Position::links_of(int color, int top) const {
  Links links{};
  std::uint32_t below = 0;
  for (int r = 0; r < top; ++r) {
    std::uint32_t cells = ~0u;
    for (int p = 0; p < kMaxPlanes; ++p)
      cells &= (color + 1) >> p & 1 ? cells_[r].plane[p].bits : ~cells_[r].plane[p].bits;
    links.right[r] = cells & cells >> 1;
    if (r > 0) links.above[r - 1] = below & cells;
    below = cells;
  }
  return links;
}

CellSet Position::component(Cell cell) const {
  return component(cell, links());
}

CellSet Position::component(Cell cell, const Links& links) const {
  return color_at(cell.column, cell.row) == kEmpty ? CellSet{} : Flood(cell, links, rows_).cells;
}

std::vector<Group> Position::groups() const {
  GroupRoom room;
  return {room.begin(), room.begin() + groups(room)};
}

int Position::groups(GroupRoom& room) const {
  std::size_t found = 0;
  const Links links = this->links();
  CellSet open{};
  const int top = height();
  for (int r = 0; r < top; ++r) {
    open[r] |= links.above[r] | links.right[r] | links.right[r] << 1;
    if (r + 1 < top) open[r + 1] |= links.above[r];
  }
  for (int r = 0; r < top; ++r) {
    while (open[r] != 0) {
      const Cell cell{static_cast<std::uint8_t>(std::countr_zero(open[r])), static_cast<std::uint8_t>(r)};
      const Flood group(cell, links, top);
      for (int q = r; q <= group.high; ++q)
        open[q] &= ~group.cells[q];
      room[found++] = {cell, static_cast<std::uint8_t>(color_at(cell.column, r)),
                       static_cast<std::uint16_t>(group.size())};
    }
  }
  return static_cast<int>(found);
}

bool Position::has_moves() const {
  for (int r = 0, top = height(); r < top; ++r)
    if (links_right(cells_[r]) != 0 || (r + 1 < top && links_up(cells_[r], cells_[r + 1]) != 0)) return true;
  return false;
}

void Position::remove(const CellSet& cells) {
  remove(cells, rows_);
}

// No block lies at or above row `top`.
void Position::remove(const CellSet& cells, int top) {
  // From the top row down, so that a row is still where it was when its cells are taken out.
  for (int r = top - 1; r >= 0; --r) {
    if (cells[r] == 0) continue;
    const Word falls{cells[r]};
    for (int q = r; q < top; ++q)
      cells_[q] = select(falls, q + 1 < top ? cells_[q + 1] : Row{}, cells_[q]);
  }
  while (gaps(occupied(cells_[0])).bits != 0) {
    const Word before = columns_before_gap(occupied(cells_[0]));
    for (int r = 0; r < top; ++r)
      for (Word& plane : cells_[r].plane)
        plane = shift_above(plane, before);
  }
}

void Position::settle() {
  const std::uint32_t all = (1u << columns_) - 1;
  CellSet holes{};
  std::uint32_t above = 0;
  for (int r = rows_ - 1; r >= 0; --r) {
    const std::uint32_t blocks = occupied(cells_[r]).bits;
    holes[r] = above & ~blocks & all;
    above |= blocks;
  }
  remove(holes);
}

bool Position::is_settled() const {
  Position copy = *this;
  copy.settle();
  return copy == *this;
}

int Position::apply(Cell cell) {
  if (cell.column >= columns_ || cell.row >= rows_) return 0;
  const int color = color_at(cell.column, cell.row);
  if (color == kEmpty) return 0;
  const int top = height();
  const Flood group(cell, links_of(color, top), top);
  const int size = group.size();
  if (size >= 2) remove(group.cells, top);
  return size >= 2 ? size : 0;
}

int Position::upper_bound(const Scoring& scoring) const {
  return MoveBounds(*this, scoring).now();
}

int Position::final_points(const Scoring& scoring) const {
  const auto left = color_counts();
  return scoring.final_points(left);
}

// Mixes every word by itself, so that the processor can mix several at a time.
std::uint64_t Position::hash() const {
  constexpr std::uint64_t kStride = 0x9E3779B97F4A7C15u;
  std::uint64_t place = std::uint64_t{columns_} << 8 | rows_, sum = 0;
  for (int r = 0, top = height(); r < top; ++r) {
    const auto& plane = cells_[r].plane;
    sum += mix64((std::uint64_t{plane[0].bits} << 32 | plane[1].bits) ^ (place += kStride));
    sum += mix64((std::uint64_t{plane[2].bits} << 32 | plane[3].bits) ^ (place += kStride));
  }
  return mix64(sum ^ place);
}

// A hash of each colour's cells, added up: the order of colours does not matter. Rows share words where they fit.
template <int RowsPerWord>
std::uint64_t Position::hash_of_colors() const {
  constexpr int kWidth = 64 / RowsPerWord;
  std::uint64_t words[kMaxPlanes][kMaxRows / RowsPerWord] = {}, highest_plane = 0;
  const int top = height(), count = (top + RowsPerWord - 1) / RowsPerWord;
  for (int r = 0; r < top; ++r) {
    for (int p = 0; p < kMaxPlanes; ++p)
      words[p][r / RowsPerWord] |= std::uint64_t{cells_[r].plane[p].bits} << (r % RowsPerWord * kWidth);
    highest_plane |= cells_[r].plane[kMaxPlanes - 1].bits;
  }
  // A product mixes a word well enough once its high bits are folded into the low ones: the sum of a colour is mixed
  // again.
  static constexpr auto kFactors = [] {
    std::array<std::uint64_t, kMaxRows / RowsPerWord> factors{};
    for (std::size_t w = 0; w < factors.size(); ++w)
      factors[w] = mix64(w) | 1;
    return factors;
  }();
  std::uint64_t sum = 0;
  for (int code = 1; code <= (highest_plane != 0 ? kMaxColors : 7); ++code) {
    std::uint64_t any = 0, of_color = 0;
    for (int w = 0; w < count; ++w) {
      std::uint64_t cells = ~std::uint64_t{0};
      for (int p = 0; p < kMaxPlanes; ++p)
        cells &= code >> p & 1 ? words[p][w] : ~words[p][w];
      any |= cells;
      of_color += (cells ^ cells >> 32) * kFactors[static_cast<std::size_t>(w)];
    }
    if (any != 0) sum += mix64(of_color);
  }
  return mix64(sum ^ (std::uint64_t{columns_} << 8 | rows_));
}

std::uint64_t Position::symmetric_hash() const {
  return columns_ <= 16 ? hash_of_colors<4>() : hash_of_colors<2>();
}

Position Position::canonical() const {
  // Colours in the order in which they appear. The planes of a row are one vector.
  using Planes = std::uint32_t __attribute__((vector_size(16)));
  static_assert(sizeof(Row) == sizeof(Planes) && kMaxPlanes == 4);
  const auto planes_of = [](int code) {
    const auto bits = static_cast<std::uint32_t>(code);
    return Planes{bits & 1, bits >> 1 & 1, bits >> 2 & 1, bits >> 3 & 1} != 0;
  };
  const auto all_planes = [](Planes x) {  // cells that are in all planes
    x &= __builtin_shufflevector(x, x, 2, 3, 0, 1);
    return x & __builtin_shufflevector(x, x, 1, 0, 3, 2);
  };
  std::array<Planes, kMaxColors> missing, renamed;  // the planes each known colour is not in; those it will be in
  int known = 0;
  Position out(columns_, rows_);
  for (int r = 0, top = height(); r < top; ++r) {
    Planes row, named{};
    std::memcpy(&row, &cells_[r], sizeof row);
    std::uint32_t unknown = occupied(cells_[r]).bits;
    const auto name = [&](int c) {
      const auto i = static_cast<std::size_t>(c);
      const Planes cells = all_planes(row ^ missing[i]);
      named |= cells & renamed[i];
      unknown &= ~cells[0];
    };
    for (int c = 0; c < known; ++c)
      name(c);
    while (unknown != 0) {
      const auto i = static_cast<std::size_t>(known);
      missing[i] = ~reinterpret_cast<Planes>(planes_of(color_at(std::countr_zero(unknown), r) + 1));
      renamed[i] = reinterpret_cast<Planes>(planes_of(known + 1));
      name(known++);
    }
    std::memcpy(&out.cells_[r], &named, sizeof named);
  }
  return out;
}

bool Position::operator==(const Position& other) const {
  return columns_ == other.columns_ && rows_ == other.rows_ &&
         std::memcmp(cells_.data(), other.cells_.data(), rows_ * sizeof(Row)) == 0;
}

int most_frequent(const std::array<int, kMaxColors>& color_counts) {
  return static_cast<int>(std::max_element(color_counts.begin(), color_counts.end()) - color_counts.begin());
}

int count(const CellSet& cells) {
  int n = 0;
  for (std::uint32_t row : cells)
    n += std::popcount(row);
  return n;
}

}  // namespace chainshot::game
