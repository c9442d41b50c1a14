#include "host/preset_searches.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include "host/engines.hpp"
#include "host/tree/tree_search.hpp"

namespace chainshot::host {
namespace {

// Of the processors, where annealing runs beside a device: choosing leaves is cheap next to playing them, and a leaf
// gets more playouts where it is not.
constexpr int kTreeShare = 4;

// The most blocks of a board that `auto` looks for a proof of: on boards of 7 x 7 that finds more than annealing does
// in the same time, on those of 8 x 8 with three colours as much, and ends at once; on larger ones it finds less.
constexpr int kMostProvenBlocks = 64;

bool is_device(const game::Engine* engine) {
  return !engine->capabilities().on_cpu;
}

// A tree search that brings its own engine, of one thread that is its own too.
class ProofSearch final : public Search {
 public:
  ProofSearch(const SearchTask& task, const TreeSettings& settings, const Budget& budget, Incumbent& incumbent)
      : engine_(make_engine({.name = "cpu", .threads = 1, .waiting = 1})),
        search_(make_tree_search(task, settings, budget, {engine_.get()}, 1, incumbent)) {}

  void run(std::stop_token stop) override { search_->run(std::move(stop)); }
  SearchStatus status() const override { return search_->status(); }

 private:
  const std::unique_ptr<game::Engine> engine_;
  const std::unique_ptr<Search> search_;
};

// UCT with one node for every position.
TreeSettings proof_settings(std::uint64_t memory_bytes) {
  TreeSettings settings = preset_named("uct")->tree;
  settings.duplicates = Duplicates::kDynamic;
  settings.memory_bytes = memory_bytes;
  return settings;
}

// Beside annealing. What is counted instead of timed is to come out the same again, and two searches that share their
// lines do not.
bool looks_for_proof(const SearchPlan& plan, const game::Position& board) {
  const Budget& budget = plan.budget;
  return plan.method == Method::kAuto && board.blocks() <= kMostProvenBlocks && budget.playouts == 0 &&
         budget.nodes == 0 && budget.resource_units == 0;
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
    if (tree)
      searches.push_back({"tree", make_tree_search(task, plan.tree, plan.budget, engines, tree_threads, incumbent)});
    const bool proof = looks_for_proof(plan, task.board);
    if (proof) {
      searches.push_back({"proof", std::make_unique<ProofSearch>(task, proof_settings(plan.tree.memory_bytes),
                                                                 plan.budget, incumbent)});
    }
    if (anneals(plan)) {
      AnnealSettings settings = plan.anneal;
      settings.threads = std::max(1, threads - tree_threads - (proof ? 1 : 0));
      searches.push_back({"anneal", make_annealing(task, settings, plan.budget, incumbent)});
    }
    return searches;
  };
}

}  // namespace chainshot::host
