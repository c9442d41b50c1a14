// A search goes on, and says so, if a file cannot be written or the system refuses a resource.
#include <gtest/gtest.h>

#include <csignal>
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
