// Random operations on trees with random settings, as a search with several engines, memory at its cap, other searches
// and moves of a game would do them. After each operation the test compares what must hold of a tree with brute force.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "game/reference.hpp"
#include "host/tree/core/node_exploration.hpp"
#include "tests/support/brute_force.hpp"
#include "tests/support/random_boards.hpp"
#include "tests/support/scorings.hpp"
#include "tests/support/test_scale.hpp"
#include "tests/support/tree_inspector.hpp"
#include "tests/support/tree_play.hpp"

namespace chainshot::host {
namespace {

using tests::Dice;

struct Extent {
  tests::Shape least, most;  // of the board
  std::size_t chunks;        // of memory at most
  int fewest_steps, most_steps;
};
// Mostly memory for all nodes; and boards of which only a small part fits.
constexpr Extent kRoomy{{2, 2, 2}, {5, 5, 4}, 64, 50, 800};
constexpr Extent kTight{{6, 5, 3}, {7, 5, 4}, 3, 2000, 8000};

TreeSettings random_settings(Dice& dice, std::uint64_t seed) {
  TreeSettings settings;
  const char* const rules[] = {"uct", "sp-mcts", "ucb1-tuned", "third-average", "top-score"};
  settings.selection.rule = rules[dice.below(5)];
  settings.selection.normalisation = static_cast<Normalisation>(dice.below(4));
  settings.selection.c = dice.one_in(5) ? 0 : settings.selection.normalisation == Normalisation::kNone ? 50 : 0.05;
  settings.selection.w = dice.one_in(2) ? 0 : 0.1;
  settings.selection.t = dice.one_in(2) ? 0 : dice.between(1, 12);
  settings.duplicates = static_cast<Duplicates>(dice.below(4));
  settings.state_pruning = dice.one_in(2);
  settings.vs_pruning = dice.one_in(4);
  settings.merges_symmetric = settings.duplicates != Duplicates::kIgnore && dice.one_in(3);
  settings.node_exploration.enabled = dice.one_in(3);
  settings.node_exploration.late_urgency = dice.one_in(2);
  settings.node_exploration.urgency = dice.one_in(2) ? 0.9995 : 0.5;
  settings.policy = {.kind = dice.one_in(2) ? game::PolicyKind::kRandom : game::PolicyKind::kTabuColorRandom,
                     .vs_pruning = settings.vs_pruning};
  // Drawn apart, so that the seeds below still make the trees they were chosen for.
  Dice more(seed + 1'000'000);
  settings.solver = more.one_in(3);
  settings.global_exploration = {.cooling = static_cast<Cooling>(more.below(3)),
                                 .depth_block = more.one_in(3),
                                 .leaf_block = more.one_in(3),
                                 .urgency = static_cast<GlobalUrgency>(more.below(3))};
  return settings;
}

game::Position board_within(Dice& dice, const tests::Shape& least, const tests::Shape& most) {
  const tests::Shape shape{dice.between(least.columns, most.columns), dice.between(least.rows, most.rows),
                           dice.between(least.colors, most.colors)};
  return dice.one_in(4) ? tests::ragged_board(dice, shape) : tests::full_board(dice, shape);
}

class RandomOperations {
 public:
  RandomOperations(std::uint64_t seed, const Extent& extent)
      : dice_(seed),
        board_(board_within(dice_, extent.least, extent.most)),
        scoring_(tests::scoring_case(dice_.below(100))),
        settings_(random_settings(dice_, seed)),
        brute_(scoring_),
        rules_(settings_.policy, scoring_, board_),
        pool_(static_cast<std::size_t>(dice_.between(2, static_cast<int>(extent.chunks))) * kChunkBytes),
        tree_(pool_, board_, dice_.below(50), settings_, scoring_, seed),
        steps_(dice_.between(extent.fewest_steps, extent.most_steps)),
        most_in_flight_(dice_.one_in(3) ? 1 : dice_.between(1, 24)),
        hears_of_others_(dice_.one_in(2)),
        moves_on_(dice_.one_in(3)) {
    told_ = tree_.best();
    find_optimum();
  }

  std::string name() const {
    return settings_.selection.rule + ", duplicates " + std::to_string(static_cast<int>(settings_.duplicates)) +
           (settings_.state_pruning ? ", state pruning" : "") + (settings_.vs_pruning ? ", VS-pruning" : "") +
           (settings_.merges_symmetric ? ", symmetric" : "") + ", T " + std::to_string(settings_.selection.t) +
           ", scoring " + scoring_.name() + ", " + std::to_string(pool_.cap() / kChunkBytes) + " chunks\n" +
           tests::drawing(board_);
  }

  void run() {
    for (int i = 0; i < steps_ && tree_.root_position().has_moves() && !::testing::Test::HasFailure(); ++i) {
      const int step = dice_.below(300);
      if (step == 0 && moves_on_)
        make_move();
      else if (step < 4 && hears_of_others_)
        hear_of_a_line();
      else if (step < 6 && hears_of_others_)
        hear_of_a_score();
      else if (step < 9)
        tree_.set_budget_left(dice_.below(100) / 100.0, 0.001);
      else
        walk();
      check_bounds();
      if (i % 97 == 0) check_nodes();
    }
    while (!flying_.empty())
      land();
    check_bounds();
    check_nodes();
  }

  // If so, a node may have nothing left to visit although it could be better.
  bool leaves_better_moves_out() const { return settings_.vs_pruning || settings_.duplicates == Duplicates::kNaive; }
  bool has_recycled() const { return TreeInspector(tree_).has_recycled(); }

