#include "host/tree/tree_kind.hpp"

#include <gtest/gtest.h>

#include <string>

#include "host/tree/selection/selection.hpp"

namespace chainshot::host {
namespace {

std::string text_of(const Settings& settings, std::string_view name) {
  const Setting* row = setting_named(tree_settings(), name);
  EXPECT_NE(row, nullptr) << name;
  return row->applies(settings) ? row->text(settings) : "";
}

TEST(TreePresets, HaveRulesThatExist) {
  for (const Preset& preset : tree_presets()) {
    const auto& settings = std::any_cast<const TreeSettings&>(preset.settings);
    EXPECT_NE(selection_rule_named(settings.selection.rule), nullptr) << preset.name;
    EXPECT_FALSE(preset.paper.empty()) << preset.name;
  }
}

TEST(TreePresets, HaveTheParametersOfTheirPapers) {
  // Schadd 2012, table 2 and table 5; C in units of 2,000 and 250 points.
  EXPECT_EQ(tree_preset("sp-mcts-balanced").selection.c, 0.5 * 2000);
  EXPECT_EQ(tree_preset("sp-mcts-balanced").selection.d, 10000);
  EXPECT_EQ(tree_preset("sp-mcts").selection.c, 5.96 * 250);
  EXPECT_EQ(tree_preset("sp-mcts").selection.t, 13);
  // Klein 2015, 7.0.6 and B.5.
  const TreeSettings& tabu48 = tree_preset("base-exp+tabu48");
  EXPECT_EQ(tabu48.selection.c, 0.021);
  EXPECT_EQ(tabu48.policy.random_below, 48);
  EXPECT_EQ(tabu48.duplicates, Duplicates::kConsistent);
  EXPECT_EQ(tabu48.allocation, Allocation::kExponential);
  EXPECT_EQ(tabu48.move_choice, MoveChoice::kTopScoreBelow);
}

// Klein 2015, 8.1: C = 0.022, 16 and 14 runs, the best of both; (Meta 5) is five runs of a search of chapter 7.
TEST(TreePresets, HaveTheMetaSearchesOfKlein) {
  for (const char* name : {"448/16", "448/14", "448-max"}) {
    const TreeSettings& meta = tree_preset(name);
    EXPECT_EQ(meta.selection.c, 0.022) << name;
    EXPECT_EQ(meta.policy.random_below, 48) << name;
    EXPECT_EQ(meta.allocation, Allocation::kExponential) << name;
  }
  EXPECT_EQ(tree_preset("448/16").restarts, 16);
  EXPECT_EQ(tree_preset("448/14").restarts, 14);
  EXPECT_EQ(tree_preset("448-max").restarts, 16);
  EXPECT_EQ(tree_preset("448-max").second_restarts, 14);
  EXPECT_EQ(tree_preset("base-exp+tabu48-meta5").restarts, 5);
  EXPECT_EQ(tree_preset("base-exp+tabu48-meta5").selection.c, tree_preset("base-exp+tabu48").selection.c);
  EXPECT_EQ(tree_preset("base-3rdavg-exp+-meta5").restarts, 5);
  // Klein 2015, figure 6.23: P = 1.05, f = 0.999, L = 1.001 and C = 100, which is 0.02 of the range.
  const TreeSettings& cnode = tree_preset("consistent-cnode-meta5");
  EXPECT_EQ(cnode.restarts, 5);
  EXPECT_EQ(cnode.selection.c * cnode.selection.range, 100);
  EXPECT_EQ(cnode.node_exploration.growth, 1.05);
  EXPECT_FALSE(cnode.node_exploration.late_urgency);
  EXPECT_EQ(cnode.duplicates, Duplicates::kConsistent);
}

// The fast one plays in lanes, the published one draws by points.
TEST(TreePresets, HaveTheSetBasedSearchWithBothPlayouts) {
  const TreeSettings &fast = tree_preset("set"), &published = tree_preset("hgsts");
  EXPECT_TRUE(fast.policy.plays_in_lanes());
  EXPECT_TRUE(published.policy.by_points);
  EXPECT_EQ(fast.mode, ParallelMode::kSet);
  EXPECT_EQ(published.mode, ParallelMode::kSet);
}

TEST(TreeSettingsTable, ExplainsTheSettingsThatApplyAndNoOthers) {
  const Settings schadd = tree_preset("sp-mcts-exploitation");
  EXPECT_EQ(text_of(schadd, "c"), "200");
  EXPECT_EQ(text_of(schadd, "d"), "32");
  EXPECT_EQ(text_of(schadd, "policy"), "tabu-color-random");
  EXPECT_EQ(text_of(schadd, "epsilon"), "0.003");
  EXPECT_EQ(text_of(schadd, "duplicates"), "ignore");
  EXPECT_EQ(text_of(schadd, "urgency"), "");
  EXPECT_EQ(text_of(schadd, "range"), "");
  const Settings base = tree_preset("base-3rdavg");
  EXPECT_EQ(text_of(base, "d"), "");
  EXPECT_EQ(text_of(base, "normalisation"), "static");
  EXPECT_EQ(text_of(base, "range"), "5000");
  EXPECT_EQ(text_of(base, "urgency-share"), "0.3");
  EXPECT_EQ(text_of(tree_preset("base-exp+tabu48"), "policy"), "tabu48");
}

TEST(TreeSettingsTable, APolicyKeepsItsNameWhenItsParametersChange) {
  TreeSettings settings = tree_preset("uct");
  settings.policy.random_below = 30;
  EXPECT_EQ(text_of(settings, "policy"), "tabu-color-random");
  EXPECT_EQ(text_of(settings, "random-below"), "30");
  settings.policy = game::policy_named("roulette").value();
  EXPECT_EQ(text_of(settings, "policy"), "roulette");
  EXPECT_EQ(text_of(settings, "beta"), "4");
}

TEST(TreeSettingsTable, VsPruningIsThatOfTheTreeAndOfPlayouts) {
  Settings settings = tree_preset("uct");
  setting_named(tree_settings(), "vs-pruning")->set(settings, true);
  const auto& changed = std::any_cast<const TreeSettings&>(settings);
  EXPECT_TRUE(changed.vs_pruning);
  EXPECT_TRUE(changed.policy.vs_pruning);
  // Another policy is pruned as the one before.
  setting_named(tree_settings(), "policy")->set(settings, std::string("random"));
  EXPECT_TRUE(changed.policy.vs_pruning);
  EXPECT_EQ(changed.policy.kind, game::PolicyKind::kRandom);
}

}  // namespace
}  // namespace chainshot::host
