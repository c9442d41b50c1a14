// The archive keeps every improvement of every board for good: an SQLite database that several programs may write at
// the same time. A board is known by its cells, whatever its name. Every line is replayed by the reference rules before
// it is added, and is on the disk when `add` returns. The archive also holds the state of record runs, so that a run
// that was killed can go on. docs/formats.md describes the tables.
//
// An Archive may be used from several threads. All functions throw ArchiveError with one sentence that names the file;
// nothing was changed then.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "game/board_text.hpp"
#include "game/position.hpp"
#include "host/archive/archive_rows.hpp"

namespace chainshot::host {

// `is_input` if the file is not what was expected (missing, damaged, of another program, of a newer version); else the
// system refused (full disk, locked by another program, no permission), and the same call may succeed later.
class ArchiveError : public std::runtime_error {
 public:
  ArchiveError(const std::string& sentence, bool is_input) : std::runtime_error(sentence), is_input_(is_input) {}
  bool is_input() const { return is_input_; }

 private:
  bool is_input_;
};

struct ArchiveOptions {
  enum class Access { kRead, kWrite, kCreate };  // kCreate: write, and make the file if there is none

  Access access = Access::kRead;
  bool on_network = false;       // no write-ahead log and no shared memory, which network file systems cannot share
  double patience_seconds = 10;  // how long to wait for another program that writes
};

class Archive {
 public:
  Archive(const std::string& path, const ArchiveOptions& options);
  ~Archive();
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;

  const std::string& path() const;

  // Boards. `board_id` adds the board if the archive does not have it; the first name given to it is kept.
  std::int64_t board_id(const game::NamedBoard& board);
  std::optional<std::int64_t> find_board(const game::Position& position) const;
  ArchivedBoard board(std::int64_t id) const;
  std::vector<ArchivedBoard> boards() const;  // in the order in which they were added

  // Adds lines in one transaction and returns for each whether it was added. A line that the archive has already
  // (same board, scoring and moves) is left as it is. Throws std::logic_error if a line does not replay: callers check
  // foreign lines first (`check_line`).
  std::vector<bool> add(const std::vector<NewLine>& lines);
  // Returns why a line cannot be added: empty, or one sentence.
  static std::string check_line(const game::Position& board, const NewLine& line);

  std::optional<ArchivedLine> best(std::int64_t board, const std::string& scoring) const;
  std::vector<ArchivedLine> lines(const LineFilter& filter) const;  // in the order in which they were added
  ArchivedLine line(std::int64_t id) const;

  // Record runs. A run has rounds; a round gives every board that is due a turn, which is one search.
  std::int64_t begin_run(const NewRun& run);
  std::vector<ArchivedRun> runs() const;  // in the order in which they began
  ArchivedRun run(std::int64_t id) const;
  // Saves the seconds that the run has taken so far, and the work of turns under way, by their numbers.
  void spend(std::int64_t run, double seconds, const std::map<int, TurnWork>& turns = {});
  void end_run(std::int64_t run, const std::string& state, double seconds);

  // Plans the turns of a round in one transaction; a round is planned once.
  void plan_round(std::int64_t run, const std::vector<NewTurn>& turns);
  std::vector<ArchivedTurn> turns(std::int64_t run) const;  // by number
  // Saves the lines a turn starts from, when it starts for the first time.
  void begin_turn(std::int64_t run, int number, const std::vector<std::int64_t>& starts);
  // Adds the last lines of a turn and marks it as finished, in one transaction.
  void end_turn(std::int64_t run, int number, const std::vector<NewLine>& lines, const TurnWork& spent, int score,
                bool proven = false);

  // Replays every line by the reference rules and asks SQLite for its own check. Returns one sentence per fault.
  std::vector<std::string> check() const;
  // Asks SQLite for a quick check of the tables. Throws ArchiveError if the file is damaged.
  void expect_sound() const;

 private:
  class Database;
  std::unique_ptr<Database> database_;
};

// Returns the name of a board that depends on its cells alone: 32 hexadecimal digits.
std::string board_hash(const game::Position& position);

}  // namespace chainshot::host
