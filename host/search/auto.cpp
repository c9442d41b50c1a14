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

// The tree search beside annealing gets one in four threads. Choosing leaves is cheap compared with playing them; where
// it is not, each leaf gets more playouts.
constexpr int kTreeShare = 4;

// On boards of at most this many blocks, the search for a proof alone scores no less than annealing in the same time
// (docs/lab/trials.md).
constexpr int kMostBlocksAlone = 49;
constexpr std::uint64_t kProofBytes = std::uint64_t{1} << 30;

constexpr std::string_view kProof = "proof";

struct AutoSettings {
  Settings tree = tree_preset("set");
  Settings anneal = AnnealSettings{};
};

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
  const auto& parts = std::any_cast<const AutoSettings&>(settings);
  const bool has_tree = resources.has_device();
  const int tree_threads = has_tree ? std::max(1, resources.threads / kTreeShare) : 0;
  int threads_left = std::max(1, resources.threads - tree_threads);
  const bool has_proof = looks_for_proof(resources.budget, task.board.blocks(), threads_left);
  const std::uint64_t cap = resources.common.memory_bytes;
  const std::uint64_t proof_bytes = cap == 0 ? kProofBytes : std::min(kProofBytes, has_tree ? cap / 2 : cap);
  std::vector<NamedSearch> searches;
  if (has_tree) {
    Resources of_tree = resources;
    of_tree.threads = tree_threads;
    if (has_proof && cap > 0) of_tree.common.memory_bytes = cap - proof_bytes;
    for (NamedSearch& search : kTreeKind.make(task, parts.tree, of_tree, incumbent))
      searches.push_back(std::move(search));
  }
  if (has_proof) {
    try {
      searches.push_back({std::string(kProof), "search for a proof",
                          std::make_unique<ProofSearch>(task, proof_settings(proof_bytes), resources, incumbent)});
      --threads_left;
    } catch (const NoAddressSpace&) {  // annealing runs without it
    }
  }
  if (threads_left > 0)
    searches.push_back(make_anneal_search(task, std::any_cast<const AnnealSettings&>(parts.anneal), resources,
                                          threads_left, incumbent));
  return searches;
}

// Turns a row of one part into a row of the whole.
Setting lifted(Setting row, Settings AutoSettings::*part) {
  row.get = [part, get = row.get](const Settings& s) { return get(std::any_cast<const AutoSettings&>(s).*part); };
  row.set = [part, set = row.set](Settings& s, const SettingValue& v) {
    set(std::any_cast<AutoSettings&>(s).*part, v);
  };
  row.applies = [part, applies = row.applies](const Settings& s) {
    return applies(std::any_cast<const AutoSettings&>(s).*part);
  };
  return row;
}

std::span<const Setting> auto_settings() {
  static const std::vector<Setting> kTable = [] {
    std::vector<Setting> table;
    for (const Setting& row : kAnnealKind.settings())
      table.push_back(lifted(row, &AutoSettings::anneal));
    for (const Setting& row : kTreeKind.settings()) {
      table.push_back(lifted(row, &AutoSettings::tree));
      table.back().needs_device = true;
    }
    return table;
  }();
  return kTable;
}

std::span<const Preset> auto_presets() {
  static const std::vector<Preset> kPresets = {
      {"auto",
       fmt::format("annealing on the processors, with a search for a proof on boards of up to {} blocks; if there is a "
                   "device, it runs a tree search at the same time",
                   kMostProvenBlocks),
       "", AutoSettings{}}};
  return kPresets;
}

}  // namespace

const SearchKind kAutoKind = {
    .name = "auto",
    .title = "annealing",
    .summary = "combines the others as this machine allows; the default",
    .paper = "",
    .engines = EngineNeed::kDevice,
    .counters = {.evaluations = true},
    .settings = auto_settings,
    .presets = auto_presets,
    .make = make,
    .default_memory = "what its searches take",
    .objection =
        [](const Settings& s, const game::Scoring& scoring) {
          const auto& parts = std::any_cast<const AutoSettings&>(s);
          const std::string objection = anneal_objection(parts.anneal, scoring);
          return objection.empty() ? kTreeKind.objection(parts.tree, scoring) : objection;
        },
    .title_on_device = "annealing and tree search",
    .counters_on_device = {.playouts = true, .evaluations = true, .nodes = true},
    .is_deterministic_on_device = false,
};

}  // namespace chainshot::host
