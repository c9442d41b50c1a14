#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/support/record_test.hpp"

namespace chainshot {
namespace {

using nlohmann::json;

class RecordCommand : public RecordTest {
 protected:
  std::string complaint(const std::string& arguments) const {
    const ProgramRun failed = run("record " + arguments);
    EXPECT_EQ(failed.exit_code, 2) << arguments << failed.err;
    return failed.err;
  }
};

TEST_F(RecordCommand, KeepsEveryImprovementInTheArchive) {
  const ProgramRun done = run(counted("night.db") + " --json");
  ASSERT_EQ(done.exit_code, 0) << done.err;
  const json answer = json::parse(done.out);
  EXPECT_EQ(answer["version"], 1);
  EXPECT_EQ(answer["state"], "finished");
  EXPECT_EQ(answer["round"], 3);
  ASSERT_EQ(answer["boards"].size(), 2U);
  const host::Archive archive(path("night.db"), {});
  int sum = 0;
  for (const json& board : answer["boards"]) {
    EXPECT_EQ(board["before"], nullptr);
    int found = 0;
    for (const host::ArchivedBoard& archived : archive.boards()) {
      if (archived.name != board["board"].get<std::string>()) continue;
      EXPECT_EQ(archive.best(archived.id, "standard")->score, board["best"].get<int>());
      ++found;
    }
    EXPECT_EQ(found, 1);
    sum += board["best"].get<int>();
  }
  EXPECT_EQ(answer["sum"], sum);
  EXPECT_TRUE(archive.check().empty());
  const std::vector<host::ArchivedRun> runs = archive.runs();
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].state, "finished");
  for (const host::ArchivedTurn& turn : archive.turns(runs[0].id))
    EXPECT_TRUE(turn.ended);
}

TEST_F(RecordCommand, SaysHowItDividesTheTime) {
  const ProgramRun done = run(counted("night.db"));
  EXPECT_NE(done.err.find("30000 playouts in the first round, 2 times as long in each further round"),
            std::string::npos)
      << done.err;
  EXPECT_NE(done.err.find("2 boards are searched side by side on 2 threads"), std::string::npos);
}

// Two runs of the same command have the same lines, whatever the threads.
TEST_F(RecordCommand, RepeatsACountedRun) {
  ASSERT_EQ(run(counted("one.db")).exit_code, 0);
  ASSERT_EQ(run(counted("two.db") + " --side-by-side 1").exit_code, 0);
  EXPECT_EQ(content("one.db"), content("two.db"));
}

TEST_F(RecordCommand, AddsToTheArchiveWhenItIsStartedAgain) {
  ASSERT_EQ(run(counted("night.db", 1)).exit_code, 0);
  const std::vector<LineContent> first = content("night.db");
  const ProgramRun again = run(counted("night.db", 2) + " --json");
  ASSERT_EQ(again.exit_code, 0);
  const std::vector<LineContent> both = content("night.db");
  EXPECT_TRUE(std::includes(both.begin(), both.end(), first.begin(), first.end()));
  const json answer = json::parse(again.out);
  for (const json& board : answer["boards"])
    EXPECT_LE(board["before"].get<int>(), board["best"].get<int>());
  // Another run has another seed.
  const host::Archive archive(path("night.db"), {});
  const auto runs = archive.runs();
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_NE(archive.turns(runs[0].id)[0].seed, archive.turns(runs[1].id)[0].seed);
}

TEST_F(RecordCommand, ResumesWithoutAnyOtherOption) {
  const ProgramRun stopped =
      run_until("[ -s night.db ]",
                "record boards.txt --archive night.db --turn-playouts 100000000 --threads 2 --rounds 1", "INT");
  EXPECT_EQ(stopped.exit_code, 130) << stopped.err;
  EXPECT_NE(stopped.out.find("stopped: round 1"), std::string::npos) << stopped.out;
  {
    const host::Archive archive(path("night.db"), {});
    EXPECT_EQ(archive.runs()[0].state, "stopped");
  }
  const ProgramRun other = run("record boards.txt --archive night.db --resume --turn-playouts 5");
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_EQ(other.err,
            "chainshot: --resume goes on with the plan of the run, where --turn-playouts is 100000000; expected the "
            "same, or to leave out --turn-playouts\n");
  write("third.txt", "board third\n01\n10\n");
  EXPECT_NE(complaint("third.txt --archive night.db --resume").find("third is not among them"), std::string::npos);
  EXPECT_NE(complaint("boards.txt:first --archive night.db --resume").find("second is missing"), std::string::npos);
  const ProgramRun resumed =
      run_until("grep -q 'going on with run' .err", "record --archive night.db --resume --threads 2", "TERM");
  EXPECT_EQ(resumed.exit_code, 143) << resumed.err;
}

