// A game of the wide geometry: up to 31 columns, 32 rows and 15 colours, a word per row, four planes. It is too large
// for registers, so it lives in the thread's local memory. It plays the turn of game/lanes with words of one lane; the
// loops of that turn end at the highest row in use.
#pragma once

#include "cuda/device_word.cuh"
#include "cuda/playout_arguments.hpp"
#include "game/lanes/turn.hpp"

namespace chainshot::cuda {

class WideGame {
 public:
  static constexpr int kPlanes = 4;
  static constexpr int kBoardWords = kWideBoardWords;
  static constexpr int kBoardCells = kWidePlaneWords;
  static constexpr int kCountBits = 16;

  // An empty board, on which nothing can be played.
  __device__ WideGame() {
    for (auto& row : board_.row)
      row = {};
    board_.top = board_.kLeastTop;
    board_.accepted = board_.closed = {};
  }

  __device__ void start(const std::uint32_t* board) {
    board_.top = board_.kLeastTop;
    for (int r = 0; r < game::kMaxRows; ++r) {
      const uint4 words = reinterpret_cast<const uint4*>(board)[r];
      auto& row = board_.row[r];
      row.cells = {{{{{words.x}}}, {{{words.y}}}, {{{words.z}}}, {{{words.w}}}}};
      row.hole = row.flood = {};
      if (r >= board_.kLeastTop && !is_empty(r)) board_.top = r + 1;
    }
    board_.accepted = board_.closed = {};
  }

  __device__ void store(std::uint32_t* board) const {
    for (int r = 0; r < game::kMaxRows; ++r) {
      const auto& plane = board_.row[r].cells.plane;
      reinterpret_cast<uint4*>(board)[r] =
          make_uint4(plane[0].part[0].bits, plane[1].part[0].bits, plane[2].part[0].bits, plane[3].part[0].bits);
    }
  }

  template <class Choose, class Book>
  __device__ void turn(std::uint32_t random, Choose&& choose, Book&& book) {
    if (board_.top > board_.kLeastTop && is_empty(board_.top - 1)) --board_.top;
    const bool any_open = lanes::settle_and_link<0>(board_).bits != 0;
    lifted_ = false;
    choose(any_open);
    board_.random = {{{random}}};
    lanes::pick_and_flood(board_, W::fill(lifted_ ? ~0u : 0u), [&] { return board_.random; });
    book(board_.over.part[0].bits != 0, board_.closed.part[0].bits != 0, board_.accepted.part[0].bits != 0,
         board_.size.part[0].bits);
  }

  // For the choice.
  __device__ void lift_tabu() { lifted_ = true; }

  __device__ std::uint32_t codes_with_candidate(std::uint32_t) const {
    std::uint32_t codes = 0;
    for (int r = 0; r < board_.top; ++r) {
      const auto& row = board_.row[r];
      for (std::uint32_t rest = (row.open | row.reserved).part[0].bits; rest != 0; rest &= rest - 1) {
        const int column = __ffs(static_cast<int>(rest)) - 1;
        std::uint32_t code = 0;
        for (int p = 0; p < kPlanes; ++p)
          code |= (row.cells.plane[p].part[0].bits >> column & 1u) << p;
        codes |= 1u << (code - 1);
      }
    }
    return codes;
  }

  __device__ void keep_code(std::uint32_t code) {
    game::Cells<W, kPlanes> wanted;
    for (int p = 0; p < kPlanes; ++p)
      wanted.plane[p] = sign(W::fill(code << (31 - p)));
    for (int r = 0; r < board_.top; ++r) {
      auto& row = board_.row[r];
      row.open = and_not(row.open | row.reserved, game::walls(row.cells, wanted));
      row.reserved = {};
    }
  }

 private:
  using W = lanes::Bundle<Word, 1>;

  __device__ bool is_empty(int r) const { return game::occupied(board_.row[r].cells).part[0].bits == 0; }

  lanes::Board<W, game::kMaxRows, kPlanes> board_;
  bool lifted_ = false;
};

}  // namespace chainshot::cuda
