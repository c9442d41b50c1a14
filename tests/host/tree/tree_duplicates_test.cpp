// Duplicate detection: a position has one node, and the statistics and bounds stay right when nodes change parents.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "game/board_text.hpp"
#include "tests/support/brute_force.hpp"
#include "tests/support/random_boards.hpp"
#include "tests/support/scorings.hpp"
#include "tests/support/test_scale.hpp"
#include "tests/support/tree_inspector.hpp"
#include "tests/support/tree_play.hpp"

namespace chainshot::host {
namespace {

using tests::Dice;

constexpr Duplicates kModes[] = {Duplicates::kNaive, Duplicates::kDynamic, Duplicates::kConsistent};

TreeSettings settings_of(Duplicates mode) {
  TreeSettings settings;
  settings.selection = {.rule = "uct", .c = 0.05, .w = 0, .t = 0, .normalisation = Normalisation::kStatic};
  settings.policy = {.kind = game::PolicyKind::kRandom};
  settings.duplicates = mode;
  return settings;
}

struct Tally {
  std::uint64_t visits = 0;
  std::int64_t sum = 0;
};

// Random traffic: walks go out and come back in any order, some abandoned. Tallies what was played at each position.
class Traffic {
 public:
  Traffic(Tree& tree, const game::PlayoutRules& rules, std::uint64_t seed) : tree_(tree), rules_(rules), dice_(seed) {}

  void run(int walks) {
    for (int i = 0; i < walks; ++i) {
      flying_.emplace_back();
      const Descent descent = tree_.descend(flying_.back());
      if (descent == Descent::kFinished) check_line(flying_.back());
      if (descent != Descent::kLeaf) flying_.pop_back();
      while (flying_.size() > 12 || (!flying_.empty() && dice_.one_in(3)))
        land();
    }
  }
  void land_all() {
    while (!flying_.empty())
      land();
  }
  const std::map<std::string, Tally>& own() const { return own_; }

 private:
  void check_line(const Walk& walk) {
    std::vector<game::Cell> moves;
    tree_.moves_of(walk, moves);
    const game::ReplayResult replay = game::replay(tree_.root_position(), moves, rules_.scoring(), tree_.root_points());
    EXPECT_TRUE(replay.error.empty());
    EXPECT_TRUE(replay.over);
    EXPECT_EQ(replay.score, walk.points);
    told_ = std::max(told_, walk.points);
    expect_told();
  }
  // The tree claims no score that a walk has not shown.
  void expect_told() const { EXPECT_LE(tree_.best(), told_); }
  void land() {
    std::swap(flying_.back(), flying_[static_cast<std::size_t>(dice_.below(static_cast<int>(flying_.size())))]);
    const Walk& walk = flying_.back();
    if (dice_.one_in(6)) {
      tree_.abandon(walk);
    } else {
      const game::Result result = tests::play_leaf(walk, rules_, ++key_);
      tree_.complete(walk, result);
      Tally& own = own_[tests::drawing(walk.position)];
      own.visits += result.count;
      own.sum += result.sum - static_cast<std::int64_t>(result.count) * walk.points;
      told_ = std::max(told_, result.best);
    }
    flying_.pop_back();
    expect_told();
  }

