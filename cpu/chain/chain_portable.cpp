#include "cpu/chain/chain_variants.hpp"
#include "cpu/chain/geometry_chain.hpp"

namespace chainshot::cpu::portable {

std::unique_ptr<Chain> small_chain(const game::Position& board, const game::Scoring& scoring) {
  return std::make_unique<GeometryChain<game::SmallGeometry>>(board, scoring);
}

std::unique_ptr<Chain> wide_chain(const game::Position& board, const game::Scoring& scoring) {
  return std::make_unique<GeometryChain<game::WideGeometry>>(board, scoring);
}

}  // namespace chainshot::cpu::portable
