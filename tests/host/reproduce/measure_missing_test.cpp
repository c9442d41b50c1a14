#include "host/reproduce/reproduction.hpp"

#include <gtest/gtest.h>

#include "game/parse_error.hpp"
#include "host/reproduce/experiments.hpp"

namespace chainshot::host {
namespace {

constexpr std::array<Effort, 3> kThree = {{{3, 1}, {3, 1}, {3, 1}}};

PublishedTable small_table() {
  PublishedTable table{.name = "small"};
  table.rows = {
      {.name = "uct", .experiment = SearchExperiment{.preset = "uct", .budget = {.playouts = 40}}, .effort = kThree},
      {.name = "clearable", .experiment = SolvableExperiment{.rows = 2, .columns = 2}, .effort = kThree},
      {.name = "listed", .experiment = NotMeasured{}, .effort = kThree}};
  return table;
}

// The values of all samples in order of their keys and numbers.
std::vector<double> values(const SamplesByKey& samples) {
  std::vector<double> all;
  for (const auto& [key, list] : samples) {
    std::map<std::size_t, double> sorted;
    for (const Sample& sample : list)
      sorted[sample.index] = sample.value;
    for (const auto& [index, value] : sorted)
      all.push_back(value);
  }
  return all;
}

TEST(Reproduction, MeasuresEverySampleOfEveryMeasuredRow) {
  const PublishedTable table = small_table();
  SamplesByKey samples;
  EXPECT_TRUE(measure_missing({.tables = {&table}}, samples));
  EXPECT_EQ(samples_of(samples, table, table.rows[0], kThree[0]).size(), 3U);
  EXPECT_TRUE(samples_of(samples, table, table.rows[2], kThree[0]).empty());
  // Six of the 16 boards of 2x2 can be cleared: two of one colour, two of columns and two of rows of equal blocks.
  for (const Sample& sample : samples_of(samples, table, table.rows[1], kThree[0]))
    EXPECT_DOUBLE_EQ(sample.value, 37.5);
}

TEST(Reproduction, SamplesDoNotDependOnThreadsOrOnBeingBrokenOff) {
  const PublishedTable table = small_table();
  SamplesByKey whole;
  measure_missing({.tables = {&table}}, whole);
  SamplesByKey resumed;
  std::stop_source stop;
  int measured = 0;
  const auto stop_after_two = [&](const SampleKey&, const Sample&) {
    if (++measured == 2) stop.request_stop();
  };
  EXPECT_FALSE(measure_missing({.tables = {&table}, .stop = stop.get_token(), .measured = stop_after_two}, resumed));
  EXPECT_EQ(values(resumed).size(), 2U);
  int further = 0;
  const auto count = [&](const SampleKey&, const Sample&) { ++further; };
  EXPECT_TRUE(measure_missing({.tables = {&table}, .threads = 3, .measured = count}, resumed));
  EXPECT_EQ(further, 4);
  EXPECT_EQ(values(resumed), values(whole));
}

TEST(Reproduction, AnotherShareOfTheBudgetIsAnotherExperiment) {
  PublishedTable table = small_table();
  SamplesByKey samples;
  measure_missing({.tables = {&table}}, samples);
  EXPECT_TRUE(samples_of(samples, table, table.rows[0], {3, 0.5}).empty());
  EXPECT_EQ(samples_of(samples, table, table.rows[0], {2, 1}).size(), 2U);
}

TEST(Experiments, AShareOfABudgetIsOneOfEveryLimit) {
  const Budget budget = share_of({.seconds = 10, .playouts = 1000, .nodes = 3}, 0.1);
  EXPECT_DOUBLE_EQ(budget.seconds, 1);
  EXPECT_EQ(budget.playouts, 100U);
  EXPECT_EQ(budget.nodes, 1U);  // not none, which would mean no limit
  EXPECT_EQ(budget.resource_units, 0U);
}

TEST(Experiments, ACommandNamesAllThatDiffersFromThePreset) {
  const SearchExperiment experiment{
      .preset = "static",
      .settings = {{"c", 0.053}, {"node-exploration", true}, {"keep-tree", false}, {"in-flight", std::int64_t{1}}},
      .budget = {.resource_units = 640'000}};
  EXPECT_EQ(experiment.command(),
            "solve boards.txt --preset static --c 0.053 --node-exploration --no-keep-tree --in-flight 1 --ru 640000");
}

TEST(SampleFile, SamplesComeBackAsTheyWereWritten) {
  const SampleKey key{"schadd-1", "random", "solve boards.txt --preset \"x\"", 0.01};
  const Sample sample{7, 1234.5, 0.25};
  const SamplesByKey samples = parse_samples(sample_line(key, sample, "0.1.0"), "file");
  ASSERT_EQ(samples.size(), 1U);
  EXPECT_EQ(samples.begin()->first, key);
  ASSERT_EQ(samples.begin()->second.size(), 1U);
  EXPECT_EQ(samples.begin()->second[0].index, 7U);
  EXPECT_EQ(samples.begin()->second[0].value, 1234.5);
  EXPECT_EQ(samples.begin()->second[0].seconds, 0.25);
}

TEST(SampleFile, TheFirstOfTwoSamplesWithOneNumberCounts) {
  const SampleKey key{"t", "r", "e", 1};
  const SamplesByKey samples =
      parse_samples(sample_line(key, {0, 1, 0}, "p") + sample_line(key, {0, 2, 0}, "p"), "file");
  ASSERT_EQ(samples.at(key).size(), 1U);
  EXPECT_EQ(samples.at(key)[0].value, 1);
}

TEST(SampleFile, SkipsLinesThatWereCutOff) {
  const SampleKey key{"t", "r", "e", 1};
  const std::string line = sample_line(key, {0, 1, 0}, "p"), next = sample_line(key, {1, 2, 0}, "p");
  EXPECT_EQ(parse_samples(line + next.substr(0, 20), "file").at(key).size(), 1U);
  EXPECT_EQ(parse_samples(line.substr(0, 20) + '\n' + next, "file").at(key).size(), 1U);
}

TEST(SampleFile, NamesThePlaceOfWhatIsWrong) {
  const auto sentence = [](const std::string& text) -> std::string {
    try {
      parse_samples(text, "file");
    } catch (const game::ParseError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(sentence("\n{\"table\":1}\n"), "file:2:10: 'table': expected a text");
  EXPECT_EQ(sentence("{\"table\":\"t\"}\n"), "file:1:1: the sample has no 'row'");
  // A file of another kind, with and without a newline at its end.
  EXPECT_EQ(sentence("board a\n00\n"), "file:1:1: expected a sample, an object in braces");
  EXPECT_EQ(sentence("board"), "file:1:1: expected a sample, an object in braces");
}

}  // namespace
}  // namespace chainshot::host
