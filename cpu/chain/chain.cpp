#include "cpu/chain/chain.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "cpu/chain/block_board.hpp"
#include "cpu/chain/chain_variants.hpp"

namespace chainshot::cpu {
namespace {

constexpr double kMostLoss = 1 << 28;  // more than any game has points, and far from the end of the integers

}  // namespace

Heat::Heat(double temperature, double soft, const game::Scoring& scoring) {
  for (int i = 0; i < kDraws; ++i)
    loss[i] = static_cast<int>(std::min(kMostLoss, -temperature * std::log((i + 0.5) / kDraws)));
  for (int left = 0; left < kSoft; ++left)
    bonus[left] = static_cast<int>(scoring.clear_bonus * std::max(0.0, 1 - left / soft));
}

std::unique_ptr<Chain> make_chain(const game::Position& board, const game::Scoring& scoring, Isa isa) {
  if (!game::fits_small(board.columns(), board.rows(), board.colors())) return portable::wide_chain(board, scoring);
  switch (isa) {
#if defined(__x86_64__)
    case Isa::kAvx2:
      return avx2::small_chain(board, scoring);
    case Isa::kAvx512Ymm:
    case Isa::kAvx512Zmm:
      return avx512::small_chain(board, scoring);
#endif
    default:
      return portable::small_chain(board, scoring);
  }
}

std::vector<Block> blocks_of(const game::Position& board, std::span<const game::Cell> moves) {
  const BlockBoard<game::WideGeometry> start(board);
  BlockBoard<game::WideGeometry> now = start;
  std::vector<Block> blocks;
  for (const game::Cell move : moves) {
    int column = -1;
    for (std::uint32_t rest = now.columns, skip = move.column; rest != 0 && column < 0; rest &= rest - 1, --skip)
      if (skip == 0) column = std::countr_zero(rest);
    if (column < 0 || move.row >= std::popcount(now.alive[column]))
      throw std::invalid_argument("a line plays where there is no block");
    BlockBoard<game::WideGeometry>::Cells group;
    const std::uint32_t touched = flood(now, column, move.row, now.code_at(column, move.row), group);
    if (count<game::WideGeometry>(group) < 2) throw std::invalid_argument("a line plays a block that stands alone");
    blocks.push_back(now.block_at(column, move.row));
    take_out(now, BlockBoard<game::WideGeometry>(now), group, touched, start);
  }
  return blocks;
}

}  // namespace chainshot::cpu
