// The search `auto`: annealing on the processors, a search for a proof on small boards, and the set-based tree search
// on a device if there is one. It is composed of other searches and decides by the machine before any engine is opened.
#pragma once

#include "host/search/registry.hpp"

namespace chainshot::host {

extern const SearchKind kAutoKind;

// The largest board, in blocks, that `auto` tries to prove.
inline constexpr int kMostProvenBlocks = 64;

}  // namespace chainshot::host
