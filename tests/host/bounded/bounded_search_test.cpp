// IDA* and A* promise the best score of a board and a proof of it, within their budgets.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "game/board_text.hpp"
#include "game/reference.hpp"
#include "host/bounded/a_star.hpp"
#include "host/bounded/bounded_kinds.hpp"
#include "host/bounded/ida_star.hpp"
#include "host/search/search_runner.hpp"
#include "tests/support/brute_force.hpp"
#include "tests/support/random_boards.hpp"
#include "tests/support/scorings.hpp"
#include "tests/support/test_scale.hpp"

namespace chainshot::host {
namespace {

using tests::Dice;

constexpr std::uint64_t kSmallMemory = 1 << 20;

struct Searched {
  BestLine best;
  SearchStatus status;
};

struct Variant {
  std::string name;
  const SearchKind* kind;
  Settings settings;
};

const std::vector<Variant>& variants() {
  static const std::vector<Variant> kAll = {
      {"ida-star", &kIdaStarKind, IdaStarSettings{}},
      {"ida-star to the next bound", &kIdaStarKind, IdaStarSettings{.deepening = 0}},
      {"ida-star without transpositions", &kIdaStarKind, IdaStarSettings{.transpositions = false}},
      {"a-star", &kAStarKind, AStarSettings{}},
  };
  return kAll;
}

Searched search(const Variant& variant, const SearchTask& task, const Budget& budget = {},
                std::uint64_t memory = kSmallMemory, const std::vector<game::Cell>& start = {}) {
  Incumbent incumbent(task);
  if (!start.empty()) incumbent.offer(game::replay(task.board, start, task.scoring).score, start, "start");
  Resources resources;
  resources.budget = budget;
  resources.common.memory_bytes = memory;
  const auto searches = variant.kind->make(task, variant.settings, resources, incumbent);
  run_alone(*searches.front().search, budget.seconds);
  return {incumbent.best(), searches.front().search->status()};
}

TEST(BoundedSearch, ProvesTheBestScoreOfSmallBoardsUnderEveryScoringOfGroups) {
  Dice dice(81);
  int not_the_bound = 0;
  for (int i = 0; i < tests::scaled(40); ++i) {
    const game::Position board = tests::full_board(dice, {dice.between(3, 4), dice.between(3, 4), dice.between(2, 4)});
    if (!board.has_moves()) continue;
    for (const game::Scoring& scoring : tests::scoring_cases()) {
      if (!scoring.scores_groups()) continue;
      const int best = tests::BruteForce(scoring).best(game::ReferenceBoard(board));
      not_the_bound += best < board.upper_bound(scoring);
      for (const Variant& variant : variants()) {
        const Searched searched = search(variant, {.board = board, .scoring = scoring});
        EXPECT_EQ(searched.best.score, best) << variant.name << ' ' << scoring.name() << '\n' << tests::drawing(board);
        EXPECT_TRUE(searched.status.proven) << variant.name;
        EXPECT_EQ(searched.status.figure("upper_bound"), best) << variant.name;
      }
    }
  }
  EXPECT_GT(not_the_bound, 0);
}

TEST(BoundedSearch, NeverClaimsAProofThatIsNone) {
  Dice dice(82);
  int proven = 0, open = 0;
  for (int i = 0; i < tests::scaled(30); ++i) {
    const game::Position board = tests::full_board(dice, {4, 4, 4});
    if (!board.has_moves()) continue;
    const int best = tests::BruteForce(game::kStandardScoring).best(game::ReferenceBoard(board));
    for (const Variant& variant : variants())
      for (const std::uint64_t nodes : {1, 7, 40, 200}) {
        const Searched searched = search(variant, {.board = board}, {.nodes = nodes});
        EXPECT_LE(searched.best.score, best);
        EXPECT_GE(searched.status.figure("upper_bound"), best) << variant.name;
        ++(searched.status.proven ? proven : open);
        if (searched.status.proven) {
          EXPECT_EQ(searched.best.score, best) << variant.name << ' ' << nodes;
        }
      }
  }
  EXPECT_GT(proven, 0);
  EXPECT_GT(open, 0);
}

TEST(BoundedSearch, CountsNodesAndEvaluationsUpToTheBudgetAndNotBeyond) {
  const SearchTask task{.board = game::standard_boards()[0].position};
  for (const Variant& variant : variants()) {
    for (const std::uint64_t nodes : {1, 33, 2'000}) {
      const Searched searched = search(variant, task, {.nodes = nodes});
      EXPECT_EQ(searched.status.nodes_visited, nodes) << variant.name;
      EXPECT_GT(searched.best.moves.size(), 10u);
    }
    const Searched searched = search(variant, task, {.playouts = 2'000});
    EXPECT_LE(searched.status.evaluations, 2'000u) << variant.name;
    // No position of the board has more than 112 moves.
    EXPECT_GT(searched.status.evaluations, 2'000u - 112) << variant.name;
  }
}

TEST(BoundedSearch, GivesTheSameLineForTheSameBudgetWhateverTheSeed) {
  for (const Variant& variant : variants()) {
    const game::Position& board = game::standard_boards()[4].position;
    const Searched one = search(variant, {.board = board, .seed = 1}, {.nodes = 3'000});
    const Searched two = search(variant, {.board = board, .seed = 2}, {.nodes = 3'000});
    EXPECT_EQ(one.best.moves, two.best.moves) << variant.name;
    EXPECT_EQ(one.status.evaluations, two.status.evaluations) << variant.name;
    EXPECT_EQ(one.status.figure("upper_bound"), two.status.figure("upper_bound")) << variant.name;
  }
}

TEST(BoundedSearch, ProvesALineThatWasThereAlready) {
  const SearchTask task{.board = tests::board_of({"0112", "1022", "0210"})};
  const Searched first = search(variants().front(), task);
  for (const Variant& variant : variants()) {
    const Searched again = search(variant, task, {}, kSmallMemory, first.best.moves);
    EXPECT_TRUE(again.status.proven);
    EXPECT_EQ(again.best.source, "start");
  }
}

TEST(BoundedSearch, RefusesAScoringWithoutPointsForGroups) {
  for (const Variant& variant : variants()) {
    EXPECT_NE(variant.kind->objection(variant.settings, *game::scoring_named("clickomania")), "");
    EXPECT_EQ(variant.kind->objection(variant.settings, *game::scoring_named("total")), "");
  }
}

TEST(BoundedSearch, StaysWithinItsMemory) {
  const SearchTask task{.board = game::standard_boards()[0].position};
  for (const Variant& variant : variants())
    for (const std::uint64_t memory : {std::uint64_t{256} << 10, std::uint64_t{1} << 20}) {
      const Searched searched = search(variant, task, {.nodes = 3'000}, memory);
      EXPECT_LE(searched.status.figure("memory_bytes"), memory) << variant.name;
    }
}

// With room for some 1,800 positions A* drops nearly all that it opens, and still reaches the ends of games.
TEST(AStar, GoesOnLikeABeamWhenItsMemoryIsFull) {
  const SearchTask task{.board = game::standard_boards()[0].position};
  const Searched small = search(variants().back(), task, {.nodes = 20'000}, 256 << 10);
  EXPECT_FALSE(small.status.proven);
  EXPECT_GT(small.best.moves.size(), 10u);
  Dice dice(83);
  for (int i = 0; i < tests::scaled(10); ++i) {
    const game::Position board = tests::full_board(dice, {5, 5, 3});
    const SearchTask little{.board = board};
    const int best = tests::BruteForce(game::kStandardScoring).best(game::ReferenceBoard(board));
    const Searched searched = search(variants().back(), little, {}, 1);
    EXPECT_LE(searched.best.score, best);
    EXPECT_GE(searched.status.figure("upper_bound"), best);
  }
}

TEST(BoundedSearch, ObeysTheClockAndKeepsWhatItFound) {
  const SearchTask task{.board = game::standard_boards()[0].position};
  for (const Variant& variant : variants()) {
    const auto start = std::chrono::steady_clock::now();
    const Searched searched = search(variant, task, {.seconds = 0.1}, 8 << 20);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    EXPECT_EQ(searched.best.source, variant.kind->name);
    EXPECT_LT(taken.count(), 5);  // generous: the machine may be busy
  }
}

}  // namespace
}  // namespace chainshot::host
