// Numbers, times and sizes as people write them.
#include "tools/options/number_argument.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/program_run.hpp"

namespace chainshot::tools {
namespace {

// What a validator makes of a text, or its complaint after a question mark.
std::string made_by(const CLI::Validator& validator, std::string text) {
  const std::string complaint = validator(text);
  return complaint.empty() ? text : '?' + complaint;
}

TEST(CountArgument, TakesLettersAndExponents) {
  EXPECT_EQ(count_in("0"), 0u);
  EXPECT_EQ(count_in("007"), 7u);
  EXPECT_EQ(count_in("2k"), 2'000u);
  EXPECT_EQ(count_in("2K"), 2'000u);
  EXPECT_EQ(count_in("10M"), 10'000'000u);
  EXPECT_EQ(count_in("1.5M"), 1'500'000u);
  EXPECT_EQ(count_in("1.1k"), 1'100u);
  EXPECT_EQ(count_in("3G"), 3'000'000'000u);
  EXPECT_EQ(count_in("1T"), 1'000'000'000'000u);
  EXPECT_EQ(count_in("1e6"), 1'000'000u);
  EXPECT_EQ(count_in("1.25E+2"), 125u);
  EXPECT_EQ(count_in("500e-2"), 5u);
  EXPECT_EQ(count_in("2.000"), 2u);
}

TEST(CountArgument, RefusesFractionsAndWhatIsNoNumber) {
  for (const char* text : {"1.5", "1e-1", "1.0005k", "", "k", "-1", "+1", "1.", ".5", "1e", "1kk", "1m", "1 000",
                           "0x10", "1e999", "inf", "1,000", "1e5k"})
    EXPECT_EQ(count_in(text), std::nullopt) << text;
}

TEST(CountArgument, IsExactUpToTheLastNumberOf64Bits) {
  EXPECT_EQ(count_in("18446744073709551615"), 18446744073709551615u);
  EXPECT_EQ(count_in("18446744073709551.615k"), 18446744073709551615u);
  EXPECT_EQ(count_in("18446744073709551616"), std::nullopt);
  EXPECT_EQ(count_in("18446744073710M"), std::nullopt);
  EXPECT_EQ(count_in("1e20"), std::nullopt);
  EXPECT_EQ(count_in("0e99"), 0u);
}

TEST(CountArgument, NamesTheLimits) {
  EXPECT_EQ(made_by(whole_number(1, 2'000'000), "2M"), "2000000");
  EXPECT_EQ(made_by(whole_number(1, 2'000'000), "2.000001M"), "?'2.000001M' is not a whole number from 1 to 2000000");
  EXPECT_EQ(made_by(whole_number(1, 9), "0"), "?'0' is not a whole number from 1 to 9");
  EXPECT_EQ(made_by(whole_number(0, 19), "010"), "10");
}

TEST(RealArgument, TakesLettersAndExponents) {
  EXPECT_EQ(made_by(real_number(0, 1e9), "0.25"), "0.25");
  EXPECT_EQ(made_by(real_number(0, 1e9), "5e-2"), "0.05");
  EXPECT_EQ(made_by(real_number(0, 1e9), "1.5k"), "1500");
  EXPECT_EQ(made_by(real_number(0, 1), "1k"), "?'1k' is not a number from 0 to 1");
  for (const char* text : {"", "x", "1x", "inf", "nan", "1e999"})
    EXPECT_EQ(made_by(real_number(0, 10), text), "?'" + std::string(text) + "' is not a number from 0 to 10");
}

TEST(SizeArgument, HasBinaryAndDecimalUnits) {
  EXPECT_EQ(made_by(memory_size(), "1048576"), "1048576");
  EXPECT_EQ(made_by(memory_size(), "1e6"), "1000000");
  EXPECT_EQ(made_by(memory_size(), "512K"), "524288");
  EXPECT_EQ(made_by(memory_size(), "4G"), "4294967296");
  EXPECT_EQ(made_by(memory_size(), "4g"), "4294967296");
  EXPECT_EQ(made_by(memory_size(), "4GiB"), "4294967296");
  EXPECT_EQ(made_by(memory_size(), "512MB"), "512000000");
  EXPECT_EQ(made_by(memory_size(), "1.5T"), "1649267441664");
  EXPECT_EQ(made_by(memory_size(), "100B"), "100");
}

TEST(SizeArgument, RefusesWhatIsNoSizeOrTooLittle) {
  for (const char* text : {"0", "-1", "0.5", "G", "4X", "4GX", "4iB", "4GBi", "99999999999G", "nan"})
    EXPECT_EQ(made_by(memory_size(), text),
              "?'" + std::string(text) +
                  "' is not a memory size; expected bytes, or a number with a unit: 512M, 4G, 4GiB, 500MB");
  EXPECT_EQ(made_by(memory_size(1024), "1MB"), "?'1MB' is too little memory; expected at least 1024K");
  EXPECT_EQ(made_by(memory_size(1024), "1MiB"), "1048576");
}

TEST(TimeArgument, AddsItsUnits) {
  EXPECT_EQ(seconds_in("90"), 90);
  EXPECT_EQ(seconds_in("1e3"), 1000);
  EXPECT_EQ(seconds_in("90s"), 90);
  EXPECT_EQ(seconds_in("1m30s"), 90);
  EXPECT_EQ(seconds_in("1.5m"), 90);
  EXPECT_EQ(seconds_in("1h30m"), 5'400);
  EXPECT_EQ(seconds_in("5d"), 432'000);
  EXPECT_EQ(seconds_in("1w1d1h1m1s"), 604'800 + 86'400 + 3'600 + 60 + 1);
  EXPECT_EQ(seconds_in("500ms"), 0.5);
}

TEST(TimeArgument, RefusesUnitsThatRepeatOrGrowOrAreMissing) {
  for (const char* text : {"", "s", "5x", "1h30", "30s1m", "1m1m", "1h-5m", "1h 5m", "1m30s5", "inf", "-"})
    EXPECT_EQ(seconds_in(text), std::nullopt) << text;
  for (const char* text : {"0", "-1", "0s", "367d", "1e9"})
    EXPECT_EQ(made_by(time_span(), text),
              "?'" + std::string(text) +
                  "' is not a time; expected seconds, or numbers with d, h, m or s, up to a year: 90, 2m, 1h30m, 5d");
  EXPECT_EQ(made_by(time_span(), "366d"), "31622400");
}

// 1,000 playouts however they are written, and 1.5 of them not at all.
TEST_F(ProgramTest, OptionsTakeNumbersAsPeopleWriteThem) {
  const std::string play = "play standard-01 --engine cpu --json --playouts ";
  for (const char* number : {"1000", "1k", "1e3", "0.001M"})
    EXPECT_NE(run(play + number).out.find("\"playouts\": 1000,"), std::string::npos) << number;
  EXPECT_EQ(run(play + "1.5").err,
            "chainshot: --playouts: '1.5' is not a whole number from 1 to 4294967295; see chainshot play --help\n");
  EXPECT_NE(run("solve standard-01 --time 0m0.01s --seed 1e6 --memory 64MB --json").out.find("\"seed\": 1000000,"),
            std::string::npos);
  EXPECT_EQ(run("play standard-01 --engine cpu --json --key 1.2k").out,
            run("play standard-01 --engine cpu --json --key 0:0:1200").out);
  EXPECT_EQ(run("generate --count 0.002k --colors 3 --seed 1").out, run("generate --count 2 --colors 3 --seed 1").out);
}

}  // namespace
}  // namespace chainshot::tools
