// A record run that is killed loses nothing that was committed, and --resume ends with the archive of the unbroken run.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/support/record_test.hpp"

namespace chainshot {
namespace {

class RecordKill : public RecordTest {
 protected:
  void SetUp() override {
    RecordTest::SetUp();
    ASSERT_EQ(run(counted("whole.db")).exit_code, 0);
    whole_ = content("whole.db");
    ASSERT_GT(whole_.size(), 20U);
  }

  // Lines that are in the archive of a killed run, which may not have come to make one.
  std::vector<LineContent> saved(const std::string& archive) const {
    const ProgramRun checked = run("archive check " + archive);
    if (read(archive).empty()) return {};
    EXPECT_EQ(checked.exit_code, 0) << checked.out << checked.err;
    return content(archive);
  }

  void expect_nothing_is_lost(const std::string& archive, const std::string& how) const {
    const std::vector<LineContent> before = saved(archive);
    EXPECT_TRUE(std::includes(whole_.begin(), whole_.end(), before.begin(), before.end())) << how;
    const ProgramRun resumed = run(counted(archive) + " --resume");
    ASSERT_EQ(resumed.exit_code, 0) << how << resumed.err;
    EXPECT_EQ(content(archive), whole_) << how;
    const ProgramRun checked = run("archive check " + archive);
    EXPECT_EQ(checked.exit_code, 0) << how << checked.out;
  }

  std::vector<LineContent> whole_;
  std::mt19937 random_{20261118};
};

#ifdef CHAINSHOT_WRITE_FAULTS
TEST_F(RecordKill, DuringAWrite) {
  const std::string preload = "LD_PRELOAD=" CHAINSHOT_WRITE_FAULTS " WRITE_FAULTS_PATH=.db ";
  ASSERT_EQ(shell(preload + "WRITE_FAULTS_COUNT=count '" CHAINSHOT_EXE "' " + counted("count.db")).exit_code, 0);
  const int writes = std::stoi(read("count"));
  ASSERT_GT(writes, 100);
  int killed = 0;
  for (int i = 0; i < 40; ++i) {
    const int at = std::uniform_int_distribution(1, writes)(random_);
    const std::string archive = "kill-" + std::to_string(i) + ".db";
    const std::string how =
        "WRITE_FAULTS_KILL_AT=" + std::to_string(at) + " WRITE_FAULTS_HALF=" + std::to_string(i % 2) + ' ';
    killed += shell(preload + how + "'" CHAINSHOT_EXE "' " + counted(archive)).exit_code == 128 + SIGKILL ? 1 : 0;
    expect_nothing_is_lost(archive, how);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(killed, 30);  // the number of writes varies by the seconds that pass
}
#endif

TEST_F(RecordKill, AtAnyTime) {
  const ProgramRun timed = shell("start=$(date +%s%N); chainshot " + counted("time.db") +
                                 " 2>/dev/null; echo $((($(date +%s%N) - start) / 1000000)) >milliseconds");
  ASSERT_EQ(timed.exit_code, 0);
  const int milliseconds = std::stoi(read("milliseconds"));
  for (int i = 0; i < 10; ++i) {
    const int after = std::uniform_int_distribution(1, milliseconds)(random_);
    const std::string archive = "kill-" + std::to_string(i) + ".db";
    const std::string seconds = std::to_string(after / 1000.0);
    shell("timeout --foreground -s KILL " + seconds + " '" CHAINSHOT_EXE "' " + counted(archive));
    expect_nothing_is_lost(archive, "after " + seconds + " s");
    if (HasFatalFailure()) return;
  }
}

// Killed again and again, a run still comes to its end.
TEST_F(RecordKill, ManyTimesInARow) {
  for (int i = 0; i < 8; ++i)
    shell("timeout --foreground -s KILL 0." + std::to_string(1 + i % 4) + " '" CHAINSHOT_EXE "' " +
          counted("again.db") + (i > 0 ? " --resume" : ""));
  expect_nothing_is_lost("again.db", "many times");
}

}  // namespace
}  // namespace chainshot
