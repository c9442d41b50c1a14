#include "host/cluster/messages.hpp"

#include <gtest/gtest.h>

#include "game/playout.hpp"
#include "tests/support/random_boards.hpp"

namespace chainshot::host {
namespace {

SearchTask a_task() {
  tests::Dice dice(3);
  return {.board = tests::full_board(dice, {9, 7, 4}), .scoring = *game::scoring_named("total")};
}

ScoredLine a_line(const SearchTask& task) {
  ScoredLine line;
  const game::PlayoutRules rules(game::Policy{}, task.scoring, task.board);
  line.score = game::play(task.board, rules, {.seed = 1, .request = 0, .playout = 0}, 0, &line.moves).score;
  return line;
}

RankMessage sent(const RankMessage& message) {
  return message_of(bytes_of(message));
}

TEST(RankMessages, CarryAPlanWithTheSettingsThatWereChanged) {
  RunPlan plan;
  plan.preset = "nrpa";
  plan.kind = find_preset("nrpa").kind;
  plan.settings = find_preset("nrpa").preset->settings;
  setting_named(plan.kind->settings(), "levels")->set(plan.settings, std::int64_t{3});
  setting_named(plan.kind->settings(), "tabu")->set(plan.settings, std::string("bias"));
  setting_named(plan.kind->settings(), "tabu-bias")->set(plan.settings, -2.25);
  plan.common.deterministic = true;
  plan.common.shares = 6;
  plan.choice.threads = 5;
  const RunPlan got = plan_of(sent({{"kind", "turn"}, {"plan", plan_message(plan)}}).at("plan"));
  EXPECT_EQ(got.kind, plan.kind);
  for (const Setting& row : plan.kind->settings())
    EXPECT_EQ(row.get(got.settings), row.get(plan.settings)) << row.name;
  EXPECT_TRUE(got.common.deterministic);
  EXPECT_EQ(got.common.shares, 6);
  EXPECT_EQ(got.choice.threads, 5);
}

TEST(RankMessages, CarryABoardItsScoringAndItsStarts) {
  SearchTask task = a_task();
  task.starts.push_back(a_line(task).moves);
  const SearchTask got = task_of(sent({{"kind", "turn"}, {"task", task_message(task)}}).at("task"));
  EXPECT_EQ(got.board, task.board);
  EXPECT_EQ(got.scoring, task.scoring);
  EXPECT_EQ(got.starts, task.starts);
}

TEST(RankMessages, RefuseALineThatDoesNotScoreWhatItClaims) {
  const SearchTask task = a_task();
  ScoredLine line = a_line(task);
  EXPECT_EQ(line_of(line_message(line), task).moves, line.moves);
  ++line.score;
  EXPECT_TRUE(line_of(line_message(line), task).moves.empty());
}

TEST(RankMessages, CarryCountersAndFigures) {
  const SearchStatus status{
      .playouts = 1ull << 60,
      .played_score = -4,
      .figures = {{"depth", 2.5, FigureStyle::kNumber, "depth", "d", true, FigureTotal::kLargest}}};
  const SearchStatus got = status_of(sent({{"kind", "status"}, {"status", status_message(status)}}).at("status"));
  EXPECT_EQ(got.playouts, 1ull << 60);
  EXPECT_EQ(got.played_score, -4);
  ASSERT_EQ(got.figures.size(), 1u);
  EXPECT_EQ(got.figures[0].name, "depth");
  EXPECT_EQ(got.figures[0].value, 2.5);
  EXPECT_EQ(got.figures[0].total, FigureTotal::kLargest);
}

TEST(RankMessages, RefuseWhatIsNoMessage) {
  EXPECT_THROW(message_of({1, 2, 3}), std::runtime_error);
  EXPECT_THROW(message_of({}), std::runtime_error);
}

}  // namespace
}  // namespace chainshot::host
