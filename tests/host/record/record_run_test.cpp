#include "host/record/record_run.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "game/generate.hpp"
#include "game/reference.hpp"
#include "host/record/archive_writer.hpp"
#include "tests/support/random_boards.hpp"

namespace chainshot::host {
namespace {

using namespace std::chrono_literals;

class RecordRunTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) / ("chainshot-record-run-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::unique_ptr<Archive> open(const std::string& name) const {
    return std::make_unique<Archive>(folder_ / name, ArchiveOptions{.access = ArchiveOptions::Access::kCreate});
  }

  static RecordPlan plan(int boards, int side_by_side, int rounds) {
    RecordPlan plan;
    const auto [kind, preset] = find_preset("anneal");
    plan.search.preset = "anneal";
    plan.search.kind = kind;
    plan.search.settings = preset->settings;
    plan.search.common.deterministic = true;
    plan.search.choice.threads = side_by_side;
    plan.search.budget.playouts = 1;
    tests::Dice dice(7);
    for (int i = 0; i < boards; ++i)
      plan.boards.push_back({{"board-" + std::to_string(i), tests::full_board(dice, {8, 8, 4})}, std::nullopt});
    plan.budgets.first_playouts = 3000;
    plan.rounds = rounds;
    plan.side_by_side = side_by_side;
    plan.seed = 5;
    return plan;
  }

  static std::string run(RecordRun& run, std::stop_token stop = {}) {
    return run.run([] {}, stop);
  }

  std::filesystem::path folder_;
  const std::string plan_text_ = R"({"scoring": "standard"})";
};

std::set<std::tuple<std::int64_t, int, std::string>> lines_of(const Archive& archive) {
  std::set<std::tuple<std::int64_t, int, std::string>> lines;
  for (const ArchivedLine& line : archive.lines({.only_improvements = false})) {
    std::string moves;
    for (const game::Cell cell : line.moves)
      moves += std::to_string(cell.column) + ',' + std::to_string(cell.row) + ' ';
    lines.emplace(line.board, line.score, moves);
  }
  return lines;
}

TEST_F(RecordRunTest, FindsTheSameLinesSideBySideAsOneAfterAnother) {
  const auto one = open("one.db"), three = open("three.db");
  RecordRun first(plan(4, 1, 3), {}, plan_text_, *one, {}, [](const std::string&) {});
  EXPECT_EQ(run(first), "");
  RecordRun second(plan(4, 3, 3), {}, plan_text_, *three, {}, [](const std::string&) {});
  EXPECT_EQ(run(second), "");
  EXPECT_EQ(lines_of(*one), lines_of(*three));
  EXPECT_TRUE(three->check().empty());
}

TEST_F(RecordRunTest, TellsOfEveryRecordOnceItIsInTheArchive) {
  const auto archive = open("night.db");
  std::mutex mutex;
  std::map<std::string, int> last;
  bool was_there = true;
  const auto recorded = [&](const game::NamedBoard& board, const FoundLine& line) {
    const std::lock_guard lock(mutex);
    const auto best = archive->best(*archive->find_board(board.position), "standard");
    was_there = was_there && best && best->score >= line.score && line.score > last[board.name];
    last[board.name] = line.score;
  };
  RecordRun night(
      plan(3, 2, 2), {}, plan_text_, *archive, {}, [](const std::string&) {}, recorded);
  EXPECT_EQ(run(night), "");
  EXPECT_TRUE(was_there);
  for (const RecordedBoard& board : night.status().boards) {
    EXPECT_EQ(last.at(board.name), *board.best);
    EXPECT_EQ(archive->best(board.id, "standard")->score, *board.best);
  }
}

TEST_F(RecordRunTest, StopsAndGoesOn) {
  const auto whole = open("whole.db"), broken = open("broken.db");
  RecordRun unbroken(plan(4, 2, 4), {}, plan_text_, *whole, {}, [](const std::string&) {});
  EXPECT_EQ(run(unbroken), "");
  std::optional<std::int64_t> id;
  for (int part = 0; part < 50; ++part) {
    RecordRun night(plan(4, 2, 4), {}, plan_text_, *broken, id, [](const std::string&) {});
    id = night.id();
    std::stop_source stop;
    std::jthread stopper([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(3 + part));
      stop.request_stop();
    });
    EXPECT_EQ(run(night, stop.get_token()), "");
    if (broken->run(*id).state == "finished") break;
  }
  RecordRun rest(plan(4, 2, 4), {}, plan_text_, *broken, id, [](const std::string&) {});
  EXPECT_EQ(run(rest), "");
  EXPECT_EQ(broken->run(*id).state, "finished");
  EXPECT_EQ(lines_of(*broken), lines_of(*whole));
}

// The status may be read while workers and the writer are busy.
TEST_F(RecordRunTest, CanBeWatchedFromAnotherThread) {
  const auto archive = open("night.db");
  RecordRun night(plan(4, 2, 3), {}, plan_text_, *archive, {}, [](const std::string&) {});
  std::atomic<bool> ends = false;
  std::jthread watcher([&] {
    while (!ends)
      for (const RunningTurn& turn : night.status().turns)
        EXPECT_LT(turn.board, 4U);
  });
  EXPECT_EQ(run(night), "");
  ends = true;
  EXPECT_EQ(night.status().state, "finished");
}

TEST(ArchiveWriterTest, TriesAgainAndHandsBackWhatItCouldNotWrite) {
  const std::filesystem::path file =
      std::filesystem::path(::testing::TempDir()) / ("chainshot-writer-" + std::to_string(::getpid()) + ".db");
  Archive archive(file, {.access = ArchiveOptions::Access::kCreate});
  std::vector<std::string> notices;
  std::vector<int> order;
  {
    ArchiveWriter writer(archive, [&](const std::string& sentence) { notices.push_back(sentence); });
    std::atomic<int> failures = 1;
    writer.push({.apply = [&](Archive&) {
      if (failures-- > 0) throw ArchiveError("the disk is full", false);
      order.push_back(1);
    }});
    writer.push({.apply = [&](Archive&) { order.push_back(2); }});
    EXPECT_TRUE(writer.drain(30s));
    EXPECT_EQ(writer.problem(), "");
    NewLine lost;
    lost.score = 77;
    writer.push({.apply = [](Archive&) { throw ArchiveError("the disk is full", false); }, .lines = {lost}});
    EXPECT_FALSE(writer.drain(50ms));
    ASSERT_EQ(writer.unwritten().size(), 1U);
    EXPECT_EQ(writer.unwritten()[0].score, 77);
    EXPECT_EQ(writer.problem(), "the disk is full");
  }
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
  ASSERT_EQ(notices.size(), 3U);
  EXPECT_EQ(notices[0], "the disk is full; the search goes on, and the write is tried again every second");
  EXPECT_EQ(notices[1], file.string() + " can be written again");
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace chainshot::host
