#include "cpu/chain_isas.hpp"
#include "cpu/chain_on.hpp"

namespace chainshot::cpu::avx2 {

std::unique_ptr<Chain> small_chain(const game::Position& board, const game::Scoring& scoring) {
  return std::make_unique<ChainOn<game::SmallGeometry>>(board, scoring);
}

}  // namespace chainshot::cpu::avx2
