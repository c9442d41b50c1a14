// The database under an archive: one connection, one lock, and the translation of SQLite's errors into sentences. A
// write is one transaction that either happens as a whole or not at all; after a failed one the connection is as good
// as before.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cerrno>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "host/archive/archive.hpp"

namespace chainshot::host {

class Archive::Database {
 public:
  // A prepared statement that is kept for the next call and is ready for it when this object goes away.
  class Prepared {
   public:
    explicit Prepared(SQLite::Statement& statement) : statement_(statement) {}
    ~Prepared() {
      statement_.tryReset();
      statement_.clearBindings();
    }
    Prepared(const Prepared&) = delete;
    Prepared& operator=(const Prepared&) = delete;
    SQLite::Statement* operator->() const { return &statement_; }
    SQLite::Statement& operator*() const { return statement_; }

   private:
    SQLite::Statement& statement_;
  };

  Database(std::string path, const ArchiveOptions& options);

  const std::string& path() const { return path_; }
  SQLite::Database& connection() { return *connection_; }
  Prepared prepared(const std::string& sql);

  // Runs `action` while no other thread uses the connection.
  template <class Action>
  auto read(Action&& action) {
    const std::scoped_lock lock(mutex_);
    return translated(std::forward<Action>(action));
  }
  // The same in a read transaction, so that several statements see one state.
  template <class Action>
  auto read_at_once(Action&& action) {
    return transaction("BEGIN DEFERRED", std::forward<Action>(action));
  }
  // The same in a write transaction.
  template <class Action>
  auto write(Action&& action) {
    return transaction("BEGIN IMMEDIATE", std::forward<Action>(action));
  }

  // These read and write rows. Callers hold the lock, by one of the functions above.
  ArchivedBoard board_of(SQLite::Statement& row) const;
  std::optional<ArchivedBoard> find_board(std::int64_t id);
  std::optional<std::int64_t> find_board(const std::string& hash);
  ArchivedLine line_of(SQLite::Statement& row) const;
  std::optional<int> best_score(std::int64_t board, const std::string& scoring);
  bool insert_line(const NewLine& line);
  ArchivedRun run_of(SQLite::Statement& row) const;
  ArchivedTurn turn_of(SQLite::Statement& row) const;
  // Changes one row of a turn or a run, or throws the error for a row that does not exist.
  void update(SQLite::Statement& statement, const std::string& what);
  int int_of(const SQLite::Column& column) const;

  // Takes the lock itself.
  void expect_replays(const std::vector<NewLine>& lines);

  // Throws the error of a file that is not what this program writes: `archive NAME is damaged: SENTENCE`.
  [[noreturn]] void fail_as_damaged(const std::string& sentence) const;
  // Throws the error for a row that does not exist: `archive NAME has no WHAT`.
  [[noreturn]] void fail_as_missing(const std::string& what) const;

 private:
  template <class Action>
  auto translated(Action&& action) {
    errno = 0;
    try {
      return action();
    } catch (const SQLite::Exception& error) {
      fail(error, errno);
    }
  }
  template <class Action>
  auto transaction(const char* begin, Action&& action) {
    const std::scoped_lock lock(mutex_);
    translated([&] { connection_->exec(begin); });
    const Rollback rollback(*connection_);
    return translated([&] {
      if constexpr (std::is_void_v<decltype(action())>) {
        action();
        connection_->exec("COMMIT");
      } else {
        auto result = action();
        connection_->exec("COMMIT");
        return result;
      }
    });
  }

  // Ends a transaction that was not committed. SQLite has ended it already after some errors.
  class Rollback {
   public:
    explicit Rollback(SQLite::Database& connection) : connection_(connection) {}
    ~Rollback();
    Rollback(const Rollback&) = delete;
    Rollback& operator=(const Rollback&) = delete;

   private:
    SQLite::Database& connection_;
  };

  void make_file() const;
  void open(const ArchiveOptions& options);
  void open_connection(const std::string& name, int flags);
  void expect_writable();
  bool opens_as_immutable(const SQLite::Exception& error, const ArchiveOptions& options) const;
  void prepare_schema(const ArchiveOptions& options);
  bool has_log() const;
  void leave_log();
  bool set_journal_mode(const char* mode);
  [[noreturn]] void fail(const SQLite::Exception& error, int last_errno) const;
  [[noreturn]] void fail_to_work(const std::string& sentence) const;
  [[noreturn]] void refuse(const std::string& sentence) const;

  std::string path_;
  double patience_seconds_;
  std::mutex mutex_;
  std::unique_ptr<SQLite::Database> connection_;
  std::map<std::string, SQLite::Statement> statements_;  // by their text; gone before the connection
};

}  // namespace chainshot::host
