#include "host/search/search_runner.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "game/board_text.hpp"
#include "tests/support/scripted_search.hpp"

namespace chainshot::host {
namespace {

using tests::ScriptedSearch;

// Four rows of pairs. Taking the lowest pair four times scores 0 points each and 1000 for the cleared board. Taking it
// twice leaves two blocks of either colour: -(2 - 2)^2 twice. Any other line joins the two pairs of one colour and
// scores (4 - 2)^2 more. No line joins the pairs of both colours, although the board's bound of 1008 allows for it.
SearchTask four_pairs() {
  return {.board = game::parse_boards("board tiny\n11\n00\n11\n00\n", "test")[0].position};
}
const std::vector<game::Cell> kTwoMoves = {{0, 0}, {0, 0}};
const std::vector<game::Cell> kCleared = {{0, 0}, {0, 0}, {0, 0}, {0, 0}};

using Script = std::function<void(ScriptedSearch&, std::stop_token, Incumbent&)>;

SearchMaker making(std::vector<Script> scripts) {
  return [scripts = std::move(scripts)](const SearchTask&, Incumbent& incumbent) {
    std::vector<NamedSearch> searches;
    for (const Script& script : scripts)
      searches.push_back(
          {"search " + std::to_string(searches.size()), "a scripted search",
           std::make_unique<ScriptedSearch>([script, &incumbent](ScriptedSearch& self, std::stop_token t) {
             script(self, std::move(t), incumbent);
           })});
    return searches;
  };
}

void waits(ScriptedSearch&, const std::stop_token& stop, Incumbent&) {
  ScriptedSearch::until_stopped(stop);
}

TEST(Solve, TheClockStopsSearchesThatWouldGoOnForEver) {
  const SolveResult result = solve(four_pairs(), making({waits, waits}), 0.05, {});
  EXPECT_EQ(result.error, "");
  EXPECT_TRUE(result.complete);
  EXPECT_FALSE(result.proven);
  EXPECT_GE(result.last.seconds, 0.05);
}

TEST(Solve, CancelsTheWorkOfSearchesThatDoNotEndWhenTheyAreStopped) {
  const auto slow = [](ScriptedSearch& self, const std::stop_token& stop, Incumbent&) {
    ScriptedSearch::until_stopped(stop);
    while (!self.is_cancelled())
      std::this_thread::yield();
  };
  EXPECT_EQ(solve(four_pairs(), making({slow}), 0.02, {}).error, "");
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(solve(four_pairs(), making({slow}), 0, {}, stop.get_token()).error, "");
}

TEST(Solve, ASearchThatHasSpentItsBudgetLeavesTheOthersAlone) {
  std::atomic<bool> first_is_done = false;
  const auto spent = [&](ScriptedSearch&, const std::stop_token&, Incumbent&) { first_is_done = true; };
  const auto goes_on = [&](ScriptedSearch&, const std::stop_token& stop, Incumbent& incumbent) {
    while (!first_is_done && !stop.stop_requested())
      std::this_thread::yield();
    // Leave time for a stop that must not come.
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (!stop.stop_requested()) incumbent.offer(1000, kCleared, "second");
  };
  const SolveResult result = solve(four_pairs(), making({spent, goes_on}), 0, {});
  EXPECT_EQ(result.best.score, 1000);
  EXPECT_EQ(result.best.source, "second");
}

TEST(Solve, AStopFromOutsideEndsAllWithWhatThereIs) {
  std::stop_source stop;
  const auto finds = [&](ScriptedSearch&, const std::stop_token& token, Incumbent& incumbent) {
    incumbent.offer(0, kTwoMoves, "first");
    stop.request_stop();
    ScriptedSearch::until_stopped(token);
  };
  const SolveResult result = solve(four_pairs(), making({finds, waits}), 0, {}, stop.get_token());
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.best.moves, kTwoMoves);
}

TEST(Solve, AStopThatCameFirstStillLeavesALine) {
  std::stop_source stop;
  stop.request_stop();
  const SolveResult result = solve(four_pairs(), making({waits}), 0, {}, stop.get_token());
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(result.best.version, 1u);
  EXPECT_EQ(result.best.score, 1004);  // every game of this board clears it
}

TEST(Solve, AProofEndsTheOtherSearches) {
  const auto proves = [](ScriptedSearch& self, const std::stop_token&, Incumbent& incumbent) {
    incumbent.offer(1000, kCleared, "proof");
    self.set_status({.proven = true});
  };
  const SolveResult result = solve(four_pairs(), making({waits, proves}), 0, {});
  EXPECT_TRUE(result.proven);
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.best.score, 1000);
}

