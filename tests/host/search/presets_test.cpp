#include "host/search/presets.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "host/tree/selection/selection.hpp"

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
  EXPECT_EQ(value_of(base, "late urgency"), "0.9995 in the last 30 % of the budget");
}

TEST(Presets, ExplainWhatWasChanged) {
  const Preset& anneal = *preset_named("anneal");
  EXPECT_EQ(value_of(anneal, "selection"), "");
  EXPECT_EQ(value_of(anneal, "temperature"), "40 to 12 points in 60 steps");
  const auto parts = explain(Method::kAnneal, {}, {.members = 7, .hot = 90, .cold = 9});
  Preset changed = *preset_named("uct");
  changed.tree.policy.random_below = 30;
  EXPECT_EQ(value_of(changed, "playouts"), "tabu-color-random, random below 30");
  changed.tree.policy = game::policy_named("roulette").value();
  EXPECT_EQ(value_of(changed, "playouts"), "roulette, beta 4, theta 1");
  EXPECT_EQ(parts.at(1).value, "7, 4 at the end");
  EXPECT_EQ(parts.at(2).value, "90 to 9 points in 60 steps");
}

std::string text_of(Method method, const TreeSettings& tree, const AnnealSettings& anneal = {}) {
  std::string text;
  for (const PresetPart& line : explain(method, tree, anneal))
    text += line.part + ": " + line.value + '\n';
  return text;
}

// Settings under which each of the others has something to decide.
TreeSettings settings_with_all_parts(ParallelMode mode) {
  TreeSettings settings;
  settings.selection.normalisation = Normalisation::kStatic;
  settings.node_exploration = {.enabled = true, .late_urgency = true};
  settings.allocation = Allocation::kLinear;
  settings.mode = mode;
  return settings;
}

// What an option can change is seen. A change that is not says in which mode it means nothing.
TEST(Presets, ExplainEveryChange) {
  struct Change {
    std::string_view what;
    void (*make)(TreeSettings&);
  };
  const Change anywhere[] = {
      {"selection", [](TreeSettings& s) { s.selection.rule = "uct"; }},
      {"c", [](TreeSettings& s) { s.selection.c = 0.123; }},
      {"d", [](TreeSettings& s) { s.selection.d = 33; }},
      {"w", [](TreeSettings& s) { s.selection.w = 0; }},
      {"t", [](TreeSettings& s) { s.selection.t = 0; }},
      {"normalisation", [](TreeSettings& s) { s.selection.normalisation = Normalisation::kNone; }},
      {"range", [](TreeSettings& s) { s.selection.range = 5001; }},
      {"node-exploration", [](TreeSettings& s) { s.node_exploration.enabled = false; }},
      {"growth", [](TreeSettings& s) { s.node_exploration.growth = 1.06; }},
      {"fading", [](TreeSettings& s) { s.node_exploration.fading = 0.998; }},
      {"least-growth", [](TreeSettings& s) { s.node_exploration.least = 1.002; }},
      {"late-urgency", [](TreeSettings& s) { s.node_exploration.late_urgency = false; }},
      {"urgency", [](TreeSettings& s) { s.node_exploration.urgency = 0.9994; }},
      {"urgency-share", [](TreeSettings& s) { s.node_exploration.urgency_share = 0.301; }},
      {"policy", [](TreeSettings& s) { s.policy = game::policy_named("random").value(); }},
      {"epsilon", [](TreeSettings& s) { s.policy.epsilon = game::epsilon_from(0.0001); }},
      {"tabu-color", [](TreeSettings& s) { s.policy.tabu_color = 0; }},
      {"random-below", [](TreeSettings& s) { s.policy.random_below = 1; }},
      {"state-pruning", [](TreeSettings& s) { s.state_pruning = true; }},
      {"vs-pruning", [](TreeSettings& s) { s.vs_pruning = true; }},
      {"duplicates", [](TreeSettings& s) { s.duplicates = Duplicates::kNaive; }},
      {"merge-symmetric", [](TreeSettings& s) { s.merges_symmetric = true; }},
      {"allocation", [](TreeSettings& s) { s.allocation = Allocation::kPerGame; }},
      {"move-choice", [](TreeSettings& s) { s.move_choice = MoveChoice::kVisits; }},
      {"restarts", [](TreeSettings& s) { s.restarts = 2; }},
      {"memory", [](TreeSettings& s) { s.memory_bytes = 1 << 20; }},
      {"leaf-playouts", [](TreeSettings& s) { s.leaf_playouts = 2; }},
      {"in-flight", [](TreeSettings& s) { s.in_flight = 1; }},
      {"look-ahead", [](TreeSettings& s) { s.look_ahead = 1; }},
      {"deterministic", [](TreeSettings& s) { s.deterministic = true; }},
  };
  const auto expect_seen = [](ParallelMode mode, const Change& change) {
    const TreeSettings before = settings_with_all_parts(mode);
    TreeSettings after = before;
    change.make(after);
    EXPECT_NE(text_of(Method::kTree, after), text_of(Method::kTree, before)) << to_string(mode) << ' ' << change.what;
  };
  for (const ParallelMode mode : {ParallelMode::kTree, ParallelMode::kRoot, ParallelMode::kSet})
    for (const Change& change : anywhere)
      expect_seen(mode, change);
  expect_seen(ParallelMode::kTree, {"parallel", [](TreeSettings& s) { s.mode = ParallelMode::kRoot; }});
  expect_seen(ParallelMode::kTree, {"keep-tree", [](TreeSettings& s) { s.keeps_tree = false; }});
  expect_seen(ParallelMode::kRoot, {"trees", [](TreeSettings& s) { s.trees = 3; }});
  expect_seen(ParallelMode::kRoot, {"merge-trees", [](TreeSettings& s) { s.merges_trees = false; }});
  expect_seen(ParallelMode::kSet, {"set-size", [](TreeSettings& s) { s.set_size = 5; }});
}

TEST(Presets, ExplainEveryChangeOfAnnealing) {
  for (const AnnealSettings& changed :
       {AnnealSettings{.members = 9}, AnnealSettings{.last_members = 5}, AnnealSettings{.hot = 41},
        AnnealSettings{.cold = 11}, AnnealSettings{.steps = 61}, AnnealSettings{.soft_start = 11},
        AnnealSettings{.soft_end = 3}})
    EXPECT_NE(text_of(Method::kAnneal, {}, changed), text_of(Method::kAnneal, {}));
}

TEST(Presets, ExplainMemoryAsItIsGiven) {
  Preset uct = *preset_named("uct");
  EXPECT_EQ(value_of(uct, "memory"), "a quarter of the machine's");
  uct.tree.memory_bytes = std::uint64_t{64} << 20;
  EXPECT_EQ(value_of(uct, "memory"), "64M");
  uct.tree.memory_bytes = std::uint64_t{3} << 29;
  EXPECT_EQ(value_of(uct, "memory"), "1536M");
  uct.tree.memory_bytes = 1'000'001;
  EXPECT_EQ(value_of(uct, "memory"), "1000001 bytes");
}

}  // namespace
}  // namespace chainshot::host
