// The searches that are led by an upper bound alone, IDA* and A*, as the registry knows them: their settings tables,
// their presets, and how they are made.
#pragma once

#include "host/search/registry.hpp"

namespace chainshot::host {

extern const SearchKind kIdaStarKind;
extern const SearchKind kAStarKind;

}  // namespace chainshot::host
