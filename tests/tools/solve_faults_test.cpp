// A search goes on, and says so, if a file cannot be written or the system refuses a resource.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/program_run.hpp"
#include "tests/support/test_scale.hpp"

namespace chainshot {
namespace {

using nlohmann::json;

class SolveFaults : public ProgramTest {};

TEST_F(SolveFaults, AFullDiskLeavesALogOfWholeLines) {
  // ulimit counts in blocks of 512 bytes.
  const ProgramRun solved =
      shell("ulimit -f 3; chainshot solve standard-01 --preset anneal --time 2 --threads 1 --log run.jsonl --json");
  EXPECT_EQ(solved.exit_code, 1);
  EXPECT_EQ(json::parse(solved.out).at("boards").size(), 1u);
  EXPECT_NE(solved.err.find("chainshot: note: cannot write run.jsonl: File too large; some lines are lost"),
            std::string::npos)
      << solved.err;
  EXPECT_TRUE(solved.err.ends_with("chainshot: cannot write run.jsonl: File too large; some lines are lost\n"))
      << solved.err;
  std::istringstream lines(read("run.jsonl"));
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count)
    EXPECT_TRUE(json::accept(line)) << line;
  EXPECT_GE(count, 2);
  EXPECT_EQ(run("plot run.jsonl -o run.svg").exit_code, 0);
}

// Returns how to run a command in a process namespace of its own, where its process number is 1; empty if the system
// does not permit it.
std::string alone() {
  for (const std::string way : {"unshare --pid --fork ", "unshare --user --map-root-user --pid --fork "})
    if (std::system((way + "true 2>/dev/null").c_str()) == 0) return way;
  return "";
}

TEST_F(SolveFaults, ProgramsOfEqualProcessNumbersShareASolutionFile) {
  const std::string way = alone();
  if (way.empty()) GTEST_SKIP() << "unshare --pid is not permitted here";
  const ProgramRun solved = shell("for i in 1 2 3 4 5; do " + way +
                                  "'" CHAINSHOT_EXE
                                  "' solve standard-0$i standard-06 --preset anneal --playouts 3000 --threads 1 "
                                  "--seed $i --out best.txt --json >$i.json & done; wait; "
                                  "chainshot verify standard best.txt --json");
  EXPECT_EQ(solved.exit_code, 0) << solved.err;
  int best = 0;
  for (const char* name : {"1.json", "2.json", "3.json", "4.json", "5.json"})
    best = std::max(best, json::parse(read(name)).at("boards").at(1).at("score").get<int>());
  const json boards = json::parse(solved.out).at("boards");
  ASSERT_EQ(boards.size(), 6u);
  for (const json& board : boards) {
    if (board.at("board") != "standard-06") continue;
    EXPECT_EQ(board.at("score"), best);
  }
  EXPECT_EQ(shell("ls -A | grep -c tmp").out, "0\n");
}

// The file has one block of 512 bytes, and more is not allowed.
TEST_F(SolveFaults, AFullDiskLeavesTheSolutionFileAsItWas) {
  write("tiny.txt", "board pair\n00\n");
  const std::string before = "board pair\nmoves 0,0\n" + std::string(480, '#') + '\n';
  write("best.txt", before);
  const ProgramRun solved = shell(
      "ulimit -f 1; chainshot solve standard-01 tiny.txt --preset anneal --playouts 2000 --threads 1 --out best.txt");
  EXPECT_EQ(solved.exit_code, 1);
  EXPECT_TRUE(solved.err.ends_with("chainshot: cannot write best.txt: File too large\n")) << solved.err;
  EXPECT_NE(solved.out.find("\nboard standard-01\nscoring standard\nscore "), std::string::npos) << solved.out;
  EXPECT_EQ(read("best.txt"), before);
  EXPECT_EQ(shell("ls -A | grep -c tmp").out, "0\n");
}

TEST_F(SolveFaults, ADiskThatFillsUpKeepsTheSolutionFile) {
  if (shell("mkdir disk; unshare --user --map-root-user --mount mount -t tmpfs none disk").exit_code != 0)
    GTEST_SKIP() << "mounting a small disk is not permitted here";
  write("script",
        "mount -t tmpfs -o size=16k none disk || exit 9\n"
        "'" CHAINSHOT_EXE
        "' solve standard-02 --preset anneal --playouts 200 --threads 1 --out disk/best.txt >/dev/null || exit 8\n"
        "cp disk/best.txt before.txt; cat /dev/zero >disk/zeros 2>/dev/null\n"
        "'" CHAINSHOT_EXE
        "' solve standard-01 standard-02 --preset anneal --playouts 20000 --threads 1 --out disk/best.txt; code=$?\n"
        "cp disk/best.txt after.txt; ls -A disk >list; exit $code\n");
  const ProgramRun solved = shell("unshare --user --map-root-user --mount sh script");
  EXPECT_EQ(solved.exit_code, 1) << solved.err;
  EXPECT_TRUE(solved.err.ends_with("chainshot: cannot write disk/best.txt: No space left on device\n")) << solved.err;
  EXPECT_EQ(read("after.txt"), read("before.txt"));
  EXPECT_EQ(read("list"), ".best.txt.lock\nbest.txt\nzeros\n");
}

// The reader is gone when the progress line appears after two seconds.
TEST_F(SolveFaults, NobodyNeedsToReadTheProgress) {
  const ProgramRun solved = shell(
      "mkfifo progress; sleep 0.1 <progress & chainshot solve standard-01 --preset anneal --time 2.5 --threads 1 "
      "--json "
      "2>progress");
  EXPECT_EQ(solved.exit_code, 0);
  EXPECT_EQ(json::parse(solved.out).at("boards").size(), 1u);
}

TEST_F(SolveFaults, TheReaderOfTheAnswerEndsTheProgram) {
  std::signal(SIGPIPE, SIG_DFL);  // undoes what the parent process may have set
  EXPECT_EQ(shell("{ chainshot generate --count 100000; echo $? >status; } | head -n 1").exit_code, 0);
  EXPECT_EQ(read("status"), "141\n");  // 128 plus SIGPIPE
}

// The reader takes the first line of the table; the boards follow when it is gone.
TEST_F(SolveFaults, ASearchThatSavesItsLinesOutlivesTheReaderOfTheTable) {
  std::signal(SIGPIPE, SIG_DFL);
  const std::string solve =
      "chainshot solve standard-01 standard-02 standard-03 --preset anneal --time 0.3 --threads 1 ";
  EXPECT_EQ(shell("{ " + solve + "--out best.txt --log run.jsonl; echo $? >status; } | head -n 1").exit_code, 0);
  EXPECT_EQ(read("status"), "141\n");
  EXPECT_EQ(json::parse(run("verify standard best.txt --json").out).at("boards").size(), 3u);
  EXPECT_EQ(shell("grep -c '\"event\":\"end\"' run.jsonl").out, "3\n");
  // Without a file, nobody would see what the search finds.
  write("tiny.txt", "board tiny\n00\n");
  shell(
      "{ chainshot solve tiny.txt standard-01 tiny.txt --preset anneal --time 1 --threads 1; echo $? >status; } | head "
      "-n 1");
  EXPECT_EQ(read("status"), "141\n");
}

TEST_F(SolveFaults, SmallBoardsAreAnnealedWhereThereIsNoRoomForAProof) {
  if (tests::kSanitized) GTEST_SKIP() << "sanitizers need more address space than this leaves";
  ASSERT_EQ(shell("chainshot generate --size 5x4 --colors 3 --seed 1 >b.txt").exit_code, 0);
  // The limit, in KiB, is less than the search for a proof reserves.
  const ProgramRun solved = shell("ulimit -v 700000; chainshot solve b.txt --time 3 --threads 2 --json");
  EXPECT_EQ(solved.exit_code, 0) << solved.err;
  EXPECT_GT(json::parse(solved.out).at("boards").at(0).at("evaluations"), 0);
}

TEST_F(SolveFaults, AClosedInputIsNotAFolder) {
  EXPECT_EQ(shell("chainshot solve - <&-").err, "chainshot: cannot read standard input: Bad file descriptor\n");
}

}  // namespace
}  // namespace chainshot
