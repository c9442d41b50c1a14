// The program under a real mpirun. Without one the tests are skipped, which tools/test.sh lists.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "host/archive/archive.hpp"
#include "tests/support/record_test.hpp"

namespace chainshot {
namespace {

class MpiTest : public RecordTest {
 protected:
  void SetUp() override {
    RecordTest::SetUp();
    if (std::system("command -v mpirun >/dev/null") != 0) GTEST_SKIP() << "there is no mpirun";
    if (!std::filesystem::exists(std::filesystem::path(CHAINSHOT_EXE).parent_path() / "chainshot_mpi.so"))
      GTEST_SKIP() << "this build has no MPI";
    // MPI itself is not built for sanitizers, and keeps memory until the end.
    ::setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
    ::setenv("TSAN_OPTIONS", "ignore_noninstrumented_modules=1", 1);
    ::setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    // mpirun kills ranks a second after it has passed on a signal, which is soon on a busy machine. It always waits.
    ::setenv("OMPI_MCA_odls_base_sigkill_timeout", "3", 1);
    ::setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  }

  static std::string ranks(int count, const std::string& arguments) {
    return "mpirun --oversubscribe -n " + std::to_string(count) + " '" CHAINSHOT_EXE "' " + arguments;
  }
  // Kills a rank as soon as the shell command `sign` succeeds.
  ProgramRun kill_rank(int rank, const std::string& sign, const std::string& command) const {
    return shell(command + " & launcher=$!; until " + sign +
                 "; do kill -0 $launcher 2>/dev/null || break; sleep 0.05; done; for p in $(pgrep -P $launcher); do "
                 "tr '\\0' '\\n' < /proc/$p/environ | grep -qx OMPI_COMM_WORLD_RANK=" +
                 std::to_string(rank) + " && kill -KILL $p; done; wait $launcher");
  }
  static nlohmann::json board_of(const ProgramRun& run) { return nlohmann::json::parse(run.out).at("boards").at(0); }
  static std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
      ++found;
    return found;
  }
};

TEST_F(MpiTest, SolvesInAllRanksAndPrintsOnce) {
  const ProgramRun run =
      shell(ranks(3, "solve standard-01 --preset nrpa --playouts 6000 --out out.txt --log run.jsonl"));
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(count(run.out, "standard-01:"), 1u) << run.out;
  EXPECT_NE(run.out.find("on 3 ranks"), std::string::npos) << run.out;
  EXPECT_EQ(count(read("out.txt"), "board standard-01"), 1u) << read("out.txt");
  EXPECT_EQ(count(read("run.jsonl"), R"("event":"run")"), 1u);
  EXPECT_NE(read("run.jsonl").find(R"("ranks":3)"), std::string::npos);
}

TEST_F(MpiTest, FindsTheSameAsOneProcessThatSearchesTheSameShares) {
  const std::string search = "solve standard-02 --preset anneal --playouts 60000 --deterministic --shares 4 --json";
  const ProgramRun alone = run(search), spread = shell(ranks(2, search));
  ASSERT_EQ(alone.exit_code, 0) << alone.err;
  ASSERT_EQ(spread.exit_code, 0) << spread.err;
  EXPECT_EQ(board_of(spread).at("moves"), board_of(alone).at("moves"));
  EXPECT_EQ(board_of(spread).at("evaluations"), board_of(alone).at("evaluations"));
}

TEST_F(MpiTest, SaysAMistakeOnce) {
  const ProgramRun run = shell(ranks(2, "solve no-such-board"));
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(count(run.err, "chainshot: "), 1u) << run.err;
}

TEST_F(MpiTest, EndsWithWhatItHasAfterSigterm) {
  const ProgramRun run = shell(ranks(2, "solve standard-01 --time 100 --out out.txt") +
                               " & until [ -s out.txt ]; do kill -0 $! 2>/dev/null || break; sleep 0.05; done; "
                               "kill -TERM $!; wait $!");
  EXPECT_NE(run.exit_code, 0);
  EXPECT_NE(run.out.find("standard-01:"), std::string::npos) << run.out << run.err;
  EXPECT_NE(read("out.txt").find("board standard-01"), std::string::npos);
}

TEST_F(MpiTest, EndsInOneSentenceIfARankIsKilled) {
  const auto started = std::chrono::steady_clock::now();
  const ProgramRun run = kill_rank(1, "[ -s out.txt ]", ranks(2, "solve standard-01 --time 100 --out out.txt"));
  EXPECT_NE(run.exit_code, 0);
  EXPECT_EQ(count(run.err, "chainshot: rank 1 "), 1u) << run.err;
  EXPECT_NE(read("out.txt").find("board standard-01"), std::string::npos);
  EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::seconds(60)) << "not the 100 s of the search";
}

TEST_F(MpiTest, GoesOnWithAnotherNumberOfRanks) {
  const std::string record = "record boards.txt --archive a.db --turn-time 1 --rounds 40";
  const ProgramRun killed =
      kill_rank(1, R"(sh -c "[ -s a.db ] && ')" CHAINSHOT_EXE R"(' archive list a.db 2>/dev/null | grep -q first")",
                ranks(2, record));
  EXPECT_NE(killed.exit_code, 0);
  EXPECT_EQ(shell("'" CHAINSHOT_EXE "' archive check a.db").exit_code, 0);
  const auto before = content("a.db");
  EXPECT_FALSE(before.empty());
  const ProgramRun resumed = shell(ranks(3, "record --archive a.db --resume --for 2"));
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_GE(content("a.db").size(), before.size());
}

}  // namespace
}  // namespace chainshot
