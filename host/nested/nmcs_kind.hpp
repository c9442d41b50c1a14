// NMCS as the registry knows it: its settings table, its presets, and how it is made.
#pragma once

#include "host/search/registry.hpp"

namespace chainshot::host {

extern const SearchKind kNmcsKind;

}  // namespace chainshot::host
