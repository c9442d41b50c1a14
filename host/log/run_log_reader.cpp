#include "host/log/run_log_reader.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>

#include "game/located_json.hpp"
#include "game/parse_error.hpp"

namespace chainshot::host {

using game::LocatedJson;

namespace {

// The fields of one parsed line; its accessors throw game::ParseError with the place of the mistake.
class LineFields {
 public:
  LineFields(const LocatedJson& line, std::string_view source, int number)
      : line_(line), source_(source), number_(number) {
    if (line.kind != LocatedJson::Kind::kObject) fail(line, "expected an object in braces");
  }

  bool has(std::string_view key) const { return line_.find(key) != nullptr; }
  std::string text(std::string_view key) const {
    const LocatedJson& value = field(key);
    if (value.kind != LocatedJson::Kind::kString) fail(value, "expected " + quoted(key) + " in quotes");
    return value.text;
  }
  double number(std::string_view key) const {
    const LocatedJson& value = field(key);
    const double found = std::strtod(value.text.c_str(), nullptr);
    if (!is_number(value) || !std::isfinite(found) || std::abs(found) > kMost)
      fail(value, "expected " + quoted(key) + " to be a number");
    return found;
  }
  double seconds() const {
    const double found = number("seconds");
    if (found < 0) fail(field("seconds"), "expected \"seconds\" of 0 or more");
    return found;
  }
  int score() const {
    const LocatedJson& value = field("score");
    if (value.kind != LocatedJson::Kind::kInteger || std::abs(number("score")) > std::numeric_limits<int>::max())
      fail(value, "not a score; expected a whole number");
    return static_cast<int>(value.integer);
  }
  // Returns an empty text if there is no such field.
  std::string text_if_any(std::string_view key) const { return has(key) ? text(key) : std::string(); }
  std::vector<std::string> texts_if_any(std::string_view key) const {
    std::vector<std::string> found;
    const LocatedJson* list = line_.find(key);
    if (list == nullptr) return found;
    if (list->kind != LocatedJson::Kind::kArray) fail(*list, "expected " + quoted(key) + " to be a list");
    for (const LocatedJson& item : list->items) {
      if (item.kind != LocatedJson::Kind::kString) fail(item, "expected a text in quotes");
      found.push_back(item.text);
    }
    return found;
  }
  // Returns the plain values of an object as text, by name; none if there is no such field. The log may be of a version
  // that writes other settings, so what is no plain value is left out.
  std::vector<std::pair<std::string, std::string>> values_if_any(std::string_view key) const {
    std::vector<std::pair<std::string, std::string>> found;
    const LocatedJson* object = line_.find(key);
    if (object == nullptr || object->kind != LocatedJson::Kind::kObject) return found;
    for (std::size_t i = 0; i < object->items.size(); ++i) {
      const LocatedJson& value = object->items[i];
      if (value.kind == LocatedJson::Kind::kBoolean)
        found.emplace_back(object->keys[i], value.integer != 0 ? "on" : "off");
      else if (value.kind == LocatedJson::Kind::kString || is_number(value))
        found.emplace_back(object->keys[i], value.text);
    }
    return found;
  }
  // Returns the moves of a list of [C, R]; none if there is no such list. (`moves` of a `best` line is their number.)
  std::vector<game::Cell> moves_if_any(std::string_view key) const {
    std::vector<game::Cell> moves;
    const LocatedJson* list = line_.find(key);
    if (list == nullptr || list->kind != LocatedJson::Kind::kArray) return moves;
    for (const LocatedJson& item : list->items)
      moves.push_back(cell(item));
    return moves;
  }
  std::string digits(std::string_view key) const {
    number(key);
    return field(key).text;
  }
  [[noreturn]] void fail_at_start(std::string_view sentence) const { fail(line_, sentence); }

 private:
  static constexpr double kMost = 1e20;  // sums and differences of such numbers stay finite

  game::Cell cell(const LocatedJson& item) const {
    const auto is_within = [](const LocatedJson& value, int limit) {
      return value.kind == LocatedJson::Kind::kInteger && value.integer >= 0 && value.integer < limit;
    };
    if (item.kind != LocatedJson::Kind::kArray || item.items.size() != 2 ||
        !is_within(item.items[0], game::kMaxColumns) || !is_within(item.items[1], game::kMaxRows))
      fail(item, "not a cell; expected [COLUMN, ROW] of a board");
    return {static_cast<std::uint8_t>(item.items[0].integer), static_cast<std::uint8_t>(item.items[1].integer)};
  }
  static bool is_number(const LocatedJson& value) {
    return value.kind == LocatedJson::Kind::kInteger || value.kind == LocatedJson::Kind::kReal;
  }
  static std::string quoted(std::string_view key) { return '"' + std::string(key) + '"'; }

