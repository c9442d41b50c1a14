#include "tools/options/line_source.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "game/reference.hpp"
#include "game/solution_text.hpp"
#include "tools/options/board_argument.hpp"
#include "tools/options/input_error.hpp"
#include "tools/options/suggest.hpp"
#include "tools/options/time_argument.hpp"

namespace chainshot::tools {
namespace {

using nlohmann::json;

// Adds a line or the sentence that refuses it. `place` names the line.
void accept(SourcedLines& out, SourcedLine line, const std::string& place) {
  const std::string fault = host::Archive::check_line(line.board.position, line.line);
  if (fault.empty()) {
    line.hash = host::board_hash(line.board.position);
    out.lines.push_back(std::move(line));
  } else {
    out.refused.push_back(fmt::format("{}: {}", place, fault));
  }
}

std::string unknown_board(const std::string& name, const KnownBoards& known) {
  if (name.empty()) return "this solution names no board; expected a line `board NAME`, or --boards with one board";
  return unknown_name("known board", name, known.names()) + " (--boards FILE makes others known)";
}

bool is_log(const std::string& text) {
  const json first = json::parse(text.substr(0, text.find('\n')), nullptr, false);
  return first.is_object() && first.contains("event");
}

std::string text_in(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || found->is_structured() || found->is_null()) return {};
  return found->is_string() ? found->get<std::string>() : found->dump();
}

// Logs give the time when a run began, to the second.
std::string start_of_run(const json& run) {
  try {
    return utc_time(text_in(run, "date"));
  } catch (const InputError&) {
    return {};
  }
}

host::LineOrigin origin_of_run(const json& run) {
  return {.found = start_of_run(run),
          .search = {},
          .preset = text_in(run, "preset"),
          .parameters = run.contains("settings") ? run["settings"].dump() : "",
          .seed = text_in(run, "seed"),
          .engine = text_in(run, "engine"),
          .device = {},
          .host = text_in(run, "host"),
          .version = text_in(run, "program"),
          .imported = {}};
}

// The `best` events of a log hold whole lines. Lines of text that are no events are skipped: a run may have been killed
// while it wrote one.
SourcedLines lines_of_log(const std::string& text, const std::string& path, const KnownBoards& known) {
  SourcedLines out;
  json run = json::object();
  std::istringstream rows(text);
  std::string row;
  for (int number = 1; std::getline(rows, row); ++number) {
    const json event = json::parse(row, nullptr, false);
    if (!event.is_object()) continue;
    if (text_in(event, "event") == "run") run = event;
    if (text_in(event, "event") != "best" || !event.contains("line")) continue;
    const std::string place = fmt::format("{}:{}:1", path, number), name = text_in(event, "board");
    const game::NamedBoard* board = known.find(name);
    if (board == nullptr) {
      out.refused.push_back(place + ": " + unknown_board(name, known));
      continue;
    }
    const json solution = {{"score", event.value("score", json())}, {"moves", event["line"]}};
    const auto parsed = game::parse_solutions(solution.dump(), place, game::Notation::kColumnRow, 1).front();
    SourcedLine line{path, *board, {}, {}};
    line.line.scoring = run.contains("scoring") ? text_in(run, "scoring") : "standard";
    line.line.score = parsed.score.value_or(0);
    line.line.moves = parsed.moves;
    line.line.origin = origin_of_run(run);
    line.line.origin.search = text_in(event, "source");
    accept(out, std::move(line), place);
  }
  return out;
}

}  // namespace

bool is_database(const std::string& path) {
  constexpr std::string_view kStart("SQLite format 3\0", 16);
  std::string start(kStart.size(), '\0');
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;  // a pipe can be read only once
  return std::ifstream(path, std::ios::binary).read(start.data(), std::ssize(start)) && start == kStart;
}

SourcedLines lines_of_archive(const host::Archive& archive) {
  SourcedLines out;
  const std::vector<host::ArchivedLine> lines = archive.lines({.only_improvements = false});
  std::map<std::int64_t, game::NamedBoard> boards;
  for (const host::ArchivedBoard& board : archive.boards())
    boards.emplace(board.id, game::NamedBoard{board.name, board.position});
  for (const host::ArchivedLine& line : lines) {
    const std::string place = fmt::format("{}: line {}", archive.path(), line.id);
    if (const auto board = boards.find(line.board); board != boards.end()) {
      accept(out, {archive.path(), board->second, {}, line}, place);
    } else {
      out.refused.push_back(fmt::format("{}: there is no board {}", place, line.board));
    }
  }
  return out;
}

SourcedLines lines_of_text(const std::string& path, const KnownBoards& known) {
  const std::string text = read_input(path), source = name_of_input(path);
  if (is_log(text)) return lines_of_log(text, source, known);
  SourcedLines out;
  for (const game::Solution& solution :
       game::parse_solutions(text, source, game::Notation::kColumnRow, game::kMaxRows)) {
    const std::string place = fmt::format("{}:{}:{}", source, solution.place.line, solution.place.column);
    const game::NamedBoard* board = known.find(solution.board);
    if (board == nullptr) {
      out.refused.push_back(place + ": " + unknown_board(solution.board, known));
      continue;
    }
    const game::Scoring scoring = solution.scoring.value_or(game::kStandardScoring);
    SourcedLine line{source, *board, {}, {}};
    line.line.scoring = scoring.name();
    line.line.score = solution.score.value_or(game::replay(board->position, solution.moves, scoring).score);
    line.line.moves = solution.moves;
    accept(out, std::move(line), place);
  }
  return out;
}

SourcedLines lines_of_files(const std::vector<std::string>& paths, const std::string& boards) {
  KnownBoards known;
  if (!boards.empty()) known.add(boards_named(boards));
  std::vector<bool> are_databases;
  for (const std::string& path : paths)
    are_databases.push_back(is_database(path));
  std::vector<SourcedLines> parts(paths.size());
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (!are_databases[i]) continue;
    const host::Archive archive(paths[i], {});
    known.add(archive);
    parts[i] = lines_of_archive(archive);
  }
  known.add(game::standard_boards());
  SourcedLines all;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (!are_databases[i]) parts[i] = lines_of_text(paths[i], known);
    std::move(parts[i].lines.begin(), parts[i].lines.end(), std::back_inserter(all.lines));
    std::move(parts[i].refused.begin(), parts[i].refused.end(), std::back_inserter(all.refused));
  }
  return all;
}

}  // namespace chainshot::tools
