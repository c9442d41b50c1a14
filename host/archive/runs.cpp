// The record runs of an archive and their turns.
#include <fmt/format.h>

#include <array>
#include <bit>
#include <charconv>

#include "host/archive/archive_text.hpp"
#include "host/archive/database.hpp"

namespace chainshot::host {
namespace {

constexpr const char* kRunColumns = "id, uid, started, host, version, command, machine, plan, state, ended, seconds";

constexpr auto kRunTexts =
    std::to_array<std::string NewRun::*>({&NewRun::uid, &NewRun::started, &NewRun::host, &NewRun::version,
                                          &NewRun::command, &NewRun::machine, &NewRun::plan});

constexpr const char* kTurnColumns =
    "number, round, board, seed, seconds, playouts, starts, score_before, score, spent_seconds, spent_playouts, "
    "spent_evaluations, began_at, ended_at, proven";

// SQLite's integers are signed. Counts beyond 2^63 become negative in the table and come back as they were.
std::int64_t stored(std::uint64_t count) {
  return std::bit_cast<std::int64_t>(count);
}

std::uint64_t count_of(const SQLite::Column& column) {
  return std::bit_cast<std::uint64_t>(column.getInt64());
}

std::string turn_name(std::int64_t run, int number) {
  return fmt::format("turn {} of run {}", number, run);
}

}  // namespace

// Reads a row of SELECT kRunColumns FROM runs.
ArchivedRun Archive::Database::run_of(SQLite::Statement& row) const {
  ArchivedRun run;
  run.id = row.getColumn(0).getInt64();
  int column = 1;
  for (const auto text : kRunTexts)
    run.*text = row.getColumn(column++).getString();
  run.state = row.getColumn(column).getString();
  run.ended = row.getColumn(column + 1).getString();
  run.seconds = row.getColumn(column + 2).getDouble();
  return run;
}

// Reads a row of SELECT kTurnColumns FROM turns.
ArchivedTurn Archive::Database::turn_of(SQLite::Statement& row) const {
  ArchivedTurn turn;
  turn.number = int_of(row.getColumn(0));
  turn.round = int_of(row.getColumn(1));
  turn.board = row.getColumn(2).getInt64();
  const std::string seed = row.getColumn(3).getString();
  const auto parsed = std::from_chars(seed.data(), seed.data() + seed.size(), turn.seed);
  turn.seconds = row.getColumn(4).getDouble();
  turn.playouts = count_of(row.getColumn(5));
  const auto starts = ids_of(row.getColumn(6).getString());
  if (parsed.ec != std::errc() || parsed.ptr != seed.data() + seed.size() || !starts)
    fail_as_damaged(fmt::format("the seed or the starts of turn {} are no numbers", turn.number));
  turn.starts = *starts;
  if (!row.isColumnNull(7)) turn.score_before = int_of(row.getColumn(7));
  if (!row.isColumnNull(8)) turn.score = int_of(row.getColumn(8));
  turn.spent = {row.getColumn(9).getDouble(), count_of(row.getColumn(10)), count_of(row.getColumn(11))};
  turn.began_at = row.getColumn(12).getString();
  turn.ended_at = row.getColumn(13).getString();
  turn.proven = row.getColumn(14).getInt() != 0;
  turn.begun = !turn.began_at.empty();
  turn.ended = !turn.ended_at.empty();
  return turn;
}

void Archive::Database::update(SQLite::Statement& statement, const std::string& what) {
  if (statement.exec() == 0) fail_as_missing(what);
}

std::int64_t Archive::begin_run(const NewRun& run) {
  return database_->write([&] {
    const auto insert = database_->prepared(
        "INSERT INTO runs (uid, started, host, version, command, machine, plan) VALUES (?, ?, ?, ?, ?, ?, ?)");
    int column = 1;
    for (const auto text : kRunTexts)
      insert->bind(column++, run.*text);
    insert->exec();
    return database_->connection().getLastInsertRowid();
  });
}

std::vector<ArchivedRun> Archive::runs() const {
  return database_->read([&] {
    std::vector<ArchivedRun> runs;
    const auto select = database_->prepared(fmt::format("SELECT {} FROM runs ORDER BY id", kRunColumns));
    while (select->executeStep())
      runs.push_back(database_->run_of(*select));
    return runs;
  });
}

ArchivedRun Archive::run(std::int64_t id) const {
  const auto found = database_->read([&] {
    const auto select = database_->prepared(fmt::format("SELECT {} FROM runs WHERE id = ?", kRunColumns));
    select->bind(1, id);
    return select->executeStep() ? std::optional(database_->run_of(*select)) : std::nullopt;
  });
  if (!found) database_->fail_as_missing("run " + std::to_string(id));
  return *found;
}

void Archive::spend(std::int64_t run, double seconds, const std::map<int, TurnWork>& turns) {
  database_->write([&] {
    const auto update = database_->prepared("UPDATE runs SET seconds = ? WHERE id = ?");
    update->bind(1, seconds);
    update->bind(2, run);
    database_->update(*update, "run " + std::to_string(run));
    const auto update_turn = database_->prepared(
        "UPDATE turns SET spent_seconds = ?, spent_playouts = ?, spent_evaluations = ? WHERE run = ? AND number = ?");
    for (const auto& [number, spent] : turns) {
      update_turn->tryReset();
      update_turn->bind(1, spent.seconds);
      update_turn->bind(2, stored(spent.playouts));
      update_turn->bind(3, stored(spent.evaluations));
      update_turn->bind(4, run);
      update_turn->bind(5, number);
      database_->update(*update_turn, turn_name(run, number));
    }
  });
}

void Archive::end_run(std::int64_t run, const std::string& state, double seconds) {
  database_->write([&] {
    const auto update = database_->prepared("UPDATE runs SET state = ?, ended = ?, seconds = ? WHERE id = ?");
    update->bind(1, state);
    update->bind(2, state == "running" ? "" : now_text());
    update->bind(3, seconds);
    update->bind(4, run);
    database_->update(*update, "run " + std::to_string(run));
  });
}

void Archive::plan_round(std::int64_t run, const std::vector<NewTurn>& turns) {
  database_->write([&] {
    const auto insert = database_->prepared(
        "INSERT INTO turns (run, number, round, board, seed, seconds, playouts) VALUES (?, ?, ?, ?, ?, ?, ?) "
        "ON CONFLICT DO NOTHING");
    for (const NewTurn& turn : turns) {
      insert->tryReset();
      insert->bind(1, run);
      insert->bind(2, turn.number);
      insert->bind(3, turn.round);
      insert->bind(4, turn.board);
      insert->bind(5, std::to_string(turn.seed));
      insert->bind(6, turn.seconds);
      insert->bind(7, stored(turn.playouts));
      if (insert->exec() == 0)
        throw ArchiveError(fmt::format("archive {} has {} already; another program seems to continue that run", path(),
                                       turn_name(run, turn.number)),
                           false);
    }
  });
}

std::vector<ArchivedTurn> Archive::turns(std::int64_t run) const {
  return database_->read([&] {
    std::vector<ArchivedTurn> turns;
    const auto select =
        database_->prepared(fmt::format("SELECT {} FROM turns WHERE run = ? ORDER BY number", kTurnColumns));
    select->bind(1, run);
    while (select->executeStep())
      turns.push_back(database_->turn_of(*select));
    return turns;
  });
}

// The best score so far is by the scoring in the plan of the run. A turn that has begun keeps what it began with.
void Archive::begin_turn(std::int64_t run, int number, const std::vector<std::int64_t>& starts) {
  database_->write([&] {
    const auto update = database_->prepared(
        "UPDATE turns SET starts = iif(began_at = '', ?1, starts), began_at = iif(began_at = '', ?2, began_at), "
        "score_before = iif(began_at = '', (SELECT max(score) FROM lines WHERE board = turns.board AND scoring = "
        "(SELECT coalesce(iif(json_valid(plan), json_extract(plan, '$.scoring'), NULL), 'standard') FROM runs WHERE "
        "id = ?3)), score_before) WHERE run = ?3 AND number = ?4");
    update->bind(1, ids_text(starts));
    update->bind(2, now_text());
    update->bind(3, run);
    update->bind(4, number);
    database_->update(*update, turn_name(run, number));
  });
}

void Archive::end_turn(std::int64_t run, int number, const std::vector<NewLine>& lines, const TurnWork& spent,
                       int score, bool proven) {
  database_->expect_replays(lines);
  database_->write([&] {
    for (const NewLine& line : lines)
      database_->insert_line(line);
    const auto update = database_->prepared(
        "UPDATE turns SET spent_seconds = ?, spent_playouts = ?, spent_evaluations = ?, score = ?, ended_at = ?, "
        "proven = ? "
        "WHERE run = ? AND number = ?");
    update->bind(1, spent.seconds);
    update->bind(2, stored(spent.playouts));
    update->bind(3, stored(spent.evaluations));
    update->bind(4, score);
    update->bind(5, now_text());
    update->bind(6, proven ? 1 : 0);
    update->bind(7, run);
    update->bind(8, number);
    database_->update(*update, turn_name(run, number));
  });
}

}  // namespace chainshot::host
