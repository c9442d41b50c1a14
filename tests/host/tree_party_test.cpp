// Walks that go down a tree together and come back together, against walks that do so one by one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <tuple>
#include <vector>

#include "game/reference.hpp"
#include "tests/host/tree_inspector.hpp"
#include "tests/host/tree_play.hpp"
#include "tests/random_boards.hpp"
#include "tests/test_scale.hpp"

namespace chainshot::host {
namespace {

using tests::Dice;

TreeSettings settings_of(Duplicates duplicates, bool vs_pruning, double t) {
  TreeSettings settings;
  settings.selection = {
      .rule = "uct", .c = 0.1, .d = 32, .w = 0, .t = t, .normalisation = Normalisation::kStatic, .range = 1000};
  settings.policy = {.kind = game::PolicyKind::kTabuColorRandom};
  settings.duplicates = duplicates;
  settings.vs_pruning = vs_pruning;
  return settings;
}

std::vector<Walk> descend(Tree& tree, std::size_t count, std::vector<Descent>& descents) {
  std::vector<Walk> walks(count);
  descents.assign(count, Descent::kBlocked);
  tree.descend(walks, descents);
  return walks;
}

// All that the walks of a party tell a tree.
struct Landing {
  std::vector<const Walk*> walks;
  std::vector<game::Result> results;

