#include "host/dbs/dbs_kind.hpp"

#include "host/dbs/dbs_search.hpp"

namespace chainshot::host {
namespace {

std::span<const Setting> dbs_settings() {
  static const std::vector<Setting> kTable = [] {
    SettingTable<DbsSettings> table;
    table.begin_group("Depth-budgeted search");
    table.real(
        "moves-per-block", "expected moves per block left; the longer the game, the more the best move gets", "",
        [](auto& s) -> auto& { return s.moves_per_block; }, 0.01, 10);
    table.whole(
        "first-budget", "greedy games of the first pass", "", [](auto& s) -> auto& { return s.first_budget; }, 1, 1e9);
    table.real(
        "budget-growth", "factor on the games from pass to pass", "", [](auto& s) -> auto& { return s.budget_growth; },
        1, 100);
    return table.take();
  }();
  return kTable;
}

std::span<const Preset> dbs_presets() {
  static const std::vector<Preset> kPresets = {
      {"dbs", "depth-budgeted search: a budget divided among the moves, greedy games where it is spent",
       "Billings 2007, by Takes 2009, 4", DbsSettings{}},
  };
  return kPresets;
}

std::vector<NamedSearch> make_dbs(const SearchTask& task, const Settings& settings, const Resources& resources,
                                  Incumbent& incumbent) {
  DbsSettings of_board = std::any_cast<const DbsSettings&>(settings);
  of_board.memory_bytes = resources.common.memory_bytes;
  std::vector<NamedSearch> searches;
  searches.push_back({std::string(kDbsKind.name), std::string(kDbsKind.title),
                      make_dbs_search(task, of_board, resources.budget, incumbent)});
  return searches;
}

}  // namespace

const SearchKind kDbsKind = {
    .name = "dbs",
    .title = "depth-budgeted search",
    .summary = "gives every move a share of the budget, best move first, and plays greedily where it is spent",
    .paper = "Takes 2009, 4",
    .engines = EngineNeed::kNone,
    .counters = {.playouts = true, .nodes = true},
    .settings = dbs_settings,
    .presets = dbs_presets,
    .make = make_dbs,
    .default_memory = "256M",
};

}  // namespace chainshot::host
