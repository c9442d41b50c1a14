// A position as searches with many of them store it: only the rows and planes that positions below their root can use,
// with 16 bits per row where the columns fit. That is 90 bytes for the standard game (15 rows, 3 planes) and 512 at
// most.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "game/position.hpp"

namespace chainshot::host {

class BoardCodec {
 public:
  explicit BoardCodec(const game::Position& root) : columns_(root.columns()), rows_(root.rows()) {
    const int colors = root.colors();
    planes_ = colors <= 1 ? 1 : colors <= 3 ? 2 : colors <= 7 ? 3 : 4;
  }

  std::size_t bytes() const {
    return static_cast<std::size_t>(rows_ * planes_) * (columns_ <= 16 ? sizeof(std::uint16_t) : sizeof(std::uint32_t));
  }
  void pack(const game::Position& position, std::byte* out) const {
    visit([&]<class Row, int Planes>(Kind<Row, Planes>) {
      for (int r = 0; r < rows_; ++r) {
        for (int p = 0; p < Planes; ++p, out += sizeof(Row)) {
          const Row bits = static_cast<Row>(position.row(r).plane[p].bits);
          std::memcpy(out, &bits, sizeof bits);
        }
      }
    });
  }
  // In place, because a position is large.
  void unpack(const std::byte* in, game::Position& position) const {
    position = game::Position(columns_, rows_);
    visit([&]<class Row, int Planes>(Kind<Row, Planes>) {
      for (int r = 0; r < rows_; ++r) {
        // All planes of a row at once.
        Row bits __attribute__((vector_size(4 * sizeof(Row)))) = {};
        std::memcpy(&bits, in, Planes * sizeof(Row));
        in += Planes * sizeof(Row);
        using Words = std::uint32_t __attribute__((vector_size(16)));
        position.set_row(r, std::bit_cast<game::Position::Row>(__builtin_convertvector(bits, Words)));
      }
    });
  }
  game::Position unpack(const std::byte* in) const {
    game::Position position;
    unpack(in, position);
    return position;
  }

 private:
  template <class Row, int Planes>
  struct Kind {};

  // Calls `code` with the row type and the number of planes as compile-time constants.
  template <class Code>
  void visit(const Code& code) const {
    columns_ <= 16 ? visit_rows_of<std::uint16_t>(code) : visit_rows_of<std::uint32_t>(code);
  }
  template <class Row, class Code>
  void visit_rows_of(const Code& code) const {
    switch (planes_) {
      case 1:
        return code(Kind<Row, 1>{});
      case 2:
        return code(Kind<Row, 2>{});
      case 3:
        return code(Kind<Row, 3>{});
      default:
        return code(Kind<Row, 4>{});
    }
  }

  int columns_, rows_, planes_;
};

}  // namespace chainshot::host
