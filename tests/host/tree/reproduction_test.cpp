// Reproduces Schadd 2012 on a few random boards: the order of its settings, with margins below its own, because ten
// boards are few. Searches are deterministic. docs/lab/papers.md has the same with more boards and larger
// budgets.
#include <gtest/gtest.h>

#include <cstdint>
#include <string_view>

#include "game/generate.hpp"
#include "host/engines/engines.hpp"
#include "host/tree/tree_kind.hpp"
#include "host/tree/tree_search.hpp"

namespace chainshot::host {
namespace {

constexpr std::uint64_t kBoards = 10;
constexpr std::uint64_t kNodes = 20000;

TreeSettings schadd(std::string_view preset) {
  TreeSettings settings = tree_preset(preset);
  settings.deterministic = true;
  settings.in_flight = 16;  // few, so that they know of each other
  return settings;
}

struct Means {
  double score = 0, played = 0, depth = 0;
};

Means search_boards(const TreeSettings& settings, std::uint64_t nodes = kNodes) {
  const auto engine = make_engine({.name = "cpu", .threads = 1, .caller_threads = 1});
  Means sum;
  for (std::uint64_t i = 0; i < kBoards; ++i) {
    const SearchTask task{.board = game::generate_board({}, 2012, i), .seed = 1};
    Incumbent incumbent(task);
    const auto search = make_tree_search(task, settings, {.nodes = nodes}, {engine.get()}, 1, incumbent);
    search->run({}, {});
    const SearchStatus status = search->status();
    sum.score += incumbent.best().score;
    sum.played += status.played_score.value_or(0);
    sum.depth += status.figure("mean_depth");
  }
  return {sum.score / kBoards, sum.played / kBoards, sum.depth / kBoards};
}

Means with_policy(std::string_view policy) {
  TreeSettings settings = schadd("sp-mcts-balanced");
  settings.policy.kind = game::policy_named(policy)->kind;
  return search_boards(settings);
}

// Table 1: 2,069, 2,737 and 3,038 points.
TEST(Schadd2012, TabuPlayoutsAreBetterAndMoreSoOfTheMostFrequentColor) {
  const double random = with_policy("random").score;
  const double tabu = with_policy("tabu-random").score;
  const double color = with_policy("tabu-color-random").score;
  EXPECT_GT(tabu, 1.16 * random);
  EXPECT_GT(color, 1.05 * tabu);
}

// Table 2, 100,000 nodes: mean depths 25, 7 and 3, and 2,552, 2,388 and 2,197 points.
TEST(Schadd2012, ExploitationGoesDeepAndWinsWhenTimeIsShort) {
  const Means exploitation = search_boards(schadd("sp-mcts-exploitation"));
  const Means balanced = search_boards(schadd("sp-mcts-balanced"));
  const Means exploration = search_boards(schadd("sp-mcts-exploration"));
  EXPECT_GT(exploitation.depth, 3 * balanced.depth);
  EXPECT_GT(balanced.depth, exploration.depth);
  EXPECT_GT(exploitation.score, balanced.score);
  EXPECT_GT(balanced.score, exploration.score);
}

// Figure 2, 500,000 nodes: 140 points more with two searches than with one, and the most with ten.
TEST(Schadd2012, RestartsLeaveLocalMaxima) {
  TreeSettings settings = schadd("sp-mcts-exploitation");
  const double one = search_boards(settings, 5 * kNodes).score;
  settings.restarts = 5;
  const double five = search_boards(settings, 5 * kNodes).score;
  EXPECT_GT(five, one + 140);
}

// Table 4: 784, 1,458 and 2,644 points.
TEST(Schadd2012, TheTopScoreIsByFarTheBestFinalMove) {
  TreeSettings settings = schadd("sp-mcts-exploitation");
  settings.allocation = Allocation::kEveryMove;
  const auto played = [&](MoveChoice choice) {
    settings.move_choice = choice;
    return search_boards(settings).played;
  };
  const double average = played(MoveChoice::kAverage), visits = played(MoveChoice::kVisits);
  const double top = played(MoveChoice::kTopScore);
  EXPECT_GT(visits, average);
  EXPECT_GT(top, visits + 300);
}

}  // namespace
}  // namespace chainshot::host
