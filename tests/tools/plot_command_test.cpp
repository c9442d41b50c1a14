// The contract of `chainshot plot`: it draws the logs that `solve` writes, also if a log was cut off.
#include <gtest/gtest.h>

#include "tests/support/program_run.hpp"

namespace chainshot {
namespace {

const std::string kHead = R"({"version":1,"event":"run","preset":"uct","seed":4})"
                          "\n";
const std::string kBest = R"({"event":"best","board":"a","seconds":0.5,"score":12,"moves":3,"source":"tree"})"
                          "\n";

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

class PlotCommand : public ProgramTest {
 protected:
  std::string picture(const std::string& arguments) const {
    const ProgramRun drawn = run("plot " + arguments + " -o picture.svg");
    EXPECT_EQ(drawn.exit_code, 0) << drawn.err;
    EXPECT_EQ(drawn.out + drawn.err, "");
    std::string svg = read("picture.svg");
    EXPECT_EQ(svg.rfind("<svg", 0), 0u);
    EXPECT_NE(svg.find("</svg>"), std::string::npos);
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf"), std::string::npos);
    return svg;
  }
  std::string complaint(const std::string& arguments) const {
    const ProgramRun failed = run("plot " + arguments);
    EXPECT_EQ(failed.exit_code, 2) << arguments;
    EXPECT_EQ(failed.out, "") << arguments;
    return failed.err;
  }
};

TEST_F(PlotCommand, LogsOfSolveAreDrawn) {
  ASSERT_EQ(run("solve standard-01 standard-02 --preset anneal --playouts 20000 --threads 1 --log one.jsonl").exit_code,
            0);
  ASSERT_EQ(run("solve standard-02 --preset uct --playouts 20000 --threads 1 --log two.jsonl").exit_code, 0);
  const std::string one = picture("one.jsonl");
  EXPECT_NE(one.find("2 boards"), std::string::npos);
  EXPECT_EQ(count(one, "<path"), 2u);  // one for the score, one for the rate
  const std::string both = picture("one.jsonl two.jsonl");
  EXPECT_NE(both.find("standard-02"), std::string::npos);
  EXPECT_NE(both.find("one (anneal, seed 0)"), std::string::npos);
  EXPECT_EQ(count(both, "<path"), 4u);
  EXPECT_NE(picture("one.jsonl --board standard-01").find("standard-01"), std::string::npos);
}

// The digits of the font are less than 8 units wide, and the numbers end 8 units before the axis at 76.
TEST_F(PlotCommand, NumbersOfMillionsAreNotCutOff) {
  const std::string head = kHead;
  for (const auto& [score, label] : {std::pair("1000000", ">1,000,000<"), std::pair("25000000", ">25.0 M<")}) {
    write("log", head + R"({"event":"best","board":"a","seconds":0.5,"score":)" + score +
                     R"(,"moves":3,"source":"tree"})" + "\n");
    const std::string svg = picture("log");
    const std::size_t text = svg.find(label);
    ASSERT_NE(text, std::string::npos) << svg;
    EXPECT_LE(std::string(label).size() - 2, 9u);
    EXPECT_NE(svg.rfind("x=\"68\"", text), std::string::npos);
  }
}

TEST_F(PlotCommand, APictureCanGoToTheStandardOutput) {
  write("log", kHead + kBest);
  EXPECT_EQ(run("plot log -o -").out.rfind("<svg", 0), 0u);
  EXPECT_EQ(shell("cat log | chainshot plot - -o -").out.rfind("<svg", 0), 0u);
}

// A run may be killed before its first status line; the best score alone is enough for a picture.
TEST_F(PlotCommand, WhatIsLeftOfAKilledRunIsDrawn) {
  write("cut.jsonl", kHead + kBest + kBest.substr(0, 20));
  EXPECT_EQ(count(picture("cut.jsonl"), "<path"), 1u);
  write("instant.jsonl", kHead + R"({"event":"end","board":"a","seconds":0,"score":-1})"
                                 "\n");
  picture("instant.jsonl");
}

TEST_F(PlotCommand, EveryRunOfALogIsDrawn) {
  const auto solve = [&](const std::string& arguments) {
    EXPECT_EQ(run("solve --preset anneal --playouts 20000 --threads 1 --log night.jsonl " + arguments).exit_code, 0);
  };
  solve("standard-01 --seed 1");
  write("night.jsonl", read("night.jsonl") + R"({"event":"best","bo)");  // killed
  solve("standard-01 standard-02 --seed 2");
  EXPECT_EQ(count(read("night.jsonl"), R"("event":"run")"), 2u);
  const std::string svg = picture("night.jsonl");
  EXPECT_EQ(count(svg, "<path"), 4u);  // score and rate of each run
  EXPECT_NE(svg.find("night (anneal, seed 1, 20"), std::string::npos);
  EXPECT_NE(svg.find("night (anneal, seed 2, 20"), std::string::npos);
  EXPECT_EQ(svg.find("2 boards"), std::string::npos);
  EXPECT_EQ(count(picture("night.jsonl --board standard-02"), "<path"), 2u);  // of the one run that has it
}

TEST_F(PlotCommand, RunsOfALogWithoutAScoreAreLeftOut) {
  write("log", kHead + kHead + kBest);
  EXPECT_NE(picture("log").find("log (uct, seed 4, run 2)"), std::string::npos);
  write("apart", kHead + kBest + kHead + R"({"event":"best","board":"b","seconds":1,"score":2})" + "\n");
  EXPECT_EQ(complaint("apart -o x.svg"),
            "chainshot: the runs of the log have no board in common; expected --board to choose one\n");
  EXPECT_EQ(count(picture("apart --board b"), "<path"), 1u);
  write("mixed",
        kHead + kBest + R"({"version":1,"event":"run","preset":"uct","scoring":"total","seed":4})" + "\n" + kBest);
  EXPECT_EQ(
      complaint("mixed -o x.svg"),
      "chainshot: run 1 of mixed uses scoring standard and run 2 of mixed uses total; expected runs with the same "
      "scoring\n");
}

TEST_F(PlotCommand, LabelsTellScoresApart) {
  const auto best = [](double seconds, int score) {
    return R"({"event":"best","board":"a","seconds":)" + std::to_string(seconds) + R"(,"score":)" +
           std::to_string(score) + R"(,"moves":3,"source":"tree"})" + "\n";
  };
  write("narrow.jsonl", kHead + best(0.001, 754'194) + best(0.5, 754'195));
  const std::string svg = picture("narrow.jsonl");
  for (const char* label : {">754,194<", ">754,195<"})
    EXPECT_EQ(count(svg, label), 1u) << label;
}

TEST_F(PlotCommand, PointsOfTwoScoringsHaveNoAxisInCommon) {
  const auto head = [](const std::string& scoring) {
    return R"({"version":1,"event":"run","preset":"uct","scoring":")" + scoring + R"(","seed":4})" + "\n";
  };
  write("a.jsonl", head("points") + kBest);
  write("b.jsonl", head("total") + kBest);
  write("c.jsonl", kHead + kBest);  // old logs do not name the scoring
  write("d.jsonl", head("standard") + kBest);
  EXPECT_EQ(complaint("a.jsonl b.jsonl -o x.svg"),
            "chainshot: a.jsonl uses scoring points and b.jsonl uses total; expected runs with the same scoring\n");
  EXPECT_NE(picture("a.jsonl").find("best score (scoring points)"), std::string::npos);
  EXPECT_EQ(picture("c.jsonl d.jsonl").find("(scoring"), std::string::npos);
}

TEST_F(PlotCommand, NamesAreEscaped) {
  write("<b>.jsonl", kHead + kBest);
  EXPECT_EQ(picture("'<b>.jsonl'").find("<b>"), std::string::npos);
}

TEST_F(PlotCommand, WrongArgumentsGetOneSentence) {
  write("log", kHead + kBest);
  write("other", kHead + R"({"event":"best","board":"b","seconds":1,"score":2})"
                         "\n");
  write("head", kHead);
  write("text", "board a\n");
  EXPECT_EQ(complaint("log other -o x.svg"),
            "chainshot: the logs have no board in common; expected runs over the same boards\n");
  EXPECT_EQ(complaint("head -o x.svg"),
            "chainshot: head: this log has no score yet; expected the log of a run that found a line\n");
  EXPECT_EQ(complaint("log --board c -o x.svg"), "chainshot: no board of the log is called 'c'; did you mean 'a'?\n");
  EXPECT_EQ(complaint("text -o x.svg").rfind("chainshot: text:1:1: ", 0), 0u);
  for (const char* arguments :
       {"log", "-o x.svg", "log -o ''", "log -o log", "no-such-log -o x.svg", "log -o no/folder/x"})
    EXPECT_NE(complaint(arguments), "") << arguments;
  EXPECT_EQ(read("log"), kHead + kBest);
}

}  // namespace
}  // namespace chainshot
