// Annealing as the registry knows it: its settings table, its preset, and how it is made.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "host/anneal/annealing.hpp"
#include "host/search/registry.hpp"

namespace chainshot::host {

extern const SearchKind kAnnealKind;

// Returns one sentence if the temperatures contradict each other; else an empty string.
std::string anneal_objection(const Settings& settings, const game::Scoring& scoring);
// Opens the devices that annealing would run on.
OwnDevices open_anneal_devices(const EngineChoice& choice, const EngineNotice& notice);

// What distinguishes several annealing searches of a board: each has a name, by which reports know it and its lines,
// and they may share their elites, so that each goes on from the lines of the others.
struct AnnealRole {
  std::string_view name = "anneal";
  std::shared_ptr<Elites> elites = nullptr;
};
// The elites of one or several annealing searches, with the ways to other processes that the settings ask for.
std::shared_ptr<Elites> make_elites(const SearchTask& task, const AnnealSettings& settings, const Resources& resources);
NamedSearch make_anneal_search(const SearchTask& task, const AnnealSettings& settings, const Resources& resources,
                               std::unique_ptr<game::ChainEngine> engine, Incumbent& incumbent,
                               const AnnealRole& role = {});

}  // namespace chainshot::host
