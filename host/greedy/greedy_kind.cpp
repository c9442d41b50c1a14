#include "host/greedy/greedy_kind.hpp"

#include "game/board_text.hpp"
#include "host/greedy/greedy_search.hpp"
#include "host/search/policy_settings.hpp"

namespace chainshot::host {
namespace {

std::span<const Setting> greedy_settings() {
  static const std::vector<Setting> kTable = [] {
    SettingTable<GreedySettings> table;
    table.begin_group("Playouts");  // where the help has these options for other searches
    table.flag(
        "keep-tabu", "keep the groups of the tabu colour for last", "Schadd 2012, 4.3",
        [](auto& s) -> auto& { return s.keep_tabu; });
    table.only_with("--keep-tabu", [](const GreedySettings& s) { return s.keep_tabu; });
    table
        .name_by(
            "tabu-color", "colour", "colour to keep for last instead of the most frequent one", "Schadd 2012, 4.3",
            color_names(),
            [](const GreedySettings& s) {
              return s.tabu_color < 0 ? std::string() : std::string(1, game::color_letter(s.tabu_color));
            },
            [](GreedySettings& s, const std::string& name) { s.tabu_color = color_named(name); })
        .zero = "the most frequent";
    return table.take();
  }();
  return kTable;
}

std::span<const Preset> greedy_presets() {
  static const std::vector<Preset> kPresets = {
      {"greedy", "one game in which every move removes the largest group", "", GreedySettings{}},
  };
  return kPresets;
}

std::vector<NamedSearch> make(const SearchTask& task, const Settings& settings, const Resources&,
                              Incumbent& incumbent) {
  std::vector<NamedSearch> searches;
  searches.push_back({std::string(kGreedyKind.name), std::string(kGreedyKind.title),
                      make_greedy_search(task, std::any_cast<const GreedySettings&>(settings), incumbent)});
  return searches;
}

}  // namespace

const SearchKind kGreedyKind = {
    .name = "greedy",
    .title = "greedy game",
    .summary = "removes the largest group at every move and plays one game",
    .paper = {},
    .engines = EngineNeed::kNone,
    .settings = greedy_settings,
    .presets = greedy_presets,
    .make = make,
};

}  // namespace chainshot::host
