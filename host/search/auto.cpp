#include "host/search/auto.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "host/anneal/anneal_kind.hpp"
#include "host/tree/memory/node_pool.hpp"
#include "host/tree/tree_kind.hpp"
#include "host/tree/tree_search.hpp"

namespace chainshot::host {
namespace {

// On boards of at most this many blocks, the search for a proof alone scores no less than annealing in the same time
// (docs/lab/trials.md).
constexpr int kMostBlocksAlone = 49;
constexpr std::uint64_t kProofBytes = std::uint64_t{1} << 30;

constexpr std::string_view kProof = "proof";

// A tree search with its own engine. The engine has no thread of its own: the thread of the search plays while it
// waits.
class ProofSearch final : public Search {
 public:
  ProofSearch(const SearchTask& task, const TreeSettings& settings, const Resources& resources, Incumbent& incumbent)
      : engine_(make_engine({.name = "cpu", .threads = 1, .caller_threads = 1, .isa = resources.choice.isa})),
        search_(make_tree_search(task, settings, resources.budget, {engine_.get()}, 1, incumbent, kProof)) {}

  void run(const SearchClock& clock, std::stop_token stop) override { search_->run(clock, std::move(stop)); }
  void cancel_pending() override { search_->cancel_pending(); }
  SearchStatus status() const override { return search_->status(); }
  std::vector<ScoredLine> elites() const override { return search_->elites(); }

 private:
  const std::unique_ptr<game::Engine> engine_;
  const std::unique_ptr<Search> search_;
};

// Returns the settings of UCT with one node per position.
TreeSettings proof_settings(std::uint64_t memory_bytes) {
  TreeSettings settings = tree_preset("uct");
  settings.duplicates = Duplicates::kDynamic;
  settings.memory_bytes = memory_bytes;
  return settings;
}

// A counted budget must reproduce the same line, and two searches that share lines as they find them would not.
bool looks_for_proof(const Budget& budget, int blocks, int threads) {
  return blocks <= (threads > 1 ? kMostProvenBlocks : kMostBlocksAlone) && !budget.is_counted();
}

std::vector<NamedSearch> make(const SearchTask& task, const Settings& settings, const Resources& resources,
                              Incumbent& incumbent) {
  const auto& annealing = std::any_cast<const AnnealSettings&>(settings);
  // Where a device anneals, one thread feeds it and takes over from it, and the others anneal beside it. A counted
  // budget is spent by one search.
  const bool is_shared = resources.threads > 1 && !resources.budget.is_counted();
  EngineChoice choice = resources.choice;
  choice.threads = resources.chain_devices != nullptr && is_shared ? 1 : resources.threads;
  std::unique_ptr<game::ChainEngine> engine =
      make_chain_engine(choice, resources.chain_devices, task.board, task.scoring, resources.notice);
  const bool on_device = !engine->capabilities().on_cpu;
  int threads_left = resources.threads - (on_device ? 1 : 0);
  std::vector<NamedSearch> searches;
  if (looks_for_proof(resources.budget, task.board.blocks(), threads_left)) {
    const std::uint64_t cap = resources.common.memory_bytes;
    try {
      const TreeSettings proof = proof_settings(cap == 0 ? kProofBytes : std::min(kProofBytes, cap));
      searches.push_back({std::string(kProof), "search for a proof",
                          std::make_unique<ProofSearch>(task, proof, resources, incumbent)});
      --threads_left;
    } catch (const NoAddressSpace&) {  // annealing runs without it
    }
  }
  AnnealRole on_cpu;
  if (on_device) {
    AnnealRole role;
    if (is_shared && threads_left > 0) {
      role = {.name = "anneal-device", .elites = make_elites(task, annealing, resources)};
      on_cpu = {.name = "anneal-cpu", .elites = role.elites};
    }
    searches.push_back(make_anneal_search(task, annealing, resources, std::move(engine), incumbent, role));
    if (!is_shared) return searches;
  }
  if (threads_left <= 0) return searches;
  choice.threads = threads_left;
  searches.push_back(make_anneal_search(task, annealing, resources, make_cpu_chain_engine(choice), incumbent, on_cpu));
  return searches;
}

std::span<const Preset> auto_presets() {
  static const std::vector<Preset> kPresets = {
      {"auto",
       fmt::format(
           "annealing on the devices and the processors, with a search for a proof on boards of up to {} blocks",
           kMostProvenBlocks),
       "", AnnealSettings{}}};
  return kPresets;
}

}  // namespace

const SearchKind kAutoKind = {
    .name = "auto",
    .title = "annealing",
    .summary = "combines the others as this machine allows; the default",
    .paper = "",
    .engines = EngineNeed::kOwn,
    .counters = {.evaluations = true},
    .settings = [] { return kAnnealKind.settings(); },
    .presets = auto_presets,
    .make = make,
    .default_memory = "what its searches take",
    .objection = anneal_objection,
    .open_devices = open_anneal_devices,
    .has_neighbours = true,
};

}  // namespace chainshot::host
