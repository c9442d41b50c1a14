#include "host/tune/tuning_state.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "game/parse_error.hpp"

namespace chainshot::host {
namespace {

TuningState example() {
  TuningState state;
  TuningPlan& plan = state.plan;
  plan.preset = "sp-mcts";
  plan.settings = {{"w", 0.5}, {"keep-tree", true}, {"restarts", std::int64_t{3}}, {"policy", std::string("random")}};
  plan.parameters = {{.name = "c", .is_logarithmic = true, .low = 0, .high = 1e9, .start = {0.1, 1.0 / 3}},
                     {.name = "in-flight", .is_whole = true, .low = 1, .high = 100, .start = {8, 4}}};
  plan.budget.playouts = ~std::uint64_t{0};
  plan.boards = 3;
  plan.population = 4;
  plan.elite = 2;
  plan.smoothing = 0.7;
  plan.seed = ~std::uint64_t{0} - 1;
  plan.generations = 5;
  plan.test_boards = 1;
  state.done = {{.mean = 1.0 / 7, .best = 2, .best_point = {0.3, 5.5}, .distribution = {{0.1, 0.2}, {3, 4}}}};
  state.samples = {{{0.1, 1}, {1, -2, std::nullopt}},
                   {{0.2, 2}, {std::nullopt, std::nullopt, std::nullopt}},
                   {{0.3, 3}, {7, 8, 9}},
                   {{0.4, 4}, {std::nullopt, 8, 9}}};
  return state;
}

std::string complaint(std::string text, const std::string& old, const std::string& changed) {
  const std::size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  text.replace(at, old.size(), changed);
  try {
    parse_tuning(text, "file");
  } catch (const game::ParseError& error) {
    return error.what();
  }
  return "no complaint";
}

TEST(TuningState, SurvivesWritingAndReading) {
  const TuningState before = example();
  const TuningState after = parse_tuning(tuning_text(before), "file");
  EXPECT_EQ(difference(before.plan, after.plan), "");
  EXPECT_EQ(after.plan.settings, before.plan.settings);
  EXPECT_EQ(after.plan.generations, 5);
  EXPECT_EQ(after.plan.test_boards, 1);
  EXPECT_EQ(after.plan.seed, ~std::uint64_t{0} - 1);
  EXPECT_EQ(after.plan.budget.playouts, ~std::uint64_t{0});
  ASSERT_EQ(after.done.size(), 1u);
  EXPECT_EQ(after.done[0].mean, 1.0 / 7);
  EXPECT_EQ(after.done[0].distribution, before.done[0].distribution);
  ASSERT_EQ(after.samples.size(), 4u);
  EXPECT_EQ(after.samples[0].scores, before.samples[0].scores);
  EXPECT_EQ(after.samples[3].point, before.samples[3].point);
  EXPECT_EQ(tuning_text(after), tuning_text(before));
}

// The lines of the text are: version, plan, done, generation, the end of done, samples, and a line for each of them. A
// sample begins `{"point":[0.1,1.0],"scores":[`: its lists start at columns 10 and 29.
TEST(TuningState, NamesThePlaceOfWhatIsWrong) {
  const std::string text = tuning_text(example());
  EXPECT_EQ(complaint(text, "[1,-2,null]", "[1,-2]"), "file:7:29: a list of 2 values; expected 3");
  EXPECT_EQ(complaint(text, "[0.3,3.0]", "[0.3]"), "file:9:10: a list of 1 values; expected 2");
  EXPECT_EQ(complaint(text, "[7,8,9]", "[7,8,9.5]").substr(0, 12), "file:9:34: e");
  EXPECT_EQ(complaint(text, "[0.1,0.2]", "[0.1,-0.2]").substr(0, 16), "file:4:84: expec");
  EXPECT_NE(complaint(text, "\"elite\":2", "\"elite\":5").find("expected a whole number from 2 to 4"),
            std::string::npos);
  EXPECT_NE(complaint(text, "\"logarithmic\"", "\"log\"").find("expected \"linear\" or \"logarithmic\""),
            std::string::npos);
  EXPECT_NE(complaint(text, "\"18446744073709551614\"", "\"many\"").find("a whole number in quotes"),
            std::string::npos);
  EXPECT_NE(complaint(text, "\"18446744073709551615\"", "\"0\"").find("a game without a budget"), std::string::npos);
  EXPECT_NE(complaint(text, "\"version\": 1", "\"version\": 2").find("file:1:"), std::string::npos);
  EXPECT_NE(complaint(text, "\"whole\":true", "\"whole\":1").find("expected \"whole\" to be true or false"),
            std::string::npos);
}

TEST(TuningState, RefusesATextThatWasCutOffAnywhere) {
  const std::string text = tuning_text(example());
  for (std::size_t size = 0; size + 2 < text.size(); ++size)
    EXPECT_THROW(parse_tuning(text.substr(0, size), "file"), game::ParseError) << size;
}

// The mean of 1, 4 and 7 is 4; the squares of the differences add up to 18, so the standard error is sqrt(18 / 2 / 3).
TEST(TuningState, FitnessIsTheMeanScore) {
  const TuningSample sample{.point = {}, .scores = {1, 4, 7}};
  EXPECT_EQ(sample.fitness(), 4);
  EXPECT_DOUBLE_EQ(sample.standard_error(), std::sqrt(3.0));
  EXPECT_TRUE(sample.is_complete());
  EXPECT_FALSE(example().samples[0].is_complete());
}

TEST(TuningState, SaysInWhichOptionTwoPlansDiffer) {
  const TuningPlan plan = example().plan;
  const auto changed = [&](auto change) {
    TuningPlan other = plan;
    change(other);
    return difference(plan, other);
  };
  EXPECT_EQ(changed([](TuningPlan& p) { p.boards = 9; }), "--boards is 3");
  EXPECT_EQ(changed([](TuningPlan& p) { p.elite = 3; }), "--elite is 2");
  EXPECT_EQ(changed([](TuningPlan& p) { p.smoothing = 1; }), "--smoothing is 0.7");
  EXPECT_EQ(changed([](TuningPlan& p) { p.columns = 5; }), "--size is 15x15");
  EXPECT_EQ(changed([](TuningPlan& p) { p.budget = {.seconds = 2}; }), "the budget is --playouts 18446744073709551615");
  // exp(0.1) = 1.10517 and exp(1/3) = 1.39561.
  EXPECT_EQ(changed([](TuningPlan& p) { p.parameters.pop_back(); }), "--parameters is c=1.10517x1.39561,in-flight=8:4");
  // More generations may follow, and another test.
  EXPECT_EQ(changed([](TuningPlan& p) { p.generations = 50, p.test_boards = 100; }), "");
}

}  // namespace
}  // namespace chainshot::host
