#include "host/flat/flat_search.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "game/board_text.hpp"
#include "game/playout.hpp"
#include "game/reference.hpp"
#include "host/engines/engines.hpp"
#include "host/search/registry.hpp"
#include "host/search/search_runner.hpp"
#include "tests/support/random_boards.hpp"
#include "tools/measure/delay_engine.hpp"

namespace chainshot::host {
namespace {

using tests::Dice;

struct Searched {
  BestLine best;
  SearchStatus status;
};

Searched search(const SearchTask& task, const FlatSettings& settings, const Budget& budget,
                const std::vector<game::Engine*>& engines) {
  Incumbent incumbent(task);
  const auto searching = make_flat_search(task, settings, budget, engines, incumbent);
  run_alone(*searching, budget.seconds);
  return {incumbent.best(), searching->status()};
}

FlatSettings settings_of(std::string_view preset) {
  return std::any_cast<FlatSettings>(find_preset(preset).preset->settings);
}

// The definition of Takes 2009, 5, move by move, with playouts by the reference rules. Requests are numbered in the
// order of the moves.
int play_by_definition(const SearchTask& task, const FlatSettings& settings) {
  game::Position position = task.board;
  int points = 0;
  std::uint64_t request = 0;
  while (position.has_moves()) {
    std::optional<double> most;
    game::Position chosen;
    int chosen_points = 0;
    for (const game::Group& group : position.groups()) {
      game::Position after = position;
      const int earned = points + task.scoring.group_points(after.apply(group.cell));
      const game::PlayoutRules rules(settings.policy.for_game_from(task.board), task.scoring, after);
      double sum = 0, best = -1e9;
      for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(settings.child_playouts); ++i) {
        const int score = game::reference_play(after, rules, {task.seed, request, i}, earned).score;
        sum += score;
        best = std::max<double>(best, score);
      }
      ++request;
      // Ties are broken by the other measure; a millionth of it cannot outweigh a whole point, or 1 / 7 of one.
      const double mean = sum / settings.child_playouts;
      const double value = settings.choose_by == ChooseBy::kMean ? mean + 1e-6 * best : best + 1e-6 * mean;
      if (most && *most >= value) continue;
      most = value;
      chosen = after;
      chosen_points = earned;
    }
    position = chosen;
    points = chosen_points;
  }
  return points + position.final_points(task.scoring);
}

TEST(FlatSearch, PlaysTheGameThatTheDefinitionGives) {
  Dice dice(31);
  const auto engine = make_engine({.name = "cpu", .threads = 1});
  for (const std::string_view preset : {"mc-biggest", "mc-avg", "mc-avg-bias", "mc-rws"})
    for (int i = 0; i < 4; ++i) {
      const SearchTask task{.board = tests::full_board(dice, {5, 6, 3}), .seed = static_cast<std::uint64_t>(i)};
      if (!task.board.has_moves()) continue;
      FlatSettings settings = settings_of(preset);
      settings.child_playouts = 7;
      settings.games = 1;
      const Searched searched = search(task, settings, {}, {engine.get()});
      // A line that reaches the bound of the board ends the search within the game.
      ASSERT_TRUE(searched.status.played_score || searched.status.proven);
      if (searched.status.played_score) {
        EXPECT_EQ(*searched.status.played_score, play_by_definition(task, settings)) << preset;
      }
    }
}

TEST(FlatSearch, GivesTheSameLineOnEveryEngineAndSplit) {
  const SearchTask task{.board = game::standard_boards()[2].position, .seed = 3};
  const auto one = make_engine({.name = "cpu", .threads = 1}), two = make_engine({.name = "cpu", .threads = 2});
  DelayEngine slow(make_engine({.name = "cpu", .threads = 1}),
                   {.playouts_per_second = 1e5, .latency_us = 200, .recommended_batch = 100});
  const Budget budget{.playouts = 20'000};
  for (const std::string_view preset : {"mc-biggest", "mc-rws"}) {
    const Searched expected = search(task, settings_of(preset), budget, {one.get()});
    EXPECT_GT(expected.best.moves.size(), 10u);
    EXPECT_EQ(search(task, settings_of(preset), budget, {two.get()}).best.moves, expected.best.moves);
    EXPECT_EQ(search(task, settings_of(preset), budget, {&slow, one.get()}).best.moves, expected.best.moves);
  }
}

TEST(FlatSearch, SpreadsAShortBudgetOverTheWholeGameAndNeverExceedsIt) {
  const auto engine = make_engine({.name = "cpu", .threads = 1});
  const SearchTask task{.board = game::standard_boards()[0].position};
  for (const std::uint64_t playouts : {1, 30, 2'000, 20'000}) {
    const Searched searched = search(task, settings_of("mc-avg"), {.playouts = playouts}, {engine.get()});
    EXPECT_LE(searched.status.playouts, playouts);
    if (playouts >= 2'000) {
      EXPECT_TRUE(searched.status.played_score) << playouts;
    }
  }
}

TEST(FlatSearch, EndsWhenTheBoundOfTheBoardIsReached) {
  const auto engine = make_engine({.name = "cpu", .threads = 1});
  const SearchTask task{.board = tests::board_of({"000", "000", "111"})};
  const Searched searched = search(task, settings_of("mc-avg"), {}, {engine.get()});
  EXPECT_EQ(searched.best.score, 4 * 4 + 1 + 1000);
  EXPECT_TRUE(searched.status.proven);
}

TEST(FlatSearch, ObeysTheClockAndKeepsWhatItFound) {
  const auto engine = make_engine({.name = "cpu", .threads = 1});
  FlatSettings settings = settings_of("mc-avg");
  settings.child_playouts = 100'000'000;  // hours, if the clock did not count
  const SearchTask task{.board = game::standard_boards()[0].position};
  const Searched searched = search(task, settings, {.seconds = 0.3}, {engine.get()});
  EXPECT_EQ(searched.best.source, "flat");
  EXPECT_GT(searched.status.playouts, 0u);
}

}  // namespace
}  // namespace chainshot::host
