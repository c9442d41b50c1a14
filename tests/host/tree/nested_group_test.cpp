// Nested Monte-Carlo tree search (Klein 2015, A.3) against its pseudo-code, and what it does with its budget.
#include "host/tree/parallel/nested_group.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "game/board_text.hpp"
#include "game/random.hpp"
#include "host/engines/engines.hpp"
#include "host/search/search_runner.hpp"
#include "host/tree/tree_kind.hpp"
#include "host/tree/tree_search.hpp"
#include "tests/support/brute_force.hpp"
#include "tests/support/random_boards.hpp"
#include "tests/support/test_scale.hpp"
#include "tests/support/tree_play.hpp"

namespace chainshot::host {
namespace {

using tests::Dice;

struct Searched {
  BestLine best;
  SearchStatus status;
  std::uint64_t engine_playouts;
};

Searched search(const SearchTask& task, const TreeSettings& settings, const Budget& budget, int threads = 1,
                std::string_view isa = "auto") {
  const auto engine = make_engine({.name = "cpu", .threads = threads, .isa = std::string(isa)});
  Incumbent incumbent(task);
  const auto searching = make_tree_search(task, settings, budget, {engine.get()}, threads, incumbent);
  run_alone(*searching, budget.seconds);
  return {incumbent.best(), searching->status(), engine->usage().playouts};
}

TreeSettings nested(int level, int inner_playouts) {
  TreeSettings settings = tree_preset("nmcts");
  settings.nested.level = level;
  settings.nested.inner_playouts = inner_playouts;
  settings.state_pruning = false;
  return settings;
}

SearchTask standard_task(std::uint64_t seed = 1) {
  return {.board = game::standard_boards()[2].position, .seed = seed};
}

// The pseudo-code, as it stands in nested_group.hpp, one walk after the other. Seeds and keys are those of the search:
// the outermost tree is tree 0 of the task's seed, and the inner ones are numbered in a row of their own.
class PseudoCode {
 public:
  PseudoCode(const SearchTask& task, const TreeSettings& settings)
      : task_(task), settings_(settings), rules_(settings.policy, task.scoring, task.board), pool_(64 << 20) {}

  // Returns the best score of `walks` walks of the outermost tree.
  int run(int walks) {
    const std::uint64_t seed = game::mix64(task_.seed ^ game::mix64(0));
    return nmcts(task_.board, 0, settings_.nested.level, walks, seed);
  }
  std::uint64_t nodes() const { return nodes_; }

 private:
  int nmcts(const game::Position& position, int points, int level, int walks, std::uint64_t seed) {
    Tree tree(pool_, position, points, settings_, task_.scoring, seed);
    for (int i = 0; i < walks; ++i) {
      Walk walk;
      const Descent descent = tree.descend(walk);
      if (descent == Descent::kFinished) continue;
      if (descent != Descent::kLeaf) break;
      game::Result result;
      if (level == 1) {
        const game::PlayoutKey key{task_.seed, key_++, 0};
        const game::Playout playout = game::play(walk.position, rules_, key, walk.points);
        result.add(key, playout.score, playout.length);
      } else {
        const std::uint64_t inner_seed =
            game::mix64(game::mix64(task_.seed ^ game::mix64(1)) ^ game::mix64(inner_trees_++));
        result.add({}, nmcts(walk.position, walk.points, level - 1, settings_.nested.inner_playouts, inner_seed), 0);
      }
      tree.complete(walk, result);
    }
    nodes_ += tree.counts().nodes_visited - (level < settings_.nested.level ? 1 : 0);
    return tree.best();
  }

