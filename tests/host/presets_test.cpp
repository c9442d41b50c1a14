#include "host/presets.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "host/tree/selection.hpp"

namespace chainshot::host {
namespace {

TEST(Presets, HaveNamesOfTheirOwnAndRulesThatExist) {
  std::set<std::string_view> names;
  for (const Preset& preset : presets()) {
    EXPECT_TRUE(names.insert(preset.name).second) << preset.name;
    EXPECT_EQ(preset_named(preset.name), &preset);
    EXPECT_NE(selection_rule_named(preset.tree.selection.rule), nullptr) << preset.name;
    EXPECT_FALSE(preset.summary.empty());
    EXPECT_EQ(preset.source.empty(), preset.method != Method::kTree) << preset.name;
  }
  EXPECT_EQ(preset_named("no such search"), nullptr);
}

TEST(Presets, HaveTheParametersOfTheirPapers) {
  // Schadd 2012, table 2 and table 5; C in units of 2,000 and 250 points.
  EXPECT_EQ(preset_named("sp-mcts-balanced")->tree.selection.c, 0.5 * 2000);
  EXPECT_EQ(preset_named("sp-mcts-balanced")->tree.selection.d, 10000);
  EXPECT_EQ(preset_named("sp-mcts")->tree.selection.c, 5.96 * 250);
  EXPECT_EQ(preset_named("sp-mcts")->tree.selection.t, 13);
  // Klein 2015, 7.0.6 and B.5.
  const TreeSettings& tabu48 = preset_named("base-exp+tabu48")->tree;
  EXPECT_EQ(tabu48.selection.c, 0.021);
  EXPECT_EQ(tabu48.policy.random_below, 48);
  EXPECT_EQ(tabu48.duplicates, Duplicates::kConsistent);
  EXPECT_EQ(tabu48.allocation, Allocation::kExponential);
  EXPECT_EQ(tabu48.move_choice, MoveChoice::kTopScoreBelow);
}

// The fast one plays in lanes, the published one draws by points.
TEST(Presets, HaveTheSetBasedSearchWithBothPlayouts) {
  const TreeSettings &fast = preset_named("set")->tree, &published = preset_named("hgsts")->tree;
  EXPECT_EQ(preset_named("auto")->tree.policy, fast.policy);
  EXPECT_TRUE(fast.policy.plays_in_lanes());
  EXPECT_TRUE(published.policy.by_points);
  EXPECT_EQ(fast.mode, ParallelMode::kSet);
  EXPECT_EQ(published.mode, ParallelMode::kSet);
}

std::string value_of(const Preset& preset, std::string_view part) {
  for (const PresetPart& line : explain(preset.method, preset.tree))
    if (line.part == part) return line.value;
  return "";
}

TEST(Presets, ExplainThePartsTheyUseAndNoOthers) {
  const Preset& schadd = *preset_named("sp-mcts-exploitation");
  EXPECT_EQ(value_of(schadd, "C"), "200");
  EXPECT_EQ(value_of(schadd, "D"), "32");
  EXPECT_EQ(value_of(schadd, "playouts"), "tabu-color-random, epsilon 0.003");
  EXPECT_EQ(value_of(schadd, "duplicates"), "ignore");
  EXPECT_EQ(value_of(schadd, "late urgency"), "");
  const Preset& base = *preset_named("base-3rdavg");
  EXPECT_EQ(value_of(base, "D"), "");
  EXPECT_EQ(value_of(base, "normalisation"), "static, 5000");
  EXPECT_EQ(value_of(base, "late urgency"), "0.9995 from 30 % of the budget");
}

TEST(Presets, ExplainWhatWasChanged) {
  const Preset& anneal = *preset_named("anneal");
  EXPECT_EQ(value_of(anneal, "selection"), "");
  EXPECT_EQ(value_of(anneal, "temperature"), "40 to 12 points in 60 steps");
  const auto parts = explain(Method::kAnneal, {}, {.members = 7, .hot = 9});
  Preset changed = *preset_named("uct");
  changed.tree.policy.random_below = 30;
  EXPECT_EQ(value_of(changed, "playouts"), "tabu-color-random, random below 30");
  changed.tree.policy = game::policy_named("roulette").value();
  EXPECT_EQ(value_of(changed, "playouts"), "roulette, beta 4, theta 1");
  EXPECT_EQ(parts.at(1).value, "7, 4 at the end");
  EXPECT_EQ(parts.at(2).value, "9 to 12 points in 60 steps");
}

}  // namespace
}  // namespace chainshot::host
