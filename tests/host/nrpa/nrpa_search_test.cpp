#include "host/nrpa/nrpa_search.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <stop_token>
#include <thread>

#include "game/board_text.hpp"
#include "game/reference.hpp"
#include "host/search/search_runner.hpp"
#include "tests/support/random_boards.hpp"
#include "tests/support/scorings.hpp"

namespace chainshot::host {
namespace {

struct Searched {
  BestLine best;
  SearchStatus status;
};

Searched search(const SearchTask& task, const NrpaSettings& settings, const Budget& budget, int threads = 1,
                const CommonSettings& common = {}) {
  Incumbent incumbent(task);
  const auto searching = make_nrpa_search(task, settings, budget, threads, common, incumbent);
  run_alone(*searching, budget.seconds);
  return {incumbent.best(), searching->status()};
}

NrpaSettings settings_of(std::string_view preset) {
  return std::any_cast<NrpaSettings>(find_preset(preset).preset->settings);
}

// Settings that exercise every way to run, small enough for a test.
std::vector<NrpaSettings> ways_to_run() {
  const NrpaSettings plain{.levels = 3, .iterations = 8};
  std::vector<NrpaSettings> ways(8, plain);
  ways[1].beam = 3;
  ways[2].beam = 2;
  ways[2].beam_level = 2;
  ways[2].diversity = NrpaDiversity::kSequence;
  ways[3].parallel = NrpaParallel::kShared;
  ways[4].parallel = NrpaParallel::kShared;
  ways[4].parallel_level = 2;
  ways[4].jobs = 2;
  ways[5].parallel = NrpaParallel::kLocal;
  ways[5].parallel_level = 2;
  ways[6].parallel = NrpaParallel::kLocal;
  ways[6].parallel_level = 3;
  ways[7].adapt_playouts = 3;
  ways[7].repetitions = 2;
  return ways;
}

TEST(NrpaSearch, PresetsAreThePublishedOnes) {
  const NrpaSettings nrpa = settings_of("nrpa"), diverse = settings_of("diversity-nrpa");
  EXPECT_EQ(nrpa.levels, 4);
  EXPECT_EQ(nrpa.iterations, 100);
  EXPECT_EQ(nrpa.alpha, 1.0);
  EXPECT_EQ(nrpa.beam, 1);
  EXPECT_EQ(diverse.levels, 4);
  EXPECT_GT(diverse.beam, 1);
}

TEST(NrpaSearch, SpendsACountedBudgetExactly) {
  const SearchTask task{.board = game::standard_boards()[1].position, .seed = 5};
  for (const NrpaSettings& settings : ways_to_run())
    for (const std::uint64_t playouts : {1, 7, 500, 1777}) {
      const Searched searched = search(task, settings, {.playouts = playouts}, 2);
      EXPECT_EQ(searched.status.playouts, playouts);
      EXPECT_EQ(searched.best.source, "nrpa");
      EXPECT_EQ(game::replay(task.board, searched.best.moves, task.scoring).score, searched.best.score);
    }
}

TEST(NrpaSearch, IsTheSameOnAnyNumberOfThreadsIfDeterministic) {
  const SearchTask task{.board = game::standard_boards()[2].position, .seed = 3};
  const CommonSettings common{.deterministic = true};
  for (const NrpaSettings& settings : ways_to_run()) {
    const Searched one = search(task, settings, {.playouts = 1'000}, 1, common);
    for (const int threads : {2, 5}) {
      const Searched more = search(task, settings, {.playouts = 1'000}, threads, common);
      EXPECT_EQ(more.best.moves, one.best.moves) << threads << " threads";
      EXPECT_EQ(more.status.playouts, 1'000u);
    }
  }
}

TEST(NrpaSearch, MemoryDoesNotMakeADeterministicSearchDependOnThreads) {
  const SearchTask task{.board = game::standard_boards()[3].position, .seed = 8};
  const CommonSettings common{.deterministic = true, .memory_bytes = 600 << 10};
  const NrpaSettings settings{.levels = 2, .iterations = 100};
  const Searched one = search(task, settings, {.playouts = 12'000}, 1, common);
  EXPECT_EQ(search(task, settings, {.playouts = 12'000}, 5, common).best.moves, one.best.moves);
}

TEST(NrpaSearch, StartsFurtherRunsWhileTheBudgetLasts) {
  const SearchTask task{.board = game::standard_boards()[0].position};
  const Searched searched = search(task, {.levels = 2, .iterations = 10}, {.playouts = 350});
  EXPECT_EQ(searched.status.figure("runs"), 3);  // of 100 playouts each, and half of a fourth
  EXPECT_EQ(searched.status.figure("level"), 2);
}

TEST(NrpaSearch, RunsAndSeedsDiffer) {
  const Budget budget{.playouts = 100};
  SearchTask task{.board = game::standard_boards()[0].position, .seed = 1};
  const NrpaSettings settings{.levels = 2, .iterations = 10};
  const Searched first = search(task, settings, budget);
  task.seed = 2;
  EXPECT_NE(search(task, settings, budget).best.moves, first.best.moves);
}

TEST(NrpaSearch, LearnsMoreThanRandomPlayoutsFind) {
  const SearchTask task{.board = game::standard_boards()[0].position, .seed = 1};
  // A level of one call never adapts to anything: these are 4,000 playouts of the first policy.
  const Searched random = search(task, {.levels = 1, .iterations = 1}, {.playouts = 4'000});
  const Searched learned = search(task, {.levels = 2, .iterations = 60}, {.playouts = 4'000});
  EXPECT_GT(learned.best.score, random.best.score);
}

TEST(NrpaSearch, EndsWhenTheBoundOfTheBoardIsReached) {
  const SearchTask task{.board = tests::board_of({"000", "000", "111"})};
  for (const NrpaSettings& settings : ways_to_run()) {
    const Searched searched = search(task, settings, {}, 2);
    EXPECT_EQ(searched.best.score, 4 * 4 + 1 + 1000);
    EXPECT_TRUE(searched.status.proven);
  }
}

TEST(NrpaSearch, ObeysTheClockAndAStop) {
  const SearchTask task{.board = game::standard_boards()[0].position};
  for (NrpaSettings settings : ways_to_run()) {
    settings.iterations = 1000;  // hours, if the clock did not count
    Searched searched;
    // How soon there is a line depends on the machine.
    for (double seconds = 0.05; searched.status.playouts == 0 && seconds < 60; seconds *= 4)
      searched = search(task, settings, {.seconds = seconds}, 2);
    EXPECT_GT(searched.status.playouts, 0u);
    EXPECT_GT(searched.best.score, 0);
  }
}

TEST(NrpaSearch, PlaysWideBoardsAndEveryScoring) {
  tests::Dice dice(7);
  for (const game::Scoring& scoring : tests::scoring_cases()) {
    const SearchTask task{.board = tests::full_board(dice, {25, 20, 9}), .scoring = scoring};
    const Searched searched = search(task, {.levels = 2, .iterations = 5}, {.playouts = 25}, 1);
    EXPECT_EQ(game::replay(task.board, searched.best.moves, scoring).score, searched.best.score);
  }
}

TEST(NrpaSearch, RefusesLevelsThatDoNotExist) {
  const SearchKind& kind = *find_preset("nrpa").kind;
  const auto objection = [&](const NrpaSettings& settings) { return kind.objection(settings, game::kStandardScoring); };
  EXPECT_EQ(objection(settings_of("nrpa")), "");
  EXPECT_EQ(objection({.levels = 3, .beam = 2, .beam_level = 4}),
            "--beam-level 4 is above --levels 3; expected 1 to 3");
  EXPECT_EQ(objection({.levels = 2, .parallel = NrpaParallel::kLocal, .parallel_level = 3}),
            "--parallel-level 3 is above --levels 2; expected 1 to 2");
  EXPECT_NE(objection({.iterations = 3, .parallel = NrpaParallel::kShared, .branches = 4}), "");
  EXPECT_NE(objection({.levels = 2, .beam = 2, .parallel = NrpaParallel::kShared, .parallel_level = 2}), "");
}

}  // namespace
}  // namespace chainshot::host