  const SearchTask task_;
  const TreeSettings settings_;
  const game::PlayoutRules rules_;
  NodePool pool_;
  std::uint64_t key_ = 0;
  std::uint64_t inner_trees_ = 0;
  std::uint64_t nodes_ = 0;
};

TEST(NestedSearch, IsThePseudoCodeWhereOneWalkFollowsTheOther) {
  struct Case {
    int level, inner, walks;
  };
  for (const auto& [level, inner, walks] : {Case{2, 12, 40}, Case{2, 60, 6}, Case{3, 5, 12}, Case{4, 3, 12}}) {
    for (const std::uint64_t seed : {1, 2}) {
      TreeSettings settings = nested(level, inner);
      settings.in_flight = 1;
      settings.deterministic = true;
      std::uint64_t playouts = static_cast<std::uint64_t>(walks);
      for (int i = 1; i < level; ++i)
        playouts *= static_cast<std::uint64_t>(inner);
      const Searched searched = search(standard_task(seed), settings, {.playouts = playouts});
      PseudoCode reference(standard_task(seed), settings);
      EXPECT_EQ(searched.best.score, reference.run(walks)) << level << ' ' << inner;
      EXPECT_EQ(searched.status.nodes_visited, reference.nodes()) << level << ' ' << inner;
    }
  }
}

TEST(NestedSearch, CountsEveryPlayoutOnce) {
  const auto sequential = [](int level, int inner) {
    TreeSettings settings = nested(level, inner);
    settings.in_flight = 1;  // so that one search ends before the next begins
    return settings;
  };
  TreeSettings settings = sequential(2, 50);
  // On a full board no game ends in such small trees. 20 searches of 50 walks: each walk is a playout and adds a node;
  // the root of an inner tree is a node of the outer one.
  const Searched two = search(standard_task(), settings, {.playouts = 1000});
  EXPECT_EQ(two.status.playouts, 1000U);
  EXPECT_EQ(two.engine_playouts, 1000U);
  EXPECT_EQ(two.status.nodes_visited, 1000U);
  EXPECT_EQ(two.status.figure("inner_searches"), 20);
  // Two playouts for each leaf: half as many walks.
  settings.leaf_playouts = 2;
  const Searched twice = search(standard_task(), settings, {.playouts = 1000});
  EXPECT_EQ(twice.engine_playouts, 1000U);
  EXPECT_EQ(twice.status.nodes_visited, 500U);
  EXPECT_EQ(twice.status.figure("inner_searches"), 10);
  // Level 3: 1000 / (5 x 5) = 40 searches of level 2, each with five of level 1.
  const Searched three = search(standard_task(), sequential(3, 5), {.playouts = 1000});
  EXPECT_EQ(three.status.playouts, 1000U);
  EXPECT_EQ(three.engine_playouts, 1000U);
  EXPECT_EQ(three.status.nodes_visited, 1000U);
  EXPECT_EQ(three.status.figure("inner_searches"), 240);
  // The budget ends in the middle of a search.
  EXPECT_EQ(search(standard_task(), nested(2, 50), {.playouts = 1017}).engine_playouts, 1017U);
  EXPECT_EQ(search(standard_task(), nested(2, 50), {.playouts = 1}).engine_playouts, 1U);
}

// N searches at each inner level and sqrt(N) by the outermost tree are N^1.5 walks at level 2, N^2.5 at level 3.
TEST(NestedSearch, DividesTheBudgetAmongItsLevelsUnlessTold) {
  const TreeSettings two = nested(2, 0);
  const auto inner = [](const TreeSettings& settings, const Budget& budget) {
    return inner_playouts_of(settings, BudgetTracker(budget, 225), 1);
  };
  EXPECT_EQ(inner(two, {.playouts = 1'000'000}), 10'000);      // x 100
  EXPECT_EQ(inner(two, {.nodes = 125'000}), 2500);             // x 50
  EXPECT_EQ(inner(nested(3, 0), {.playouts = 100'000}), 100);  // x 100 x 10
  EXPECT_EQ(inner(nested(2, 77), {.playouts = 1'000'000}), 77);
  TreeSettings split = two;
  split.restarts = 8;
  EXPECT_EQ(inner(split, {.playouts = 1'000'000}), 2500);  // of 125,000
  split = two;
  split.leaf_playouts = 8;
  EXPECT_EQ(inner(split, {.playouts = 1'000'000}), 2500);
}

TEST(NestedSearch, AgreesWithBruteForceOnSmallBoards) {
  Dice dice(53);
  for (int i = 0; i < tests::scaled(40); ++i) {
    const SearchTask task{.board = tests::full_board(dice, {dice.between(2, 4), 4, 3}), .seed = dice.word()};
    if (!task.board.has_moves()) continue;
    TreeSettings settings = nested(dice.between(2, 4), dice.between(1, 30));
    settings.state_pruning = dice.one_in(2);
    settings.vs_pruning = dice.one_in(4);
    settings.mode = dice.one_in(3) ? ParallelMode::kRoot : ParallelMode::kTree;
    settings.trees = 2;
    settings.duplicates = static_cast<Duplicates>(dice.below(4));
    if (dice.one_in(4)) settings.selection.t = 5;
    const Searched searched = search(task, settings, {.playouts = 500'000}, 2);
    const int optimum = tests::BruteForce(task.scoring).best(game::ReferenceBoard(task.board));
    EXPECT_TRUE(searched.status.proven) << tests::drawing(task.board);
    EXPECT_EQ(searched.best.score, optimum) << tests::drawing(task.board);
  }
}

TEST(NestedSearch, IsTheSameForASeedWhateverThreadsAndEngine) {
  for (const ParallelMode mode : {ParallelMode::kTree, ParallelMode::kRoot}) {
    for (const int level : {2, 3}) {
      TreeSettings settings = nested(level, 0);
      settings.deterministic = true;
      settings.state_pruning = true;
      settings.mode = mode;
      settings.memory_bytes = std::uint64_t{2} << 20;
      const Budget budget{.playouts = static_cast<std::uint64_t>(tests::scaled(2500))};
      const Searched once = search(standard_task(), settings, budget);
      const Searched again = search(standard_task(), settings, budget, 3, "portable");
      EXPECT_EQ(again.best.moves, once.best.moves) << level;
      EXPECT_EQ(again.status.playouts, once.status.playouts) << level;
      EXPECT_EQ(again.status.nodes_visited, once.status.nodes_visited) << level;
      EXPECT_EQ(again.status.resource_units, once.status.resource_units) << level;
      EXPECT_NE(search(standard_task(2), settings, budget).best.moves, once.best.moves) << level;
    }
  }
}

TEST(NestedSearch, SearchesWithAnyMemory) {
  for (const int level : {2, 3, 4}) {
    for (const std::uint64_t kibibytes : {256, 1024, 8192}) {
      TreeSettings settings = nested(level, level == 2 ? 2000 : 0);
      settings.memory_bytes = kibibytes << 10;
      settings.duplicates = Duplicates::kNaive;
      const auto playouts = static_cast<std::uint64_t>(tests::scaled(5000));
      const Searched searched = search(standard_task(), settings, {.playouts = playouts});
      EXPECT_GE(searched.status.playouts, playouts * 9 / 10) << level << ' ' << kibibytes;
      EXPECT_LE(searched.status.figure("memory_bytes"), settings.memory_bytes) << level << ' ' << kibibytes;
    }
  }
}

TEST(NestedSearch, PlaysAGameWhenEveryMoveHasABudget) {
  for (const bool keeps_tree : {false, true}) {
    TreeSettings settings = nested(3, 4);
    settings.allocation = Allocation::kUniform;
    settings.keeps_tree = keeps_tree;
    const Searched searched = search(standard_task(), settings, {.playouts = 3000});
    EXPECT_GE(searched.status.playouts, 2900U);
    EXPECT_LE(searched.status.playouts, 3000U);
    ASSERT_TRUE(searched.status.played_score.has_value());
    EXPECT_LE(*searched.status.played_score, searched.best.score);
  }
}

TEST(NestedSearch, StopsWhenAskedAndKeepsItsLine) {
  const SearchTask task = standard_task();
  Incumbent incumbent(task);
  const auto engine = make_engine({.name = "cpu", .threads = 1});
  const auto searching = make_tree_search(task, nested(3, 20), {}, {engine.get()}, 2, incumbent);
  std::stop_source stop;
  std::thread thread([&] { searching->run({}, stop.get_token()); });
  while (searching->status().playouts < 1000)
    std::this_thread::yield();
  stop.request_stop();
  thread.join();
  EXPECT_GT(incumbent.best().version, 0U);
}

}  // namespace
}  // namespace chainshot::host
