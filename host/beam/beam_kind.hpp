// Beam search as the registry knows it: its settings table, its presets, and how it is made.
#pragma once

#include "host/beam/beam_search.hpp"
#include "host/search/registry.hpp"

namespace chainshot::host {

extern const SearchKind kBeamKind;

}  // namespace chainshot::host