// Two pairs, one above the other, score nothing but the 1000 for the cleared board.
TEST(Solve, ALineThatReachesTheBoundOfTheBoardIsAProof) {
  const SearchTask task{.board = game::parse_boards("board tiny\n00\n11\n", "test")[0].position};
  const auto finds = [](ScriptedSearch&, const std::stop_token&, Incumbent& incumbent) {
    incumbent.offer(1000, {{0, 0}, {0, 0}}, "first");
  };
  EXPECT_TRUE(solve(task, making({finds}), 0, {}).proven);
}

TEST(Solve, TheFirstErrorStopsAllAndTheLineFoundIsKept) {
  std::atomic<bool> was_stopped = false;
  const auto finds = [&](ScriptedSearch&, const std::stop_token& stop, Incumbent& incumbent) {
    incumbent.offer(1000, kCleared, "first");
    ScriptedSearch::until_stopped(stop);
    was_stopped = true;
    throw std::runtime_error("the second thing that went wrong");
  };
  const auto fails = [](ScriptedSearch&, const std::stop_token&, Incumbent& incumbent) {
    while (incumbent.best().version == 0)
      std::this_thread::yield();
    throw std::runtime_error("device 0 was lost");
  };
  const SolveResult result = solve(four_pairs(), making({finds, fails}), 0, {});
  EXPECT_EQ(result.error, "device 0 was lost");
  EXPECT_FALSE(result.complete);
  EXPECT_TRUE(was_stopped);
  EXPECT_EQ(result.best.score, 1000);
}

// A search that claims more points than its line scores has a bug, and its line is refused.
TEST(Solve, ALineThatTheReferenceScoresOtherwiseIsAnError) {
  const auto lies = [](ScriptedSearch&, const std::stop_token&, Incumbent& incumbent) {
    incumbent.offer(0, kTwoMoves, "honest");
    incumbent.offer(1001, kCleared, "liar");
  };
  const SolveResult result = solve(four_pairs(), making({lies}), 0, {});
  EXPECT_NE(result.error.find("liar claims 1001 points"), std::string::npos) << result.error;
  EXPECT_EQ(result.best.score, 0);
}

TEST(Solve, SearchesThatCannotBeMadeAreAnErrorWithALine) {
  const SearchMaker refuses = [](const SearchTask&, Incumbent&) -> std::vector<NamedSearch> {
    throw std::runtime_error("no memory for a tree");
  };
  const SolveResult result = solve(four_pairs(), refuses, 1, {});
  EXPECT_EQ(result.error, "no memory for a tree");
  EXPECT_EQ(result.best.score, 1004);
}

TEST(Solve, ImprovementsAreToldInOrderOfScoreAndTime) {
  std::vector<int> scores;
  std::vector<double> times;
  const SolveWatcher watcher{.improved =
                                 [&](const BestLine& best, double seconds) {
                                   scores.push_back(best.score);
                                   times.push_back(seconds);
                                 },
                             .sampled = {}};
  const auto finds = [](ScriptedSearch&, const std::stop_token&, Incumbent& incumbent) {
    incumbent.offer(0, kTwoMoves, "search");
    incumbent.offer(0, kTwoMoves, "search");
    incumbent.offer(1000, kCleared, "search");
    incumbent.offer(0, kTwoMoves, "search");
  };
  solve(four_pairs(), making({finds, finds, finds}), 0, watcher);
  EXPECT_TRUE(scores == std::vector<int>({0, 1000}) || scores == std::vector<int>({1000})) << scores.size();
  EXPECT_TRUE(std::is_sorted(times.begin(), times.end()));
}

TEST(Solve, SamplesComeFromTheCallersThreadWhileSearchesRunAndAtTheEnd) {
  std::vector<SolveSample> samples;
  std::stop_source stop;
  const auto caller = std::this_thread::get_id();
  const SolveWatcher watcher{.improved = {},
                             .sampled =
                                 [&](const SolveSample& sample) {
                                   EXPECT_EQ(std::this_thread::get_id(), caller);
                                   samples.push_back(sample);
                                   if (samples.size() == 3) stop.request_stop();
                                 },
                             .interval = 0.002};
  const auto counts = [](ScriptedSearch& self, const std::stop_token& token, Incumbent&) {
    self.set_status({.playouts = 5});
    ScriptedSearch::until_stopped(token);
    self.set_status({.playouts = 70});
  };
  const SolveResult result = solve(four_pairs(), making({counts}), 0, watcher, stop.get_token());
  ASSERT_GE(samples.size(), 4u);
  EXPECT_EQ(samples[1].searches[0].name, "search 0");
  EXPECT_EQ(samples.back().searches[0].status.playouts, 70u);
  EXPECT_EQ(result.last.searches[0].status.playouts, 70u);
  for (std::size_t i = 1; i < samples.size(); ++i)
    EXPECT_GE(samples[i].seconds, samples[i - 1].seconds);
}

