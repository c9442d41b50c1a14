// A position as a tree keeps it: only the rows and planes that boards of its root can use, of 16 bits where they fit.
// 90 bytes for the standard game (15 rows, 3 planes), 512 at most.
#pragma once

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
    columns_ <= 16 ? pack_rows<std::uint16_t>(position, out) : pack_rows<std::uint32_t>(position, out);
  }
  game::Position unpack(const std::byte* in) const {
    return columns_ <= 16 ? unpack_rows<std::uint16_t>(in) : unpack_rows<std::uint32_t>(in);
  }

 private:
  template <class Row>
  void pack_rows(const game::Position& position, std::byte* out) const {
    for (int r = 0; r < rows_; ++r) {
      for (int p = 0; p < planes_; ++p, out += sizeof(Row)) {
        const Row bits = static_cast<Row>(position.row(r).plane[p].bits);
        std::memcpy(out, &bits, sizeof bits);
      }
    }
  }
  template <class Row>
  game::Position unpack_rows(const std::byte* in) const {
    game::Position position(columns_, rows_);
    for (int r = 0; r < rows_; ++r) {
      game::Position::Row row{};
      for (int p = 0; p < planes_; ++p, in += sizeof(Row)) {
        Row bits;
        std::memcpy(&bits, in, sizeof bits);
        row.plane[p].bits = bits;
      }
      position.set_row(r, row);
    }
    return position;
  }

  int columns_, rows_, planes_;
};

}  // namespace chainshot::host
