// The contract of `chainshot plot`: it draws the logs that `solve` writes, also if a log was cut off.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

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
  picture("instant.jsonl --mean --x log-time");
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
  EXPECT_NE(svg.find(">night (anneal, seed 1)<"), std::string::npos);
  EXPECT_NE(svg.find(">night (anneal, seed 2)<"), std::string::npos);
  EXPECT_EQ(svg.find("2 boards"), std::string::npos);
  EXPECT_EQ(count(picture("night.jsonl --board standard-02"), "<path"), 2u);  // of the one run that has it
}

TEST_F(PlotCommand, RunsOfALogWithoutAScoreAreLeftOut) {
  write("log", kHead + kHead + kBest);
  EXPECT_NE(picture("log").find(">log (uct, seed 4)<"), std::string::npos);
  write("twice", kHead + kBest + kHead + kHead + kBest);
  EXPECT_NE(picture("twice").find(">twice (uct, seed 4, run 1)<"), std::string::npos);
  EXPECT_NE(picture("twice").find(">twice (uct, seed 4, run 3)<"), std::string::npos);
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

// A run whose score rises from `low` to `high` after half of its ten seconds, in which it plays 1000 games.
std::string made_up_run(const std::string& head, int low, int high) {
  const auto best = [](double seconds, int score) {
    return R"({"event":"best","board":"a","seconds":)" + std::to_string(seconds) + R"(,"score":)" +
           std::to_string(score) + R"(,"moves":3,"source":"tree"})" + "\n";
  };
  const auto status = [](int seconds, int playouts) {
    return R"({"event":"status","board":"a","search":"tree","seconds":)" + std::to_string(seconds) + R"(,"playouts":)" +
           std::to_string(playouts) + R"(,"evaluations":0})" + "\n";
  };
  return head + best(1, low) + status(5, 250) + best(5, high) + status(10, 1000);
}

std::string head_of(const std::string& preset, int seed, const std::string& settings) {
  return R"({"version":1,"event":"run","preset":")" + preset + R"(","seed":)" + std::to_string(seed) +
         R"(,"settings":{)" + settings + "}}\n";
}

std::vector<std::string> legend_of(const std::string& svg) {
  std::vector<std::string> names;
  const std::string sign = "<text class=\"tick\" x=\"";
  for (std::size_t at = svg.find(sign); at != std::string::npos; at = svg.find(sign, at + 1)) {
    const std::size_t begin = svg.find('>', at) + 1;
    names.push_back(svg.substr(begin, svg.find('<', begin) - begin));
  }
  return names;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

TEST_F(PlotCommand, RunsThatDifferOnlyInTheSeedAreDrawnAsTheirMeanWithABand) {
  write("log", made_up_run(head_of("uct", 1, R"("c":0.1)"), 100, 200) +
                   made_up_run(head_of("uct", 2, R"("c":0.1)"), 140, 260) +
                   made_up_run(head_of("uct", 1, R"("c":0.5)"), 300, 310));
  const std::vector<std::string> apart = legend_of(picture("log"));
  EXPECT_TRUE(contains(apart, "log (uct, c 0.1, seed 2)"));
  EXPECT_EQ(count(picture("log"), "<polygon"), 0u);
  const std::string svg = picture("log --mean --band range");
  EXPECT_TRUE(contains(legend_of(svg), "uct, c 0.1, 2 seeds"));
  EXPECT_TRUE(contains(legend_of(svg), "uct, c 0.5, seed 1"));
  EXPECT_EQ(count(svg, "<polygon"), 1u);
}

// Two versions of a program may have played the same seeds: those are no seeds of one search.
TEST_F(PlotCommand, FilesWithTheSameSeedsStayApart) {
  for (const char* const name : {"old", "new"})
    write(name, made_up_run(head_of("uct", 1, ""), 100, 200) + made_up_run(head_of("uct", 2, ""), 140, 260));
  const std::vector<std::string> names = legend_of(picture("old new --mean"));
  EXPECT_TRUE(contains(names, "old (uct, 2 seeds)"));
  EXPECT_TRUE(contains(names, "new (uct, 2 seeds)"));
  // One seed in each file is one search on several machines.
  write("first", made_up_run(head_of("uct", 1, ""), 100, 200));
  write("second", made_up_run(head_of("uct", 2, ""), 140, 260));
  EXPECT_TRUE(contains(legend_of(picture("first second --mean")), "uct, 2 seeds"));
}

// The second score came after 5 seconds of 10, but after a quarter of the games.
TEST_F(PlotCommand, TheAxisMayCountWorkAndBeLogarithmic) {
  write("log", made_up_run(kHead, 100, 200));
  const double left = 76, right = 700;
  const auto step_at = [&](const std::string& arguments) {
    const std::string svg = picture("log " + arguments);
    const std::size_t path = svg.find("<path d=\"M");
    const std::size_t across = svg.find('H', path);
    return (std::stod(svg.substr(across + 1)) - left) / (right - left);
  };
  EXPECT_NEAR(step_at(""), 0.5, 0.01);
  EXPECT_NEAR(step_at("--x evaluations"), 0.25, 0.01);
  EXPECT_NEAR(step_at("--x log-time"), std::log(5) / std::log(10), 0.01);  // from 1 to 10 seconds
  // From 50 games, which were played when the first line was found, to 1000.
  EXPECT_NEAR(step_at("--x log-evaluations"), std::log(5) / std::log(20), 0.01);
  EXPECT_NE(picture("log --x log-evaluations").find("playouts or evaluations"), std::string::npos);
}

TEST_F(PlotCommand, ManyRunsHaveLinesOfTheirOwn) {
  std::string log;
  for (int seed = 0; seed < 35; ++seed)
    log += made_up_run(head_of("uct", seed, ""), 100 + seed, 200 + seed);
  write("log", log);
  const std::string svg = picture("log");
  std::set<std::string> strokes;
  const std::string sign = "<line x1=";  // of the legend
  for (std::size_t at = svg.find(sign); at != std::string::npos; at = svg.find(sign, at + 1)) {
    const std::size_t begin = svg.find("stroke=", at);
    strokes.insert(svg.substr(begin, svg.find("/>", begin) - begin));
  }
  EXPECT_EQ(strokes.size(), 35u);
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
  EXPECT_EQ(complaint("log --x tim -o x.svg"), "chainshot: no value of --x is called 'tim'; did you mean 'time'?\n");
  EXPECT_EQ(complaint("log --band range -o x.svg"),
            "chainshot: --band has no effect without --mean; expected both or neither\n");
  EXPECT_EQ(complaint("log --x evaluations -o x.svg"),
            "chainshot: log: this log counts no playouts or evaluations of log (uct, seed 4); expected --x time\n");
  EXPECT_EQ(complaint("log --board c -o x.svg"), "chainshot: no board of the log is called 'c'; did you mean 'a'?\n");
  EXPECT_EQ(complaint("text -o x.svg").rfind("chainshot: text:1:1: ", 0), 0u);
  for (const char* arguments :
       {"log", "-o x.svg", "log -o ''", "log -o log", "no-such-log -o x.svg", "log -o no/folder/x"})
    EXPECT_NE(complaint(arguments), "") << arguments;
  EXPECT_EQ(read("log"), kHead + kBest);
}

}  // namespace
}  // namespace chainshot
