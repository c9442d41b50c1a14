// `chainshot archive` reads, compares, exports and fills archives. It believes no line that does not replay, names what
// it refuses, and changes nothing when its input is wrong.
#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "game/board_text.hpp"
#include "tests/support/archive_scene.hpp"
#include "tests/support/program_run.hpp"

namespace chainshot {
namespace {

using host::Archive;
using nlohmann::json;
using Access = host::ArchiveOptions::Access;

// Two pairs: either order clears the board, 0 + 0 + 1000 points. One pair alone leaves two blocks: -(2-2)^2 = 0.
const std::string kPairs = "board pairs\n00\n11\n";
const std::string kPair = "board pairs\nscoring standard\nscore 0\nmoves 0,0\n";
const std::string kBoth = "board pairs\nscoring standard\nscore 1000\nmoves 0,0 0,0\n";

class ArchiveCommand : public ProgramTest {
 protected:
  // Two improvements of `pairs` (ids 1 and 2), a day apart, and one line of standard-01 that is kept as a start.
  void make(const std::string& name) const {
    Archive archive(path(name), {.access = Access::kCreate});
    const game::NamedBoard board = game::parse_boards(kPairs, "pairs").front();
    const std::int64_t id = archive.board_id(board);
    host::NewLine first = tests::line_of(id, board.position, {{0, 0}});
    first.origin = {"2026-11-17T07:00:00.000Z", "anneal", "auto", R"({"steps":60})", "7", "cpu", "", "box", "1.2", ""};
    host::NewLine second = tests::line_of(id, board.position, {{0, 0}, {0, 0}});
    second.origin = first.origin;
    second.origin.found = "2026-11-18T07:00:00.123Z";
    second.origin.seed = "8";
    archive.add({first, second});
  }
  json answer(const std::string& arguments, int exit_code = 0) const {
    const ProgramRun ran = run("archive " + arguments);
    EXPECT_EQ(ran.exit_code, exit_code) << ran.err;
    return json::parse(ran.out);
  }
  // Runs in a fixed time zone, two hours east of Greenwich.
  ProgramRun in_zone(const std::string& arguments) const {
    return shell("export TZ=UTC-2; chainshot archive " + arguments);
  }
};

TEST_F(ArchiveCommand, EveryCommandHasHelpWithExamplesIn80Columns) {
  for (const std::string command : {"list", "show", "best", "diff", "export", "import", "merge", "check"}) {
    const ProgramRun help = run("archive " + command + " --help");
    EXPECT_EQ(help.exit_code, 0) << command;
    EXPECT_NE(help.out.find("Usage: chainshot archive " + command), std::string::npos) << help.out;
    EXPECT_NE(help.out.find("Examples:"), std::string::npos) << command;
    std::istringstream lines(help.out);
    for (std::string line; std::getline(lines, line);)
      EXPECT_LE(line.size(), 80u) << line;
  }
}

TEST_F(ArchiveCommand, WrongWordsGetOneSentence) {
  make("a.db");
  const auto sentence = [&](const std::string& arguments) {
    const ProgramRun failed = run("archive " + arguments);
    EXPECT_EQ(failed.exit_code, 2) << arguments;
    EXPECT_EQ(failed.out, "") << arguments;
    return failed.err;
  };
  EXPECT_EQ(sentence("lst a.db"), "chainshot: no command of archive is called 'lst'; did you mean 'list'?\n");
  EXPECT_EQ(sentence("list a.db --sinse x"), "chainshot: list has no option --sinse; did you mean --since?\n");
  EXPECT_EQ(sentence("list a.db --since soon"),
            "chainshot: 'soon' is no time; expected today, yesterday, 2h, 3d, a date such as 2026-11-18 or a time such "
            "as 2026-11-18T07:00\n");
  EXPECT_EQ(sentence("list a.db --since 2026-02-30").substr(0, 33), "chainshot: '2026-02-30' is no tim");
  EXPECT_EQ(sentence("list a.db --since 90").substr(0, 27), "chainshot: '90' is no time;");
  EXPECT_EQ(run("archive list a.db --since 1w2d12h").exit_code, 0);
  EXPECT_EQ(sentence("list a.db --board pair"),
            "chainshot: no board of a.db is called 'pair'; did you mean 'pairs'?\n");
  EXPECT_EQ(sentence("list none.db"), "chainshot: there is no archive none.db\n");
  EXPECT_EQ(sentence("show a.db 99"), "chainshot: archive a.db has no line 99\n");
  EXPECT_EQ(sentence("show a.db pairs --scoring points"),
            "chainshot: archive a.db has no line of board pairs with scoring points\n");
  EXPECT_EQ(sentence("diff a.db"),
            "chainshot: diff compares two files, or one with its own past; expected OLD NEW, or FILE --since WHEN\n");
  EXPECT_EQ(sentence("import new.db a.db"),
            "chainshot: a.db is a database; expected solutions (see `archive merge`)\n");
  write("text", "hello\n");
  EXPECT_EQ(sentence("check text"), "chainshot: text is not a database; expected an archive\n");
  EXPECT_EQ(sentence("merge a.db text"), "chainshot: text is not a database; expected an archive\n");
  EXPECT_EQ(sentence("export a.db -o a.db"), "chainshot: --out a.db would overwrite an input; expected another file\n");
  EXPECT_EQ(run("archive").exit_code, 2);
}

TEST_F(ArchiveCommand, ListShowsImprovementsInLocalTime) {
  make("a.db");
  EXPECT_EQ(in_zone("list a.db").out,
            "id  board  score  found                by                     host\n"
            " 1  pairs      0  2026-11-17 09:00:00  anneal (auto, seed 7)  box\n"
            " 2  pairs   1000  2026-11-18 09:00:00  anneal (auto, seed 8)  box\n");
  // Midnight in that zone is 22:00 of the day before in UTC.
  EXPECT_EQ(in_zone("list a.db --since 2026-11-18 --json").out.find("\"id\": 1,"), std::string::npos);
  EXPECT_EQ(in_zone("list a.db --since 2026-11-18T09:00:00.124").out, "a.db: no lines\n");
  EXPECT_NE(in_zone("list a.db --since 2026-11-18T07:00:00.123Z").out, "a.db: no lines\n");
  EXPECT_NE(in_zone("list a.db --since 2026-11-18T08:00+01:00").out, "a.db: no lines\n");
  EXPECT_EQ(in_zone("list a.db --since 2026-11-18T08:01+01:00").out, "a.db: no lines\n");
  EXPECT_EQ(in_zone("list a.db --scoring points").out, "a.db: no lines\n");
}

TEST_F(ArchiveCommand, ListAnswersInJson) {
  make("a.db");
  const json list = answer("list a.db --json");
  EXPECT_EQ(list["version"], 1);
  ASSERT_EQ(list["solutions"].size(), 2u);
  const json& second = list["solutions"][1];
  EXPECT_EQ(second["board"], "pairs");
  EXPECT_EQ(second["score"], 1000);
  EXPECT_EQ(second["found"], "2026-11-18T07:00:00.123Z");
  EXPECT_EQ(second["search"], "anneal");
  EXPECT_EQ(second["seed"], "8");
  EXPECT_EQ(second["id"], 2);
  EXPECT_EQ(second["scoring"], "standard");
  EXPECT_EQ(second["moves"], json::parse("[[0,0],[0,0]]"));
  EXPECT_EQ(second["preset"], "auto");
  EXPECT_EQ(second["engine"], "cpu");
  EXPECT_EQ(second["host"], "box");
  EXPECT_EQ(second["version"], "1.2");
  EXPECT_EQ(second["parameters"]["steps"], 60);
  EXPECT_EQ(second["improved"], true);
}

TEST_F(ArchiveCommand, ShowWritesASolutionThatVerifyAccepts) {
  make("a.db");
  write("b.txt", kPairs);
  EXPECT_EQ(shell("chainshot archive show a.db pairs | chainshot verify b.txt - --unfinished").out,
            "pairs  1000 points, 2 moves, cleared\n");
  EXPECT_EQ(shell("chainshot archive show a.db 1 | chainshot verify b.txt - --unfinished").out,
            "pairs  0 points, 1 move, 2 blocks left, game not over\n");
  EXPECT_NE(in_zone("show a.db 1").out.find("# found      2026-11-17 09:00:00\n"), std::string::npos);
  EXPECT_EQ(answer("show a.db 1 --json")["solutions"][0]["seed"], "7");
}

TEST_F(ArchiveCommand, ImportAddsWhatReplaysAndNamesTheRest) {
  write("b.txt", kPairs);
  write("s.txt",
        kPair + "\nboard pairs\nscore 7\nmoves 0,0\n\nboard pairs\nmoves 1,1 0,0 0,0\n\nboard none\nmoves 0,0\n\n" +
            "board pairs\nmoves 0,0 1,0\n");
  const ProgramRun imported = run("archive import a.db s.txt --boards b.txt");
  EXPECT_EQ(imported.exit_code, 1);
  EXPECT_EQ(imported.out, "a.db: 2 lines added (2 improvements), 0 known already, 3 refused\n");
  EXPECT_EQ(imported.err.substr(0, imported.err.find('\n')),
            "chainshot: s.txt:6:7: the moves score 0, but the line states 7");
  EXPECT_NE(imported.err.find("chainshot: s.txt:10:7: "), std::string::npos) << imported.err;
  EXPECT_NE(imported.err.find("chainshot: s.txt:13:7: no known board is called 'none'"), std::string::npos)
      << imported.err;
  EXPECT_EQ(run("archive check a.db").out, "a.db: 2 lines of 1 board replay; the database is sound\n");
  // The archive knows the board now, and the lines.
  write("t.txt", kPair);
  const json again = answer("import a.db t.txt --json");
  EXPECT_EQ(again["added"], 0);
  EXPECT_EQ(again["known"], 1);
  EXPECT_EQ(answer("list a.db --json")["solutions"][0]["imported"], "s.txt");
}

TEST_F(ArchiveCommand, AFileThatIsNoSolutionChangesNothing) {
  make("a.db");
  write("b.txt", kPairs);
  write("good.txt", "board pairs\nmoves 1,0\n");
  write("bad.txt", "board pairs\nmoves x\n");
  EXPECT_EQ(run("archive import a.db good.txt bad.txt").exit_code, 2);
  EXPECT_EQ(answer("list a.db --all --json")["solutions"].size(), 2u);
  EXPECT_EQ(run("archive import new.db bad.txt").exit_code, 2);
  EXPECT_FALSE(std::filesystem::exists(path("new.db")));
}

TEST_F(ArchiveCommand, ExportComesBackByImport) {
  make("a.db");
  EXPECT_EQ(run("archive export a.db").out, kBoth);
  EXPECT_EQ(run("archive export a.db -o s.txt --boards-out b.txt").exit_code, 0);
  EXPECT_EQ(read("s.txt"), kBoth);
  EXPECT_EQ(read("b.txt"), kPairs);
  EXPECT_EQ(run("archive export a.db --all -o all.json").exit_code, 0);
  EXPECT_EQ(run("archive import new.db all.json --boards b.txt").out,
            "new.db: 2 lines added (2 improvements), 0 known already, 0 refused\n");
  EXPECT_EQ(run("archive export new.db").out, kBoth);
  EXPECT_EQ(answer("export new.db --json")["boards"][0]["score"], 1000);
  EXPECT_EQ(run("verify b.txt s.txt").exit_code, 0);
}

TEST_F(ArchiveCommand, MergeAddsLinesInTheOrderInWhichTheyWereFound) {
  make("a.db");
  write("b.txt", kPairs);
  write("s.txt", "board pairs\nmoves 0,1 0,0\n");
  ASSERT_EQ(run("archive import b.db s.txt --boards b.txt").exit_code, 0);
  const json merged = answer("merge all.db b.db a.db --json");
  EXPECT_EQ(merged["added"], 3);
  EXPECT_EQ(merged["improvements"], 2);  // 0, then 1000, then 1000 again
  EXPECT_EQ(answer("list all.db --json")["solutions"][1]["seed"], "8");
  EXPECT_EQ(run("archive merge all.db a.db").out,
            "all.db: 0 lines added (0 improvements), 2 known already, 0 refused\n");
  EXPECT_EQ(run("archive check all.db").exit_code, 0);
}

TEST_F(ArchiveCommand, BestTakesTheBestOfFilesOfEveryKind) {
  make("a.db");
  write("s.txt", "board pairs\nmoves 0,0\n\nboard nowhere\nmoves 0,0\n");
  ASSERT_EQ(run("solve standard-02 --playouts 1000 --log run.jsonl").exit_code, 0);
  const json logged = answer("best run.jsonl --json");
  const json best = answer("best a.db s.txt run.jsonl --json", 1);  // nobody knows `nowhere`
  ASSERT_EQ(best["boards"].size(), 2u);
  EXPECT_EQ(best["boards"][0]["board"], "pairs");
  EXPECT_EQ(best["boards"][0]["score"], 1000);
  EXPECT_EQ(best["boards"][0]["source"], "a.db");
  EXPECT_EQ(best["boards"][1]["board"], "standard-02");
  EXPECT_EQ(best["boards"][1]["score"], logged["sum"]);
  EXPECT_EQ(best["sum"], 1000 + logged["sum"].get<int>());
  const ProgramRun text = run("archive best a.db");
  EXPECT_NE(text.out.find("sum 1000 of 1 board\n"), std::string::npos) << text.out;
}

TEST_F(ArchiveCommand, DiffShowsWhatBecameBetter) {
  make("a.db");
  EXPECT_EQ(in_zone("diff a.db --since 2026-11-18").out,
            "board  from    to   gain  found                by\n"
            "pairs     0  1000  +1000  2026-11-18 09:00:00  anneal (auto, seed 8)\n"
            "1 board better, +1000 points\n");
  EXPECT_EQ(in_zone("diff a.db --since 2026-11-19").out, "0 boards better, +0 points\n");
  write("old.txt", kPair);
  const json diff = answer("diff old.txt a.db --json");
  ASSERT_EQ(diff["changes"].size(), 1u);
  EXPECT_EQ(diff["changes"][0]["from"], 0);
  EXPECT_EQ(diff["changes"][0]["to"], 1000);
  EXPECT_EQ(diff["changes"][0]["gain"], 1000);
  EXPECT_EQ(diff["changes"][0]["seed"], "8");
  EXPECT_NE(run("archive diff a.db old.txt").out.find("0 boards better, 1 worse, -1000 points"), std::string::npos);
}

TEST_F(ArchiveCommand, CheckNamesWhatIsWrong) {
  make("a.db");
  EXPECT_EQ(answer("check a.db --json")["sound"], true);
  SQLite::Database(path("a.db"), SQLite::OPEN_READWRITE).exec("UPDATE lines SET score = 5 WHERE id = 1");
  const ProgramRun checked = run("archive check a.db");
  EXPECT_EQ(checked.exit_code, 1);
  EXPECT_EQ(checked.out, "a.db: line 1 is wrong: the moves score 0, but the line states 5\n");
  EXPECT_EQ(answer("check a.db --json", 1)["faults"].size(), 1u);
  // Other commands refuse that line, too.
  const ProgramRun merged = run("archive merge b.db a.db");
  EXPECT_EQ(merged.exit_code, 1);
  EXPECT_EQ(merged.err, "chainshot: a.db: line 1: the moves score 0, but the line states 5\n");
}

TEST_F(ArchiveCommand, BoardsOfOneNameAreToldApart) {
  write("b1.txt", "board same\n00\n");
  write("b2.txt", "board same\n11\n");
  write("b3.txt", "board standard-01\n22\n");
  write("s.txt", "board same\nmoves 0,0\n");
  write("t.txt", "board standard-01\nmoves 0,0\n");
  ASSERT_EQ(run("archive import a.db s.txt --boards b1.txt").exit_code, 0);
  ASSERT_EQ(run("archive import a.db s.txt --boards b2.txt").exit_code, 0);
  ASSERT_EQ(run("archive import a.db t.txt --boards b3.txt").exit_code, 0);
  ASSERT_EQ(run("archive export a.db -o out.txt --boards-out boards.txt").exit_code, 0);
  const ProgramRun verified = run("verify boards.txt out.txt");
  EXPECT_EQ(verified.exit_code, 0) << verified.err;
  EXPECT_NE(verified.out.find("3000 points"), std::string::npos) << verified.out;  // three boards, cleared
  EXPECT_NE(run("archive show a.db same").err.find("has 2 boards called 'same'"), std::string::npos);
}

TEST_F(ArchiveCommand, AnArchiveForANetworkHasNoWriteAheadLog) {
  write("b.txt", kPairs);
  write("s.txt", kPair);
  ASSERT_EQ(run("archive import n.db s.txt --boards b.txt --network").exit_code, 0);
  ASSERT_EQ(run("archive import a.db s.txt --boards b.txt").exit_code, 0);
  const auto journal = [&](const std::string& name) {
    return SQLite::Database(path(name)).execAndGet("PRAGMA journal_mode").getString();
  };
  EXPECT_EQ(journal("n.db"), "delete");
  EXPECT_EQ(journal("a.db"), "wal");
}

}  // namespace
}  // namespace chainshot
