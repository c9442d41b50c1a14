// Faults of an archive's file: each gets its own sentence and nothing crashes. Once the cause is gone, the same object
// works again.
#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/resource.h>

#include <csignal>
#include <functional>

#include "host/archive/archive.hpp"
#include "tests/support/archive_scene.hpp"
#include "tests/support/test_scale.hpp"

namespace chainshot::tests {
namespace {

using host::Archive;
using host::ArchiveError;
using host::ArchiveOptions;
using Access = ArchiveOptions::Access;

const game::Position kPairs = board_of({"00", "11"});

struct Failure {
  std::string sentence = "no error";
  bool is_input = false;
};

Failure failure_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const ArchiveError& error) {
    return {error.what(), error.is_input()};
  }
  return {};
}

class ArchiveFile : public ArchiveTest {
 protected:
  // Makes an archive with some lines of the standard boards and returns their number.
  std::size_t make(const std::string& name, bool on_network = false) const {
    Archive archive(path(name), {.access = Access::kCreate, .on_network = on_network});
    Dice dice(1);
    std::vector<host::NewLine> lines;
    for (int i = 0; i < 20; ++i) {
      const game::NamedBoard& board = game::standard_boards()[static_cast<std::size_t>(i % 5)];
      lines.push_back(random_line(dice, archive.board_id(board), board.position));
    }
    archive.add(lines);
    return archive.lines({.only_improvements = false}).size();
  }
  Failure opening(const std::string& name, Access access = Access::kRead) const {
    return failure_of([&] { Archive(path(name), {.access = access, .patience_seconds = 0.05}); });
  }
  void expect_refused(const std::string& name, const std::string& sentence) const {
    for (const Access access : {Access::kRead, Access::kWrite, Access::kCreate}) {
      const Failure failure = opening(name, access);
      EXPECT_EQ(failure.sentence, sentence);
      EXPECT_TRUE(failure.is_input);
    }
  }
  std::string journal_mode(const std::string& name) const {
    return SQLite::Database(path(name)).execAndGet("PRAGMA journal_mode").getString();
  }
  void sql(const std::string& name, const std::string& statements) const {
    SQLite::Database(path(name), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE).exec(statements);
  }
};

TEST_F(ArchiveFile, AMissingFileIsMadeOnlyOnRequest) {
  for (const Access access : {Access::kRead, Access::kWrite}) {
    EXPECT_EQ(opening("a.db", access).sentence, "there is no archive " + path("a.db"));
    EXPECT_TRUE(opening("a.db", access).is_input);
    EXPECT_FALSE(std::filesystem::exists(path("a.db")));
  }
  EXPECT_EQ(opening("a.db", Access::kCreate).sentence, "no error");
  EXPECT_EQ(opening("a.db", Access::kRead).sentence, "no error");
}

TEST_F(ArchiveFile, AnEmptyFileBecomesAnArchiveOnlyOnRequest) {
  write("a.db", "");
  EXPECT_EQ(opening("a.db", Access::kRead).sentence, path("a.db") + " is empty; expected an archive");
  EXPECT_EQ(opening("a.db", Access::kWrite).sentence, path("a.db") + " is empty; expected an archive");
  EXPECT_EQ(std::filesystem::file_size(path("a.db")), 0u);
  EXPECT_EQ(opening("a.db", Access::kCreate).sentence, "no error");
  EXPECT_EQ(opening("a.db", Access::kRead).sentence, "no error");
}

