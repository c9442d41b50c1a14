// The promises of the registry: data alone describes a search, and everything derived from the data is right for every
// search, including future ones.
#include "host/search/registry.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <string>

namespace chainshot::host {
namespace {

// Returns a value in the row's range that differs from the present one.
SettingValue changed(const Setting& row, const Settings& settings) {
  const SettingValue now = row.get(settings);
  switch (row.kind) {
    case SettingKind::kFlag:
      return !std::get<bool>(now);
    case SettingKind::kReal: {
      const double value = std::get<double>(now), middle = std::min(row.high, row.low + 0.25);
      return value == middle ? row.low + 0.125 : middle;
    }
    case SettingKind::kName:
      return row.names[0] == std::get<std::string>(now) ? row.names[1] : row.names[0];
    default: {
      const auto low = static_cast<std::int64_t>(row.low);
      return std::get<std::int64_t>(now) == low + 1 ? low + 2 : low + 1;
    }
  }
}

// Returns all settings that differ from `from` in one row.
std::vector<Settings> neighbours(const SearchKind& kind, const Settings& from) {
  std::vector<Settings> all;
  for (const Setting& row : kind.settings())
    for (std::size_t name = 0; name < std::max<std::size_t>(1, row.names.size()); ++name) {
      row.set(all.emplace_back(from), row.names.empty() ? changed(row, from) : SettingValue(row.names[name]));
    }
  return all;
}

// Returns settings to which the row applies: those of a preset, or with one or two other rows changed.
std::vector<Settings> where_it_applies(const SearchKind& kind, const Setting& row) {
  std::vector<Settings> found, frontier;
  for (const Preset& preset : kind.presets())
    frontier.push_back(preset.settings);
  for (int changes = 0; changes <= 2 && found.empty(); ++changes) {
    std::vector<Settings> next;
    for (const Settings& settings : frontier) {
      if (row.applies(settings)) found.push_back(settings);
      if (changes < 2)
        for (Settings& neighbour : neighbours(kind, settings))
          next.push_back(std::move(neighbour));
    }
    frontier = std::move(next);
  }
  return found;
}

TEST(Registry, PresetsHaveNamesOfTheirOwnAndCanBeFound) {
  std::set<std::string> names;
  for (const SearchKind* kind : search_kinds())
    for (const Preset& preset : kind->presets()) {
      EXPECT_TRUE(names.insert(preset.name).second) << preset.name;
      EXPECT_EQ(find_preset(preset.name).preset, &preset);
      EXPECT_EQ(find_preset(preset.name).kind, kind);
      EXPECT_FALSE(preset.summary.empty());
    }
  EXPECT_EQ(preset_names().size(), names.size());
  EXPECT_EQ(find_preset("no such search").preset, nullptr);
}

TEST(Registry, EverySearchAndEverySettingIsDescribed) {
  for (const SearchKind* kind : search_kinds()) {
    EXPECT_FALSE(kind->title.empty()) << kind->name;
    EXPECT_FALSE(kind->summary.empty()) << kind->name;
    std::set<std::string> names;
    for (const Setting& row : kind->settings()) {
      EXPECT_TRUE(names.insert(row.name).second) << kind->name << ' ' << row.name;
      EXPECT_FALSE(row.help.empty()) << row.name;
      EXPECT_FALSE(row.group.empty()) << row.name;
      EXPECT_EQ(setting_named(common_settings(), row.name), nullptr) << row.name;
      if (row.kind == SettingKind::kName) {
        EXPECT_GE(row.names.size(), 2u) << row.name;
        EXPECT_FALSE(row.noun.empty()) << row.name;
      } else if (row.kind != SettingKind::kFlag) {
        EXPECT_LT(row.low, row.high) << row.name;
      }
    }
  }
}

// One option serves all searches that have a setting of its name.
TEST(Registry, SettingsOfOneNameAreOfOneKind) {
  std::map<std::string, SettingKind> kinds;
  for (const SearchKind* kind : search_kinds())
    for (const Setting& row : kind->settings())
      EXPECT_EQ(kinds.try_emplace(row.name, row.kind).first->second, row.kind) << kind->name << ' ' << row.name;
}

TEST(Registry, MemoryIsASettingOfSearchesThatTakeSome) {
  for (const SearchKind* kind : search_kinds()) {
    const std::vector<Setting> rows = common_settings(*kind);
    const Setting* memory = setting_named(rows, "memory");
    ASSERT_EQ(memory != nullptr, !kind->default_memory.empty()) << kind->name;
    if (memory != nullptr) {
      EXPECT_EQ(memory->text(CommonSettings{}), kind->default_memory);
    }
  }
}

// A setting that can be changed can be seen, because --explain and the log follow from the same rows.
TEST(Registry, EveryChangeIsSeen) {
  for (const SearchKind* kind : search_kinds())
    for (const Setting& row : kind->settings()) {
      const std::vector<Settings> applicable = where_it_applies(*kind, row);
      ASSERT_FALSE(applicable.empty()) << kind->name << ' ' << row.name << " applies nowhere";
      for (const Settings& before : applicable) {
        Settings after = before;
        const SettingValue value = changed(row, before);
        row.set(after, value);
        if (row.kind == SettingKind::kReal)
          EXPECT_NEAR(std::get<double>(row.get(after)), std::get<double>(value), 1e-9) << row.name;
        else
          EXPECT_EQ(row.get(after), value) << kind->name << ' ' << row.name;
        EXPECT_NE(row.text(after), row.text(before)) << kind->name << ' ' << row.name;
      }
    }
}

TEST(Registry, EveryPresetIsWithinTheRangesOfItsSettings) {
  for (const SearchKind* kind : search_kinds())
    for (const Preset& preset : kind->presets())
      for (const Setting& row : kind->settings()) {
        const SettingValue value = row.get(preset.settings);
        if (const double* real = std::get_if<double>(&value); real != nullptr && (*real != 0 || row.zero.empty())) {
          EXPECT_GE(*real, row.low) << preset.name << ' ' << row.name;
          EXPECT_LE(*real, row.high) << preset.name << ' ' << row.name;
        }
        if (const auto* whole = std::get_if<std::int64_t>(&value); whole != nullptr) {
          EXPECT_GE(static_cast<double>(*whole), row.low) << preset.name << ' ' << row.name;
          EXPECT_LE(static_cast<double>(*whole), row.high) << preset.name << ' ' << row.name;
        }
      }
}

TEST(Registry, MemoryIsShownAsItIsGiven) {
  const Setting& memory = *setting_named(common_settings(), "memory");
  const auto text = [&](std::uint64_t bytes) { return memory.text(CommonSettings{.memory_bytes = bytes}); };
  EXPECT_EQ(text(0), "by the search");
  EXPECT_EQ(text(std::uint64_t{64} << 20), "64M");
  EXPECT_EQ(text(std::uint64_t{3} << 29), "1536M");
  EXPECT_EQ(text(1'000'001), "1000001 bytes");
}

}  // namespace
}  // namespace chainshot::host
