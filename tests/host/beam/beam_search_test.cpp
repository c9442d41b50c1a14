#include "host/beam/beam_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <stop_token>
#include <thread>

#include "game/board_text.hpp"
#include "game/reference.hpp"
#include "host/beam/beam_kind.hpp"
#include "host/search/registry.hpp"
#include "host/search/search_runner.hpp"
#include "tests/support/brute_force.hpp"
#include "tests/support/random_boards.hpp"
#include "tests/support/scorings.hpp"
#include "tests/support/test_scale.hpp"

namespace chainshot::host {
namespace {

using tests::Dice;
using tests::scaled;

struct Searched {
  BestLine best;
  SearchStatus status;
};

Searched search(const SearchTask& task, const BeamSettings& settings, const Budget& budget, int threads,
                const std::vector<game::Cell>& start = {}) {
  Incumbent incumbent(task);
  if (!start.empty()) incumbent.offer(game::replay(task.board, start, task.scoring).score, start, "start");
  Resources resources;
  resources.threads = threads;
  resources.budget = budget;
  resources.common.memory_bytes = settings.memory_bytes;
  const auto searches = kBeamKind.make(task, settings, resources, incumbent);
  run_alone(*searches.front().search, budget.seconds);
  return {incumbent.best(), searches.front().search->status()};
}

BeamSettings beam_preset(std::string_view name) {
  return std::any_cast<BeamSettings>(find_preset(name).preset->settings);
}

constexpr std::string_view kPresets[] = {"beam", "nested-beam"};

TEST(BeamSearch, GivesTheSameLineOnAnyNumberOfThreads) {
  const SearchTask task{.board = game::standard_boards()[5].position, .seed = 9};
  const auto children = static_cast<std::uint64_t>(scaled(1'500'000)),
             nodes = static_cast<std::uint64_t>(scaled(60'000));
  for (const std::string_view preset : kPresets)
    for (const Budget& budget : {Budget{.playouts = children}, Budget{.nodes = nodes}}) {
      const Searched one = search(task, beam_preset(preset), budget, 1);
      const Searched three = search(task, beam_preset(preset), budget, 3);
      EXPECT_GT(one.best.moves.size(), 10u);
      EXPECT_EQ(one.best.moves, three.best.moves) << preset;
      EXPECT_EQ(one.status.nodes_visited, three.status.nodes_visited) << preset;
      EXPECT_EQ(one.status.evaluations, three.status.evaluations) << preset;
    }
}

TEST(BeamSearch, NeverExceedsACountedBudgetAndUsesMostOfIt) {
  const SearchTask task{.board = game::standard_boards()[0].position};
  for (const std::string_view preset : kPresets)
    for (const std::uint64_t limit : {1, 1'000, 100'000}) {
      const Searched by_nodes = search(task, beam_preset(preset), {.nodes = limit}, 2);
      EXPECT_LE(by_nodes.status.nodes_visited, limit);
      EXPECT_GE(by_nodes.status.nodes_visited, limit / 2);
      EXPECT_FALSE(by_nodes.best.moves.empty());
      const Searched by_children = search(task, beam_preset(preset), {.playouts = limit}, 2);
      EXPECT_LE(by_children.status.evaluations, limit);
      EXPECT_FALSE(by_children.best.moves.empty());
    }
}

TEST(BeamSearch, FindsTheBestLineOfSmallBoardsUnderEveryScoring) {
  Dice dice(21);
  const int boards = std::max(static_cast<int>(tests::scoring_cases().size()), scaled(20));
  for (int i = 0; i < boards; ++i) {
    const game::Scoring& scoring = tests::scoring_case(i);
    const SearchTask task{.board = tests::full_board(dice, {4, 4, 3}), .scoring = scoring};
    if (!task.board.has_moves()) continue;
    const int best = tests::BruteForce(scoring).best(game::ReferenceBoard(task.board));
    for (const std::string_view preset : kPresets)
      EXPECT_EQ(search(task, beam_preset(preset), {.nodes = 20'000}, 1).best.score, best) << scoring.name();
  }
}

TEST(BeamSearch, PlaysWideBoards) {
  Dice dice(22);
  const SearchTask task{.board = tests::full_board(dice, {31, 32, 15})};
  EXPECT_GT(search(task, beam_preset("beam"), {.nodes = 20'000}, 2).best.moves.size(), 10u);
}

TEST(BeamSearch, ImprovesTheLineThatIsThereAlready) {
  const SearchTask task{.board = game::standard_boards()[3].position, .seed = 2};
  const Searched start = search(task, beam_preset("beam"), {.playouts = 300'000}, 1);
  const Searched nested = search(task, beam_preset("nested-beam"), {.playouts = 6'000'000}, 1, start.best.moves);
  EXPECT_GT(nested.best.score, start.best.score);
}

TEST(BeamSearch, EndsWhenTheBoundOfTheBoardIsReached) {
  const SearchTask task{.board = tests::board_of({"000", "000", "111"})};
  for (const std::string_view preset : kPresets) {
    const Searched searched = search(task, beam_preset(preset), {}, 1);
    EXPECT_EQ(searched.best.score, 4 * 4 + 1 + 1000);
    EXPECT_TRUE(searched.status.proven);
  }
}

TEST(BeamSearch, ObeysTheClockAndKeepsWhatItFound) {
  const SearchTask task{.board = game::standard_boards()[0].position};
  BeamSettings wide = beam_preset("beam");
  wide.width = 100'000'000;  // hours, if the clock did not count
  for (const BeamSettings& settings : {wide, beam_preset("beam"), beam_preset("nested-beam")}) {
    const auto start = std::chrono::steady_clock::now();
    const Searched searched = search(task, settings, {.seconds = 0.5}, 2);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    EXPECT_EQ(searched.best.source, "beam");
    EXPECT_LT(taken.count(), 5);  // generous: the machine may be busy
  }
}

TEST(BeamSearch, TakesTheWidthFromTheMemory) {
  // Twice the memory is room for twice the width; the standard game needs 12 to 13 KiB per state of the width.
  const int width = beam_width_for(1 << 30, 225, 120);
  EXPECT_NEAR(beam_width_for(std::uint64_t{2} << 30, 225, 120), 2 * width, 2);
  EXPECT_EQ(beam_width_for(1, 225, 120), 1);
  BeamSettings settings = beam_preset("beam");
  settings.memory_bytes = 8 << 20;
  settings.tabu_colors = 1;
  const SearchTask task{.board = game::standard_boards()[0].position};
  const Searched searched = search(task, settings, {.playouts = static_cast<std::uint64_t>(scaled(12'000'000))}, 1);
  EXPECT_LE(searched.status.figure("width"), beam_width_for(8 << 20, 225, 120));
}

TEST(BeamSearch, ChoosesTheMostFrequentColors) {
  const game::Position board = tests::board_of({"0112", "0112", "0112"});
  EXPECT_EQ(beam_tabu_colors(board, 2), (std::vector<int>{1, 0}));
  EXPECT_EQ(beam_tabu_colors(board, 9), (std::vector<int>{1, 0, 2}));
}

}  // namespace
}  // namespace chainshot::host