TEST_F(ArchiveFile, OtherFilesAreRefusedAndLeftAlone) {
  write("text", std::string(5000, 'x'));
  expect_refused("text", path("text") + " is not a database; expected an archive");
  EXPECT_EQ(read("text"), std::string(5000, 'x'));
  write("short", "board a\n");
  expect_refused("short", path("short") + " is not a database; expected an archive");
  std::filesystem::create_directory(path("folder"));
  expect_refused("folder", path("folder") + " is a folder; expected an archive");
  sql("mail", "CREATE TABLE mails (text TEXT)");
  const std::string before = read("mail");
  expect_refused("mail", path("mail") + " is a database of another program; expected an archive of chainshot");
  EXPECT_EQ(read("mail"), before);
  sql("other", "PRAGMA application_id = 7");
  expect_refused("other", path("other") + " is a database of another program; expected an archive of chainshot");
  EXPECT_EQ(failure_of([] { Archive("/dev/null", {.access = Access::kCreate}); }).sentence,
            "/dev/null is not a regular file; expected an archive");
  EXPECT_EQ(opening("none/a.db", Access::kCreate).sentence,
            "cannot make archive " + path("none/a.db") + ": No such file or directory");
}

TEST_F(ArchiveFile, AnArchiveOfANewerVersionIsRefused) {
  make("a.db");
  sql("a.db", "PRAGMA user_version = 99");
  expect_refused("a.db", "archive " + path("a.db") + " has version 99; this program knows versions up to 2");
}

// Version 1 as it was: lines had no column `imported`.
constexpr const char* kVersion1 = R"sql(
PRAGMA application_id = 0x43687368;
PRAGMA user_version = 1;
CREATE TABLE boards (id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, name TEXT NOT NULL, columns INTEGER NOT NULL,
  rows INTEGER NOT NULL, cells TEXT NOT NULL) STRICT;
CREATE TABLE runs (id INTEGER PRIMARY KEY, uid TEXT NOT NULL UNIQUE, started TEXT NOT NULL, host TEXT NOT NULL,
  version TEXT NOT NULL, command TEXT NOT NULL, machine TEXT NOT NULL, plan TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'running', ended TEXT NOT NULL DEFAULT '', seconds REAL NOT NULL DEFAULT 0) STRICT;
CREATE TABLE lines (id INTEGER PRIMARY KEY, board INTEGER NOT NULL REFERENCES boards (id), scoring TEXT NOT NULL,
  score INTEGER NOT NULL, moves TEXT NOT NULL, found TEXT NOT NULL, search TEXT NOT NULL, preset TEXT NOT NULL,
  parameters TEXT NOT NULL, seed TEXT NOT NULL, engine TEXT NOT NULL, device TEXT NOT NULL, host TEXT NOT NULL,
  version TEXT NOT NULL, run INTEGER REFERENCES runs (id), turn INTEGER NOT NULL, is_elite INTEGER NOT NULL,
  improved INTEGER NOT NULL, UNIQUE (board, scoring, moves)) STRICT;
CREATE TABLE turns (run INTEGER NOT NULL REFERENCES runs (id), number INTEGER NOT NULL, round INTEGER NOT NULL,
  board INTEGER NOT NULL REFERENCES boards (id), seed TEXT NOT NULL, seconds REAL NOT NULL, playouts INTEGER NOT NULL,
  starts TEXT NOT NULL DEFAULT '[]', score_before INTEGER, score INTEGER, spent_seconds REAL NOT NULL DEFAULT 0,
  spent_playouts INTEGER NOT NULL DEFAULT 0, spent_evaluations INTEGER NOT NULL DEFAULT 0,
  began_at TEXT NOT NULL DEFAULT '', ended_at TEXT NOT NULL DEFAULT '', PRIMARY KEY (run, number))
  STRICT, WITHOUT ROWID;
INSERT INTO lines VALUES (5, 3, 'standard', 1000, '0,0 0,0', '2026-01-01T00:00:00.000Z', 'anneal', 'auto', '{}', '1',
  'cpu', '', 'box', '1.0', NULL, 0, 0, 1);
)sql";

