#include "host/nested/nmcs_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "game/board_text.hpp"
#include "game/playout.hpp"
#include "game/reference.hpp"
#include "host/engines/engines.hpp"
#include "host/search/search_runner.hpp"
#include "tests/host/nested/nmcs_reference.hpp"
#include "tests/support/random_boards.hpp"
#include "tests/support/scripted_engine.hpp"
#include "tools/measure/delay_engine.hpp"

namespace chainshot::host {
namespace {

using tests::Dice;

struct Searched {
  BestLine best;
  SearchStatus status;
};

constexpr CommonSettings kDeterministic{.deterministic = true, .memory_bytes = 0};

Searched search(const SearchTask& task, const NmcsSettings& settings, const Budget& budget,
                const std::vector<game::Engine*>& engines, int threads = 1, const CommonSettings& common = {}) {
  Incumbent incumbent(task);
  const auto searching = make_nmcs_search(task, settings, budget, engines, threads, common, incumbent);
  run_alone(*searching, budget.seconds);
  return {incumbent.best(), searching->status()};
}

// Plays batches one playout at a time, and has the batch that was submitted last ready first.
class LastFirstEngine final : public game::Engine {
 public:
  explicit LastFirstEngine(std::uint64_t batch) {
    capabilities_.name = "last first";
    capabilities_.on_cpu = false;
    capabilities_.recommended_batch = batch;
    capabilities_.batches_in_flight = 3;
  }
  const game::Capabilities& capabilities() const override { return capabilities_; }
  game::Ticket submit(game::Batch batch) override {
    const std::lock_guard lock(mutex_);
    batches_[++last_] = std::move(batch);
    return last_;
  }
  bool poll(game::Ticket ticket) override {
    const std::lock_guard lock(mutex_);
    return batches_.size() > 1 && batches_.rbegin()->first == ticket;
  }
  game::Outcome wait(game::Ticket ticket) override {
    const std::lock_guard lock(mutex_);
    const auto node = batches_.extract(ticket);
    game::Outcome outcome;
    for (const game::Request& request : node.mapped().requests) {
      const game::PlayoutRules rules(request.policy, node.mapped().scoring, request.position);
      game::Result& result = outcome.results.emplace_back();
      for (std::uint32_t i = 0; i < request.playouts; ++i) {
        const game::PlayoutKey key{node.mapped().seed, request.key, request.first_playout + i};
        const game::Playout playout = game::play(request.position, rules, key, request.points);
        result.add(key, playout.score, playout.length);
      }
      usage_.playouts += request.playouts;
    }
    ++usage_.batches;
    return outcome;
  }
  game::Usage usage() const override {
    const std::lock_guard lock(mutex_);
    return usage_;
  }

