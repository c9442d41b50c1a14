// The chain of every instruction set, each compiled with flags of its own. Portable code plays wide boards on all of
// them.
#pragma once

#include <memory>

#include "cpu/chain/chain.hpp"

namespace chainshot::cpu {
namespace portable {
std::unique_ptr<Chain> small_chain(const game::Position& board, const game::Scoring& scoring);
std::unique_ptr<Chain> wide_chain(const game::Position& board, const game::Scoring& scoring);
}  // namespace portable
namespace avx2 {
std::unique_ptr<Chain> small_chain(const game::Position& board, const game::Scoring& scoring);
}
namespace avx512 {
std::unique_ptr<Chain> small_chain(const game::Position& board, const game::Scoring& scoring);
}
}  // namespace chainshot::cpu
