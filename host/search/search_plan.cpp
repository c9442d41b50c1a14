#include "host/search/search_plan.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include "host/anneal/sp_mcts_start.hpp"
#include "host/engines/engines.hpp"
#include "host/tree/memory/node_pool.hpp"
#include "host/tree/tree_search.hpp"

namespace chainshot::host {
namespace {

// Of the processors, where annealing runs beside a device: choosing leaves is cheap next to playing them, and a leaf
// gets more playouts where it is not.
constexpr int kTreeShare = 4;

// The most blocks of a board on which the search for a proof finds no less than annealing does in the same time
// (docs/search.md).
constexpr int kMostBlocksAlone = 49;
constexpr std::uint64_t kProofBytes = std::uint64_t{1} << 30;

constexpr std::string_view kProof = "proof";

bool is_device(const game::Engine* engine) {
  return !engine->capabilities().on_cpu;
}

// A tree search that brings its own engine, whose only thread is that of the search while it waits.
class ProofSearch final : public Search {
 public:
  ProofSearch(const SearchTask& task, const TreeSettings& settings, const Budget& budget, Incumbent& incumbent)
      : engine_(make_engine({.name = "cpu", .threads = 1, .caller_threads = 1})),
        search_(make_tree_search(task, settings, budget, {engine_.get()}, 1, incumbent, kProof)) {}

  void run(std::stop_token stop) override { search_->run(std::move(stop)); }
  void cancel_pending() override { search_->cancel_pending(); }
  SearchStatus status() const override { return search_->status(); }

 private:
  const std::unique_ptr<game::Engine> engine_;
  const std::unique_ptr<Search> search_;
};

// Annealing that brings its own chain engine.
class AnnealSearch final : public Search {
 public:
  AnnealSearch(const SearchTask& task, const SearchPlan& plan, int threads, Incumbent& incumbent)
      : engine_(make_chain_engine({.threads = threads, .isa = plan.isa})),
        search_(make_annealing(task, plan.anneal, plan.budget, *engine_, sp_mcts_start, incumbent)) {}

  void run(std::stop_token stop) override { search_->run(std::move(stop)); }
  SearchStatus status() const override { return search_->status(); }

 private:
  const std::unique_ptr<game::ChainEngine> engine_;
  const std::unique_ptr<Search> search_;
};

// UCT with one node for every position.
TreeSettings proof_settings(std::uint64_t memory_bytes) {
  TreeSettings settings = preset_named("uct")->tree;
  settings.duplicates = Duplicates::kDynamic;
  settings.memory_bytes = memory_bytes;
  return settings;
}

// What is counted instead of timed is to come out the same again, and two searches that share their lines do not.
bool looks_for_proof(const SearchPlan& plan, int blocks, int threads) {
  const Budget& budget = plan.budget;
  return plan.method == Method::kAuto && blocks <= (threads > 1 ? kMostProvenBlocks : kMostBlocksAlone) &&
         budget.playouts == 0 && budget.nodes == 0 && budget.resource_units == 0;
}

}  // namespace

bool searches_tree(const SearchPlan& plan, const std::vector<game::Engine*>& engines) {
  return plan.method == Method::kTree ||
         (plan.method == Method::kAuto && std::any_of(engines.begin(), engines.end(), is_device));
}

bool anneals(const SearchPlan& plan) {
  return plan.method != Method::kTree;
}

SearchMaker make_searches(const SearchPlan& plan, std::vector<game::Engine*> engines, int threads) {
  if (threads == 0) threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const bool tree = searches_tree(plan, engines);
  const int tree_threads = !tree ? 0 : anneals(plan) ? std::max(1, threads / kTreeShare) : threads;
  return [=, engines = std::move(engines)](const SearchTask& task, Incumbent& incumbent) {
    std::vector<NamedSearch> searches;
    int threads_left = std::max(1, threads - tree_threads);
    const bool proof = looks_for_proof(plan, task.board.blocks(), threads_left);
    const std::uint64_t cap = plan.tree.memory_bytes;
    const std::uint64_t proof_bytes = cap == 0 ? kProofBytes : std::min(kProofBytes, tree ? cap / 2 : cap);
    if (tree) {
      TreeSettings settings = plan.tree;
      if (proof && cap > 0) settings.memory_bytes = cap - proof_bytes;
      searches.push_back({"tree", make_tree_search(task, settings, plan.budget, engines, tree_threads, incumbent)});
    }
    if (proof) {
      try {
        searches.push_back({std::string(kProof),
                            std::make_unique<ProofSearch>(task, proof_settings(proof_bytes), plan.budget, incumbent)});
        --threads_left;
      } catch (const NoAddressSpace&) {  // annealing goes on without it
      }
    }
    if (anneals(plan) && threads_left > 0)
      searches.push_back({"anneal", std::make_unique<AnnealSearch>(task, plan, threads_left, incumbent)});
    return searches;
  };
}

}  // namespace chainshot::host
