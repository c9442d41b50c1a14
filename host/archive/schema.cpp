#include "host/archive/schema.hpp"

#include <array>
#include <string>

namespace chainshot::host {
namespace {

// Migration v turns version v into version v + 1. A new file runs all of them. A migration that was released never
// changes again.
constexpr std::array<const char*, kArchiveVersion> kMigrations = {
    // The first version.
    R"sql(
CREATE TABLE boards (
  id INTEGER PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  columns INTEGER NOT NULL,
  rows INTEGER NOT NULL,
  cells TEXT NOT NULL
) STRICT;

CREATE TABLE runs (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  started TEXT NOT NULL,
  host TEXT NOT NULL,
  version TEXT NOT NULL,
  command TEXT NOT NULL,
  machine TEXT NOT NULL,
  plan TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'running',
  ended TEXT NOT NULL DEFAULT '',
  seconds REAL NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE lines (
  id INTEGER PRIMARY KEY,
  board INTEGER NOT NULL REFERENCES boards (id),
  scoring TEXT NOT NULL,
  score INTEGER NOT NULL,
  moves TEXT NOT NULL,
  found TEXT NOT NULL,
  search TEXT NOT NULL,
  preset TEXT NOT NULL,
  parameters TEXT NOT NULL,
  seed TEXT NOT NULL,
  engine TEXT NOT NULL,
  device TEXT NOT NULL,
  host TEXT NOT NULL,
  version TEXT NOT NULL,
  run INTEGER REFERENCES runs (id),
  turn INTEGER NOT NULL,
  is_elite INTEGER NOT NULL,
  improved INTEGER NOT NULL,
  UNIQUE (board, scoring, moves)
) STRICT;
CREATE INDEX lines_by_score ON lines (board, scoring, score DESC, id);
CREATE INDEX lines_by_run ON lines (run);

CREATE TABLE turns (
  run INTEGER NOT NULL REFERENCES runs (id),
  number INTEGER NOT NULL,
  round INTEGER NOT NULL,
  board INTEGER NOT NULL REFERENCES boards (id),
  seed TEXT NOT NULL,
  seconds REAL NOT NULL,
  playouts INTEGER NOT NULL,
  starts TEXT NOT NULL DEFAULT '[]',
  score_before INTEGER,
  score INTEGER,
  spent_seconds REAL NOT NULL DEFAULT 0,
  spent_playouts INTEGER NOT NULL DEFAULT 0,
  spent_evaluations INTEGER NOT NULL DEFAULT 0,
  began_at TEXT NOT NULL DEFAULT '',
  ended_at TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID;
)sql",
    // Lines remember the file that they were imported from, and turns whether they proved their line to be the best.
    "ALTER TABLE lines ADD COLUMN imported TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE turns ADD COLUMN proven INTEGER NOT NULL DEFAULT 0;",
};

}  // namespace

SchemaState schema_state(SQLite::Database& connection) {
  return {.application_id = connection.execAndGet("PRAGMA application_id").getInt(),
          .version = connection.execAndGet("PRAGMA user_version").getInt(),
          .is_empty = connection.execAndGet("SELECT count(*) FROM sqlite_schema").getInt() == 0};
}

bool upgrade_schema(SQLite::Database& connection) {
  SQLite::Transaction transaction(connection, SQLite::TransactionBehavior::EXCLUSIVE);
  const SchemaState before = schema_state(connection);
  if (!before.is_empty && !before.is_archive()) return false;
  for (int version = before.is_empty ? 0 : before.version; version < kArchiveVersion; ++version)
    connection.exec(kMigrations[static_cast<std::size_t>(version)]);
  if (before.is_empty || before.version < kArchiveVersion) {
    connection.exec("PRAGMA application_id = " + std::to_string(kArchiveApplicationId));
    connection.exec("PRAGMA user_version = " + std::to_string(kArchiveVersion));
  }
  transaction.commit();
  return before.is_empty;
}

}  // namespace chainshot::host
