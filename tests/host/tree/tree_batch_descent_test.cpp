// Walks that go down a tree together and come back together, compared with walks that do so one by one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/support/random_boards.hpp"
#include "tests/support/test_scale.hpp"
#include "tests/support/tree_inspector.hpp"
#include "tests/support/tree_play.hpp"

namespace chainshot::host {
namespace {

using tests::Dice;

TreeSettings plain_settings() {
  TreeSettings settings;
  settings.selection = {
      .rule = "uct", .c = 0.1, .d = 32, .w = 0, .t = 0, .normalisation = Normalisation::kStatic, .range = 1000};
  settings.policy = {.kind = game::PolicyKind::kTabuColorRandom};
  return settings;
}

// Each of them leaves moves out, chooses or counts in another way.
std::map<std::string, TreeSettings> all_settings() {
  std::map<std::string, TreeSettings> all;
  all["plain"] = plain_settings();
  (all["naive duplicates"] = plain_settings()).duplicates = Duplicates::kNaive;
  (all["vs-pruning"] = plain_settings()).vs_pruning = true;
  (all["state pruning"] = plain_settings()).state_pruning = true;
  (all["policy below T"] = plain_settings()).selection.t = 10;
  (all["global range"] = plain_settings()).selection.normalisation = Normalisation::kGlobal;
  (all["a score of its own"] = plain_settings()).selection.rule = "ucb1-tuned";
  return all;
}

std::vector<Walk> descend(Tree& tree, std::size_t count, std::vector<Descent>& descents) {
  std::vector<Walk> walks(count);
  descents.assign(count, Descent::kBlocked);
  tree.descend(walks, descents);
  return walks;
}

// All results that a group of walks brings back to its tree.
struct Landing {
  std::vector<const Walk*> walks;
  std::vector<game::Result> results;

