#include "host/preset_searches.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include "host/tree/tree_search.hpp"

namespace chainshot::host {
namespace {

// Of the processors, where annealing runs beside a device: choosing leaves is cheap next to playing them, and a leaf
// gets more playouts where it is not.
constexpr int kTreeShare = 4;

bool is_device(const game::Engine* engine) {
  return !engine->capabilities().on_cpu;
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
    if (anneals(plan)) {
      AnnealSettings settings = plan.anneal;
      settings.threads = std::max(1, threads - tree_threads);
      searches.push_back({"anneal", make_annealing(task, settings, plan.budget, incumbent)});
    }
    return searches;
  };
}

}  // namespace chainshot::host
