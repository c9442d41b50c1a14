// The contract of --out, --svg and --html: what they replace, what they keep, and that a bad path fails before the
// work.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "tests/support/program_run.hpp"

namespace chainshot {
namespace {

// Returns a shell command that runs the program beside a reader of `pipe`, which prints what it reads. The shell holds
// the pipe open, so it does not matter which of the two starts first.
std::string with_reader(const std::string& arguments) {
  return "exec 4<>pipe 5<pipe; timeout 60 cat <&5 4<&- 5<&- & timeout 60 '" CHAINSHOT_EXE "' " + arguments +
         " 4<&- 5<&-; exec 4<&- 5<&-; wait";
}

class OutputFile : public ProgramTest {
 protected:
  // 2^32 - 1 playouts take minutes, so an answer within the time limit came before the work.
  ProgramRun long_play(const std::string& arguments) const {
    return shell("timeout 20 '" CHAINSHOT_EXE "' play --playouts 4294967295 " + arguments);
  }
};

TEST_F(OutputFile, FollowsLinksAndKeepsThem) {
  write("target.txt", "old\n");
  std::filesystem::create_symlink("target.txt", path("link.txt"));
  std::filesystem::create_symlink("later.txt", path("dangling.txt"));
  EXPECT_EQ(run("generate --out link.txt").exit_code, 0);
  EXPECT_EQ(run("generate --out dangling.txt").exit_code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(path("link.txt")));
  EXPECT_TRUE(std::filesystem::is_symlink(path("dangling.txt")));
  EXPECT_EQ(read("target.txt"), run("generate").out);
  EXPECT_EQ(read("later.txt"), run("generate").out);
}

TEST_F(OutputFile, KeepsThePermissionsOfAFile) {
  write("secret.txt", "old\n");
  std::filesystem::permissions(path("secret.txt"), std::filesystem::perms(0600));
  EXPECT_EQ(run("generate --out secret.txt").exit_code, 0);
  EXPECT_EQ(std::filesystem::status(path("secret.txt")).permissions(), std::filesystem::perms(0600));
}

TEST_F(OutputFile, WritesIntoAPipeAndTheStandardOutput) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(shell(with_reader("generate --out pipe")).out, run("generate").out);
  EXPECT_TRUE(std::filesystem::is_fifo(path("pipe")));
  EXPECT_EQ(run("generate --out /dev/stdout").out, run("generate").out);
}

TEST_F(OutputFile, DoesNotWaitForTheReaderOfAPipe) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  for (const char* option : {"--out", "--log"}) {
    const ProgramRun solved =
        shell("timeout 20 '" CHAINSHOT_EXE "' solve standard-01 " + std::string(option) + " pipe");
    EXPECT_EQ(solved.exit_code, 2);
    EXPECT_EQ(solved.err, "chainshot: cannot write " + std::string(option) +
                              " pipe: nobody reads the pipe; start its reader first\n");
  }
  // The program writes the boards one after another, and the reader gets them all.
  write("boards.txt", "board first\n00\n\nboard second\n11\n");
  const std::string copy = shell(with_reader("solve boards.txt --out pipe >report.txt")).out;
  for (const char* board : {"first", "second"})
    EXPECT_NE(copy.find(board), std::string::npos) << copy;
}

TEST_F(OutputFile, ABadPathFailsBeforeTheWork) {
  EXPECT_EQ(long_play("standard-01 --out no/x.txt").err,
            "chainshot: cannot write --out no/x.txt: there is no folder no\n");
  EXPECT_EQ(long_play("standard-01 --svg .").err, "chainshot: cannot write --svg .: it is a folder; expected a file\n");
  EXPECT_EQ(long_play("standard-01 --out no/x.txt").exit_code, 2);
}

// The folder is removed while the program reads its board, which it does after checking the folder.
TEST_F(OutputFile, AnAnswerThatCannotBeSavedIsPrinted) {
  const ProgramRun played = shell("mkdir gone; mkfifo board; (exec 3>board; rmdir gone; cat '" CHAINSHOT_SOURCE_DIR
                                  "/data/standard20.txt' >&3) & timeout 60 '" CHAINSHOT_EXE
                                  "' play board:standard-01 --playouts 100 --threads 1 --out gone/x.txt");
  EXPECT_EQ(played.exit_code, 1);
  EXPECT_NE(played.out.find("standard-01"), std::string::npos);
  EXPECT_NE(played.err.find("cannot write gone/x.txt: No such file"), std::string::npos) << played.err;
}

TEST_F(OutputFile, NeverOverwritesWhatIsRead) {
  const std::string board = "board a\n00\n";
  write("io.txt", board);
  std::filesystem::create_symlink("io.txt", path("link.txt"));
  for (const char* line : {"chainshot play io.txt --out io.txt", "chainshot play io.txt:a --svg ./io.txt",
                           "chainshot show link.txt --html io.txt", "chainshot play - --out io.txt <io.txt"}) {
    EXPECT_EQ(shell(line).exit_code, 2) << line;
    EXPECT_EQ(read("io.txt"), board) << line;
  }
}

TEST_F(OutputFile, RefusesTwoAnswersInOneFile) {
  EXPECT_EQ(run("show standard-01 --svg same.x --html ./same.x").err,
            "chainshot: --svg and --html both write to ./same.x; expected two files\n");
  EXPECT_EQ(run("play standard-01 --playouts 9 --svg same.x --out same.x").exit_code, 2);
  EXPECT_FALSE(std::filesystem::exists(path("same.x")));
  for (const char* arguments : {"show standard-01 --json --svg -", "show standard-01 --json --html /dev/stdout",
                                "speedtest --sweep --quick --json --csv -"}) {
    EXPECT_EQ(run(arguments).exit_code, 2) << arguments;
    EXPECT_NE(run(arguments).err.find("where --json prints its answer; expected"), std::string::npos)
        << run(arguments).err;
  }
}

}  // namespace
}  // namespace chainshot
