#include "host/record_engine.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "tests/host/scripted_engine.hpp"

namespace chainshot::host {
namespace {

using nlohmann::json;
using tests::batch_of;
using tests::result_with_best;
using tests::ScriptedEngine;

std::vector<json> lines_of(const std::ostringstream& log) {
  std::vector<json> lines;
  std::istringstream text(log.str());
  for (std::string line; std::getline(text, line);)
    lines.push_back(json::parse(line));
  return lines;
}

TEST(RecordEngine, LogsSizesAndTheOrderOfSubmissionAndCompletion) {
  std::ostringstream log;
  RecordEngine engine(std::make_unique<ScriptedEngine>("inner", std::vector{result_with_best(2), result_with_best(9)}),
                      log);
  const game::Ticket first = engine.submit(batch_of({10, 20}));
  const game::Ticket second = engine.submit(batch_of({5}));
  engine.wait(second);
  engine.wait(first);

  const std::vector<json> lines = lines_of(log);
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_EQ(lines[0]["version"], 1);
  EXPECT_EQ(lines[0]["event"], "open");
  EXPECT_EQ(lines[0]["engine"], "inner");
  EXPECT_EQ(lines[1]["event"], "submit");
  EXPECT_EQ(lines[1]["ticket"], first);
  EXPECT_EQ(lines[1]["order"], 0);
  EXPECT_EQ(lines[1]["requests"], 2);
  EXPECT_EQ(lines[1]["playouts"], 30);
  EXPECT_EQ(lines[2]["order"], 1);
  EXPECT_EQ(lines[2]["in_flight"], 2);
  EXPECT_EQ(lines[3]["event"], "complete");
  EXPECT_EQ(lines[3]["ticket"], second);
  EXPECT_EQ(lines[3]["order"], 0);
  EXPECT_EQ(lines[3]["in_flight"], 1);
  EXPECT_EQ(lines[4]["ticket"], first);
  EXPECT_EQ(lines[4]["best"], 9);
  EXPECT_EQ(lines[4]["in_flight"], 0);
}

TEST(RecordEngine, TimesNeverRunBackwards) {
  std::ostringstream log;
  RecordEngine engine(std::make_unique<ScriptedEngine>("inner"), log);
  for (int i = 0; i < 20; ++i)
    engine.run(batch_of({1}));
  std::int64_t last = 0;
  for (const json& line : lines_of(log)) {
    if (line["event"] == "open") continue;
    EXPECT_GE(line["at_us"].get<std::int64_t>(), last);
    last = line["at_us"];
    if (line["event"] == "complete") {
      EXPECT_GE(line["latency_us"].get<std::int64_t>(), 0);
    }
  }
}

TEST(RecordEngine, ABatchIsCompleteWhenAPollFirstSeesIt) {
  std::ostringstream log;
  auto inner = std::make_unique<ScriptedEngine>("inner");
  ScriptedEngine& scripted = *inner;
  RecordEngine engine(std::move(inner), log);
  const game::Ticket ticket = engine.submit(batch_of({1}));
  EXPECT_FALSE(engine.poll(ticket));
  scripted.done.insert(ticket);
  EXPECT_TRUE(engine.poll(ticket));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  engine.wait(ticket);
  engine.submit(batch_of({1}));
  const std::vector<json> lines = lines_of(log);
  ASSERT_EQ(lines.size(), 4u);
  // The next submission came after the wait, which came 20 ms after the poll; the log must show those.
  EXPECT_GE(lines[3]["at_us"].get<std::int64_t>() - lines[2]["at_us"].get<std::int64_t>(), 20'000);
}

TEST(RecordEngine, ErrorsAreLoggedAndHandedOn) {
  std::ostringstream log;
  auto inner = std::make_unique<ScriptedEngine>("inner");
  inner->error = "device lost";
  RecordEngine engine(std::move(inner), log);
  EXPECT_EQ(engine.run(batch_of({1})).error, "device lost");
  EXPECT_EQ(lines_of(log).back()["error"], "device lost");
  EXPECT_EQ(engine.wait(77).error, "no such ticket");
  EXPECT_EQ(lines_of(log).size(), 3u);
}

// An error may quote bytes of a driver's message.
TEST(RecordEngine, AnErrorThatIsNoUtf8IsLoggedWithReplacements) {
  std::ostringstream log;
  auto inner = std::make_unique<ScriptedEngine>("inner");
  inner->error = "bad \xff byte";
  RecordEngine engine(std::move(inner), log);
  EXPECT_EQ(engine.run(batch_of({1})).error, "bad \xff byte");
  EXPECT_EQ(lines_of(log).back()["error"], "bad \xEF\xBF\xBD byte");
}

// A result of no playouts has a best of 0, which would hide a best below it.
TEST(RecordEngine, ResultsWithoutPlayoutsHaveNoBest) {
  std::ostringstream log;
  RecordEngine engine(std::make_unique<ScriptedEngine>("inner", std::vector{result_with_best(-5), game::Result{}}),
                      log);
  engine.run(batch_of({1, 0}));
  EXPECT_EQ(lines_of(log).back()["best"], -5);
  RecordEngine idle(std::make_unique<ScriptedEngine>("inner"), log);
  idle.run(batch_of({0}));
  EXPECT_FALSE(lines_of(log).back().contains("best"));
}

TEST(RecordEngine, ItsUsageIsTheInnerEngines) {
  std::ostringstream log;
  auto inner = std::make_unique<ScriptedEngine>("inner");
  inner->busy_seconds = 1.5;
  RecordEngine engine(std::move(inner), log);
  engine.run(batch_of({10}));
  EXPECT_EQ(engine.usage().batches, 1u);
  EXPECT_EQ(engine.usage().playouts, 10u);
  EXPECT_EQ(engine.usage().busy_seconds, 1.5);
}

TEST(RecordEngine, ALogThatCannotBeWrittenDisturbsNothing) {
  std::ostringstream log;
  log.setstate(std::ios::badbit);
  RecordEngine engine(std::make_unique<ScriptedEngine>("inner", std::vector{result_with_best(2)}), log);
  const game::Outcome outcome = engine.run(batch_of({1}));
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.results.at(0).best, 2);
}

}  // namespace
}  // namespace chainshot::host
