#include "host/anneal/elites.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "game/reference.hpp"
#include "host/anneal/annealing.hpp"
#include "host/search/line_distance.hpp"
#include "tests/support/annealing_play.hpp"
#include "tests/support/random_boards.hpp"

namespace chainshot::host {
namespace {

using tests::advance;
using tests::anneal;
using tests::annealing_of;
using tests::best_moves_of;
using tests::Dice;
using tests::population_of;
using tests::scores_of;

TEST(Elites, AreTheBestLinesOfEachRoundAndNotOfOthersThatJoinIt) {
  Dice dice(18);
  const SearchTask task{.board = tests::full_board(dice, {15, 15, 5})};
  const game::AcceptanceTable table(20, 5, task.scoring);
  Population first = population_of(task, 8, {0}, 1);
  Population better = population_of(task, 1, {0}, 2);
  advance(better, table, 5000);
  const std::vector<game::Cell> best = best_moves_of(better);

  Elites elites(task);
  const std::vector<game::Cell> of_first = best_moves_of(first);
  elites.exchange(first, best, table);
  ASSERT_EQ(elites.lines().size(), 1U);
  EXPECT_EQ(elites.lines()[0].moves, of_first);
  EXPECT_EQ(best_moves_of(first), of_first);  // nobody joins the first round

  Population second = population_of(task, 8, {0}, 3);
  advance(second, table, 800);
  const std::vector<game::Cell> of_second = best_moves_of(second);
  elites.exchange(second, best, table);
  EXPECT_EQ(best_moves_of(second), best);
  ASSERT_EQ(elites.lines().size(), 2U);
  EXPECT_EQ(elites.lines()[0].moves, of_second);
  EXPECT_EQ(elites.lines()[1].moves, of_first);
}

TEST(Elites, TakeAQuarterOfThePlacesAndTurns) {
  Dice dice(19);
  const SearchTask task{.board = tests::full_board(dice, {15, 15, 5})};
  const game::AcceptanceTable table(20, 5, task.scoring);
  Elites elites(task);
  std::vector<int> kept;  // scores
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Population population = population_of(task, 1, {0}, seed);  // of one member no place is a quarter
    advance(population, table, 2000);
    kept.push_back(population.best_scores()[0]);
    elites.exchange(population, {}, table);
  }
  std::sort(kept.begin(), kept.end(), std::greater());
  Population better = population_of(task, 1, {0}, 9);
  advance(better, table, 20'000);
  const int best = better.best_scores()[0];
  const auto scores_of_newcomers = [&](Population population) {
    elites.exchange(population, best_moves_of(better), table);
    const std::vector<int> list = scores_of(population, task);
    const std::multiset<int> scores(list.begin(), list.end());
    std::multiset<int> newcomers;
    for (const int score : {best, kept[0], kept[1], kept[2]})
      if (scores.contains(score)) newcomers.insert(score);
    return newcomers;
  };
  // Random lines of twelve members: three places, for the best line and two of those kept; then the third has its turn.
  EXPECT_EQ(scores_of_newcomers(population_of(task, 12, {0}, 21)), (std::multiset{best, kept[0], kept[1]}));
  const auto later = scores_of_newcomers(population_of(task, 12, {0}, 22));
  EXPECT_TRUE(later.contains(best));
  EXPECT_TRUE(later.contains(kept[2]));
}

TEST(Elites, AreKeptApart) {
  Dice dice(21);
  const SearchTask task{.board = tests::full_board(dice, {15, 15, 5})};
  const game::AcceptanceTable table(20, 5, task.scoring);
  Population population = population_of(task, 1, {0}, 1);
  Elites elites(task);
  elites.exchange(population, {}, table);
  elites.exchange(population, {}, table);  // the same line
  EXPECT_EQ(elites.lines().size(), 1U);
  elites.finish_round(population);
  EXPECT_EQ(elites.found().size(), 1U);
  Population other = population_of(task, 1, {0}, 2);  // a random line has few groups in common with another
  elites.exchange(other, {}, table);
  EXPECT_EQ(elites.lines().size(), 2U);
  EXPECT_EQ(elites.found().size(), 2U);
}

TEST(Elites, AreTheBestLinesOfTheIslandsAndTakeTurnsOnThem) {
  Dice dice(28);
  const SearchTask task{.board = tests::full_board(dice, {15, 15, 5})};
  const game::AcceptanceTable table(20, 5, task.scoring);
  Elites elites(task);
  Population first = population_of(task, 1, {0}, 1, 3);  // one member has no quarter to give
  advance(first, table, 2000);
  const std::vector<int> kept = first.best_scores();
  elites.exchange(first, {}, table);
  ASSERT_EQ(elites.lines().size(), 3U);
  EXPECT_EQ(elites.lines()[0].score, *std::max_element(kept.begin(), kept.end()));

  Population better = population_of(task, 1, {0}, 9);
  advance(better, table, 20'000);
  const std::vector<game::Cell> best = best_moves_of(better);
  Population second = population_of(task, 8, {0}, 21, 3);
  elites.exchange(second, best, table);  // two places on each island: for the best of all and one of the three in turn
  const std::vector<int> now = scores_of(second, task);
  for (int island = 0; island < 3; ++island) {
    const std::vector<int> here(now.begin() + 8 * island, now.begin() + 8 * (island + 1));
    EXPECT_EQ(std::count(here.begin(), here.end(), better.best_scores()[0]), 1) << island;
    EXPECT_EQ(std::count_if(kept.begin(), kept.end(),
                            [&](int score) { return std::count(here.begin(), here.end(), score) > 0; }),
              1)
        << island;
  }
}

TEST(Elites, RescuedLinesJoinTheNextRound) {
  Dice dice(29);
  const SearchTask task{.board = tests::full_board(dice, {15, 15, 5})};
  const game::AcceptanceTable table(20, 5, task.scoring);
  Elites elites(task);
  Population lost = population_of(task, 1, {0}, 1);
  advance(lost, table, 20'000);
  const ScoredLine line{lost.best_scores()[0], lost.best_moves(0)};
  elites.rescue({line});
  EXPECT_EQ(elites.found().size(), 1U);
  Population next = population_of(task, 8, {0}, 2);
  const std::vector<int> before = scores_of(next, task);
  ASSERT_EQ(std::count(before.begin(), before.end(), line.score), 0);
  elites.exchange(next, best_moves_of(next), table);
  const std::vector<int> after = scores_of(next, task);
  EXPECT_EQ(std::count(after.begin(), after.end(), line.score), 1);
}

TEST(Elites, BeginWithTheStartsWhichJoinTheFirstRound) {
  Dice dice(22);
  SearchTask task{.board = tests::full_board(dice, {15, 15, 5})};
  const game::AcceptanceTable table(20, 5, task.scoring);
  Population worse = population_of(task, 1, {0}, 1), better = population_of(task, 1, {0}, 2);
  advance(worse, table, 1000);
  advance(better, table, 20'000);
  task.starts = {best_moves_of(worse), best_moves_of(better)};
  Elites elites(task);
  ASSERT_EQ(elites.lines().size(), 2U);
  EXPECT_EQ(elites.lines()[0].moves, best_moves_of(better));
  EXPECT_TRUE(elites.found().empty());

  Population population = population_of(task, 8, {0}, 3);
  const std::vector<game::Cell> own = best_moves_of(population);
  elites.exchange(population, own, table);  // two places: for the best of all and the first line
  EXPECT_EQ(best_moves_of(population), best_moves_of(better));
  EXPECT_EQ(elites.lines().size(), 3U);
  ASSERT_EQ(elites.found().size(), 1U);  // without the starts
  EXPECT_EQ(elites.found()[0].moves, own);
  EXPECT_EQ(elites.found()[0].score, game::replay(task.board, own, task.scoring).score);
}

TEST(Annealing, GoesOnFromAStart) {
  Dice dice(23);
  SearchTask task{.board = tests::full_board(dice, {15, 15, 5})};
  const BestLine known = anneal(task, {}, 300'000, 1);
  const AnnealSettings settings{.members = 16, .last_members = 16};
  ASSERT_LT(anneal(task, settings, 20'000, 1).score, known.score);
  task.starts = {known.moves};
  EXPECT_GE(anneal(task, settings, 20'000, 1).score, known.score);  // though nobody offered the start
}

// At its first temperatures a round would melt the start and lose it. Here it never gets cool enough.
TEST(Annealing, AStartWaitsUntilARoundIsCool) {
  Dice dice(24);
  const game::Position board = tests::full_board(dice, {15, 15, 5});
  const BestLine known = anneal({.board = board}, {}, 300'000, 1);
  const auto found = [&](const SearchTask& task) {
    Incumbent incumbent(task);
    for (const std::vector<game::Cell>& start : task.starts)
      incumbent.offer(game::replay(board, start, task.scoring).score, start, "start");
    const auto search = annealing_of(task, {.cold = kOfPoints.elite + 1}, {.playouts = 20'000}, 1, incumbent);
    search->run({}, {});
    return search->elites();
  };
  const std::vector<ScoredLine> without = found({.board = board});
  const std::vector<ScoredLine> with = found({.board = board, .starts = {known.moves}});
  ASSERT_EQ(without.size(), 1U);  // the best line of the only round
  ASSERT_EQ(with.size(), 1U);
  EXPECT_EQ(with[0].moves, without[0].moves);
  EXPECT_LT(with[0].score, known.score);
}

TEST(Annealing, EndsWithTheBestLinesOfItsRounds) {
  Dice dice(25);
  const SearchTask task{.board = tests::full_board(dice, {15, 15, 5})};
  Incumbent incumbent(task);
  const auto search = annealing_of(task, {.longest_round = 20'000}, {.playouts = 60'000}, 1, incumbent);
  search->run({}, {});
  const std::vector<ScoredLine> elites = search->elites();
  ASSERT_GE(elites.size(), 2U);
  EXPECT_EQ(elites[0].score, incumbent.score());
  for (std::size_t i = 0; i < elites.size(); ++i) {
    EXPECT_EQ(game::replay(task.board, elites[i].moves, task.scoring).score, elites[i].score);
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_GE(line_distance(groups_of_line(task.board, elites[i].moves), groups_of_line(task.board, elites[j].moves)),
                Elites::kApart);
  }
}

// Neighbours that note what they are sent.
class NotedNeighbours final : public Neighbours {
 public:
  NotedNeighbours(int rank, int ranks) : rank_(rank), ranks_(ranks) {}
  int rank() const override { return rank_; }
  int ranks() const override { return ranks_; }
  void send(int rank, const std::vector<ScoredLine>& lines) override { sent.emplace_back(rank, lines); }
  std::vector<ScoredLine> take() override { return std::exchange(arrived, {}); }

  std::vector<std::pair<int, std::vector<ScoredLine>>> sent;
  std::vector<ScoredLine> arrived;

 private:
  const int rank_, ranks_;
};

TEST(Elites, GoToTheNextProcessOfTheRing) {
  Dice dice(20);
  const SearchTask task{.board = tests::full_board(dice, {15, 15, 5})};
  const game::AcceptanceTable table(20, 5, task.scoring);
  NotedNeighbours last(3, 4);
  Elites elites(task, {.neighbours = &last});
  Population population = population_of(task, 8, {0}, 1);
  const std::vector<game::Cell> own = best_moves_of(population);
  elites.exchange(population, {}, table);
  ASSERT_EQ(last.sent.size(), 1U);
  EXPECT_EQ(last.sent[0].first, 0);
  ASSERT_EQ(last.sent[0].second.size(), 1U);
  EXPECT_EQ(last.sent[0].second[0].moves, own);
}

TEST(Elites, GoToAnyOtherProcessAtRandom) {
  Dice dice(20);
  const SearchTask task{.board = tests::full_board(dice, {15, 15, 5})};
  const game::AcceptanceTable table(20, 5, task.scoring);
  NotedNeighbours neighbours(1, 4);
  Elites elites(task, {.neighbours = &neighbours, .is_ring = false});
  Population population = population_of(task, 1, {0}, 1);
  for (int i = 0; i < 60; ++i)
    elites.exchange(population, {}, table);
  std::set<int> receivers;
  for (const auto& [rank, lines] : neighbours.sent)
    receivers.insert(rank);
  EXPECT_EQ(receivers, (std::set<int>{0, 2, 3}));
}

TEST(Elites, OfOtherProcessesJoinARound) {
  Dice dice(18);
  const SearchTask task{.board = tests::full_board(dice, {15, 15, 5})};
  const game::AcceptanceTable table(20, 5, task.scoring);
  Population better = population_of(task, 1, {0}, 2);
  advance(better, table, 20'000);
  NotedNeighbours neighbours(0, 2);
  neighbours.arrived = {{better.best_scores()[0], best_moves_of(better)}};
  Elites elites(task, {.neighbours = &neighbours});
  Population population = population_of(task, 8, {0}, 1);
  elites.exchange(population, best_moves_of(population), table);
  EXPECT_EQ(best_moves_of(population), best_moves_of(better));
  ASSERT_EQ(elites.found().size(), 1U);
  EXPECT_NE(elites.found()[0].moves, best_moves_of(better)) << "another process has found it";
}

}  // namespace
}  // namespace chainshot::host
