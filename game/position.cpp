#include "game/position.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

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

// Two rows at a time. Bits are counted by adding neighbours: without a flag for it, std::popcount is a call.
std::array<int, kMaxColors> Position::color_counts() const {
  std::array<int, kMaxColors> counts{};
  const auto bits_of = [](std::uint64_t x) {
    x -= x >> 1 & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
    return static_cast<int>(((x + (x >> 4)) & 0x0F0F0F0F0F0F0F0Fu) * 0x0101010101010101u >> 56);
  };
  for (int r = 0, top = height(); r < top; r += 2) {
    std::uint64_t plane[kMaxPlanes];
    for (int p = 0; p < kMaxPlanes; ++p)
      plane[p] = cells_[r].plane[p].bits | (r + 1 < top ? std::uint64_t{cells_[r + 1].plane[p].bits} << 32 : 0);
    const int codes = plane[3] != 0 ? 15 : plane[2] != 0 ? 7 : 3;
    for (int code = 1; code <= codes; ++code) {
      std::uint64_t cells = ~std::uint64_t{0};
      for (int p = 0; p < kMaxPlanes; ++p)
        cells &= code >> p & 1 ? plane[p] : ~plane[p];
      counts[code - 1] += bits_of(cells);
    }
  }
  return counts;
}

int Position::colors() const {
  const auto counts = color_counts();
  int colors = 0;
  for (int c = 0; c < kMaxColors; ++c)
    if (counts[c] > 0) colors = c + 1;
  return colors;
}

int Position::most_frequent_color() const {
  const auto counts = color_counts();
  return static_cast<int>(std::max_element(counts.begin(), counts.end()) - counts.begin());
}

Links Position::links() const {
  Links links{};
  const int top = height();
  for (int r = 0; r < top; ++r) {
    const std::uint32_t blocks = occupied(cells_[r]).bits;
    if (r + 1 < top) links.above[r] = blocks & ~walls(cells_[r], cells_[r + 1]).bits;
    links.right[r] = blocks & ~shr<1>(walls_on_left(cells_[r])).bits;
  }
  return links;
}

CellSet Position::component(Cell cell) const {
  return component(cell, links());
}

CellSet Position::component(Cell cell, const Links& links) const {
  CellSet found{};
  if (color_at(cell.column, cell.row) == kEmpty) return found;
  found[cell.row] = 1u << cell.column;
  const auto grow = [&](int r, std::uint32_t from) {
    const Word right = ~Word{links.right[r]};
    Word cells{found[r] | from};
    for (Word before{0}; before.bits != cells.bits;) {
      before = cells;
      cells = step_left(fill_right(cells, right), right);
    }
    const bool grew = cells.bits != found[r];
    found[r] = cells.bits;
    return grew;
  };
  grow(cell.row, 0);
  int low = cell.row, high = cell.row;
  for (bool grew = true; grew;) {
    grew = false;
    for (int r = low; r < rows_ - 1 && (r < high || (found[r] & links.above[r]) != 0); ++r) {
      grew |= grow(r + 1, found[r] & links.above[r]);
      high = std::max(high, r + 1);
    }
    for (int r = high; r > 0 && (r > low || (found[r] & links.above[r - 1]) != 0); --r) {
      grew |= grow(r - 1, found[r] & links.above[r - 1]);
      low = std::min(low, r - 1);
    }
  }
  return found;
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
      const CellSet cells = component(cell, links);
      for (int q = r; q < top; ++q)
        open[q] &= ~cells[q];
      room[found++] = {cell, static_cast<std::uint8_t>(color_at(cell.column, r)),
                       static_cast<std::uint16_t>(count(cells))};
    }
  }
  return static_cast<int>(found);
}

bool Position::has_moves() const {
  const Links links = this->links();
  for (int r = 0; r < rows_; ++r)
    if ((links.above[r] | links.right[r]) != 0) return true;
  return false;
}

void Position::remove(const CellSet& cells) {
  // From the top row down, so that a row is still where it was when its cells are taken out.
  for (int r = rows_ - 1; r >= 0; --r) {
    if (cells[r] == 0) continue;
    const Word falls{cells[r]};
    for (int q = r; q < rows_; ++q)
      cells_[q] = select(falls, q + 1 < rows_ ? cells_[q + 1] : Row{}, cells_[q]);
  }
  while (gaps(occupied(cells_[0])).bits != 0) {
    const Word before = columns_before_gap(occupied(cells_[0]));
    for (int r = 0; r < rows_; ++r)
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
  const CellSet cells = component(cell);
  const int size = count(cells);
  if (size < 2) return 0;
  remove(cells);
  return size;
}

int Position::upper_bound(const Scoring& scoring) const {
  int bound = 0;
  bool clearable = true;
  for (int n : color_counts()) {
    if (n >= 2) bound += scoring.group_points(n);
    if (n == 1) clearable = false;
  }
  return bound + (clearable ? scoring.clear_bonus : 0);
}

int Position::final_points(const Scoring& scoring) const {
  const auto left = color_counts();
  return scoring.final_points(left);
}

// Every word is mixed by itself, so that the processor does several at a time.
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

Position Position::canonical() const {
  // Colours in the order in which they appear. The planes of a row are one vector.
  using Planes = std::uint32_t __attribute__((vector_size(16)));
  static_assert(sizeof(Row) == sizeof(Planes) && kMaxPlanes == 4);
  const auto planes_of = [](int code) {
    const auto bits = static_cast<std::uint32_t>(code);
    return Planes{bits & 1, bits >> 1 & 1, bits >> 2 & 1, bits >> 3 & 1} != 0;
  };
  const auto all_lanes = [](Planes x) {  // that are set in all planes
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
      const Planes cells = all_lanes(row ^ missing[i]);
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
  if (columns_ != other.columns_ || rows_ != other.rows_) return false;
  for (int r = 0; r < rows_; ++r)
    for (int p = 0; p < kMaxPlanes; ++p)
      if (cells_[r].plane[p].bits != other.cells_[r].plane[p].bits) return false;
  return true;
}

int count(const CellSet& cells) {
  int n = 0;
  for (std::uint32_t row : cells)
    n += std::popcount(row);
  return n;
}

}  // namespace chainshot::game
