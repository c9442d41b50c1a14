// Faults of a night: the program says each of them in one sentence and survives it, and no line is lost.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/record_test.hpp"

namespace chainshot {
namespace {

using nlohmann::json;

class RecordFaults : public RecordTest {
 protected:
  static constexpr const char* kRetries = "; the search goes on, and the write is tried again every second";

  bool says(const ProgramRun& run, const std::string& text) const { return run.err.find(text) != std::string::npos; }
};

#ifdef CHAINSHOT_WRITE_FAULTS
// The disk is full for a while: the run waits with its writes, not with its search, and ends as if nothing happened.
TEST_F(RecordFaults, AFullDiskIsSurvived) {
  ASSERT_EQ(run(counted("whole.db")).exit_code, 0);
  const ProgramRun full = shell("LD_PRELOAD=" CHAINSHOT_WRITE_FAULTS
                                " WRITE_FAULTS_PATH=.db WRITE_FAULTS_REFUSE=120-124 '" CHAINSHOT_EXE "' " +
                                counted("night.db"));
  EXPECT_EQ(full.exit_code, 0) << full.err;
  EXPECT_TRUE(says(full, std::string("archive night.db: the disk is full") + kRetries)) << full.err;
  EXPECT_TRUE(says(full, "night.db can be written again")) << full.err;
  EXPECT_EQ(content("night.db"), content("whole.db"));
  EXPECT_EQ(run("archive check night.db").exit_code, 0);
}

// The disk stays full: the lines that the archive lacks are printed, and the run fails.
TEST_F(RecordFaults, LinesThatCannotBeSavedArePrinted) {
  const ProgramRun full = shell("LD_PRELOAD=" CHAINSHOT_WRITE_FAULTS
                                " WRITE_FAULTS_PATH=.db WRITE_FAULTS_REFUSE=120-999999 '" CHAINSHOT_EXE "' " +
                                counted("night.db"));
  EXPECT_EQ(full.exit_code, 1);
  EXPECT_TRUE(says(full, "; the lines that it lacks are printed above")) << full.err;
  const std::size_t first = full.out.find("board standard-0");
  ASSERT_NE(first, std::string::npos) << full.out;
  write("printed.txt", full.out.substr(first));
  const ProgramRun verified = run("verify standard printed.txt");
  EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
}
#endif

// A real full disk: a file system of 2 MB. It needs the rights to mount one.
TEST_F(RecordFaults, ASmallFileSystemIsSurvived) {
  if (shell("mkdir small && mount -t tmpfs -o size=2m tmpfs small").exit_code != 0)
    GTEST_SKIP() << "this user cannot mount a file system";
  const ProgramRun full = shell("head -c 2020000 /dev/zero >small/filler; chainshot " + counted("small/night.db"));
  const ProgramRun resumed = shell("rm -f small/filler; chainshot " + counted("small/night.db") + " --resume");
  const ProgramRun checked = run("archive check small/night.db");
  shell("cp small/night.db night.db; umount small");
  ASSERT_EQ(run(counted("whole.db")).exit_code, 0);
  EXPECT_EQ(full.exit_code, 1) << full.err;
  EXPECT_TRUE(says(full, "the disk is full")) << full.err;
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(checked.exit_code, 0) << checked.err;
  EXPECT_EQ(content("night.db"), content("whole.db"));
}

// Holds a lock of an archive for some seconds.
std::string hold(const std::string& archive, const std::string& lock, int seconds) {
  return "python3 -c \"import sqlite3, time; c = sqlite3.connect('" + archive +
         "', timeout=30, isolation_level=None); c.execute('BEGIN " + lock +
         "'); open('held', 'w').close(); time.sleep(" + std::to_string(seconds) + "); c.execute('COMMIT')\"";
}

// Another program holds the archive for longer than a write waits.
TEST_F(RecordFaults, ALockedArchiveIsSurvived) {
  ASSERT_EQ(run(counted("whole.db")).exit_code, 0);
  const ProgramRun done = shell("'" CHAINSHOT_EXE "' " + counted("night.db") +
                                " & until grep -qs 'beginning run' .err; do sleep 0.02; done; " +
                                hold("night.db", "IMMEDIATE", 6) + "; wait $!");
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_TRUE(says(done, std::string("night.db is locked by another program for more than 2 s") + kRetries))
      << done.err;
  EXPECT_TRUE(says(done, "night.db can be written again")) << done.err;
  EXPECT_EQ(content("night.db"), content("whole.db"));
}

// Without a write-ahead log, a program that writes also keeps others from reading.
TEST_F(RecordFaults, ALockedArchiveOnANetworkIsSurvived) {
  const ProgramRun done = shell("'" CHAINSHOT_EXE "' " + counted("night.db") +
                                " --network & until grep -qs 'beginning run' .err; do sleep 0.02; done; " +
                                hold("night.db", "EXCLUSIVE", 6) + "; wait $!");
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_EQ(run("archive check night.db").exit_code, 0);
}

// The archive stays locked until after the end of the run.
TEST_F(RecordFaults, AnArchiveThatIsLockedAtTheEndCostsNoLine) {
  const ProgramRun done = shell("'" CHAINSHOT_EXE
                                "' record standard-01 --archive night.db --for 4 --turn-time 1 --threads 1 --json"
                                " & until grep -qs 'beginning run' .err; do sleep 0.02; done; " +
                                hold("night.db", "IMMEDIATE", 40) + " & wait %1; code=$?; kill %2; exit $code");
  EXPECT_EQ(done.exit_code, 1) << done.err;
  EXPECT_TRUE(says(done, "the lines that it lacks are printed above")) << done.err;
  const json answer = json::parse(done.out);
  ASSERT_EQ(answer["unwritten"].size(), 1U) << done.out;
  write("unwritten.json", answer["unwritten"].dump());
  EXPECT_EQ(run("verify standard-01 unwritten.json").exit_code, 0);
}

TEST_F(RecordFaults, AnArchiveThatIsRemovedEndsTheRun) {
  const ProgramRun done =
      shell("'" CHAINSHOT_EXE
            "' record standard-01 --archive night.db --for 5m --turn-time 2 --threads 1"
            " & until grep -qs 'beginning run' .err; do sleep 0.02; done; sleep 1; rm night.db; wait $!");
  EXPECT_EQ(done.exit_code, 1);
  EXPECT_TRUE(says(done,
                   "archive night.db was removed or replaced while the run wrote to it; the lines that it lacks are "
                   "printed above"))
      << done.err;
  const std::size_t first = done.out.find("board standard-01\n");
  ASSERT_NE(first, std::string::npos) << done.out;
  write("printed.txt", done.out.substr(first));
  EXPECT_EQ(run("verify standard-01 printed.txt").exit_code, 0);
}

TEST_F(RecordFaults, ARunThatMakesNoSenseIsRefused) {
  ASSERT_EQ(run(counted("good.db", 2)).exit_code, 0);
  for (const char* change :
       {"UPDATE turns SET number = 100000000 WHERE number = 2",
        "UPDATE runs SET plan = json_set(plan, '$.before', json('[]'))",
        "UPDATE turns SET playouts = 0, seconds = 0 WHERE number = 1", "UPDATE runs SET plan = 'nonsense'",
        "UPDATE runs SET plan = '{}'", "UPDATE runs SET plan = json_set(plan, '$.elites', -5)"}) {
    shell("cp good.db bad.db; python3 -c \"import sqlite3; c = sqlite3.connect('bad.db'); c.execute(\\\"\\\"\\\"" +
          std::string(change) + "\\\"\\\"\\\"); c.commit()\"");
    const ProgramRun refused = run("record --archive bad.db --resume --rounds 3");
    EXPECT_EQ(refused.exit_code, 2) << change << refused.err;
    EXPECT_TRUE(says(refused, "archive bad.db is damaged")) << change << refused.err;
  }
}

TEST_F(RecordFaults, ACommandWithoutATemporaryFolderIsSaid) {
  const ProgramRun done =
      shell("TMPDIR=/nonexistent '" CHAINSHOT_EXE "' " + counted("night.db", 1) + " --on-record true");
  EXPECT_EQ(done.exit_code, 0);
  EXPECT_TRUE(says(done, "--on-record: the solution could not be written to a temporary file")) << done.err;
}

TEST_F(RecordFaults, AnArchiveInAReadOnlyFolderIsRefused) {
  if (::geteuid() == 0) {
    // Root may write everywhere, except on a file system that is read-only.
    if (shell("mkdir fixed && mount -t tmpfs -o ro tmpfs fixed").exit_code != 0)
      GTEST_SKIP() << "this user cannot mount a file system";
  } else {
    shell("mkdir fixed && chmod 555 fixed");
  }
  const ProgramRun refused = run(counted("fixed/night.db"));
  if (::geteuid() == 0) shell("umount fixed");
  EXPECT_NE(refused.exit_code, 0);
  EXPECT_TRUE(says(refused, "archive fixed/night.db")) << refused.err;
  EXPECT_EQ(std::count(refused.err.begin(), refused.err.end(), '\n'), 1) << refused.err;
}

TEST_F(RecordFaults, ADamagedArchiveIsRefusedAndLeftAsItIs) {
  ASSERT_EQ(run(counted("night.db")).exit_code, 0);
  std::string bytes = read("night.db");
  bytes.replace(4096, 2000, std::string(2000, '\x5a'));
  write("night.db", bytes);
  const ProgramRun refused = run(counted("night.db"));
  EXPECT_EQ(refused.exit_code, 2) << refused.err;
  EXPECT_TRUE(says(refused, "night.db")) << refused.err;
  EXPECT_EQ(read("night.db").substr(4096, 2000), std::string(2000, '\x5a'));
}

#ifdef CHAINSHOT_WRITE_FAULTS
// A program with sanitizers cannot be given another clock.
class RecordClock : public RecordFaults {
 protected:
  // Runs for five seconds; after two of them the clock of the system is set by `jump`, and the steady clock is not.
  ProgramRun jumping(const std::string& jump, const std::string& end) const {
    return shell(
        "echo +0 >clock; LD_PRELOAD=/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1 "
        "FAKETIME_TIMESTAMP_FILE=clock FAKETIME_NO_CACHE=1 FAKETIME_DONT_FAKE_MONOTONIC=1 FAKETIME_DISABLE_SHM=1 "
        "'" CHAINSHOT_EXE "' record standard-01 --archive night.db --turn-time 1 --threads 1 --json " +
        end + " & until grep -qs 'beginning run' .err; do sleep 0.05; done; sleep 2; echo " + jump +
        " >clock; wait $!");
  }
  void SetUp() override {
    RecordFaults::SetUp();
    if (!std::filesystem::exists("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"))
      GTEST_SKIP() << "libfaketime is not installed";
  }
};

TEST_F(RecordClock, ForwardsDoesNotShortenARun) {
  const ProgramRun done = jumping("+1d", "--for 5");
  ASSERT_EQ(done.exit_code, 0) << done.err;
  EXPECT_TRUE(says(done, "the clock was set forwards by 86")) << done.err;
  EXPECT_TRUE(says(done, "the length of the run stays as it was"));
  EXPECT_GE(json::parse(done.out)["seconds"].get<double>(), 4.8);
}

TEST_F(RecordClock, BackDoesNotLengthenARun) {
  const ProgramRun done = jumping("-1d", "--for 5");
  ASSERT_EQ(done.exit_code, 0) << done.err;
  EXPECT_TRUE(says(done, "the clock was set back by 86")) << done.err;
  EXPECT_LT(json::parse(done.out)["seconds"].get<double>(), 60);
  EXPECT_EQ(run("archive check night.db").exit_code, 0);
}

TEST_F(RecordClock, EndsARunUntilATimeOfDay) {
  const ProgramRun done = jumping("+2d", "--until 23:59");
  ASSERT_EQ(done.exit_code, 0) << done.err;
  EXPECT_TRUE(says(done, "the end of the run follows the clock")) << done.err;
  EXPECT_LT(json::parse(done.out)["seconds"].get<double>(), 60);
}
#endif

}  // namespace
}  // namespace chainshot
