#include "host/flat/flat_kind.hpp"

#include "host/flat/flat_search.hpp"
#include "host/search/policy_settings.hpp"

namespace chainshot::host {
namespace {

std::span<const Setting> flat_settings() {
  static const std::vector<Setting> kTable = [] {
    SettingTable<FlatSettings> table;
    table.begin_group("Flat Monte-Carlo");
    table.whole(
        "child-playouts", "playouts for every move of a position (R)", "Takes 2009, 5",
        [](auto& s) -> auto& { return s.child_playouts; }, 1, 1e8);
    table.choice(
        "choose-by", "choice of a move", "what decides between the moves of a position", "Takes 2009, 5",
        {"best", "mean"}, [](auto& s) -> auto& { return s.choose_by; });
    table
        .whole(
            "games", "games to play at most; 0: as many as the budget allows", "",
            [](auto& s) -> auto& { return s.games; })
        .zero = "as many as the budget allows";
    table.begin_group("Playouts");
    add_policy_settings(table);
    return table.take();
  }();
  return kTable;
}

FlatSettings with_policy(std::string_view policy, ChooseBy choose_by = ChooseBy::kMean) {
  return {.policy = game::policy_named(policy).value(), .choose_by = choose_by};
}

std::span<const Preset> flat_presets() {
  static const std::vector<Preset> kPresets = {
      {"mc-rws", "MC-RWS: the move with the highest mean of 1,000 roulette-wheel playouts", "Takes 2009, 4",
       with_policy("roulette")},
      {"mc-avg-bias", "MC-Avg-Bias: the move with the highest mean of 1,000 tabu playouts", "Takes 2009, 5",
       with_policy("tabu-color-random")},
      {"mc-avg", "MC-Avg: the move with the highest mean of 1,000 random playouts", "Takes 2009, 5",
       with_policy("random")},
      {"mc-biggest", "MC-Biggest: the move with the best of 1,000 random playouts", "Takes 2009, 5",
       with_policy("random", ChooseBy::kBest)},
  };
  return kPresets;
}

std::vector<NamedSearch> make(const SearchTask& task, const Settings& settings, const Resources& resources,
                              Incumbent& incumbent) {
  std::vector<NamedSearch> searches;
  searches.push_back({std::string(kFlatKind.name), std::string(kFlatKind.title),
                      make_flat_search(task, std::any_cast<const FlatSettings&>(settings), resources.budget,
                                       resources.engines, incumbent)});
  return searches;
}

}  // namespace

const SearchKind kFlatKind = {
    .name = "flat",
    .title = "flat Monte-Carlo",
    .summary = "plays the move whose playouts did best, move by move, without a tree",
    .paper = "Takes 2009",
    .engines = EngineNeed::kAny,
    .counters = {.playouts = true},
    .settings = flat_settings,
    .presets = flat_presets,
    .make = make,
};

}  // namespace chainshot::host