  Landing(const std::vector<Walk>& group, const std::vector<Descent>& descents, const game::PlayoutRules& rules,
          std::uint64_t first_key) {
    for (std::size_t i = 0; i < group.size(); ++i) {
      if (descents[i] != Descent::kLeaf) continue;
      walks.push_back(&group[i]);
      results.push_back(tests::play_leaf(group[i], rules, first_key + i, 2));
    }
  }
};

// The counters of a node and its knowledge of its moves.
std::vector<std::int64_t> facts_of(const Tree& tree) {
  std::vector<std::int64_t> facts;
  const TreeInspector inspector{tree};
  inspector.for_each(inspector.root(), [&](const Node& node) {
    for (const std::int64_t fact :
         {static_cast<std::int64_t>(node.visits), node.sum, static_cast<std::int64_t>(node.squares),
          std::int64_t{node.best}, std::int64_t{node.upper}, std::int64_t{node.gain}, std::int64_t{node.move_count},
          std::int64_t{node.opened}, std::int64_t{node.is_solved}, std::int64_t{node.is_end},
          std::int64_t{node.has_end_below}})
      facts.push_back(fact);
  });
  return facts;
}

// Every node's virtual visits against the walks that lead through it.
void expect_virtual_visits(const Tree& tree, const std::vector<const Walk*>& flying) {
  const TreeInspector inspector{tree};
  std::map<const Node*, std::uint32_t> through;
  for (const Walk* walk : flying)
    for (const Walk::Step& step : walk->steps)
      ++through[&inspector.node(step.node)];
  inspector.for_each(inspector.root(), [&](const Node& node) { ASSERT_EQ(node.virtual_visits, through[&node]); });
}

TEST(TreeBatchDescent, CountsWhatTheSameWalksCountOneByOne) {
  Dice dice(11);
  for (const auto& [name, settings] : all_settings()) {
    SCOPED_TRACE(name);
    for (const tests::Shape shape : {tests::Shape{4, 4, 2}, tests::Shape{6, 6, 3}, tests::Shape{15, 15, 5}}) {
      const game::Position board = tests::full_board(dice, shape);
      const game::PlayoutRules rules(settings.policy, game::kStandardScoring, board);
      NodePool pool(std::size_t{256} << 20);
      Tree together(pool, board, 7, settings, game::kStandardScoring, 1);
      Tree single(pool, board, 7, settings, game::kStandardScoring, 1);
      std::uint64_t key = 0;
      for (int round = 0; round < tests::scaled(16); ++round, key += 1000) {
        const auto count = static_cast<std::size_t>(dice.between(1, 70));
        std::vector<Descent> descents, same;
        const std::vector<Walk> group = descend(together, count, descents), other = descend(single, count, same);
        ASSERT_EQ(descents, same);
        const Landing landing(group, descents, rules, key), one_by_one(other, same, rules, key);
        ASSERT_NO_FATAL_FAILURE(expect_virtual_visits(together, landing.walks));
        together.complete(landing.walks, landing.results);
        for (std::size_t i = one_by_one.walks.size(); i-- > 0;)  // the last first
          single.complete(*one_by_one.walks[i], one_by_one.results[i]);
        ASSERT_EQ(facts_of(together), facts_of(single));
        ASSERT_NO_FATAL_FAILURE(expect_virtual_visits(together, {}));
      }
      EXPECT_EQ(together.counts().walks, single.counts().walks);
      EXPECT_EQ(together.counts().resource_units, single.counts().resource_units);
    }
  }
}

TEST(TreeBatchDescent, GivesEveryWalkAPathOfItsOwn) {
  Dice dice(12);
  const TreeSettings settings = plain_settings();
  const game::Position board = tests::full_board(dice, {9, 9, 4});
  const game::PlayoutRules rules(settings.policy, game::kStandardScoring, board);
  NodePool pool(std::size_t{256} << 20);
  Tree tree(pool, board, 0, settings, game::kStandardScoring, 1);
  for (int round = 0; round < tests::scaled(60); ++round) {
    std::vector<Descent> descents;
    const std::vector<Walk> group = descend(tree, 64, descents);
    std::set<Link> leaves;
    for (std::size_t i = 0; i < group.size(); ++i) {
      if (descents[i] != Descent::kLeaf && descents[i] != Descent::kFinished) continue;
      std::vector<game::Cell> moves;
      tree.moves_of(group[i], moves);
      game::Position position = board;
      int points = 0;
      for (const game::Cell move : moves) {
        const int size = position.apply(move);
        ASSERT_GE(size, 2);
        points += game::kStandardScoring.group_points(size);
      }
      if (descents[i] == Descent::kFinished) points += position.final_points(game::kStandardScoring);
      EXPECT_EQ(position, group[i].position);
      EXPECT_EQ(points, group[i].points);
      EXPECT_TRUE(leaves.insert(group[i].leaf()).second) << "two walks of a group have the same leaf";
    }
    // The root has 81 blocks: from the third group on there is a leaf for every walk.
    if (round >= 2) {
      EXPECT_EQ(leaves.size(), group.size());
    }
    const Landing landing(group, descents, rules, static_cast<std::uint64_t>(round) << 10);
    tree.complete(landing.walks, landing.results);
  }
}

// A node's own visit count is frozen while it assigns a run of walks to one move, so a few walks may choose otherwise.
TEST(TreeBatchDescent, DistributesWalksAsIfTheyCameOneByOne) {
  Dice dice(13);
  const TreeSettings settings = plain_settings();
  const game::Position board = tests::full_board(dice, {15, 15, 5});
  const game::PlayoutRules rules(settings.policy, game::kStandardScoring, board);
  NodePool pool(std::size_t{256} << 20);
  constexpr std::size_t kWalks = 64;
  int moved = 0, rounds = 0;
  for (int seed = 0; seed < tests::scaled(12); ++seed, ++rounds) {
    Tree together(pool, board, 0, settings, game::kStandardScoring, static_cast<std::uint64_t>(seed));
    Tree single(pool, board, 0, settings, game::kStandardScoring, static_cast<std::uint64_t>(seed));
    for (Tree* tree : {&together, &single})
      tests::search(*tree, rules, 500, static_cast<std::uint64_t>(seed) << 20);
    std::vector<Descent> descents;
    descend(together, kWalks, descents);
    for (std::size_t i = 0; i < kWalks; ++i) {
      Walk walk;
      single.descend(walk);
    }
    EXPECT_EQ(together.in_flight(), single.in_flight());
    std::vector<int> shares, expected;
    const auto virtual_visits = [](const Tree& tree, std::vector<int>& list) {
      const TreeInspector inspector{tree};
      inspector.for_each_child(inspector.root(),
                               [&](const Node& child) { list.push_back(static_cast<int>(child.virtual_visits)); });
    };
    virtual_visits(together, shares);
    virtual_visits(single, expected);
    ASSERT_EQ(shares.size(), expected.size());
    for (std::size_t i = 0; i < shares.size(); ++i)
      moved += std::abs(shares[i] - expected[i]);
  }
  // A round has 64 walks; every walk that chose another move counts twice.
  EXPECT_LE(moved, 4 * rounds);
}

// Some walks come back, some do not, and the memory is never enough.
TEST(TreeBatchDescent, SearchesOnAtTheCapOfItsMemory) {
  Dice dice(14);
  for (const Duplicates duplicates :
       {Duplicates::kIgnore, Duplicates::kNaive, Duplicates::kDynamic, Duplicates::kConsistent}) {
    TreeSettings settings = plain_settings();
    settings.duplicates = duplicates;
    const game::Position board = tests::full_board(dice, {15, 15, 5});
    NodePool pool(std::size_t{256} << 10);
    Tree tree(pool, board, 0, settings, game::kStandardScoring, 1);
    for (int round = 0; round < tests::scaled(800); ++round) {
      std::vector<Descent> descents;
      const std::vector<Walk> group = descend(tree, 48, descents);
      std::vector<const Walk*> walks;
      std::vector<game::Result> results;
      for (std::size_t i = 0; i < group.size(); ++i) {
        if (descents[i] != Descent::kLeaf) continue;
        if (dice.one_in(10)) {
          tree.abandon(group[i]);
          continue;
        }
        walks.push_back(&group[i]);
        results.emplace_back().add({}, group[i].points + dice.below(1000), 1);
      }
      tree.complete(walks, results);
    }
    ASSERT_NO_FATAL_FAILURE(expect_virtual_visits(tree, {}));
    const TreeInspector inspector{tree};
    inspector.for_each(inspector.root(), [&](const Node& node) { ASSERT_TRUE(inspector.is_linked_well(node)); });
    EXPECT_LT(tree.counts().nodes, tree.counts().nodes_visited);
  }
}

}  // namespace
}  // namespace chainshot::host
