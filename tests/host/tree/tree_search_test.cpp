#include "host/tree/tree_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <stop_token>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "game/board_text.hpp"
#include "game/reference.hpp"
#include "host/engines/engines.hpp"
#include "host/search/search_runner.hpp"
#include "host/tree/tree_kind.hpp"
#include "tests/support/brute_force.hpp"
#include "tests/support/random_boards.hpp"
#include "tests/support/test_scale.hpp"
#include "tools/measure/delay_engine.hpp"

namespace chainshot::host {
namespace {

struct Searched {
  BestLine best;
  SearchStatus status;
};

Searched search(const SearchTask& task, const TreeSettings& settings, const Budget& budget,
                const std::vector<game::Engine*>& engines, int threads = 1) {
  Incumbent incumbent(task);
  const auto searching = make_tree_search(task, settings, budget, engines, threads, incumbent);
  run_alone(*searching, budget.seconds);
  return {incumbent.best(), searching->status()};
}

Searched search(const SearchTask& task, const TreeSettings& settings, const Budget& budget, int threads = 1) {
  const auto engine = make_engine({.name = "cpu", .threads = threads});
  return search(task, settings, budget, {engine.get()}, threads);
}

SearchTask standard_task(std::uint64_t seed = 1) {
  return {.board = game::standard_boards().front().position, .seed = seed};
}

TreeSettings settings_of(std::string_view preset) {
  return tree_preset(preset);
}

// The number of playouts of a test for which any number will do.
std::uint64_t few(int playouts) {
  return static_cast<std::uint64_t>(tests::scaled(playouts));
}

TEST(TreeSearch, SpendsThePlayoutsItWasGivenAndNoMore) {
  for (const char* preset : {"sp-mcts", "uct", "sp-mcts-restarts", "base-exp+tabu"}) {
    const Searched searched = search(standard_task(), settings_of(preset), {.playouts = 3000});
    EXPECT_LE(searched.status.playouts, 3000U) << preset;
    EXPECT_GE(searched.status.playouts, 2900U) << preset;
    EXPECT_GT(searched.best.version, 0U) << preset;
  }
}

TEST(TreeSearch, SpendsLittleMoreThanThePlayoutsItWasGivenIfItLooksAhead) {
  TreeSettings settings = settings_of("set");
  settings.leaf_playouts = 1;
  const Searched searched = search(standard_task(), settings, {.playouts = 6000}, 2);
  // A walk that looks ahead asks for as many playouts as its leaf has moves, some 20.
  EXPECT_LE(searched.status.playouts, 6400U);
  EXPECT_GE(searched.status.playouts, 5500U);
}

TEST(TreeSearch, SmallBudgetsAreHeededToo) {
  for (const char* preset : {"set", "hgsts"}) {
    const Searched playouts = search(standard_task(), settings_of(preset), {.playouts = 100}, 2);
    EXPECT_LE(playouts.status.playouts, 100U) << preset;
    EXPECT_GE(playouts.status.playouts, 50U) << preset;
    EXPECT_EQ(search(standard_task(), settings_of(preset), {.playouts = 1}, 2).status.playouts, 1U) << preset;
    // The root has a node, and every walk adds one.
    EXPECT_LE(search(standard_task(), settings_of(preset), {.nodes = 10}, 2).status.nodes_visited, 11U) << preset;
  }
  // There are seven leaves for eight trees.
  TreeSettings root = settings_of("uct");
  root.mode = ParallelMode::kRoot;
  root.deterministic = true;
  root.leaf_playouts = 8;
  EXPECT_EQ(search(standard_task(), root, {.playouts = 56}, 2).status.playouts, 56U);
  TreeSettings settings = settings_of("uct");
  settings.look_ahead = 1;
  settings.leaf_playouts = 4;
  EXPECT_LE(search(standard_task(), settings, {.playouts = 1000}).status.playouts, 1000U);
}

TEST(TreeSearch, SearchesWithAnyMemory) {
  for (const char* preset : {"set", "hgsts", "uct"}) {
    for (const std::uint64_t mebibytes : {1, 2, 64}) {
      TreeSettings settings = settings_of(preset);
      settings.memory_bytes = mebibytes << 20;
      if (std::string_view(preset) == "uct") {
        settings.mode = ParallelMode::kRoot;
        settings.trees = 64;
      }
      const Searched searched = search(standard_task(), settings, {.playouts = few(20'000)}, 2);
      EXPECT_GT(searched.best.version, 0U) << preset << ' ' << mebibytes;
      EXPECT_GE(searched.status.playouts, few(20'000) * 9 / 10) << preset << ' ' << mebibytes;
      EXPECT_LE(searched.status.figure("memory_bytes"), settings.memory_bytes) << preset << ' ' << mebibytes;
    }
  }
}

TEST(TreeSearch, HeedsLimitsOfNodesAndResourceUnits) {
  const Searched nodes = search(standard_task(), settings_of("uct"), {.nodes = 2000});
  EXPECT_LE(nodes.status.nodes_visited, 2002U);
  EXPECT_GE(nodes.status.nodes_visited, 1900U);
  // A playout of this board takes some 65 units. A set looks ahead: a walk asks for a playout after each of 40 moves.
  for (const char* preset : {"static", "set", "hgsts"}) {
    for (const std::uint64_t limit : {2'000, 10'000, 64'000}) {
      const Searched units = search(standard_task(), settings_of(preset), {.resource_units = limit});
      EXPECT_GE(units.status.resource_units, limit - 200) << preset;
      EXPECT_LE(units.status.resource_units, limit + 300) << preset;
    }
  }
  TreeSettings settings = settings_of("uct");
  settings.leaf_playouts = 1000;  // no leaf gets more than the whole budget
  EXPECT_LE(search(standard_task(), settings, {.resource_units = 2'000}).status.resource_units, 2'300U);
}

TEST(TreeSearch, FindsMoreThanAsManyPlayoutsAlone) {
  TreeSettings settings = settings_of("uct");
  settings.deterministic = true;  // the order of batches would add luck
  const auto engine = make_engine({.name = "cpu", .threads = 1});
  int by_playouts = 0, by_search = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    const SearchTask task{.board = game::standard_boards()[i].position, .seed = 1};
    game::Batch batch;
    batch.seed = 1;
    batch.requests.push_back({.position = task.board, .policy = settings.policy, .playouts = 60000});
    by_playouts += engine->run(std::move(batch)).results.front().best;
    by_search += search(task, settings, {.playouts = 60000}).best.score;
  }
  EXPECT_GT(by_search, by_playouts);
}

TEST(TreeSearch, IsTheSameForASeedWhateverThreadsEngineAndLatencyIfAsked) {
  for (const char* preset : {"hgsts", "sp-mcts", "base-exp+tabu"}) {
    TreeSettings settings = settings_of(preset);
    settings.deterministic = true;
    const Budget budget{.playouts = few(6000)};
    const Searched once = search(standard_task(), settings, budget, 1);
    const Searched threads = search(standard_task(), settings, budget, 3);
    DelayEngine slow(make_engine({.name = "cpu", .threads = 2}),
                     {.playouts_per_second = 1e6, .latency_us = 300, .recommended_batch = 5000});
    const auto other = make_engine({.name = "cpu", .threads = 1, .isa = "portable"});
    const Searched delayed = search(standard_task(), settings, budget, {&slow, other.get()}, 2);
    for (const Searched* again : {&threads, &delayed}) {
      EXPECT_EQ(again->best.score, once.best.score) << preset;
      EXPECT_EQ(again->best.moves, once.best.moves) << preset;
      EXPECT_EQ(again->status.playouts, once.status.playouts) << preset;
      EXPECT_EQ(again->status.nodes_visited, once.status.nodes_visited) << preset;
      EXPECT_EQ(again->status.resource_units, once.status.resource_units) << preset;
    }
    const Searched other_seed = search(standard_task(2), settings, budget, 1);
    EXPECT_NE(other_seed.best.moves, once.best.moves) << preset;
  }
}

TEST(TreeSearch, IsTheSameForASeedWhateverThreadsAtTheCapOfMemoryToo) {
  for (const ParallelMode mode : {ParallelMode::kRoot, ParallelMode::kSet}) {
    TreeSettings settings = settings_of("uct");
    settings.deterministic = true;
    settings.mode = mode;
    settings.duplicates = Duplicates::kDynamic;
    settings.memory_bytes = std::uint64_t{tests::kSanitized ? 1 : 4} << 20;
    const Budget budget{.playouts = few(120'000)};
    const Searched once = search(standard_task(), settings, budget, 1);
    // The cap was reached: some nodes that were visited are gone.
    EXPECT_LT(once.status.figure("nodes"), once.status.nodes_visited) << static_cast<int>(mode);
    for (const int threads : {2, 3}) {
      const Searched again = search(standard_task(), settings, budget, threads);
      EXPECT_EQ(again.best.moves, once.best.moves) << static_cast<int>(mode) << ' ' << threads;
      EXPECT_EQ(again.status.nodes_visited, once.status.nodes_visited) << static_cast<int>(mode) << ' ' << threads;
    }
  }
}

TEST(TreeSearch, FactorsOfExplorationStayNumbers) {
  // Every end of a game makes the factors above it grow. Games of 36 blocks have thousands of ends, and 1.05^2000
  // overflows a float.
  tests::Dice dice(5);
  for (int i = 0; i < 4; ++i) {
    const SearchTask task{.board = tests::full_board(dice, {6, 6, 4}), .seed = 1};
    for (const char* preset : {"base", "base-3rdavg", "base-exp+tabu48"}) {
      TreeSettings settings = settings_of(preset);
      settings.state_pruning = false;
      settings.node_exploration.growth = 2;
      const Searched searched = search(task, settings, {.playouts = few(20'000)});
      EXPECT_GT(searched.best.version, 0U) << preset;
    }
  }
}

TEST(TreeSearch, ProvesTheScoreOfBruteForceInEveryMode) {
  tests::Dice dice(3);
  for (int i = 0; i < 8; ++i) {
    const game::Position board = tests::full_board(dice, {5, 4, 3});
    const SearchTask task{.board = board, .seed = 1};
    const int optimum = tests::BruteForce(task.scoring).best(game::ReferenceBoard(board));
    for (const ParallelMode mode : {ParallelMode::kTree, ParallelMode::kRoot, ParallelMode::kSet}) {
      TreeSettings settings = settings_of("uct");
      settings.mode = mode;
      settings.trees = 2;
      settings.set_size = 8;
      settings.merges_symmetric = true;
      const Searched searched = search(task, settings, {.playouts = 2'000'000}, 2);
      EXPECT_TRUE(searched.status.proven) << static_cast<int>(mode) << '\n' << tests::drawing(board);
      EXPECT_EQ(searched.best.score, optimum) << static_cast<int>(mode) << '\n' << tests::drawing(board);
    }
  }
}

TEST(TreeSearch, PlaysAGameWhenEveryMoveHasABudget) {
  for (const MoveChoice choice :
       {MoveChoice::kAverage, MoveChoice::kVisits, MoveChoice::kTopScore, MoveChoice::kTopScoreBelow}) {
    for (const ParallelMode mode : {ParallelMode::kTree, ParallelMode::kRoot, ParallelMode::kSet}) {
      TreeSettings settings = settings_of("uct");
      settings.allocation = Allocation::kUniform;
      settings.move_choice = choice;
      settings.mode = mode;
      settings.trees = 3;
      const Searched searched = search(standard_task(), settings, {.playouts = few(6000)});
      ASSERT_TRUE(searched.status.played_score.has_value());
      EXPECT_LE(*searched.status.played_score, searched.best.score);
      // Top score follows the best line, so the game it plays is the best one it saw.
      if (choice == MoveChoice::kTopScore && mode == ParallelMode::kTree) {
        EXPECT_EQ(*searched.status.played_score, searched.best.score);
      }
    }
  }
}

// Each move has ten of 644 playouts, and this game is over after a few moves.
TEST(TreeSearch, GivesWhatAGameHasLeftOfItsBudgetToFurtherGames) {
  const SearchTask task{.board = tests::board_of({"00110", "11001", "22334", "33442"})};
  TreeSettings settings = settings_of("sp-mcts-per-move");
  settings.state_pruning = false;
  const Searched searched = search(task, settings, {.playouts = 644});
  EXPECT_TRUE(searched.status.proven || searched.status.playouts > 644 - 64) << searched.status.playouts;
  EXPECT_LE(searched.status.playouts, 644U);
  ASSERT_TRUE(searched.status.played_score.has_value());
  EXPECT_LE(*searched.status.played_score, searched.best.score);
}

// With the top score the played game is the best line seen while it was played, so a better line belongs to a further
// game.
TEST(TreeSearch, LeavesFurtherGamesOutOfTheScoreOfTheGameItPlayed) {
  tests::Dice dice(31);
  int beaten = 0;
  for (int i = 0; i < 20; ++i) {
    const SearchTask task{.board = tests::full_board(dice, {7, 7, 4}), .seed = 1};
    const Searched searched = search(task, settings_of("sp-mcts-per-move"), {.playouts = 644});
    beaten += searched.best.score > searched.status.played_score.value();
  }
  EXPECT_GT(beaten, 0);
}

// Naive duplicates may cut the better way to a position. A search that has nothing else left to do looks there too.
TEST(TreeSearch, ProvesBoardsThatNaiveDuplicatesAndPrunedSegmentsLeaveOpen) {
  tests::Dice dice(7);
  for (int i = 0; i < tests::scaled(40); ++i) {
    const SearchTask task{.board = tests::full_board(dice, {dice.between(3, 5), 4, 3}),
                          .seed = static_cast<std::uint64_t>(i)};
    const int optimum = tests::BruteForce(task.scoring).best(game::ReferenceBoard(task.board));
    for (const bool vs_pruning : {false, true}) {
      TreeSettings settings = settings_of("uct");
      settings.duplicates = Duplicates::kNaive;
      settings.vs_pruning = vs_pruning;
      const Searched searched = search(task, settings, {.nodes = 100'000});
      EXPECT_TRUE(searched.status.proven);
      EXPECT_EQ(searched.best.score, optimum);
    }
  }
}

TEST(TreeSearch, HasNoMoreRestartsThanItsBudgetCanServe) {
  TreeSettings settings = settings_of("uct");
  settings.restarts = 1'000'000;
  EXPECT_EQ(search(standard_task(), settings, {.nodes = 100}).status.nodes_visited, 100U);
}

TEST(TreeSearch, ForgetsTheTreeAfterAMoveUnlessItIsKept) {
  TreeSettings settings = settings_of("sp-mcts-exploitation");
  settings.deterministic = true;
  settings.selection.c = 1;                    // most walks follow the best line, as the game does
  settings.allocation = Allocation::kUniform;  // only 30 moves have a budget, so the game is not over when it is spent
  constexpr int kMoves = 30;
  const std::uint64_t nodes = 30'000;
  for (const bool keeps_tree : {true, false}) {
    settings.keeps_tree = keeps_tree;
    const Searched searched = search(standard_task(), settings, {.nodes = nodes});
    EXPECT_GT(searched.status.nodes_visited, nodes * 9 / 10);
    EXPECT_EQ(searched.status.played_score, searched.best.score);
    if (keeps_tree) {
      EXPECT_GT(searched.status.figure("nodes"), 2 * nodes / kMoves);
    } else {
      EXPECT_LE(searched.status.figure("nodes"), nodes / kMoves + 1);
      EXPECT_GT(searched.status.figure("nodes"), nodes / kMoves / 2);
    }
  }
}

TEST(TreeSearch, StopsWhenAsked) {
  const SearchTask task = standard_task();
  Incumbent incumbent(task);
  const auto engine = make_engine({.name = "cpu", .threads = 1});
  const auto searching = make_tree_search(task, settings_of("hgsts"), {}, {engine.get()}, 2, incumbent);
  std::stop_source stop;
  std::thread thread([&] { searching->run({}, stop.get_token()); });
  while (searching->status().playouts < 1000)
    std::this_thread::yield();
  stop.request_stop();
  thread.join();
  EXPECT_GT(incumbent.best().version, 0U);
}

TEST(TreeSearch, TakesTheLineOfAnotherSearchAsAPath) {
  const SearchTask task = standard_task();
  const Searched other = search(standard_task(7), settings_of("uct"), {.playouts = 20000});
  Incumbent incumbent(task);
  incumbent.offer(other.best.score, other.best.moves, "another search");
  const auto engine = make_engine({.name = "cpu", .threads = 1});
  TreeSettings settings = settings_of("uct");
  const auto searching = make_tree_search(task, settings, {.playouts = 64}, {engine.get()}, 1, incumbent);
  searching->run({}, {});
  // The path has a node for every move, which 64 walks alone would not reach.
  EXPECT_GE(searching->status().figure("depth"), static_cast<int>(other.best.moves.size()));
}

// With the top score a game follows the best line it knows, whoever found it.
TEST(TreeSearch, PlaysTheLineOfAnotherSearchIfItKnowsNoBetterOne) {
  const SearchTask task = standard_task();
  const Searched other = search(standard_task(7), settings_of("uct"), {.playouts = 20000});
  const auto engine = make_engine({.name = "cpu", .threads = 1});
  // Some playouts per move are far too few to find such a line, and the game is not over when the moves that have a
  // budget are made.
  for (const std::uint64_t playouts : {600U, 30U}) {
    Incumbent incumbent(task);
    incumbent.offer(other.best.score, other.best.moves, "another search");
    TreeSettings settings = settings_of("sp-mcts-exploitation");
    settings.allocation = Allocation::kUniform;
    settings.move_choice = MoveChoice::kTopScore;
    const auto searching = make_tree_search(task, settings, {.playouts = playouts}, {engine.get()}, 1, incumbent);
    searching->run({}, {});
    EXPECT_GE(searching->status().played_score, other.best.score) << playouts;
  }
}

// The foreign line may have reached the root of a tree by a way that earns less than the tree's own.
TEST(TreeSearch, ProvesNothingFalseByALineThatCameAWorseWay) {
  const SearchTask task{.board = tests::board_of({"02200", "20011", "12211"})};
  const int optimum = tests::BruteForce(task.scoring).best(game::ReferenceBoard(task.board));
  const auto engine = make_engine({.name = "cpu", .threads = 1});
  TreeSettings settings = settings_of("set");
  settings.set_size = 7;
  settings.leaf_playouts = 1;
  tests::Dice dice(1);
  for (int i = 0; i < tests::scaled(300); ++i) {
    std::vector<game::Cell> moves;
    game::Position position = task.board;
    while (position.has_moves()) {
      const auto groups = position.groups();
      moves.push_back(groups[static_cast<std::size_t>(dice.below(static_cast<int>(groups.size())))].cell);
      position.apply(moves.back());
    }
    Incumbent incumbent(task);
    incumbent.offer(game::replay(task.board, moves, task.scoring).score, moves, "another search");
    const auto searching = make_tree_search(task, settings, {.nodes = 10000}, {engine.get()}, 1, incumbent);
    searching->run({}, {});
    EXPECT_TRUE(searching->status().proven);
    EXPECT_EQ(incumbent.score(), optimum);
  }
}

// However little time a move has, a set gets no more trees than leave time to search them.
TEST(TreeSearch, PlaysWhereThereIsLittleTimeToSetUpASet) {
  for (const Allocation allocation : {Allocation::kPerGame, Allocation::kEveryMove}) {
    TreeSettings settings = settings_of("set");
    settings.set_size = 5000;
    settings.allocation = allocation;
    const auto playouts = [&](double s) { return search(standard_task(), settings, {.seconds = s}).status.playouts; };
    EXPECT_TRUE(playouts(0.5) > 1000 || playouts(1) > 1000);  // another program may have taken the time of one run
  }
}

TEST(TreeSearch, GivesALeafNoMorePlayoutsThanThereAre) {
  TreeSettings settings = settings_of("uct");
  settings.leaf_playouts = 1000;
  EXPECT_EQ(search(standard_task(), settings, {.playouts = 100}).status.playouts, 100U);
}

}  // namespace
}  // namespace chainshot::host
