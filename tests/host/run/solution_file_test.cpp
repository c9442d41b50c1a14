// A solution file is a collection that loses nothing: not to worse lines, not to other programs, not to kills.
#include "host/run/solution_file.hpp"

#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>
#include <thread>

#include "game/parse_error.hpp"
#include "game/solution_text.hpp"
#include "host/files/replace_file.hpp"
#include "host/files/shared_file.hpp"

namespace chainshot::host {
namespace {

namespace fs = std::filesystem;
using game::Cell;
using game::kStandardScoring;

// Ten pairs in one row, one pair of a colour at a time: k moves leave 10 - k pairs and score nothing until the last,
// which clears the board. Scoring `clickomania` counts blocks left: -20 + 2k.
const game::Scoring& counting() {
  static const game::Scoring scoring = *game::scoring_named("clickomania");
  return scoring;
}

game::NamedBoard ten_pairs(const std::string& name) {
  return game::parse_boards("board " + name + "\n00112233445566778899\n", "test").front();
}

// Removes the leftmost pair `moves` times.
BestLine line_of(int moves) {
  return {.score = -20 + 2 * moves,
          .moves = std::vector<Cell>(static_cast<std::size_t>(moves), Cell{0, 0}),
          .source = "test",
          .version = static_cast<std::uint64_t>(moves) + 1};
}

class SolutionFileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("solutions-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
    path = folder_ / "best.txt";
  }
  void TearDown() override { fs::remove_all(folder_); }

  SolutionFile open() const {
    return {path, counting(), [](const std::string& sentence) { ADD_FAILURE() << sentence; }};
  }
  void write(const std::string& text) const { std::ofstream(path, std::ios::binary) << text; }
  std::string content() const { return content_of(path); }
  // Returns the score of a board in the file; -1000 if it is not there.
  int score_of(const std::string& board) const {
    int best = -1000;
    const std::string text = content();
    if (text.empty()) return best;
    for (const game::Solution& solution : game::parse_solutions(text, path, game::Notation::kColumnRow, game::kMaxRows))
      if (solution.board == board) best = std::max(best, solution.score.value());
    return best;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_))
      names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }
  std::string complaint(const game::NamedBoard& board) const {
    try {
      expect_solutions_fit(path, {board}, counting());
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  }

  std::string path;

 private:
  fs::path folder_;
};

const std::vector<std::string> kOnlyFileAndLock = {".best.txt.lock", "best.txt"};

// Runs `work` in a process of its own.
pid_t start(const std::function<void()>& work) {
  const pid_t process = ::fork();
  if (process == 0) {
    work();
    ::_exit(testing::Test::HasFailure() ? 1 : 0);
  }
  return process;
}