 private:
  game::Capabilities capabilities_;
  mutable std::mutex mutex_;
  std::map<game::Ticket, game::Batch> batches_;
  game::Ticket last_ = 0;
  game::Usage usage_;
};

// Batches have room for several searches at a time, which end about in the order in which they began: with K of them
// ended, surely the first K / 2 have, and none after the first 2 K.
TEST(NmcsSearch, PlaysTheGamesOfTheRecursion) {
  Dice dice(41);
  const auto engine = make_engine({.name = "cpu", .threads = 1});
  for (const int levels : {1, 2}) {
    const SearchTask task{.board = tests::full_board(dice, {6, 5, 4}), .seed = 17};
    const NmcsSettings settings{.levels = levels};
    const Searched searched = search(task, settings, {.playouts = 5'000}, {engine.get()}, 1, kDeterministic);
    ASSERT_LT(searched.best.score, task.board.upper_bound(task.scoring));
    const auto ended = static_cast<std::uint64_t>(searched.status.figure("runs"));
    ASSERT_GT(ended, 10u);
    tests::ReferenceNmcs reference(task, settings);
    std::vector<int> scores;
    for (std::uint64_t root = 0; root < 2 * ended; ++root)
      scores.push_back(reference.run(root).score);
    const int played = searched.status.played_score.value();
    EXPECT_NE(std::find(scores.begin(), scores.end(), played), scores.end());
    EXPECT_GE(played, *std::max_element(scores.begin(), scores.begin() + static_cast<std::ptrdiff_t>(ended / 2)));
    EXPECT_GE(searched.best.score, played);
  }
}

TEST(NmcsSearch, SpendsACountedBudgetExactly) {
  const auto engine = make_engine({.name = "cpu", .threads = 3});
  const SearchTask task{.board = game::standard_boards()[1].position, .seed = 5};
  for (const NmcsSettings& settings : {NmcsSettings{.levels = 1}, NmcsSettings{.levels = 3, .keep_best = false},
                                       NmcsSettings{.levels = 2, .leaf_playouts = 7}})
    for (const CommonSettings& common : {CommonSettings{}, kDeterministic})
      for (const std::uint64_t playouts : {1, 6, 255, 257, 3'001}) {
        const std::uint64_t before = engine->usage().playouts;
        const Searched searched = search(task, settings, {.playouts = playouts}, {engine.get()}, 3, common);
        EXPECT_EQ(searched.status.playouts, playouts);
        EXPECT_EQ(engine->usage().playouts - before, playouts);
        EXPECT_EQ(searched.best.source, "nmcs");
      }
}

TEST(NmcsSearch, GivesTheSameLineOnEveryEngineIfDeterministic) {
  const SearchTask task{.board = game::standard_boards()[2].position, .seed = 3};
  const auto one = make_engine({.name = "cpu", .threads = 1}), two = make_engine({.name = "cpu", .threads = 2});
  DelayEngine slow(make_engine({.name = "cpu", .threads = 1}),
                   {.playouts_per_second = 1e6, .latency_us = 200, .recommended_batch = 20});
  LastFirstEngine backwards(1000);
  const Budget budget{.playouts = 1'500};
  for (const NmcsSettings& settings : {NmcsSettings{.levels = 1}, NmcsSettings{.levels = 2, .keep_tabu = false},
                                       NmcsSettings{.levels = 3, .keep_best = false, .leaf_playouts = 3}}) {
    const Searched expected = search(task, settings, budget, {one.get()}, 1, kDeterministic);
    EXPECT_GT(expected.best.moves.size(), 10u);
    for (const int threads : {1, 2, 5})
      EXPECT_EQ(search(task, settings, budget, {two.get()}, threads, kDeterministic).best.moves, expected.best.moves);
    EXPECT_EQ(search(task, settings, budget, {&slow, one.get()}, 2, kDeterministic).best.moves, expected.best.moves);
    EXPECT_EQ(search(task, settings, budget, {&backwards}, 1, kDeterministic).best.moves, expected.best.moves);
    EXPECT_EQ(search(task, settings, budget, {&backwards, two.get()}, 3, kDeterministic).best.moves,
              expected.best.moves);
  }
}

TEST(NmcsSearch, PlaysOnSeveralEnginesInAnyOrder) {
  const SearchTask task{.board = game::standard_boards()[4].position, .seed = 3};
  const auto engine = make_engine({.name = "cpu", .threads = 2});
  LastFirstEngine backwards(300);
  const Searched searched = search(task, {.levels = 2}, {.playouts = 5'000}, {&backwards, engine.get()}, 2);
  EXPECT_EQ(searched.status.playouts, 5'000u);
  EXPECT_EQ(game::replay(task.board, searched.best.moves, task.scoring).score, searched.best.score);
}

TEST(NmcsSearch, SeedsDifferAndSearchesFollowEachOther) {
  const auto engine = make_engine({.name = "cpu", .threads = 1});
  Dice dice(3);
  SearchTask task{.board = tests::full_board(dice, {8, 8, 5}), .seed = 1};
  const Budget budget{.playouts = 4'000};
  const Searched first = search(task, {.levels = 1}, budget, {engine.get()}, 1, kDeterministic);
  EXPECT_GT(first.status.figure("runs"), 2);
  EXPECT_EQ(first.status.figure("level"), 1);
  task.seed = 2;
  EXPECT_NE(search(task, {.levels = 1}, budget, {engine.get()}, 1, kDeterministic).best.moves, first.best.moves);
}

TEST(NmcsSearch, EndsWhenTheBoundOfTheBoardIsReached) {
  const auto engine = make_engine({.name = "cpu", .threads = 2});
  const SearchTask task{.board = tests::board_of({"000", "000", "111"})};
  for (const int levels : {1, 2, 4}) {
    const Searched searched = search(task, {.levels = levels}, {}, {engine.get()}, 2);
    EXPECT_EQ(searched.best.score, 4 * 4 + 1 + 1000);
    EXPECT_TRUE(searched.status.proven);
  }
}

TEST(NmcsSearch, ObeysTheClockAndKeepsWhatItFound) {
  const auto engine = make_engine({.name = "cpu", .threads = 2});
  const SearchTask task{.board = game::standard_boards()[0].position};
  for (const int levels : {1, 4}) {
    const Searched searched = search(task, {.levels = levels}, {.seconds = 0.1}, {engine.get()}, 2);
    EXPECT_EQ(searched.best.source, "nmcs");
    EXPECT_GT(searched.best.score, 0);
  }
}

TEST(NmcsSearch, BoardsOfOneGroupDoNotKeepItBusy) {
  const auto engine = make_engine({.name = "cpu", .threads = 1});
  const SearchTask task{.board = tests::board_of({"001"})};
  const Searched searched = search(task, {.levels = 3}, {.playouts = 1'000}, {engine.get()});
  EXPECT_EQ(searched.best.score, -1);  // the one that is left
  EXPECT_EQ(searched.status.playouts, 1'000u);
  EXPECT_EQ(searched.status.figure("runs"), 1'000);
}

TEST(NmcsSearch, AnEngineThatClaimsAWrongScoreEndsTheSearchWithASentence) {
  const SearchTask task{.board = game::standard_boards()[0].position};
  tests::ScriptedEngine liar("liar", {tests::result_with_best(4'321)});
  try {
    search(task, {.levels = 2}, {.playouts = 1'000}, {&liar}, 2);
    FAIL() << "expected an error";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("the engine claims 4321 for playout"), std::string::npos) << error.what();
  }
}

TEST(NmcsSearch, AnErrorOfAnEngineEndsAllThreads) {
  const SearchTask task{.board = game::standard_boards()[0].position};
  tests::ScriptedEngine broken("broken");
  broken.error = "the engine broke";
  EXPECT_THROW(search(task, {.levels = 3}, {}, {&broken}, 3), std::runtime_error);
}

}  // namespace
}  // namespace chainshot::host
