// The tables of an archive and how older files become today's. A file says which program it belongs to
// (`PRAGMA application_id`) and which version its tables have (`PRAGMA user_version`).
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

namespace chainshot::host {

inline constexpr int kArchiveApplicationId = 0x43687368;  // "Chsh"
inline constexpr int kArchiveVersion = 2;

struct SchemaState {
  int application_id = 0;
  int version = 0;
  bool is_empty = false;  // a database without any table

  bool is_archive() const { return application_id == kArchiveApplicationId && version > 0; }
};

SchemaState schema_state(SQLite::Database& connection);

// Brings an empty database or an older archive to kArchiveVersion, in one exclusive transaction. Does nothing if
// another program has done it meanwhile. Returns true if the database was empty.
bool upgrade_schema(SQLite::Database& connection);

}  // namespace chainshot::host