TEST(Solve, ABoardWithoutMovesIsProvenWithoutASearch) {
  const SearchTask task{.board = game::parse_boards("board single\n0\n", "test")[0].position};
  const SearchMaker never = [](const SearchTask&, Incumbent&) -> std::vector<NamedSearch> {
    throw std::logic_error("there is nothing to search");
  };
  const SolveResult result = solve(task, never, 1, {});
  EXPECT_EQ(result.error, "");
  EXPECT_TRUE(result.proven);
  EXPECT_EQ(result.best.score, -1);  // one block left: -(1 - 2)^2
  EXPECT_TRUE(result.best.moves.empty());
}

TEST(Solve, TotalsAddCountersAndCombineFiguresAsTheySay) {
  const auto depth = [](double value) {
    return Figure{.name = "depth", .value = value, .total = FigureTotal::kLargest};
  };
  const auto nodes = [](double value) { return Figure{.name = "nodes", .value = value, .total = FigureTotal::kSum}; };
  const SolveSample sample{
      .seconds = 1,
      .searches = {{"tree", "", {.playouts = 100, .figures = {depth(9), nodes(7), {"busy_share", 0.5}}}},
                   {"small tree", "", {.playouts = 10, .nodes_visited = 3, .figures = {depth(11), nodes(5)}}},
                   {"anneal", "", {.evaluations = 40, .figures = {{"temperature", 12}, {"busy_share", 0.1}}}}}};
  const SearchStatus total = sample.total();
  EXPECT_EQ(total.evaluations, 40u);
  EXPECT_EQ(total.playouts, 110u);
  EXPECT_EQ(total.nodes_visited, 3u);
  EXPECT_EQ(total.figure("depth"), 11);
  EXPECT_EQ(total.figure("nodes"), 12);
  EXPECT_EQ(total.figure("busy_share"), 0.5);  // the first search's
  EXPECT_EQ(total.figure("temperature"), 12);
  EXPECT_EQ(total.figure("no such figure"), 0);
  EXPECT_FALSE(total.proven);
}

TEST(Solve, OffersTheStartsBeforeTheSearchesAreMade) {
  SearchTask task = four_pairs();
  task.starts = {kTwoMoves, kCleared};
  int known = 0;
  const auto make = [&](const SearchTask&, Incumbent& incumbent) {
    known = incumbent.score();
    return std::vector<NamedSearch>{};
  };
  const SolveResult result = solve(task, make, 0, {});
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(known, 1000);
  EXPECT_EQ(result.best.score, 1000);
  EXPECT_EQ(result.best.moves, kCleared);
  EXPECT_EQ(result.best.source, "start");
}

TEST(Solve, ABetterLineThanTheStartWins) {
  SearchTask task = four_pairs();
  task.starts = {kTwoMoves};
  const auto finds = [](ScriptedSearch&, const std::stop_token&, Incumbent& incumbent) {
    incumbent.offer(1000, kCleared, "first");
  };
  const SolveResult result = solve(task, making({finds}), 0, {});
  EXPECT_EQ(result.best.score, 1000);
  EXPECT_EQ(result.best.source, "first");
}

TEST(Solve, AStartThatDoesNotReplayIsAnErrorAndNothingIsSearched) {
  SearchTask task = four_pairs();
  task.starts = {kCleared, {{1, 3}, {1, 3}}};  // the column has two blocks left after the first move
  bool searched = false;
  const auto notes = [&](ScriptedSearch&, const std::stop_token&, Incumbent&) { searched = true; };
  const SolveResult result = solve(task, making({notes}), 0, {});
  EXPECT_TRUE(result.error.starts_with("start 2 of 2 does not replay by the reference rules: ")) << result.error;
  EXPECT_FALSE(searched);
  EXPECT_FALSE(result.complete);
}

TEST(Solve, CollectsTheElitesOfAllSearches) {
  const auto finds = [](std::vector<ScoredLine> elites) {
    return [elites](ScriptedSearch& self, const std::stop_token&, Incumbent&) { self.set_elites(elites); };
  };
  const SolveResult result =
      solve(four_pairs(), making({finds({{0, kTwoMoves}}), finds({}), finds({{1000, kCleared}})}), 0, {});
  EXPECT_EQ(result.error, "");
  ASSERT_EQ(result.elites.size(), 2u);
  EXPECT_EQ(result.elites[0].score, 0);
  EXPECT_EQ(result.elites[1].moves, kCleared);
  const SolveResult wrong = solve(four_pairs(), making({finds({{1001, kCleared}})}), 0, {});
  EXPECT_EQ(wrong.error, "search 0 claims 1001 points for an elite that the reference rules score 1000");
  EXPECT_TRUE(wrong.elites.empty());
}

}  // namespace
}  // namespace chainshot::host
