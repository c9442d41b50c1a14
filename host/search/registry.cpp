#include "host/search/registry.hpp"

#include <algorithm>
#include <array>

#include "host/anneal/anneal_kind.hpp"
#include "host/beam/beam_kind.hpp"
#include "host/bounded/bounded_kinds.hpp"
#include "host/dbs/dbs_kind.hpp"
#include "host/flat/flat_kind.hpp"
#include "host/greedy/greedy_kind.hpp"
#include "host/nested/nmcs_kind.hpp"
#include "host/nrpa/nrpa_kind.hpp"
#include "host/search/auto.hpp"
#include "host/tree/tree_kind.hpp"

namespace chainshot::host {
namespace {

// A new search adds its line here.
constexpr const SearchKind* kSearchKinds[] = {
    &kAutoKind, &kAnnealKind, &kBeamKind, &kTreeKind,    &kNrpaKind,  &kNmcsKind,
    &kFlatKind, &kGreedyKind, &kDbsKind,  &kIdaStarKind, &kAStarKind,
};

constexpr int kMostShares = 100'000;
constexpr double kLeastMemory = 256 << 10;  // enough for a few nodes of a wide board and their position table

std::vector<Setting> make_common_settings() {
  SettingTable<CommonSettings> table;
  table.begin_group("Every search");
  table.flag(
      "deterministic", "make the result depend on the seed alone, not on threads and latency; needs a counted budget",
      "", [](auto& s) -> auto& { return s.deterministic; });
  table
      .bytes(
          "memory", "memory of the search: 512M, 4GiB (default: see --explain)",
          [](auto& s) -> auto& { return s.memory_bytes; }, kLeastMemory)
      .zero = "by the search";
  table.only_with("--deterministic", [](const CommonSettings& s) { return s.deterministic; });
  table
      .whole(
          "shares",
          "independent searches that divide the budget; the result depends on their number, not on how many "
          "processes run them",
          "", [](auto& s) -> auto& { return s.shares; }, 0, kMostShares)
      .zero = "one per process";
  return table.take();
}

}  // namespace

std::span<const Setting> common_settings() {
  static const std::vector<Setting> kTable = make_common_settings();
  return kTable;
}

std::vector<Setting> common_settings(const SearchKind& kind) {
  std::vector<Setting> rows;
  for (Setting row : common_settings()) {
    if (row.name == "memory") row.zero = kind.default_memory;
    if (row.name != "memory" || !kind.default_memory.empty()) rows.push_back(std::move(row));
  }
  return rows;
}

std::span<const SearchKind* const> search_kinds() {
  return kSearchKinds;
}

FoundPreset find_preset(std::string_view name) {
  for (const SearchKind* kind : search_kinds())
    for (const Preset& preset : kind->presets())
      if (preset.name == name) return {kind, &preset};
  return {};
}

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const SearchKind* kind : search_kinds())
    for (const Preset& preset : kind->presets())
      names.push_back(preset.name);
  return names;
}

}  // namespace chainshot::host
