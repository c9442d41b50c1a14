// The check of a whole archive.
#include <fmt/format.h>

#include <map>

#include "host/archive/archive_text.hpp"
#include "host/archive/database.hpp"

namespace chainshot::host {
namespace {

// The rows of a query of one text column, but for the answer `ok`.
void add_answers(SQLite::Database& connection, const char* query, std::vector<std::string>& faults) {
  SQLite::Statement statement(connection, query);
  while (statement.executeStep())
    if (const std::string answer = statement.getColumn(0).getString(); answer != "ok")
      faults.push_back("SQLite finds: " + answer);
}

void add_hash_faults(const std::vector<ArchivedBoard>& boards, std::vector<std::string>& faults) {
  for (const ArchivedBoard& board : boards)
    if (board_hash(board.position) != board.hash)
      faults.push_back(fmt::format("board {} ({}) has the hash of other cells", board.id, board.name));
}

void add_replay_faults(const std::vector<ArchivedBoard>& boards, const std::vector<ArchivedLine>& lines,
                       std::vector<std::string>& faults) {
  std::map<std::int64_t, const ArchivedBoard*> by_id;
  for (const ArchivedBoard& board : boards)
    by_id.emplace(board.id, &board);
  for (const ArchivedLine& line : lines) {
    const auto board = by_id.find(line.board);
    const std::string fault = board == by_id.end() ? fmt::format("there is no board {}", line.board)
                                                   : Archive::check_line(board->second->position, line);
    if (!fault.empty()) faults.push_back(fmt::format("line {} is wrong: {}", line.id, fault));
  }
}

}  // namespace

std::vector<std::string> Archive::check() const {
  std::vector<std::string> faults;
  try {
    database_->read_at_once([&] {
      add_answers(database_->connection(), "PRAGMA integrity_check", faults);
      add_answers(database_->connection(),
                  "SELECT 'row ' || coalesce(rowid, '?') || ' of table ' || \"table\" || ' names a row of ' || parent "
                  "|| ' that does not exist' FROM pragma_foreign_key_check",
                  faults);
    });
    // Lines first: the board of every line that is there was added before it.
    const std::vector<ArchivedLine> all = lines({.only_improvements = false});
    const std::vector<ArchivedBoard> known = boards();
    add_hash_faults(known, faults);
    add_replay_faults(known, all, faults);
    for (const ArchivedRun& run : runs())
      turns(run.id);
  } catch (const ArchiveError& error) {
    if (!error.is_input()) throw;
    faults.emplace_back(error.what());
  }
  return faults;
}

void Archive::expect_sound() const {
  std::vector<std::string> faults;
  database_->read_at_once([&] { add_answers(database_->connection(), "PRAGMA quick_check(1)", faults); });
  if (!faults.empty()) database_->fail_as_damaged(faults.front());
}

}  // namespace chainshot::host