int exit_of(pid_t process) {
  int status = 0;
  ::waitpid(process, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST_F(SolutionFileTest, OnlyABetterLineReplacesALine) {
  open().add(ten_pairs("a"), line_of(5));
  open().add(ten_pairs("a"), line_of(3));
  EXPECT_EQ(score_of("a"), -10);
  const std::string before = content();
  open().add(ten_pairs("a"), line_of(5));
  EXPECT_EQ(content(), before);
  open().add(ten_pairs("a"), line_of(7));
  EXPECT_EQ(score_of("a"), -6);
  open().add(ten_pairs("b"), line_of(1));
  EXPECT_EQ(score_of("a"), -6);
  EXPECT_EQ(score_of("b"), -18);
  EXPECT_EQ(names(), kOnlyFileAndLock);
}

TEST_F(SolutionFileTest, WhatTheRunDoesNotSearchStaysToTheByte) {
  const std::string head =
      "# my records\n\nboard other # found in May\n  score 12\nmoves 0,0\n 1,0 # and on\n# about a:\n\n";
  const std::string tail = "\n# the end\nboard last\nscoring total\nscore 3\nmoves 7,7";
  write(head + "board a\nscoring clickomania\nscore -18\nmoves 0,0 # first\n" + tail);
  open().add(ten_pairs("a"), line_of(2));
  const std::string a = "board a\nscoring clickomania\nscore -16\nmoves 0,0 0,0\n";
  EXPECT_EQ(content(), head + a + tail + '\n');
  open().add(ten_pairs("b"), line_of(1));
  EXPECT_EQ(content(), head + a + tail + "\nboard b\nscoring clickomania\nscore -18\nmoves 0,0\n");
}

TEST_F(SolutionFileTest, EveryScoringHasItsOwnLine) {
  write("board a\nscoring points\nscore 0\nmoves 0,0 0,0\n");
  open().add(ten_pairs("a"), line_of(1));
  EXPECT_EQ(content(),
            "board a\nscoring points\nscore 0\nmoves 0,0 0,0\nboard a\nscoring clickomania\nscore -18\nmoves 0,0\n");
}

TEST_F(SolutionFileTest, AnEmptyFileAndCommentsAreACollectionOfNothing) {
  for (const std::string text : {"", "\n", "# records", "\xEF\xBB\xBF"}) {
    write(text);
    EXPECT_EQ(complaint(ten_pairs("a")), "");
    open().add(ten_pairs("a"), line_of(1));
    EXPECT_EQ(score_of("a"), -18) << text;
  }
}

TEST_F(SolutionFileTest, RefusesAFileThatIsNoneOfItsBoards) {
  const auto refused = [&](const std::string& text, const std::string& sentence) {
    write(text);
    EXPECT_EQ(complaint(ten_pairs("a")), path + sentence);
    EXPECT_EQ(content(), text);
  };
  const std::string expected = " on board a as given; expected lines of that board, or another file";
  refused("# x\nboard a\nscoring clickomania\nscore -17\nmoves 0,0\n",
          ":2:7: this line scores -18, not -17" + expected);
  refused("board b\nmoves 0,0\nboard a\nmoves 0,0 19,0\n", ":3:7: move 2 of this line is illegal" + expected);
  refused("board a\n0011\n", ":2:1: '0011' is no move; expected COLUMN,ROW");
  refused("[]", ":1:1: solve adds no lines to JSON; expected a solution file of text, or a new file");
  write("board b\nscore 77\nmoves 9,9\n");  // not a board of this run
  EXPECT_EQ(complaint(ten_pairs("a")), "");
}

TEST_F(SolutionFileTest, AFileThatIsSpoiledDuringTheRunIsLeftAloneUntilItIsMended) {
  std::string notices;
  SolutionFile file(path, counting(), [&](const std::string& sentence) { notices += sentence; });
  write("board a\nmoves what\n");
  file.add(ten_pairs("a"), line_of(4));
  EXPECT_EQ(content(), "board a\nmoves what\n");
  EXPECT_NE(file.problem(), "");
  EXPECT_EQ(notices, file.problem() + "; the search goes on");
  fs::remove(path);
  file.add(ten_pairs("b"), line_of(2));
  EXPECT_EQ(file.problem(), "");
  EXPECT_EQ(score_of("a"), -12);
  EXPECT_EQ(score_of("b"), -16);
}

TEST_F(SolutionFileTest, OnlyItsOwnTemporaryFilesAreRemoved) {
  const auto beside = [&](const std::string& name) { return fs::path(path).parent_path() / name; };
  const std::string mark = unique_mark();
  EXPECT_TRUE(is_unique_mark(mark)) << mark;
  const std::vector<std::string> others = {".best.txt.x.tmp", ".best.txt.old." + mark + ".tmp",
                                           ".best." + mark + ".tmp", ".chainshot-" + mark + ".tmp",
                                           ".best.txt." + mark + ".tmp~"};
  for (const std::string& other : others)
    std::ofstream(beside(other)) << "x";
  std::ofstream(beside(".best.txt." + mark + ".tmp")) << "x";
  open().add(ten_pairs("a"), line_of(1));
  EXPECT_FALSE(fs::exists(beside(".best.txt." + mark + ".tmp")));
  for (const std::string& other : others)
    EXPECT_TRUE(fs::exists(beside(other))) << other;
}

TEST_F(SolutionFileTest, LongNamesAndLinksWork) {
  const fs::path folder = fs::path(path).parent_path();
  path = folder / (std::string(250, 'n') + ".txt");
  open().add(ten_pairs("a"), line_of(1));
  fs::create_symlink(path, folder / "link");
  path = folder / "link";
  open().add(ten_pairs("a"), line_of(2));
  EXPECT_TRUE(fs::is_symlink(path));
  EXPECT_EQ(score_of("a"), -16);
  EXPECT_EQ(names().size(), 3u);  // the file, its lock and the link
}

TEST_F(SolutionFileTest, AProgramThatHoldsTheLockDoesNotStopTheSearch) {
  SolutionFile file = open();
  {
    const auto held = SharedFile::lock(path, std::chrono::seconds(1));
    ASSERT_TRUE(held);
    file.keep(ten_pairs("a"), line_of(1));  // gives up soon and reports nothing
    EXPECT_EQ(file.problem(), "");
    EXPECT_FALSE(fs::exists(path));
  }
  file.keep(ten_pairs("a"), line_of(1));
  EXPECT_EQ(score_of("a"), -18);
}

// Every process has a board of its own and one that all of them improve.
TEST_F(SolutionFileTest, ManyProgramsLoseNothing) {
  constexpr int kProcesses = 6;
  std::vector<pid_t> processes;
  for (int p = 0; p < kProcesses; ++p)
    processes.push_back(start([&, p] {
      std::mt19937 random(static_cast<unsigned>(p));
      const std::string own = "own-" + std::to_string(p);
      for (int round = 0; round < 10; ++round) {
        SolutionFile file = open();  // a new run
        file.add(ten_pairs("shared"), line_of(static_cast<int>(random() % 9)));
        file.add(ten_pairs(own), line_of(round % 5));
        if (p == 3 && round == 4) file.add(ten_pairs("shared"), line_of(10));
      }
    }));
  for (const pid_t process : processes)
    EXPECT_EQ(exit_of(process), 0);
  EXPECT_EQ(score_of("shared"), 0);
  for (int p = 0; p < kProcesses; ++p)
    EXPECT_EQ(score_of("own-" + std::to_string(p)), -12);
  EXPECT_EQ(names(), kOnlyFileAndLock);
}

TEST_F(SolutionFileTest, KillsLeaveAWholeFileAndNothingElse) {
  std::mt19937 random(7);
  int before = -1000;
  for (int kill = 0; kill < 20; ++kill) {
    const pid_t process = start([&] {
      for (int moves = 0;; moves = (moves + 1) % 10) {
        open().add(ten_pairs("a"), line_of(moves));
        open().add(ten_pairs("b" + std::to_string(moves)), line_of(moves));
      }
    });
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 30'000));
    ::kill(process, SIGKILL);
    EXPECT_EQ(exit_of(process), 128 + SIGKILL);
    EXPECT_GE(score_of("a"), before);
    before = score_of("a");
    if (kill % 2 == 0 && kill < 16) {  // the next process has something to write again
      fs::remove(path);
      before = -1000;
    }
  }
  open().add(ten_pairs("a"), line_of(0));
  EXPECT_GE(score_of("a"), before);
  EXPECT_EQ(names(), kOnlyFileAndLock);
}

}  // namespace
}  // namespace chainshot::host
