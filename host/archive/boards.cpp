// The boards of an archive.
#include <stdexcept>

#include "host/archive/archive_text.hpp"
#include "host/archive/database.hpp"

namespace chainshot::host {

Archive::Archive(const std::string& path, const ArchiveOptions& options)
    : database_(std::make_unique<Database>(path, options)) {}
Archive::~Archive() = default;

const std::string& Archive::path() const {
  return database_->path();
}

// Reads a row of SELECT id, hash, name, columns, rows, cells FROM boards.
ArchivedBoard Archive::Database::board_of(SQLite::Statement& row) const {
  const std::int64_t id = row.getColumn(0).getInt64();
  auto position = position_of(row.getColumn(5).getString(), row.getColumn(3).getInt64(), row.getColumn(4).getInt64());
  if (!position) fail_as_damaged("the cells of board " + std::to_string(id) + " are no board");
  ArchivedBoard board{id, row.getColumn(1).getString(), row.getColumn(2).getString(), *position};
  if (!is_board_name(board.name)) fail_as_damaged("the name of board " + std::to_string(id) + " is no name of a board");
  return board;
}

std::optional<ArchivedBoard> Archive::Database::find_board(std::int64_t id) {
  const auto select = prepared("SELECT id, hash, name, columns, rows, cells FROM boards WHERE id = ?");
  select->bind(1, id);
  return select->executeStep() ? std::optional(board_of(*select)) : std::nullopt;
}

std::optional<std::int64_t> Archive::Database::find_board(const std::string& hash) {
  const auto select = prepared("SELECT id FROM boards WHERE hash = ?");
  select->bind(1, hash);
  return select->executeStep() ? std::optional(select->getColumn(0).getInt64()) : std::nullopt;
}

std::int64_t Archive::board_id(const game::NamedBoard& board) {
  if (!is_board_name(board.name)) throw std::logic_error("'" + board.name + "' is no name of a board");
  const std::string hash = board_hash(board.position);
  // Most boards are known: looking first takes no write lock.
  if (const auto known = database_->read([&] { return database_->find_board(hash); })) return *known;
  return database_->write([&] {
    if (const auto known = database_->find_board(hash)) return *known;
    const auto insert =
        database_->prepared("INSERT INTO boards (hash, name, columns, rows, cells) VALUES (?, ?, ?, ?, ?)");
    insert->bind(1, hash);
    insert->bind(2, board.name);
    insert->bind(3, board.position.columns());
    insert->bind(4, board.position.rows());
    insert->bind(5, cells_text(board.position));
    insert->exec();
    return database_->connection().getLastInsertRowid();
  });
}

std::optional<std::int64_t> Archive::find_board(const game::Position& position) const {
  return database_->read([&] { return database_->find_board(board_hash(position)); });
}

ArchivedBoard Archive::board(std::int64_t id) const {
  const auto found = database_->read([&] { return database_->find_board(id); });
  if (!found) database_->fail_as_missing("board " + std::to_string(id));
  return *found;
}

std::vector<ArchivedBoard> Archive::boards() const {
  return database_->read([&] {
    std::vector<ArchivedBoard> boards;
    const auto select = database_->prepared("SELECT id, hash, name, columns, rows, cells FROM boards ORDER BY id");
    while (select->executeStep())
      boards.push_back(database_->board_of(*select));
    return boards;
  });
}

}  // namespace chainshot::host