TEST_F(ArchiveFile, AnArchiveOfVersion1IsUpgraded) {
  for (const Access access : {Access::kRead, Access::kWrite, Access::kCreate}) {
    const std::string name = "old" + std::to_string(static_cast<int>(access));
    sql(name, kVersion1);
    sql(name, "INSERT INTO boards VALUES (3, '" + host::board_hash(kPairs) + "', 'pairs', 2, 2, '00/11')");
    const Archive archive(path(name), {.access = access});
    EXPECT_EQ(archive.check(), std::vector<std::string>{});
    EXPECT_EQ(archive.line(5).score, 1000);
    EXPECT_EQ(archive.line(5).origin.host, "box");
    EXPECT_EQ(archive.line(5).origin.imported, "");
    EXPECT_EQ(SQLite::Database(path(name)).execAndGet("PRAGMA user_version").getInt(), 2);
  }
}

TEST_F(ArchiveFile, AnUpgradeThatFailsLeavesTheFileAsItWas) {
  sql("old", kVersion1);
  sql("old", "ALTER TABLE lines ADD COLUMN imported TEXT");  // the upgrade cannot add it again
  EXPECT_EQ(opening("old", Access::kWrite).sentence,
            "archive " + path("old") + " is damaged: duplicate column name: imported");
  EXPECT_EQ(SQLite::Database(path("old")).execAndGet("PRAGMA user_version").getInt(), 1);
}

TEST_F(ArchiveFile, AReaderCannotWrite) {
  make("a.db");
  Archive archive(path("a.db"), {});
  EXPECT_EQ(failure_of([&] {
              archive.board_id({"pairs", kPairs});
            }).sentence,
            "archive " + path("a.db") + " cannot be written: attempt to write a readonly database");
}

// The superuser may write everything, so this test gives that up for a while.
class OrdinaryUser {
 public:
  OrdinaryUser() {
    if (::geteuid() == 0) was_root_ = ::seteuid(65534) == 0;
  }
  ~OrdinaryUser() {
    if (was_root_) {
      EXPECT_EQ(::seteuid(0), 0);
    }
  }

 private:
  bool was_root_ = false;
};

TEST_F(ArchiveFile, AFolderThatCannotBeWrittenCanBeRead) {
  const std::size_t lines = make("a?b%20#.db");
  const std::string name = path("a?b%20#.db");
  ASSERT_EQ(journal_mode("a?b%20#.db"), "wal");
  std::filesystem::remove(name + "-wal");
  std::filesystem::remove(name + "-shm");
  std::filesystem::permissions(name, std::filesystem::perms(0444));
  std::filesystem::permissions(folder(), std::filesystem::perms(0555));
  {
    const OrdinaryUser user;
    const Archive archive(name, {});
    EXPECT_EQ(archive.lines({.only_improvements = false}).size(), lines);
    EXPECT_TRUE(archive.check().empty());
    const Failure failure = failure_of([&] { Archive(name, {.access = Access::kWrite}); });
    EXPECT_TRUE(failure.sentence.starts_with("archive " + name + " cannot be written: ") ||
                failure.sentence.starts_with("cannot open archive " + name + ": "))
        << failure.sentence;
    EXPECT_FALSE(failure.is_input);
    EXPECT_EQ(failure_of([&] { Archive(path("new.db"), {.access = Access::kCreate}); }).sentence,
              "cannot make archive " + path("new.db") + ": Permission denied");
  }
  std::filesystem::permissions(folder(), std::filesystem::perms(0700));
}

// A file at most as large as now stands for a full disk: writing beyond the limit fails, as on a full disk.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    old_handler_ = std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &old_);
    rlimit limit = old_;
    limit.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, old_handler_);
  }

 private:
  rlimit old_ = {};
  void (*old_handler_)(int) = nullptr;
};

