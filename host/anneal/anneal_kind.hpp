// Annealing as the registry knows it: its settings table, its preset, and how it is made.
#pragma once

#include <span>

#include "host/anneal/annealing.hpp"
#include "host/search/registry.hpp"

namespace chainshot::host {

extern const SearchKind kAnnealKind;

std::string anneal_objection(const Settings& settings, const game::Scoring& scoring);
// On `threads` of the resources' threads.
NamedSearch make_anneal_search(const SearchTask& task, const AnnealSettings& settings, const Resources& resources,
                               int threads, Incumbent& incumbent);

}  // namespace chainshot::host