 private:
  void walk() {
    const bool none_in_flight = flying_.empty();
    std::vector<Walk> walks(static_cast<std::size_t>(dice_.between(1, 8)));
    std::vector<Descent> descents(walks.size());
    tree_.descend(walks, descents);
    for (std::size_t i = 0; i < walks.size(); ++i) {
      if (descents[i] == Descent::kFinished) check_line(walks[i]);
      if (descents[i] == Descent::kKnown) {
        EXPECT_LE(walks[i].points, told_);
      }
      if (descents[i] == Descent::kLeaf) flying_.push_back(std::make_unique<Walk>(walks[i]));
    }
    if (none_in_flight && !leaves_better_moves_out()) {
      EXPECT_NE(descents[0], Descent::kBlocked) << "nothing is left to visit, nor proven";
    }
    while (!flying_.empty() && (static_cast<int>(flying_.size()) >= most_in_flight_ || dice_.one_in(4)))
      land();
  }

  // Some result comes back, in any order.
  void land() {
    std::swap(flying_.back(), flying_[static_cast<std::size_t>(dice_.below(static_cast<int>(flying_.size())))]);
    const Walk& walk = *flying_.back();
    if (dice_.one_in(8)) {
      tree_.abandon(walk);
    } else {
      const game::Result result = tests::play_leaf(walk, rules_, ++key_, dice_.between(1, 3));
      told_ = std::max(told_, result.best);
      tree_.complete(walk, result);
    }
    flying_.pop_back();
  }

  void hear_of_a_line() {
    const game::PlayoutRules random({.kind = game::PolicyKind::kRandom}, scoring_, board_);
    std::vector<game::Cell> line;
    const game::PlayoutKey key{2, ++key_, 0};
    told_ = std::max(told_, game::play(tree_.root_position(), random, key, tree_.root_points(), &line).score);
    tree_.add_line(line);
  }

  void hear_of_a_score() {
    told_ = std::max(told_, optimum_ - dice_.below(40));
    tree_.raise_known_best(told_);
  }

  void make_move() {
    while (!flying_.empty())
      land();
    const auto groups = tree_.root_position().groups();
    tree_.advance_root(groups[static_cast<std::size_t>(dice_.below(static_cast<int>(groups.size())))].cell);
    told_ = tree_.best();
    find_optimum();
    check_nodes();
  }

  void find_optimum() { optimum_ = tree_.root_points() + brute_.best(game::ReferenceBoard(tree_.root_position())); }

  void check_line(const Walk& walk) {
    std::vector<game::Cell> moves;
    tree_.moves_of(walk, moves);
    const game::ReplayResult replayed = game::replay(tree_.root_position(), moves, scoring_, tree_.root_points());
    EXPECT_EQ(replayed.error, "");
    EXPECT_TRUE(replayed.over);
    EXPECT_EQ(replayed.score, walk.points);
    told_ = std::max(told_, walk.points);
  }

  void check_bounds() const {
    if (tree_.best() > Node::kNothing / 2) {
      EXPECT_LE(tree_.best(), told_) << "a score that nobody was told";
    }
    EXPECT_GE(tree_.upper(), optimum_);
    if (tree_.is_proven()) {
      EXPECT_EQ(told_, optimum_) << "a false proof";
    }
  }

  void check_nodes() const {
    const TreeInspector inspector{tree_};
    std::uint64_t nodes = 0, virtual_visits = 0;
    std::set<std::string> seen;
    inspector.for_each(inspector.root(), [&](const Node& node) {
      ++nodes;
      virtual_visits += node.virtual_visits;
      EXPECT_TRUE(inspector.is_linked_well(node));
      EXPECT_FALSE(!leaves_better_moves_out() && inspector.is_forgotten(node));
      EXPECT_TRUE(settings_.selection.c == 0 || (node.c >= kLeastExploration && node.c <= kMostExploration)) << node.c;
      if (settings_.duplicates == Duplicates::kIgnore) return;
      const game::Position position = inspector.position_of(node);
      EXPECT_TRUE(seen.insert(tests::drawing(settings_.merges_symmetric ? position.canonical() : position)).second)
          << "two nodes of one position";
    });
    EXPECT_EQ(nodes, tree_.counts().nodes);
    EXPECT_EQ(tree_.in_flight(), static_cast<int>(flying_.size()));
    if (flying_.empty()) {
      EXPECT_EQ(virtual_visits, 0U);
    }
    EXPECT_LE(pool_.bytes(), pool_.cap());
  }

  Dice dice_;
  const game::Position board_;
  const game::Scoring scoring_;
  const TreeSettings settings_;
  tests::BruteForce brute_;
  const game::PlayoutRules rules_;
  NodePool pool_;
  Tree tree_;
  const int steps_, most_in_flight_;
  const bool hears_of_others_, moves_on_;
  std::vector<std::unique_ptr<Walk>> flying_;
  int told_ = 0;  // the best score that anyone was told below the root
  int optimum_ = 0;
  std::uint64_t key_ = 0;
};

TEST(TreeInvariants, HoldAfterEveryOperation) {
  const int runs = tests::scaled(2500);
  for (int seed = 1; seed <= runs && !HasFailure(); ++seed) {
    RandomOperations operations(static_cast<std::uint64_t>(seed), kRoomy);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + operations.name());
    operations.run();
  }
}

TEST(TreeInvariants, HoldInATreeThatHasToForget) {
  // The first seed makes a tree forget the moves of a node that has no visit of its own. Walks once never found such a
  // node again.
  constexpr int kFirst = 206;
  const int runs = tests::scaled(80);
  int recycled = 0;
  for (int seed = kFirst; seed < kFirst + runs && !HasFailure(); ++seed) {
    RandomOperations operations(static_cast<std::uint64_t>(seed), kTight);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + operations.name());
    operations.run();
    recycled += operations.has_recycled();
  }
  EXPECT_GT(recycled, runs / 4);
}

}  // namespace
}  // namespace chainshot::host
