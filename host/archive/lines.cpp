// The lines of an archive.
#include <fmt/format.h>

#include <array>
#include <limits>
#include <map>
#include <stdexcept>

#include "game/reference.hpp"
#include "game/scoring_text.hpp"
#include "host/archive/archive_text.hpp"
#include "host/archive/database.hpp"

namespace chainshot::host {
namespace {

constexpr const char* kLineColumns =
    "id, board, scoring, score, moves, found, search, preset, parameters, seed, engine, device, host, version, "
    "imported, run, turn, is_elite, improved";

// The texts of an origin in the order of the columns.
constexpr auto kOriginTexts = std::to_array<std::string LineOrigin::*>(
    {&LineOrigin::found, &LineOrigin::search, &LineOrigin::preset, &LineOrigin::parameters, &LineOrigin::seed,
     &LineOrigin::engine, &LineOrigin::device, &LineOrigin::host, &LineOrigin::version, &LineOrigin::imported});

}  // namespace

int Archive::Database::int_of(const SQLite::Column& column) const {
  const std::int64_t value = column.getInt64();
  if (value < std::numeric_limits<int>::min() || value > std::numeric_limits<int>::max())
    fail_as_damaged(fmt::format("{} is out of range in column {}", value, column.getName()));
  return static_cast<int>(value);
}

// Reads a row of SELECT kLineColumns FROM lines.
ArchivedLine Archive::Database::line_of(SQLite::Statement& row) const {
  ArchivedLine line;
  line.id = row.getColumn(0).getInt64();
  line.board = row.getColumn(1).getInt64();
  line.scoring = row.getColumn(2).getString();
  line.score = int_of(row.getColumn(3));
  const auto moves = moves_of(row.getColumn(4).getString());
  if (!moves) fail_as_damaged(fmt::format("the moves of line {} are no moves", line.id));
  line.moves = *moves;
  int column = 5;
  for (const auto text : kOriginTexts)
    line.origin.*text = row.getColumn(column++).getString();
  line.run = row.getColumn(column).getInt64();
  line.turn = int_of(row.getColumn(column + 1));
  line.is_elite = row.getColumn(column + 2).getInt64() != 0;
  line.improved = row.getColumn(column + 3).getInt64() != 0;
  return line;
}

std::optional<int> Archive::Database::best_score(std::int64_t board, const std::string& scoring) {
  const auto select = prepared("SELECT max(score) FROM lines WHERE board = ? AND scoring = ?");
  select->bind(1, board);
  select->bind(2, scoring);
  select->executeStep();
  if (select->isColumnNull(0)) return std::nullopt;
  return int_of(select->getColumn(0));
}

// Adds a line that replays, as part of a transaction. Returns false if the archive has it already.
bool Archive::Database::insert_line(const NewLine& line) {
  const std::optional<int> best = best_score(line.board, line.scoring);
  const auto insert = prepared(fmt::format(
      "INSERT OR IGNORE INTO lines ({}) VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      kLineColumns));
  insert->bind(1, line.board);
  insert->bind(2, line.scoring);
  insert->bind(3, line.score);
  insert->bind(4, moves_text(line.moves));
  int column = 5;
  for (const auto text : kOriginTexts)
    insert->bind(column++, line.origin.*text);
  if (line.run != 0) insert->bind(column, line.run);
  insert->bind(column + 1, line.turn);
  insert->bind(column + 2, line.is_elite ? 1 : 0);
  insert->bind(column + 3, !best || line.score > *best ? 1 : 0);
  return insert->exec() == 1;
}

// Throws std::logic_error if a line does not replay. Boards never change, so this needs no transaction.
void Archive::Database::expect_replays(const std::vector<NewLine>& lines) {
  std::map<std::int64_t, game::Position> positions;
  for (const NewLine& line : lines) {
    if (!positions.contains(line.board)) {
      const auto board = read([&] { return find_board(line.board); });
      if (!board) throw std::logic_error(fmt::format("archive {} has no board {}", path_, line.board));
      positions.emplace(line.board, board->position);
    }
    if (const std::string fault = check_line(positions.at(line.board), line); !fault.empty())
      throw std::logic_error(fmt::format("a line for board {} of archive {} is wrong: {}", line.board, path_, fault));
  }
}

std::string Archive::check_line(const game::Position& board, const NewLine& line) {
  // One spelling only, because lines are found by it.
  const auto scoring = game::scoring_from_text(line.scoring);
  if (!scoring || scoring->name() != line.scoring) return "no scoring is called '" + line.scoring + "'";
  const game::ReplayResult result = game::replay(board, line.moves, *scoring);
  if (!result.error.empty()) return result.error;
  if (result.score != line.score)
    return fmt::format("the moves score {}, but the line states {}", result.score, line.score);
  return {};
}

std::vector<bool> Archive::add(const std::vector<NewLine>& lines) {
  if (lines.empty()) return {};
  database_->expect_replays(lines);
  return database_->write([&] {
    std::vector<bool> added;
    for (const NewLine& line : lines)
      added.push_back(database_->insert_line(line));
    return added;
  });
}

std::optional<ArchivedLine> Archive::best(std::int64_t board, const std::string& scoring) const {
  return database_->read([&] {
    const auto select = database_->prepared(fmt::format(
        "SELECT {} FROM lines WHERE board = ? AND scoring = ? ORDER BY score DESC, id LIMIT 1", kLineColumns));
    select->bind(1, board);
    select->bind(2, scoring);
    return select->executeStep() ? std::optional(database_->line_of(*select)) : std::nullopt;
  });
}

std::vector<ArchivedLine> Archive::lines(const LineFilter& filter) const {
  std::string sql = fmt::format("SELECT {} FROM lines WHERE found >= ?1", kLineColumns);
  if (filter.board) sql += " AND board = ?2";
  if (filter.scoring) sql += " AND scoring = ?3";
  if (filter.run) sql += " AND run = ?4";
  if (filter.only_improvements) sql += " AND improved != 0";
  // The earliest of the lines that pass everything else. The best line of a board is always an improvement.
  if (filter.only_best)
    sql = fmt::format(
        "SELECT {} FROM (SELECT *, row_number() OVER (PARTITION BY board, scoring ORDER BY score DESC, id) AS place "
        "FROM ({})) WHERE place = 1",
        kLineColumns, sql);
  sql += " ORDER BY id";
  return database_->read([&] {
    const auto select = database_->prepared(sql);
    select->bind(1, filter.since);
    if (filter.board) select->bind(2, *filter.board);
    if (filter.scoring) select->bind(3, *filter.scoring);
    if (filter.run) select->bind(4, *filter.run);
    std::vector<ArchivedLine> lines;
    while (select->executeStep())
      lines.push_back(database_->line_of(*select));
    return lines;
  });
}

ArchivedLine Archive::line(std::int64_t id) const {
  const auto found = database_->read([&] {
    const auto select = database_->prepared(fmt::format("SELECT {} FROM lines WHERE id = ?", kLineColumns));
    select->bind(1, id);
    return select->executeStep() ? std::optional(database_->line_of(*select)) : std::nullopt;
  });
  if (!found) database_->fail_as_missing("line " + std::to_string(id));
  return *found;
}

}  // namespace chainshot::host