// Also by another name of the archive.
TEST_F(RecordCommand, RefusesToResumeARunThatIsGoingOn) {
  const ProgramRun both =
      shell("mkdir sub; ln -s ../night.db sub/link.db; '" CHAINSHOT_EXE
            "' record standard-01 standard-02 --archive night.db --for 1m --threads 1 2>first & "
            "until grep -qs 'beginning run' first; do sleep 0.05; done; "
            "chainshot record --archive sub/link.db --resume; code=$?; kill -INT $!; wait $!; exit $code");
  EXPECT_EQ(both.exit_code, 2);
  EXPECT_NE(
      both.err.find("of sub/link.db is still going on in another process; expected it to have ended, or no --resume"),
      std::string::npos)
      << both.err;
}

// Runs that start at the same moment must not do the same work.
TEST_F(RecordCommand, GivesRunsSeedsOfTheirOwn) {
  shell("for i in 1 2 3; do '" CHAINSHOT_EXE
        "' record standard-01 --archive night.db --rounds 1 --turn-playouts 2000 & done; wait");
  const host::Archive archive(path("night.db"), {});
  std::set<std::uint64_t> seeds;
  for (const host::ArchivedRun& each : archive.runs())
    seeds.insert(archive.turns(each.id).at(0).seed);
  EXPECT_EQ(seeds.size(), 3U);
}

// A counted turn that the end of the run cuts off is finished by the next part.
TEST_F(RecordCommand, FinishesACountedTurnThatWasCutOff) {
  const std::string turns = "record standard-01 --archive night.db --turn-playouts 3000000 --threads 1 --rounds 1";
  ASSERT_EQ(run(turns + " --for 1").exit_code, 0);
  EXPECT_FALSE(host::Archive(path("night.db"), {}).turns(1).at(0).ended);
  ASSERT_EQ(run("record --archive night.db --resume --rounds 1 --threads 1").exit_code, 0);
  const host::ArchivedTurn turn = host::Archive(path("night.db"), {}).turns(1).at(0);
  EXPECT_TRUE(turn.ended);
  EXPECT_GE(turn.spent.evaluations, 3'000'000U);
}

TEST_F(RecordCommand, GoesOnWithAFinishedRunOnlyIfItGetsMoreRounds) {
  ASSERT_EQ(run(counted("whole.db", 3)).exit_code, 0);
  ASSERT_EQ(run(counted("night.db", 2)).exit_code, 0);
  const std::vector<LineContent> before = content("night.db");
  const ProgramRun idle = run("record --archive night.db --resume");
  ASSERT_EQ(idle.exit_code, 0);
  EXPECT_NE(idle.err.find("the run has had its rounds"), std::string::npos) << idle.err;
  EXPECT_NE(idle.out.find("finished: round 2 of 2, 2 of 2 turns"), std::string::npos) << idle.out;
  EXPECT_EQ(content("night.db"), before);
  ASSERT_EQ(run("record --archive night.db --resume --rounds 3").exit_code, 0);
  EXPECT_EQ(content("night.db"), content("whole.db"));
}

TEST_F(RecordCommand, BeginsANewRunIfThereIsNoneToResume) {
  const ProgramRun done = run(counted("night.db", 1) + " --resume");
  EXPECT_EQ(done.exit_code, 0);
  EXPECT_NE(done.err.find("night.db has no run to go on with; this is a new one"), std::string::npos) << done.err;
}

// Boards of 42 blocks are proven in a moment, and then there is nothing to do.
TEST_F(RecordCommand, EndsWhenAllBoardsAreProven) {
  const ProgramRun done = run("record boards.txt --archive night.db --for 10m --threads 1 --json");
  ASSERT_EQ(done.exit_code, 0) << done.err;
  EXPECT_LT(json::parse(done.out)["seconds"].get<double>(), 300);
  const host::Archive archive(path("night.db"), {});
  for (const host::ArchivedTurn& turn : archive.turns(1))
    EXPECT_TRUE(turn.proven);
}

TEST_F(RecordCommand, EndsInTime) {
  const ProgramRun done =
      run("record standard-01 standard-02 --archive night.db --for 2 --turn-time 0.3 --threads 1 --json");
  ASSERT_EQ(done.exit_code, 0) << done.err;
  const json answer = json::parse(done.out);
  EXPECT_GE(answer["seconds"].get<double>(), 1.8);
  EXPECT_LT(answer["seconds"].get<double>(), 6);
  EXPECT_EQ(answer["state"], "finished");
}

