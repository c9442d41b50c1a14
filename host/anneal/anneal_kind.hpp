// Annealing as the registry knows it: its settings table, its preset, and how it is made.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "host/anneal/annealing.hpp"
#include "host/search/registry.hpp"

namespace chainshot::host {

extern const SearchKind kAnnealKind;

std::string anneal_objection(const Settings& settings, const game::Scoring& scoring);
// Two searches that share their elites go on from each other's lines. Each needs a name of its own.
struct AnnealPartner {
  std::shared_ptr<Elites> elites = nullptr;
  std::string_view source = "anneal";
};
NamedSearch make_anneal_search(const SearchTask& task, const AnnealSettings& settings, const Resources& resources,
                               std::unique_ptr<game::ChainEngine> engine, Incumbent& incumbent,
                               AnnealPartner partner = {});

}  // namespace chainshot::host
