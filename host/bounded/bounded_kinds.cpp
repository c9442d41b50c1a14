#include "host/bounded/bounded_kinds.hpp"

#include <fmt/format.h>

#include <utility>

#include "host/bounded/a_star.hpp"
#include "host/bounded/ida_star.hpp"

namespace chainshot::host {
namespace {

constexpr std::string_view kPaper = "Schadd 2012, 3";

std::span<const Setting> ida_star_settings() {
  static const std::vector<Setting> kTable = [] {
    SettingTable<IdaStarSettings> table;
    table.begin_group("IDA*");
    table
        .real(
            "deepening",
            "positions that the next threshold reaches, as a multiple of those expanded; 0: the next bound",
            "Sarkar 1991", [](auto& s) -> auto& { return s.deepening; }, 0, 1000)
        .zero = "the threshold falls to the next bound";
    table.flag(
        "transpositions", "remember bounds of positions that several paths reach", "",
        [](auto& s) -> auto& { return s.transpositions; });
    return table.take();
  }();
  return kTable;
}

std::span<const Preset> ida_star_presets() {
  static const std::vector<Preset> kPresets = {
      {"ida-star", "IDA*: depth-first under a threshold that falls from the bound of the board", std::string(kPaper),
       IdaStarSettings{}},
  };
  return kPresets;
}

std::span<const Setting> a_star_settings() {
  return {};
}

std::span<const Preset> a_star_presets() {
  static const std::vector<Preset> kPresets = {
      {"a-star", "A*: the position with the highest bound first", std::string(kPaper), AStarSettings{}},
  };
  return kPresets;
}

// Where groups earn nothing, the bound is the same for all positions and leads nowhere.
std::string bound_objection(const Settings&, const game::Scoring& scoring) {
  if (scoring.scores_groups()) return {};
  return fmt::format(
      "ida-star and a-star bound the points that groups can earn, and in the scoring {} groups earn none; expected "
      "another scoring or another preset",
      scoring.name());
}

std::vector<NamedSearch> make_ida_stars(const SearchTask& task, const Settings& settings, const Resources& resources,
                                        Incumbent& incumbent) {
  IdaStarSettings of_board = std::any_cast<const IdaStarSettings&>(settings);
  of_board.memory_bytes = resources.common.memory_bytes;
  std::vector<NamedSearch> searches;
  searches.push_back({std::string(kIdaStarKind.name), std::string(kIdaStarKind.title),
                      make_ida_star(task, of_board, resources.budget, incumbent)});
  return searches;
}

std::vector<NamedSearch> make_a_stars(const SearchTask& task, const Settings&, const Resources& resources,
                                      Incumbent& incumbent) {
  std::vector<NamedSearch> searches;
  searches.push_back({std::string(kAStarKind.name), std::string(kAStarKind.title),
                      make_a_star(task, {.memory_bytes = resources.common.memory_bytes}, resources.budget, incumbent)});
  return searches;
}

}  // namespace

const SearchKind kIdaStarKind = {
    .name = "ida-star",
    .title = "IDA*",
    .summary = "searches depth-first for a line that reaches a threshold, and lowers the threshold until there is one",
    .paper = kPaper,
    .engines = EngineNeed::kNone,
    .counters = {.evaluations = true, .nodes = true},
    .settings = ida_star_settings,
    .presets = ida_star_presets,
    .make = make_ida_stars,
    .default_memory = "64M",
    .objection = bound_objection,
};

const SearchKind kAStarKind = {
    .name = "a-star",
    .title = "A*",
    .summary = "expands the position whose lines could score most, until a finished line scores as much",
    .paper = kPaper,
    .engines = EngineNeed::kNone,
    .counters = {.evaluations = true, .nodes = true},
    .settings = a_star_settings,
    .presets = a_star_presets,
    .make = make_a_stars,
    .default_memory = "1G",
    .objection = bound_objection,
};

}  // namespace chainshot::host