// Budgets that are spent stay spent: a run of three seconds that is broken off after one has two left.
TEST_F(RecordCommand, SpendsItsTimeOnce) {
  run_until("grep -q 'beginning run' .err && sleep 1.5",
            "record standard-01 standard-02 --archive night.db --for 4 --turn-time 0.5 --threads 1", "KILL");
  const double spent = host::Archive(path("night.db"), {}).runs()[0].seconds;
  const ProgramRun resumed = run("record --archive night.db --resume --threads 1 --json");
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  const double seconds = json::parse(resumed.out)["seconds"].get<double>();
  EXPECT_GE(seconds, spent);
  EXPECT_GE(seconds, 3.8);
  EXPECT_LT(seconds, 8);
}

TEST_F(RecordCommand, StartsFromKnownLines) {
  ASSERT_EQ(run("solve standard-01 standard-02 --playouts 200000 --threads 1 --out best.txt").exit_code, 0);
  const ProgramRun done = run(counted("night.db", 1) + " --from best.txt --json");
  ASSERT_EQ(done.exit_code, 0) << done.err;
  const json answer = json::parse(done.out);
  for (const json& board : answer["boards"])
    EXPECT_TRUE(board["before"].is_number());
  const host::Archive archive(path("night.db"), {});
  EXPECT_EQ(archive.lines({})[0].origin.imported, "best.txt");
  EXPECT_FALSE(archive.turns(1)[0].starts.empty());
  write("wrong.txt", "board first\nscore 99999\nmoves 0,0\n");
  EXPECT_NE(complaint("boards.txt --archive other.db --rounds 1 --from wrong.txt").find("wrong.txt"),
            std::string::npos);
}

TEST_F(RecordCommand, RunsACommandForEveryRecord) {
  write("hook.sh", "#!/bin/sh\necho \"$1 $2\" >>hooked\ncp \"$3\" \"last-$1.txt\"\n");
  const ProgramRun done =
      shell("chmod +x hook.sh; chainshot " + counted("night.db", 2) + " --on-record ./hook.sh --json");
  ASSERT_EQ(done.exit_code, 0) << done.err;
  const json answer = json::parse(done.out);
  for (const json& board : answer["boards"]) {
    const std::string name = board["board"], score = std::to_string(board["best"].get<int>());
    EXPECT_NE(read("hooked").find(name + ' ' + score), std::string::npos) << read("hooked");
    EXPECT_EQ(run("verify " + name + " last-" + name + ".txt").exit_code, 0);
  }
}

TEST_F(RecordCommand, GoesOnIfTheCommandFails) {
  const ProgramRun done = run(counted("night.db", 1) + " --on-record false");
  EXPECT_EQ(done.exit_code, 0);
  EXPECT_NE(done.err.find("--on-record: the command returned 1 for"), std::string::npos) << done.err;
}

TEST_F(RecordCommand, PrintsAStatusLineOnRequest) {
  const ProgramRun done =
      shell("'" CHAINSHOT_EXE
            "' record standard-01 standard-02 --archive night.db --for 1m --threads 1 & "
            "until grep -q 'beginning run' .err; do sleep 0.05; done; kill -USR1 $!; "
            "until grep -q 'round 1, ' .err; do kill -0 $! || break; sleep 0.05; done; kill -XCPU $!; wait $!");
  EXPECT_EQ(done.exit_code, 128 + SIGXCPU);
  EXPECT_NE(done.err.find("round 1, 0 of 2 turns, sum "), std::string::npos) << done.err;
}

TEST_F(RecordCommand, LowersItsPriority) {
  const ProgramRun done = shell("'" CHAINSHOT_EXE
                                "' record standard-01 standard-02 --archive night.db --for 1m --threads 1 --nice & "
                                "until grep -q 'beginning run' .err; do sleep 0.05; done; "
                                "ps -o ni= -L -p $! | sort -u >nice; kill -INT $!; wait $!");
  EXPECT_EQ(std::stoi(read("nice")), 19) << read("nice");
}

TEST_F(RecordCommand, RefusesWhatItCannotDo) {
  EXPECT_NE(complaint("--archive a.db --resume").find("a.db"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(path("a.db")));
  EXPECT_NE(complaint("boards.txt --rounds 1").find("--archive is required"), std::string::npos);
  EXPECT_NE(complaint("boards.txt --archive a.db --until 25:00").find("--until 25:00: expected a time of the day"),
            std::string::npos);
  EXPECT_NE(complaint("boards.txt --archive a.db --until 2020-01-01T07:00").find("has passed"), std::string::npos);
  EXPECT_NE(complaint("boards.txt --archive a.db --preset nonsense").find("nonsense"), std::string::npos);
  write("text.db", "this is no archive, but a text that is longer than the head of a database would be\n");
  EXPECT_NE(complaint("boards.txt --archive text.db --rounds 1").find("text.db"), std::string::npos);
  EXPECT_EQ(read("text.db").substr(0, 18), "this is no archive");
}

}  // namespace
}  // namespace chainshot
