#include "game/scoring_text.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "game/solution_text.hpp"
#include "tests/support/scorings.hpp"
#include "tests/support/test_scale.hpp"

namespace chainshot::game {
namespace {

using tests::Dice;

Polynomial points_of(const std::string& text) {
  return parse_scoring("points=" + text).points;
}

// The mistake of a text as `offset: sentence`.
std::string mistake(const std::string& text) {
  try {
    return "read as " + parse_scoring(text).formula();
  } catch (const ScoringError& error) {
    return std::to_string(error.offset()) + ": " + error.what();
  }
}

TEST(ScoringFormula, ReadsPolynomialsAsPeopleWriteThem) {
  for (const char* const text : {"n^2-4n+4", "(n-2)^2", "(n-2)(n-2)", "( n - 2 ) * ( n - 2 )", "4+n*n-4*n", "n(n-4)+4",
                                 "-(-n^2+4n-4)", "+(2-n)^2", "1n^2 - 2*2n + 2^2", "(n-2)^2+0n^6"})
    EXPECT_EQ(points_of(text), (Polynomial{4, -4, 1})) << text;
  EXPECT_EQ(points_of("7"), Polynomial{7});
  EXPECT_EQ(points_of("-n"), (Polynomial{0, -1}));
  EXPECT_EQ(points_of("2n^3"), (Polynomial{0, 0, 0, 2}));
  EXPECT_EQ(points_of("2^3n"), (Polynomial{0, 8}));
  EXPECT_EQ(points_of("n^0"), Polynomial{1});
  EXPECT_EQ(points_of("-2^2"), Polynomial{-4});
  EXPECT_EQ(points_of("(n+1)^6"), (Polynomial{1, 6, 15, 20, 15, 6, 1}));
}

TEST(ScoringFormula, HasFourPartsInAnyOrderAndWhatIsLeftOutIsZero) {
  const Scoring scoring = parse_scoring("bonus=-5; left-per-color=n ;left = 2n;points=n^2;");
  EXPECT_EQ(scoring, (Scoring{.points = {0, 0, 1}, .left = {0, 2}, .left_per_color = {0, 1}, .clear_bonus = -5}));
  EXPECT_EQ(parse_scoring("left=n"), *scoring_named("clickomania"));
  EXPECT_EQ(parse_scoring("bonus=2(3+4)"), Scoring{.clear_bonus = 14});
  EXPECT_EQ(parse_scoring("total"), *scoring_named("total"));
}

// Two blocks of one colour and three of another are left: 2 + 3 = 5 in all.
TEST(ScoringFormula, DeductsPerColorAndInAll) {
  const std::vector<int> left = {2, 0, 3};
  EXPECT_EQ(parse_scoring("left=n^2").final_points(left), -25);
  EXPECT_EQ(parse_scoring("left-per-color=n^2").final_points(left), -(4 + 9));
  EXPECT_EQ(parse_scoring("left=n^2; left-per-color=n^2; bonus=100").final_points(left), -(25 + 4 + 9));
  EXPECT_EQ(parse_scoring("left=-n").final_points(left), 5);
  EXPECT_EQ(parse_scoring("left=7; left-per-color=9; bonus=100").final_points(std::vector<int>{0, 0}), 100);
}

TEST(ScoringFormula, IsWrittenTheSameWayHoweverItWasRead) {
  const auto formula = [](const std::string& text) { return parse_scoring(text).formula(); };
  EXPECT_EQ(formula("standard"), "points=(n-2)^2; left-per-color=(n-2)^2; bonus=1000");
  EXPECT_EQ(formula("bubble-breaker"), "points=n(n-1)");
  EXPECT_EQ(formula("clickomania"), "left=n");
  EXPECT_EQ(formula("points=n*n"), "points=n^2");
  EXPECT_EQ(formula("points=2*n^2-6*n+4"), "points=2(n-1)(n-2)");
  EXPECT_EQ(formula("points=-n^2-n"), "points=-n(n+1)");
  EXPECT_EQ(formula("points=n^2+1"), "points=n^2+1");
  EXPECT_EQ(formula("points=2n^2+n"), "points=2n^2+n");
  EXPECT_EQ(formula("points=-n^3+2n-1"), "points=-n^3+2n-1");
  EXPECT_EQ(formula("points=n-n"), "points=0");
  EXPECT_EQ(formula("bonus=3;points=-5n"), "points=-5n; bonus=3");
}

TEST(ScoringFormula, ThatIsABuiltInScoringHasItsName) {
  for (const Scoring& scoring : kScorings)
    EXPECT_EQ(parse_scoring(scoring.formula()).name(), scoring.name());
  EXPECT_EQ(parse_scoring("points=n^2").name(), "points=n^2");
}

TEST(ScoringFormula, IsReadAsItWasWritten) {
  Dice dice(3);
  for (int i = 0; i < tests::scaled(2'000); ++i) {
    const Scoring scoring = tests::random_scoring(dice);
    EXPECT_EQ(parse_scoring(scoring.formula()), scoring) << scoring.formula();
    EXPECT_EQ(parse_scoring(scoring.name()), scoring) << scoring.name();
  }
  Scoring extreme;
  for (int power = 0; power <= Polynomial::kMaxDegree; ++power)
    extreme.points.set(power, power % 2 == 0 ? 2147483647 : -2147483647);
  EXPECT_EQ(parse_scoring(extreme.formula()), extreme);
}

TEST(ScoringFormula, PointsAtMistakes) {
  const std::string parts = "points=..., left=..., left-per-color=... or bonus=...";
  EXPECT_EQ(mistake("points=x^2"), "7: 'x'; expected a number, n or (");
  EXPECT_EQ(mistake("points="), "7: the end; expected a number, n or (");
  EXPECT_EQ(mistake("points=n; score=2"), "10: 'score'; expected " + parts);
  EXPECT_EQ(mistake("=n"), "0: '='; expected " + parts);
  EXPECT_EQ(mistake("points=n; points=2"), "10: a second points=; expected one");
  EXPECT_EQ(mistake("points n=2"), "7: 'n' after points; expected =");
  EXPECT_EQ(mistake("points=n^7"), "9: an exponent of more than 6; expected less");
  EXPECT_EQ(mistake("points=n^n"), "9: 'n'; expected an exponent");
  EXPECT_EQ(mistake("points=n^4*n^3"), "7: a power of n above n^6; expected less");
  EXPECT_EQ(mistake("points=(n-2"), "11: the end; expected an operator or )");
  EXPECT_EQ(mistake("points=(n-2))"), "12: ')'; expected an operator, ; or the end of the formula");
  EXPECT_EQ(mistake("points=2 3"), "9: '3'; expected an operator, ; or the end of the formula");
  EXPECT_EQ(mistake("bonus=n"), "6: the bonus depends on n; expected a number");
  EXPECT_EQ(mistake("bonus=2147483648"), "6: a number above 2147483647; expected less");
  EXPECT_EQ(mistake("bonus=99999999999999999999"), "6: a number above 2147483647; expected less");
  EXPECT_EQ(mistake("bonus=65536^2"), "6: a coefficient outside -2147483647 to 2147483647; expected less");
  EXPECT_EQ(mistake("points=2147483647n+2147483647n"),
            "7: a coefficient outside -2147483647 to 2147483647; expected less");
  EXPECT_EQ(mistake("points=" + std::string(40, '(') + "n"), "39: more than 32 nested parentheses");
  EXPECT_EQ(mistake("standrad"),
            "0: 'standrad' is no scoring; expected standard, total, bubble-breaker, clickomania, points or a formula "
            "like points=(n-2)^2");
}

TEST(Solutions, CarryAFormula) {
  const std::string text = "board a\nscoring points=n^2; left = n  # as the phone has it\nscore 3\nmoves 0,0 1,2\n";
  const Solution read = parse_solutions(text, "file", Notation::kColumnRow, 5).front();
  ASSERT_TRUE(read.scoring);
  EXPECT_EQ(*read.scoring, parse_scoring("points=n^2; left=n"));
  const std::string written = to_text(read, Notation::kColumnRow, 5);
  EXPECT_EQ(written, "board a\nscoring points=n^2; left=n\nscore 3\nmoves 0,0 1,2\n");
  EXPECT_EQ(parse_solutions(written, "file", Notation::kColumnRow, 5).front().scoring, read.scoring);
}

TEST(Solutions, PointAtMistakesInAFormula) {
  const auto error = [](const std::string& text) {
    try {
      parse_solutions(text, "file", Notation::kColumnRow, 5);
    } catch (const ParseError& problem) {
      return std::string(problem.what());
    }
    return std::string();
  };
  EXPECT_EQ(error("board a\nscoring points=n^2; left=m\nmoves 0,0\n"), "file:2:26: 'm'; expected a number, n or (");
  EXPECT_EQ(error(R"({"scoring": "points=k", "moves": [[0, 0]]})"), "file:1:21: 'k'; expected a number, n or (");
}

}  // namespace
}  // namespace chainshot::game