  const LocatedJson& field(std::string_view key) const {
    const LocatedJson* value = line_.find(key);
    if (value == nullptr) fail(line_, "this line of the log has no " + quoted(key));
    return *value;
  }
  [[noreturn]] void fail(const LocatedJson& value, std::string_view sentence) const {
    game::fail_at(source_, {number_, static_cast<int>(value.offset) + 1}, sentence);
  }

  const LocatedJson& line_;
  std::string_view source_;
  int number_;
};

// A run may solve a board twice. Lines after the end of the board belong to the second time.
LoggedBoard& board_of(LoggedRun& run, const std::string& name) {
  const auto found = std::find_if(run.boards.rbegin(), run.boards.rend(),
                                  [&](const LoggedBoard& board) { return board.name == name && !board.ended; });
  if (found != run.boards.rend()) return *found;
  return run.boards.emplace_back(LoggedBoard{.name = name, .scores = {}, .counts = {}});
}

void add_run(std::vector<LoggedRun>& runs, const LineFields& fields) {
  runs.push_back({.preset = fields.text("preset"),
                  .scoring = fields.has("scoring") ? fields.text("scoring") : "standard",
                  .seed = fields.digits("seed"),
                  .date = fields.text_if_any("date"),
                  .engine = fields.text_if_any("engine"),
                  .host = fields.text_if_any("host"),
                  .processor = fields.text_if_any("processor"),
                  .program = fields.text_if_any("program"),
                  .command = fields.texts_if_any("command"),
                  .settings = fields.values_if_any("settings"),
                  .boards = {}});
  for (auto& [limit, value] : fields.values_if_any("budget"))
    runs.back().settings.emplace_back("budget of " + limit, value);
}

void add_line(LoggedRun& run, const std::string& event, const LineFields& fields) {
  if (event != "best" && event != "status" && event != "end") return;
  LoggedBoard& board = board_of(run, fields.text("board"));
  const double seconds = fields.seconds();
  board.seconds = std::max(board.seconds, seconds);
  if (event == "best" || event == "end") {
    const int score = fields.score();
    if (board.scores.empty() || score > board.scores.back().score)
      board.scores.push_back({.seconds = seconds,
                              .score = score,
                              .source = fields.text_if_any("source"),
                              .moves = fields.moves_if_any(event == "best" ? "line" : "moves")});
    board.ended = event == "end";
  } else {
    const double playouts = fields.number("playouts"), evaluations = fields.number("evaluations");
    board.counts.push_back(
        {.seconds = seconds,
         .search = fields.text("search"),
         .done = playouts + evaluations,
         .playouts = playouts,
         .evaluations = evaluations,
         .busy_share = fields.has("busy_share") ? std::optional(fields.number("busy_share")) : std::nullopt});
  }
}

}  // namespace

std::vector<LoggedRun> parse_run_log(std::string_view text, std::string_view source) {
  constexpr std::string_view kNoLog = "not the log of a run; expected a first line with the event \"run\"";
  text = game::without_byte_order_mark(text);
  std::vector<LoggedRun> runs;
  std::optional<game::ParseError> cut;  // why the line before is not JSON; only another run may follow such a line
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    const bool whole = end != std::string_view::npos;
    const std::string_view line = text.substr(0, end);
    text = whole ? text.substr(end + 1) : std::string_view{};
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    LocatedJson parsed;
    try {
      parsed = game::parse_located_json(line, source, number);
    } catch (const game::ParseError& error) {
      if (!cut) cut = error;
      if (whole || runs.empty()) continue;
      cut.reset();
      break;  // the process was killed while it wrote this line
    }
    const LineFields fields(parsed, source, number);
    const std::string event = fields.text("event");
    if (event == "run") {
      add_run(runs, fields);
      cut.reset();
      continue;
    }
    if (cut) throw *cut;
    if (runs.empty()) fields.fail_at_start(kNoLog);
    add_line(runs.back(), event, fields);
  }
  if (cut) throw *cut;
  if (runs.empty()) game::fail_at(source, {1, 1}, kNoLog);
  return runs;
}

}  // namespace chainshot::host
