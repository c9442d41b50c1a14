#include "host/nested/nmcs_kind.hpp"

#include "host/nested/nmcs_search.hpp"
#include "host/search/policy_settings.hpp"

namespace chainshot::host {
namespace {

constexpr int kMostLevels = 6;
constexpr int kMostLeafPlayouts = 1'000'000;

std::span<const Setting> nmcs_settings() {
  static const std::vector<Setting> kTable = [] {
    SettingTable<NmcsSettings> table;
    table.begin_group("NMCS");
    table.whole(
        "levels", "levels of nested calls; level 0 is a playout", "Cazenave 2009; Klein 2015, A.3",
        [](auto& s) -> auto& { return s.levels; }, 1, kMostLevels);
    table.flag(
        "keep-best", "a call follows the best line it has found, even if the moves of a step did worse",
        "Cazenave 2009; Klein 2015, A.3", [](auto& s) -> auto& { return s.keep_best; });
    table.whole(
        "leaf-playouts", "playouts of a call of level 0, of which the best counts", "",
        [](auto& s) -> auto& { return s.leaf_playouts; }, 1, kMostLeafPlayouts);
    table.begin_group("Playouts");
    add_policy_settings(table);
    table.only_with("--policy tabu-color-random, tabu-color-weighted or tabu48",
                    [](const NmcsSettings& s) { return s.policy.kind == game::PolicyKind::kTabuColorRandom; });
    table.flag(
        "keep-tabu", "keep the groups of the tabu colour for last at every level, not only in playouts", "",
        [](auto& s) -> auto& { return s.keep_tabu; });
    return table.take();
  }();
  return kTable;
}

std::span<const Preset> nmcs_presets() {
  static const std::vector<Preset> kPresets = {
      {"nmcs", "NMCS: each move is tried by a search one level lower; level 0 is a tabu playout", "Cazenave 2009",
       NmcsSettings{}},
  };
  return kPresets;
}

std::vector<NamedSearch> make(const SearchTask& task, const Settings& settings, const Resources& resources,
                              Incumbent& incumbent) {
  std::vector<NamedSearch> searches;
  searches.push_back({std::string(kNmcsKind.name), std::string(kNmcsKind.title),
                      make_nmcs_search(task, std::any_cast<const NmcsSettings&>(settings), resources.budget,
                                       resources.engines, resources.threads, resources.common, incumbent)});
  return searches;
}

}  // namespace

const SearchKind kNmcsKind = {
    .name = "nmcs",
    .title = "nested Monte-Carlo search",
    .summary = "tries every move of a position by a search of the position after it that is one level lower",
    .paper = "Cazenave 2009",
    .engines = EngineNeed::kAny,
    .counters = {.playouts = true},
    .settings = nmcs_settings,
    .presets = nmcs_presets,
    .make = make,
    .waiting_threads = [](const Settings&, const CommonSettings& common,
                          int threads) { return nmcs_leaders(common, threads); },
};

}  // namespace chainshot::host
