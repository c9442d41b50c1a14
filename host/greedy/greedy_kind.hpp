// The greedy search as the registry knows it: its settings table, its preset, and how it is made.
#pragma once

#include "host/search/registry.hpp"

namespace chainshot::host {

extern const SearchKind kGreedyKind;

}  // namespace chainshot::host