  Tree& tree_;
  const game::PlayoutRules& rules_;
  Dice dice_;
  std::uint64_t key_ = 0;
  int told_ = -1000000;
  std::vector<Walk> flying_;
  std::map<std::string, Tally> own_;
};

TEST(Duplicates, HaveOneNode) {
  for (const Duplicates mode : kModes) {
    Dice dice(31);
    for (int i = 0; i < tests::scaled(12); ++i) {
      const game::Position board = tests::full_board(dice, {dice.between(3, 6), dice.between(3, 6), 3});
      TreeSettings settings = settings_of(mode);
      settings.merges_symmetric = i % 3 == 2;
      settings.state_pruning = i % 4 == 3;
      const game::PlayoutRules rules(settings.policy, game::kStandardScoring, board);
      NodePool pool(std::size_t{64} << 20);
      Tree tree(pool, board, 0, settings, game::kStandardScoring, static_cast<std::uint64_t>(i));
      Traffic traffic(tree, rules, 32);
      for (int round = 0; round < 4; ++round) {
        traffic.run(400);
        std::set<std::string> seen;
        std::uint64_t nodes = 0;
        const TreeInspector inspector{tree};
        inspector.for_each(inspector.root(), [&](const Node& node) {
          const game::Position position = inspector.position_of(node);
          EXPECT_TRUE(seen.insert(tests::drawing(settings.merges_symmetric ? position.canonical() : position)).second);
          EXPECT_TRUE(inspector.is_linked_well(node));
          ++nodes;
        });
        EXPECT_EQ(nodes, tree.counts().nodes);
      }
      traffic.land_all();
      EXPECT_EQ(tree.in_flight(), 0);
      const TreeInspector inspector{tree};
      inspector.for_each(inspector.root(), [&](const Node& node) { EXPECT_EQ(node.virtual_visits, 0U); });
    }
  }
}

TEST(Duplicates, TakeTheirStatisticsAlongIfConsistent) {
  Dice dice(33);
  for (int i = 0; i < tests::scaled(12); ++i) {
    const game::Position board = tests::full_board(dice, {dice.between(3, 6), dice.between(3, 6), 3});
    const TreeSettings settings = settings_of(Duplicates::kConsistent);
    const game::PlayoutRules rules(settings.policy, game::kStandardScoring, board);
    NodePool pool(std::size_t{64} << 20);
    Tree tree(pool, board, 0, settings, game::kStandardScoring, static_cast<std::uint64_t>(i));
    Traffic traffic(tree, rules, 34);
    for (int round = 0; round < 4; ++round) {
      traffic.run(300);
      const TreeInspector inspector{tree};
      // A node counts its own playouts and all of its moves that are not solved, with their points.
      inspector.for_each(inspector.root(), [&](const Node& node) {
        const game::Position position = inspector.position_of(node);
        Tally expected;
        if (const auto own = traffic.own().find(tests::drawing(position)); own != traffic.own().end())
          expected = own->second;
        if (node.is_end) expected = {1, position.final_points(game::kStandardScoring)};
        inspector.for_each_child(node, [&](const Node& child) {
          if (child.is_solved) return;
          expected.visits += child.visits;
          expected.sum += child.sum + static_cast<std::int64_t>(child.visits) * child.gain;
        });
        EXPECT_EQ(node.visits, expected.visits);
        EXPECT_EQ(node.sum, expected.sum);
      });
    }
    traffic.land_all();
  }
}

TEST(Duplicates, NeverMakeAProofWrong) {
  for (const Duplicates mode : kModes) {
    Dice dice(35);
    int proven = 0;
    const int boards = tests::scaled(600);
    for (int i = 0; i < boards; ++i) {
      const game::Scoring& scoring = tests::scoring_case(dice.below(100));
      const game::Position board = tests::full_board(dice, {dice.between(3, 5), 4, dice.between(2, 4)});
      TreeSettings settings = settings_of(mode);
      settings.state_pruning = i % 2 == 0;
      settings.merges_symmetric = i % 3 == 0;
      const game::PlayoutRules rules(settings.policy, scoring, board);
      NodePool pool(std::size_t{64} << 20);
      Tree tree(pool, board, 7, settings, scoring, static_cast<std::uint64_t>(i));
      Traffic traffic(tree, rules, 36);
      for (int round = 0; round < 40 && !tree.is_proven(); ++round)
        traffic.run(500);
      traffic.land_all();
      const int best = 7 + tests::BruteForce(scoring).best(game::ReferenceBoard(board));
      EXPECT_LE(tree.best(), best) << tests::drawing(board);
      EXPECT_GE(tree.upper(), best) << tests::drawing(board);
      if (tree.is_proven()) {
        EXPECT_EQ(tree.best(), best) << tests::drawing(board);
      }
      proven += tree.is_proven();
    }
    // Naive may cut the better way.
    if (mode != Duplicates::kNaive) {
      EXPECT_EQ(proven, boards);
    }
    EXPECT_GT(proven, boards / 2);
  }
}

// Walks may have avoided a node because of something that the tree has forgotten.
TEST(Duplicates, NeverLeaveATreeThatForgetsWithNothingToVisit) {
  for (const Duplicates mode : {Duplicates::kDynamic, Duplicates::kConsistent}) {
    Dice dice(39);
    int forgot = 0;
    const int boards = tests::scaled(12);
    for (int i = 0; i < boards; ++i) {
      const game::Position board = tests::full_board(dice, {6, 6, 4});
      TreeSettings settings = settings_of(mode);
      settings.state_pruning = true;
      const game::PlayoutRules rules(settings.policy, game::kStandardScoring, board);
      NodePool pool(2 * kChunkBytes);
      Tree tree(pool, board, 0, settings, game::kStandardScoring, static_cast<std::uint64_t>(i));
      const Descent last = tests::search(tree, rules, 20000);
      EXPECT_NE(last, Descent::kBlocked) << tests::drawing(board);
      const int best = tests::BruteForce(game::kStandardScoring).best(game::ReferenceBoard(board));
      EXPECT_LE(tree.best(), best) << tests::drawing(board);
      EXPECT_GE(tree.upper(), best) << tests::drawing(board);
      forgot += tree.counts().nodes < tree.counts().nodes_visited;
    }
    EXPECT_GT(forgot, boards / 2);
  }
}

// More playouts than 32 bits can count, as a device makes them from one position.
TEST(Duplicates, CountMorePlayoutsThan32Bits) {
  for (const Duplicates mode : kModes) {
    const game::Position board = tests::board_of({"0122", "1201"});
    const TreeSettings settings = settings_of(mode);
    NodePool pool(std::size_t{1} << 20);
    Tree tree(pool, board, 0, settings, game::kStandardScoring, 1);
    constexpr std::uint64_t kMany = std::uint64_t{3} << 32;
    Walk walk;
    ASSERT_EQ(tree.descend(walk), Descent::kLeaf);
    game::Result result;
    result.count = kMany;
    result.sum = 10 * static_cast<std::int64_t>(kMany);
    result.sum_of_squares = 100 * kMany;
    result.best = 10;
    tree.complete(walk, result);
    EXPECT_EQ(tree.visits(), kMany);
    EXPECT_DOUBLE_EQ(tree.average(), 10);
  }
}

// Half of 2^40 playouts with 3,000 and half with 4,000 points, twice: squares of 2 * 2^40 * 12.5 * 10^6 = 2.7 * 10^19
// in all, more than 64 bits can count, and a deviation of 500.
TEST(Duplicates, KnowTheDeviationWhenSquaresOutgrow64Bits) {
  for (const Duplicates mode : kModes) {
    const game::Position& board = game::standard_boards().front().position;
    const TreeSettings settings = settings_of(mode);
    NodePool pool(std::size_t{1} << 20);
    Tree tree(pool, board, 0, settings, game::kStandardScoring, 1);
    constexpr std::uint64_t kMany = std::uint64_t{1} << 40;
    for (int times = 0; times < 2; ++times) {
      Walk walk;
      ASSERT_EQ(tree.descend(walk), Descent::kLeaf);
      game::Result result;
      result.count = kMany;
      result.sum = 3500 * static_cast<std::int64_t>(kMany);
      result.sum_of_squares = (3000 * 3000 + 4000 * 4000) / 2 * kMany;
      result.best = 4000;
      tree.complete(walk, result);
    }
    EXPECT_DOUBLE_EQ(tree.average(), 3500);
    EXPECT_NEAR(std::sqrt(tree.root_statistics().variance), 500, 0.001);
  }
}

TEST(Duplicates, AreFoundBelowANewRootAndLoseNoProof) {
  for (const Duplicates mode : kModes) {
    Dice dice(37);
    for (int i = 0; i < tests::scaled(15); ++i) {
      const game::Position board = tests::full_board(dice, {4, 4, 3});
      const TreeSettings settings = settings_of(mode);
      const game::PlayoutRules rules(settings.policy, game::kStandardScoring, board);
      NodePool pool(std::size_t{64} << 20);
      Tree tree(pool, board, 0, settings, game::kStandardScoring, static_cast<std::uint64_t>(i));
      tests::BruteForce brute(game::kStandardScoring);
      for (int turn = 0; turn < 4 && tree.root_position().has_moves(); ++turn) {
        tests::search(tree, rules, 60, static_cast<std::uint64_t>(turn) * 1000);
        const auto groups = tree.root_position().groups();
        tree.advance_root(groups[static_cast<std::size_t>(dice.below(static_cast<int>(groups.size())))].cell);
        tests::search(tree, rules, 3000, 500000);
        const int best = tree.root_points() + brute.best(game::ReferenceBoard(tree.root_position()));
        EXPECT_GE(tree.upper(), best);
        if (tree.is_proven()) {
          EXPECT_EQ(tree.best(), best);
        }
        std::set<std::string> seen;
        const TreeInspector inspector{tree};
        inspector.for_each(inspector.root(), [&](const Node& node) {
          EXPECT_TRUE(seen.insert(tests::drawing(inspector.position_of(node))).second);
        });
      }
    }
  }
}

TEST(PositionTable, FindsWhatItHolds) {
  NodePool pool(std::size_t{16} << 20);
  PoolShare share(pool);
  PositionTable table(share);
  std::map<Link, std::uint32_t> held;
  Dice dice(38);
  for (Link link = 1; link < 60000; ++link) {
    // A quarter of all hashes are shared.
    const auto hash = static_cast<std::uint32_t>(dice.one_in(4) ? dice.word() % 3000 * 1431655 : dice.word());
    ASSERT_TRUE(table.make_room(hash));
    table.insert(hash, link);
    held[link] = hash;
    if (dice.one_in(3)) {
      const auto gone = held.lower_bound(static_cast<Link>(dice.below(static_cast<int>(link)) + 1));
      table.erase(gone->second, gone->first);
      held.erase(gone);
    }
  }
  table.keep([](Link link) { return link % 5 != 0; });
  EXPECT_EQ(pool.bytes(), table.bytes());
  for (Link link = 1; link < 60000; ++link) {
    const auto at = held.find(link);
    if (at == held.end() || link % 5 == 0) continue;
    EXPECT_EQ(table.find(at->second, [&](Link other) { return other == link; }), link);
  }
  std::erase_if(held, [](const auto& entry) { return entry.first % 5 == 0; });
  std::size_t found = 0;
  table.keep([&](Link link) {
    EXPECT_TRUE(held.contains(link));
    ++found;
    return true;
  });
  EXPECT_EQ(found, held.size());
}

}  // namespace
}  // namespace chainshot::host
