// The exploration factor that nodes share: cooling, DepthBlock, LeafBlock and both late urgencies, against arithmetic.
#include <gtest/gtest.h>

#include <cmath>

#include "host/tree/core/global_exploration.hpp"
#include "host/tree/core/node_exploration.hpp"
#include "host/tree/tree_kind.hpp"
#include "tests/support/random_boards.hpp"
#include "tests/support/tree_inspector.hpp"
#include "tests/support/tree_play.hpp"

namespace chainshot::host {
namespace {

// A row of two pairs, with single blocks that keep it from being cleared. Either pair may go first, and the other one
// ends the game: the walks end at depths 0, 1, 1, 2, 2.
class Scene {
 public:
  explicit Scene(const GlobalExploration& exploration, const NodeExploration& nodes = {})
      : settings_(settings_of(exploration, nodes)),
        tree_(pool_, tests::board_of({"00211"}), 0, settings_, game::kStandardScoring, 1) {}

  static TreeSettings settings_of(const GlobalExploration& exploration, const NodeExploration& nodes) {
    TreeSettings settings;
    settings.selection = {.rule = "uct", .c = 100, .w = 0, .t = 0};
    settings.policy = {.kind = game::PolicyKind::kRandom};
    settings.global_exploration = exploration;
    settings.node_exploration = nodes;
    return settings;
  }
  // A playout of so many moves, worse than any line, so that nothing is closed by it.
  Descent walk(int playout_moves = 2) {
    Walk walk;
    const Descent descent = tree_.descend(walk);
    if (descent != Descent::kLeaf) return descent;
    game::Result result;
    result.add({}, -5, playout_moves);
    tree_.complete(walk, result);
    return descent;
  }
  double factor() const { return tree_.state().exploration.c; }
  Tree& tree() { return tree_; }

