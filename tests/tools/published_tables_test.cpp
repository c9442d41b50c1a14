// The catalogue of published tables can be measured: its presets, settings and policies exist.
#include "tools/reproduce/published_tables.hpp"

#include <gtest/gtest.h>

#include <set>

#include "game/policy.hpp"
#include "host/search/registry.hpp"

namespace chainshot::tools {
namespace {

void expect_search_exists(const host::SearchExperiment& experiment) {
  const host::FoundPreset found = host::find_preset(experiment.preset);
  ASSERT_NE(found.kind, nullptr) << experiment.preset;
  host::Settings settings = found.preset->settings;
  for (const auto& [name, value] : experiment.settings) {
    const host::Setting* const row = host::setting_named(found.kind->settings(), name);
    ASSERT_NE(row, nullptr) << experiment.preset << " --" << name;
    row->set(settings, value);
    EXPECT_EQ(row->get(settings), value) << experiment.preset << " --" << name;
  }
  for (const auto& [name, value] : experiment.settings)
    EXPECT_TRUE(host::setting_named(found.kind->settings(), name)->applies(settings))
        << experiment.preset << ' ' << name;
  EXPECT_TRUE(experiment.budget.seconds > 0 || experiment.budget.is_counted()) << experiment.preset;
}

TEST(PublishedTables, NameSearchesAndPoliciesThatExist) {
  for (const host::PublishedTable& table : published_tables()) {
    for (const host::PublishedRow& row : table.rows) {
      if (const auto* search = std::get_if<host::SearchExperiment>(&row.experiment)) expect_search_exists(*search);
      if (const auto* playouts = std::get_if<host::PlayoutExperiment>(&row.experiment)) {
        EXPECT_TRUE(game::policy_named(playouts->policy).has_value()) << playouts->policy;
      }
    }
  }
}

TEST(PublishedTables, HaveNamesOfTheirOwn) {
  std::set<std::string> tables;
  for (const host::PublishedTable& table : published_tables()) {
    EXPECT_TRUE(tables.insert(table.name).second) << table.name;
    std::set<std::string> rows;
    for (const host::PublishedRow& row : table.rows)
      EXPECT_TRUE(rows.insert(row.name).second) << table.name << ": " << row.name;
  }
}

// Sums over the standard set need whole passes over its boards.
TEST(PublishedTables, StandardTotalsHaveWholePasses) {
  for (const host::PublishedTable& table : published_tables()) {
    if (table.total == host::Total::kMean) continue;
    for (const host::PublishedRow& row : table.rows)
      for (const host::Effort& effort : row.effort)
        EXPECT_EQ(effort.samples % host::kStandardBoards, 0U) << table.name << ": " << row.name;
  }
}

TEST(PublishedTables, OnlyTheTwoFiguresThatNobodyCouldReproduceAreLeftOut) {
  std::set<double> left_out;
  for (const host::PublishedTable& table : published_tables())
    for (const host::PublishedRow& row : table.rows)
      if (std::holds_alternative<host::NotMeasured>(row.experiment)) left_out.insert(row.published);
  EXPECT_EQ(left_out, (std::set<double>{784, 1458}));  // Schadd 2012, table 4
}

}  // namespace
}  // namespace chainshot::tools
