// Reads lines from files of any kind that holds some: archives, solution files (text or JSON) and logs of `solve`. The
// content tells the kind. Every line is replayed by the reference rules; one that does not replay is refused with a
// sentence and the others are still read.
#pragma once

#include <string>
#include <vector>

#include "game/board_text.hpp"
#include "host/archive/archive.hpp"
#include "tools/options/known_boards.hpp"

namespace chainshot::tools {

struct SourcedLine {
  std::string source;  // the file
  game::NamedBoard board;
  std::string hash;  // of the board
  host::NewLine line;
};

struct SourcedLines {
  std::vector<SourcedLine> lines;
  std::vector<std::string> refused;  // one sentence each, with the place
};

// Returns true if the file starts as an SQLite database does. Call it before any archive is opened: closing a file
// gives up the locks that SQLite holds on it in this process.
bool is_database(const std::string& path);

// Reads all lines of an archive. Those of no archive name boards in `known`.
SourcedLines lines_of_archive(const host::Archive& archive);
SourcedLines lines_of_text(const std::string& path, const KnownBoards& known);

// Reads several files of any kind. Boards are those of `boards` (may be empty), of the archives among the files, and
// the standard ones. Throws InputError, game::ParseError or host::ArchiveError for a file that cannot be read.
SourcedLines lines_of_files(const std::vector<std::string>& paths, const std::string& boards);

}  // namespace chainshot::tools
