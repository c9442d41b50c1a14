#include "cpu/chain/chain.hpp"

#include "cpu/chain/chain_variants.hpp"
#include "game/geometry.hpp"

namespace chainshot::cpu {

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

}  // namespace chainshot::cpu