 private:
  NodePool pool_{std::size_t{1} << 20};
  const TreeSettings settings_;
  Tree tree_;
};

TEST(Cooling, FollowsTheFormulas) {
  // Klein 2015, 3.7.2 and 6.9.2: C R_left / R_total, and max(C e^(-5 (R_total - R_left) / R_total), 8), here with
  // C = 200 and the points as they are.
  TreeSettings settings;
  settings.selection.c = 200;
  EXPECT_DOUBLE_EQ(cooled(settings, 0.3), 200);
  settings.global_exploration = {.cooling = Cooling::kLinear};
  EXPECT_DOUBLE_EQ(cooled(settings, 1), 200);
  EXPECT_DOUBLE_EQ(cooled(settings, 0.75), 150);
  EXPECT_DOUBLE_EQ(cooled(settings, 0), 0);
  settings.global_exploration = {.cooling = Cooling::kExponential, .coolest = 8};
  EXPECT_DOUBLE_EQ(cooled(settings, 1), 200);
  EXPECT_DOUBLE_EQ(cooled(settings, 0.8), 200 / std::exp(1.0));
  EXPECT_DOUBLE_EQ(cooled(settings, 0.5), 200 * std::exp(-2.5));  // 16.4
  EXPECT_DOUBLE_EQ(cooled(settings, 0), 8);                       // 200 / e^5 is 1.3
}

TEST(Cooling, GoesOnWithEveryWalkOfARound) {
  Scene scene({.cooling = Cooling::kLinear});
  scene.tree().set_budget_left(0.5, 0.01);
  EXPECT_DOUBLE_EQ(scene.factor(), 50);
  scene.walk();
  scene.walk();
  EXPECT_DOUBLE_EQ(scene.factor(), 100 * 0.48);
  // The next round says what is left, and the walks before it no longer count.
  scene.tree().set_budget_left(0.4, 0.02);
  EXPECT_DOUBLE_EQ(scene.factor(), 40);
  scene.walk();
  EXPECT_DOUBLE_EQ(scene.factor(), 100 * 0.38);
  scene.tree().set_budget_left(0.01, 0.02);
  scene.walk();
  EXPECT_DOUBLE_EQ(scene.factor(), 0);
}

TEST(Cooling, LeavesNodesAloneThatHaveGrownAboveAnEnd) {
  // Klein 2015, 6.9.2: a node has the cooled factor until an end of a game is reached below it.
  Scene scene({.cooling = Cooling::kLinear}, {.enabled = true, .growth = 1.05, .fading = 0.999, .least = 1.001});
  const TreeInspector inspector{scene.tree()};
  const auto root_factor = [&] { return exploration_of(inspector.state, inspector.root()); };
  scene.tree().set_budget_left(0.5);
  for (int i = 0; i < 3; ++i)
    ASSERT_EQ(scene.walk(), Descent::kLeaf);
  EXPECT_DOUBLE_EQ(root_factor(), 50);
  ASSERT_EQ(scene.walk(), Descent::kFinished);
  // P at the end, P f at the move, P f^2 at the root, of the factor at that time.
  const double grown = 50 * 1.05 * 0.999 * 0.999;
  EXPECT_NEAR(root_factor(), grown, 1e-4);
  scene.tree().set_budget_left(0.1);
  EXPECT_NEAR(root_factor(), grown, 1e-4);
  int cooled_nodes = 0;
  inspector.for_each_child(inspector.root(), [&](const Node& child) {
    if (child.has_end_below) return;
    EXPECT_DOUBLE_EQ(exploration_of(inspector.state, child), 10);
    ++cooled_nodes;
  });
  EXPECT_EQ(cooled_nodes, 1);
}

TEST(LeafBlock, GrowsOncePerEnd) {
  Scene scene({.leaf_block = true, .end_growth = 1.5});
  for (int i = 0; i < 3; ++i)
    ASSERT_EQ(scene.walk(), Descent::kLeaf);
  EXPECT_DOUBLE_EQ(scene.factor(), 100);
  ASSERT_EQ(scene.walk(), Descent::kFinished);
  EXPECT_DOUBLE_EQ(scene.factor(), 150);
  ASSERT_EQ(scene.walk(), Descent::kFinished);
  EXPECT_DOUBLE_EQ(scene.factor(), 225);
}

TEST(DepthBlock, GrowsWhileTheMeanDepthIsAboveTheIdeal) {
  // The mean depths after each walk: 0, 1/2, 2/3, 1, 6/5.
  Scene scene({.depth_block = true, .depth_growth = 1.5, .ideal_depth = 0.9});
  for (int i = 0; i < 3; ++i)
    scene.walk();
  EXPECT_DOUBLE_EQ(scene.factor(), 100);
  scene.walk();
  EXPECT_DOUBLE_EQ(scene.factor(), 150);
  scene.walk();
  EXPECT_DOUBLE_EQ(scene.factor(), 225);
}

TEST(DepthBlock, TakesTheIdealFromTheLengthOfGames) {
  // Games of 3, 1 + 2 and 1 + 5 moves: 3 on average after two walks, 4 after three. A fifth of that is 0.6 and 0.8, and
  // the mean depths are 1/2 and 2/3. The fourth walk ends a game of 2 moves: 14/4, of which a fifth is 0.7, and the
  // mean depth is 1.
  Scene scene({.depth_block = true, .depth_growth = 1.5, .ideal_share = 0.2});
  scene.walk(3);
  scene.walk(2);
  EXPECT_DOUBLE_EQ(scene.factor(), 100);
  scene.walk(5);
  EXPECT_DOUBLE_EQ(scene.factor(), 100);
  scene.walk();
  EXPECT_DOUBLE_EQ(scene.factor(), 150);
}

TEST(LateUrgency, ShrinksTheFactorWhileNodesAreNotHalfAsDeepAsTheyShouldBe) {
  // Half of the ideal is 0.8; the mean depths are 0, 1/2, 2/3, 1.
  Scene scene({.urgency = GlobalUrgency::kShallow, .ideal_depth = 1.6}, {.urgency = 0.5});
  scene.tree().set_budget_left(0.3);  // late is below 0.3
  scene.walk();
  EXPECT_DOUBLE_EQ(scene.factor(), 100);
  scene.tree().set_budget_left(0.29);
  scene.walk();
  scene.walk();
  EXPECT_DOUBLE_EQ(scene.factor(), 25);
  scene.walk();
  EXPECT_DOUBLE_EQ(scene.factor(), 25);
}

TEST(LateUrgency, ShrinksTheFactorWhileTheTreeHasNoEnd) {
  Scene scene({.urgency = GlobalUrgency::kNoEnd}, {.urgency = 0.5});
  scene.walk();
  EXPECT_DOUBLE_EQ(scene.factor(), 100);
  scene.tree().set_budget_left(0.29);
  scene.walk();
  scene.walk();
  EXPECT_DOUBLE_EQ(scene.factor(), 25);
  ASSERT_EQ(scene.walk(), Descent::kFinished);
  EXPECT_DOUBLE_EQ(scene.factor(), 25);
}

TEST(TreePresets, HaveTheDynamicFactorsOfKlein) {
  // Klein 2015, 6.9: C = 100 and 4 of 5,000 points, P = 1.05, f = 0.999, L = 1.0 for CNode and 1.001 for the others.
  EXPECT_DOUBLE_EQ(tree_preset("rapid-start").selection.c * 5000, 4);
  EXPECT_DOUBLE_EQ(tree_preset("cnode-lu").selection.c * 5000, 100);
  EXPECT_EQ(tree_preset("cnode").node_exploration.least, 1.0);
  EXPECT_EQ(tree_preset("rapid-start").node_exploration.least, 1.001);
  EXPECT_FALSE(tree_preset("cnode").node_exploration.late_urgency);
  EXPECT_TRUE(tree_preset("cnode-lu").node_exploration.late_urgency);
  EXPECT_EQ(tree_preset("consistent-cnode").duplicates, Duplicates::kConsistent);
  EXPECT_DOUBLE_EQ(tree_preset("cnode-exponential").selection.c * 5000, 256);
  EXPECT_DOUBLE_EQ(tree_preset("cnode-exponential").global_exploration.coolest * 5000, 8);
  EXPECT_DOUBLE_EQ(tree_preset("leaf-block-luntn").global_exploration.end_growth, 1 / 0.99);
  EXPECT_EQ(tree_preset("leaf-block-luntn").global_exploration.urgency, GlobalUrgency::kNoEnd);
  EXPECT_EQ(tree_preset("depth-block-lu").global_exploration.urgency, GlobalUrgency::kShallow);
}

}  // namespace
}  // namespace chainshot::host