TEST_F(ArchiveFile, AfterAFullDiskTheSameCallSucceedsOnceThereIsRoom) {
  for (const bool on_network : {false, true}) {
    const std::string name = on_network ? "n.db" : "a.db";
    const std::size_t before = make(name, on_network);
    Archive archive(path(name), {.access = Access::kWrite, .on_network = on_network});
    const game::NamedBoard& board = game::standard_boards()[19];
    const std::int64_t id = archive.board_id(board);
    Dice dice(2);
    std::vector<host::NewLine> lines;
    for (int i = 0; i < 2000; ++i)
      lines.push_back(random_line(dice, id, board.position));
    {
      const FullDisk disk(std::filesystem::file_size(path(name)) + 65536);
      const Failure failure = failure_of([&] { archive.add(lines); });
      EXPECT_EQ(failure.sentence, "archive " + path(name) + ": the disk is full");
      EXPECT_FALSE(failure.is_input);
      EXPECT_EQ(archive.lines({.only_improvements = false}).size(), before);  // still readable
    }
    EXPECT_EQ(archive.add(lines).size(), lines.size());
    EXPECT_GT(archive.lines({.only_improvements = false}).size(), before + 1000);
    EXPECT_TRUE(archive.check().empty());
  }
}

TEST_F(ArchiveFile, AfterALockTheSameCallSucceeds) {
  for (const bool on_network : {false, true}) {
    const std::string name = on_network ? "n.db" : "a.db";
    make(name, on_network);
    Archive archive(path(name), {.access = Access::kWrite, .on_network = on_network, .patience_seconds = 0.05});
    {
      SQLite::Database other(path(name), SQLite::OPEN_READWRITE);
      other.exec("BEGIN IMMEDIATE");
      const Failure failure = failure_of([&] { archive.board_id({"pairs", kPairs}); });
      EXPECT_EQ(failure.sentence, "archive " + path(name) + " is locked by another program for more than 0.05 s");
      EXPECT_FALSE(failure.is_input);
    }
    EXPECT_NO_THROW(archive.board_id({"pairs", kPairs}));
  }
}

TEST_F(ArchiveFile, TheFileRemembersWhetherANetworkSharesIt) {
  make("a.db");
  EXPECT_EQ(journal_mode("a.db"), "wal");
  make("n.db", true);
  EXPECT_EQ(journal_mode("n.db"), "delete");
  { const Archive archive(path("n.db"), {.access = Access::kWrite}); }
  EXPECT_EQ(journal_mode("n.db"), "delete");
}