  Landing(const std::vector<Walk>& party, const std::vector<Descent>& descents, const game::PlayoutRules& rules,
          std::uint64_t& key) {
    for (std::size_t i = 0; i < party.size(); ++i) {
      if (descents[i] != Descent::kLeaf) continue;
      walks.push_back(&party[i]);
      results.push_back(tests::play_leaf(party[i], rules, key++, 2));
    }
  }
};

// Everything of a node but where it lies.
std::vector<std::int64_t> facts_of(const Tree& tree) {
  std::vector<std::int64_t> facts;
  const TreeInspector inspector{tree};
  inspector.for_each(inspector.root(), [&](const Node& node) {
    for (const std::int64_t fact :
         {std::int64_t{node.visits}, node.sum, static_cast<std::int64_t>(node.squares),
          std::int64_t{node.virtual_visits}, std::int64_t{node.best}, std::int64_t{node.upper}, std::int64_t{node.gain},
          std::int64_t{node.opened}, std::int64_t{node.is_solved}})
      facts.push_back(fact);
  });
  return facts;
}

TEST(TreeParty, TellsTheTreeWhatItsWalksTellOneByOne) {
  Dice dice(11);
  for (const auto& [duplicates, vs_pruning, t] :
       {std::tuple{Duplicates::kIgnore, false, 0.0}, std::tuple{Duplicates::kIgnore, true, 0.0},
        std::tuple{Duplicates::kNaive, false, 0.0}, std::tuple{Duplicates::kIgnore, false, 10.0}}) {
    const TreeSettings settings = settings_of(duplicates, vs_pruning, t);
    for (const tests::Shape shape : {tests::Shape{4, 4, 2}, tests::Shape{6, 6, 3}, tests::Shape{15, 15, 5}}) {
      const game::Position board = tests::full_board(dice, shape);
      const game::PlayoutRules rules(settings.policy, game::kStandardScoring, board);
      NodePool pool(std::size_t{256} << 20);
      Tree together(pool, board, 7, settings, game::kStandardScoring, 1);
      Tree single(pool, board, 7, settings, game::kStandardScoring, 1);
      std::uint64_t key = 0;
      for (int round = 0; round < tests::scaled(30); ++round) {
        const auto count = static_cast<std::size_t>(dice.between(1, 70));
        std::vector<Descent> descents, same;
        const std::vector<Walk> party = descend(together, count, descents), other = descend(single, count, same);
        ASSERT_EQ(descents, same);
        const Landing landing(party, descents, rules, key);
        together.complete(landing.walks, landing.results);
        // The last first.
        std::uint64_t other_key = key - landing.walks.size();
        const Landing one_by_one(other, same, rules, other_key);
        for (std::size_t i = one_by_one.walks.size(); i-- > 0;)
          single.complete(*one_by_one.walks[i], one_by_one.results[i]);
        ASSERT_EQ(facts_of(together), facts_of(single));
        ASSERT_EQ(together.in_flight(), 0);
      }
      EXPECT_EQ(together.counts().walks, single.counts().walks);
      EXPECT_EQ(together.counts().resource_units, single.counts().resource_units);
    }
  }
}

TEST(TreeParty, HasAWayForEveryWalk) {
  Dice dice(12);
  const TreeSettings settings = settings_of(Duplicates::kIgnore, false, 0);
  const game::Position board = tests::full_board(dice, {9, 9, 4});
  const game::PlayoutRules rules(settings.policy, game::kStandardScoring, board);
  NodePool pool(std::size_t{256} << 20);
  Tree tree(pool, board, 0, settings, game::kStandardScoring, 1);
  std::uint64_t key = 0;
  for (int round = 0; round < tests::scaled(60); ++round) {
    std::vector<Descent> descents;
    const std::vector<Walk> party = descend(tree, 64, descents);
    std::set<Link> leaves;
    for (std::size_t i = 0; i < party.size(); ++i) {
      if (descents[i] != Descent::kLeaf && descents[i] != Descent::kFinished) continue;
      std::vector<game::Cell> moves;
      tree.moves_of(party[i], moves);
      game::Position position = board;
      int points = 0;
      for (const game::Cell move : moves) {
        const int size = position.apply(move);
        ASSERT_GE(size, 2);
        points += game::kStandardScoring.group_points(size);
      }
      if (descents[i] == Descent::kFinished) points += position.final_points(game::kStandardScoring);
      EXPECT_EQ(position, party[i].position);
      EXPECT_EQ(points, party[i].points);
      EXPECT_TRUE(leaves.insert(party[i].leaf()).second) << "two walks of a party have the same leaf";
    }
    const Landing landing(party, descents, rules, key);
    tree.complete(landing.walks, landing.results);
  }
}

// A node looks at its own visits less often when walks come together, so that a few may choose otherwise.
TEST(TreeParty, IsSharedOutAsIfItsWalksCameOneByOne) {
  Dice dice(13);
  const TreeSettings settings = settings_of(Duplicates::kIgnore, false, 0);
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
  // Of 64 walks a round; every one that chose another move counts twice.
  EXPECT_LE(moved, 4 * rounds);
}

TEST(TreeParty, SearchesOnAtTheCapOfItsMemory) {
  Dice dice(14);
  for (const Duplicates duplicates : {Duplicates::kIgnore, Duplicates::kNaive, Duplicates::kConsistent}) {
    const TreeSettings settings = settings_of(duplicates, false, 0);
    const game::Position board = tests::full_board(dice, {15, 15, 5});
    NodePool pool(std::size_t{1} << 20);
    Tree tree(pool, board, 0, settings, game::kStandardScoring, 1);
    for (int round = 0; round < tests::scaled(400); ++round) {
      std::vector<Descent> descents;
      const std::vector<Walk> party = descend(tree, 48, descents);
      std::vector<const Walk*> walks;
      std::vector<game::Result> results;
      for (std::size_t i = 0; i < party.size(); ++i) {
        if (descents[i] != Descent::kLeaf) continue;
        walks.push_back(&party[i]);
        results.emplace_back().add({}, party[i].points + dice.below(1000), 1);
      }
      tree.complete(walks, results);
      ASSERT_EQ(tree.in_flight(), 0);
    }
    const TreeInspector inspector{tree};
    inspector.for_each(inspector.root(), [&](const Node& node) {
      ASSERT_TRUE(inspector.is_linked_well(node));
      ASSERT_EQ(node.virtual_visits, 0U);
    });
    EXPECT_LE(pool.bytes(), pool.cap());
    EXPECT_LT(tree.counts().nodes, tree.counts().nodes_visited);
  }
}

}  // namespace
}  // namespace chainshot::host
