#include "cpu/chain/chain_variants.hpp"
#include "cpu/chain/geometry_chain.hpp"

namespace chainshot::cpu::avx512 {

std::unique_ptr<Chain> small_chain(const game::Position& board, const game::Scoring& scoring) {
  return std::make_unique<GeometryChain<game::SmallGeometry>>(board, scoring);
}

}  // namespace chainshot::cpu::avx512