// A damaged file can make SQLite ask for more memory than there is.
TEST_F(ArchiveFile, LackOfMemoryIsNamedAndSurvived) {
  const std::size_t lines = make("a.db");
  sqlite3_hard_heap_limit64(sqlite3_memory_used() + 10'000);
  const Failure failure = opening("a.db");
  sqlite3_hard_heap_limit64(0);
  EXPECT_EQ(failure.sentence, "archive " + path("a.db") + " needs more memory than there is; it may be damaged");
  EXPECT_FALSE(failure.is_input);
  EXPECT_EQ(Archive(path("a.db"), {}).lines({.only_improvements = false}).size(), lines);
}

TEST_F(ArchiveFile, AnArchiveIsTakenToTheNetworkWhenNobodyElseHasItOpen) {
  const std::size_t lines = make("a.db");
  {
    const Archive local(path("a.db"), {.access = Access::kWrite});
    ASSERT_EQ(local.lines({.only_improvements = false}).size(), lines);
    const Failure failure = failure_of(
        [&] { Archive(path("a.db"), {.access = Access::kWrite, .on_network = true, .patience_seconds = 0.05}); });
    EXPECT_EQ(failure.sentence, "archive " + path("a.db") +
                                    " is open in a program that does not share it over the network; expected that "
                                    "program to end");
    EXPECT_FALSE(failure.is_input);
  }
  const Archive archive(path("a.db"), {.access = Access::kWrite, .on_network = true});
  EXPECT_EQ(archive.lines({.only_improvements = false}).size(), lines);
  const Archive second(path("a.db"), {.access = Access::kWrite, .on_network = true, .patience_seconds = 0.05});
  EXPECT_EQ(second.lines({.only_improvements = false}).size(), lines);
  EXPECT_EQ(journal_mode("a.db"), "delete");
  EXPECT_FALSE(std::filesystem::exists(path("a.db-shm")));
}

TEST_F(ArchiveFile, ANameWithAMeaningForSqliteIsAFile) {
  const auto here = std::filesystem::current_path();
  std::filesystem::current_path(folder());
  { const Archive archive(":memory:", {.access = Access::kCreate}); }
  std::filesystem::current_path(here);
  EXPECT_TRUE(std::filesystem::exists(path(":memory:")));
}

TEST_F(ArchiveFile, TheCheckFindsRowsThatWereChanged) {
  const auto faults_after = [&](const std::string& change) {
    std::filesystem::remove(path("a.db"));
    make("a.db");
    sql("a.db", change);
    return Archive(path("a.db"), {}).check();
  };
  using Faults = std::vector<std::string>;
  const std::string damaged = "archive " + path("a.db") + " is damaged: ";
  EXPECT_EQ(faults_after("UPDATE boards SET hash = 'x' WHERE id = 2"),
            Faults{"board 2 (standard-02) has the hash of other cells"});
  EXPECT_EQ(faults_after("UPDATE boards SET cells = 'x' WHERE id = 2"),
            Faults{damaged + "the cells of board 2 are no board"});
  EXPECT_EQ(faults_after("UPDATE boards SET name = 'a b' WHERE id = 2"),
            Faults{damaged + "the name of board 2 is no name of a board"});
  EXPECT_EQ(faults_after("UPDATE lines SET moves = 'x' WHERE id = 3"),
            Faults{damaged + "the moves of line 3 are no moves"});
  EXPECT_EQ(faults_after("UPDATE lines SET moves = '' , score = 5 WHERE id = 3").size(), 1u);
  EXPECT_EQ(faults_after("UPDATE lines SET score = 9999999999 WHERE id = 3"),
            Faults{damaged + "9999999999 is out of range in column score"});
  EXPECT_EQ(faults_after("UPDATE lines SET scoring = 'chess' WHERE id = 3"),
            Faults{"line 3 is wrong: no scoring is called 'chess'"});
  EXPECT_EQ(faults_after("PRAGMA foreign_keys = OFF; UPDATE lines SET board = 77 WHERE id = 3"),
            (Faults{"SQLite finds: row 3 of table lines names a row of boards that does not exist",
                    "line 3 is wrong: there is no board 77"}));
  EXPECT_EQ(faults_after("DROP TABLE turns; DROP TABLE runs").back(), damaged + "no such table: runs");
}

// Either the opening or the check says that the file is damaged, or all lines are as they were; nothing crashes.
TEST_F(ArchiveFile, ADamagedFileIsNeverBelieved) {
  const std::size_t lines = make("a.db");
  const std::string whole = read("a.db");
  Dice dice(3);
  int found = 0;
  const int rounds = scaled(150);
  for (int i = 0; i < rounds; ++i) {
    std::string bytes = whole;
    if (i % 3 == 0) bytes.resize(static_cast<std::size_t>(dice.below(static_cast<int>(bytes.size()) - 1) + 1));
    for (int flips = i % 3 == 0 ? 0 : dice.between(1, 50); flips > 0; --flips)
      bytes[static_cast<std::size_t>(dice.below(static_cast<int>(bytes.size())))] ^=
          static_cast<char>(1 << dice.below(8));
    write("b.db", bytes);
    try {
      Archive archive(path("b.db"), {.access = Access::kWrite, .patience_seconds = 0.05});
      const bool is_sound = archive.check().empty();
      found += is_sound ? 0 : 1;
      if (is_sound) {
        EXPECT_EQ(archive.lines({.only_improvements = false}).size(), lines);
      }
      const std::int64_t id = archive.board_id({"pairs", kPairs});
      archive.add({line_of(id, kPairs, {{0, 0}})});
    } catch (const ArchiveError& error) {
      ++found;
    } catch (const std::logic_error& error) {  // a constraint of the tables does not hold any more
      ++found;
    }
    for (const char* suffix : {"", "-wal", "-shm", "-journal"})
      std::filesystem::remove(path("b.db") + suffix);
  }
  EXPECT_GT(found, rounds / 2);
}

}  // namespace
}  // namespace chainshot::tests
