#include "game/solution_text.hpp"

#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "game/located_json.hpp"
#include "game/scoring_text.hpp"

namespace chainshot::game {
namespace {

// Turns a row counted from 1 at the top into one counted from 0 at the bottom. Cells have no negative rows, so a row
// below the board becomes one above it: both are outside, and the way back finds the number that was written.
int flipped_row(int from_top, int rows) {
  return from_top <= rows ? rows - from_top : from_top - 1;
}

// The meaning and limits of the two numbers of a move in a notation.
struct MoveReader {
  std::string_view source;
  Notation notation;

  std::string_view form() const {
    return notation == Notation::kPaper ? "ROW,COLUMN" : notation == Notation::kCodingame ? "COLUMN ROW" : "COLUMN,ROW";
  }

  // The cell of a move's two numbers, which stand at the two places.
  Cell cell(std::int64_t first, Place first_place, std::int64_t second, Place second_place, int rows) const {
    if (notation == Notation::kPaper) {
      check("row", first, 1, kMaxRows, first_place);
      check("column", second, 1, kMaxColumns, second_place);
      return {static_cast<std::uint8_t>(second - 1),
              static_cast<std::uint8_t>(flipped_row(static_cast<int>(first), rows))};
    }
    check("column", first, 0, kMaxColumns - 1, first_place);
    check("row", second, 0, kMaxRows - 1, second_place);
    return {static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(second)};
  }

  void check(std::string_view what, std::int64_t value, int low, int high, Place place) const {
    if (value < low || value > high)
      fail_at(source, place,
              std::string(what) + ' ' + std::to_string(value) + " is outside every board; expected " +
                  std::to_string(low) + " to " + std::to_string(high));
  }
};

// `place` is where the text starts; it lies on one line.
Scoring scoring_at(std::string_view text, std::string_view source, Place place) {
  try {
    return parse_scoring(text);
  } catch (const ScoringError& error) {
    place.column += static_cast<int>(error.offset());
    fail_at(source, place, error.what());
  }
}

// `12,6`
std::optional<std::pair<int, int>> number_pair(std::string_view word) {
  const std::size_t comma = word.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const auto first = whole_number(word.substr(0, comma)), second = whole_number(word.substr(comma + 1));
  if (!first || !second) return std::nullopt;
  return std::pair{*first, *second};
}

class TextSolutions {
 public:
  TextSolutions(std::string_view text, std::string_view source, Notation notation, const RowsOfBoard& rows_of)
      : lines_(text, source), reader_{source, notation}, rows_of_(rows_of) {}

  std::vector<Solution> read() {
    while (lines_.next()) {
      const std::string_view word = lines_.word();
      if (word.empty()) continue;
      if (word == "board") {
        read_board();
      } else if (word == "scoring") {
        read_scoring();
      } else if (word == "score") {
        read_score();
      } else if (word == "moves") {
        if (has_moves_) lines_.fail("a second `moves` for one board; expected `board NAME` before it");
        has_moves_ = true;
        read_moves(lines_.word());
      } else if (word.front() >= '0' && word.front() <= '9') {
        read_moves(word);
        has_moves_ = true;
      } else {
        lines_.fail(shown(word) + "; expected `board NAME`, `scoring NAME`, `score N` or `moves " +
                    std::string(reader_.form()) + " ...`");
      }
    }
    close();
    if (solutions_.empty()) lines_.fail("no solution; expected a line `moves " + std::string(reader_.form()) + " ...`");
    return std::move(solutions_);
  }

 private:
  void close() {
    if (!open_) return;
    if (!has_moves_)
      lines_.fail("a solution without moves; expected a line `moves " + std::string(reader_.form()) + " ...`");
    solutions_.push_back(std::move(current_));
    current_ = {};
    open_ = has_moves_ = false;
  }

  void begin() {
    if (!open_) current_.place = lines_.place();
    open_ = true;
  }

  void end_line() {
    if (!lines_.word().empty()) lines_.fail("expected the end of the line");
  }

  void read_board() {
    close();
    const std::string_view name = lines_.word();
    if (name.empty()) lines_.fail("`board` without a name; expected `board NAME`");
    check_board_name(name, reader_.source, lines_.place());
    begin();
    current_.board = name;
    end_line();
  }

  // A formula may have blanks, so it is the rest of the line.
  void read_scoring() {
    const std::string_view first = lines_.word(), rest = lines_.rest();
    const bool has_formula = is_formula(rest);
    const Scoring scoring = scoring_at(has_formula ? rest : first, reader_.source, lines_.place());
    if (has_formula) lines_.skip_rest();
    if (current_.scoring) lines_.fail("a second `scoring` for one board; expected `board NAME` before it");
    begin();
    current_.scoring = scoring;
    end_line();
  }

  void read_score() {
    const std::string_view word = lines_.word();
    const std::optional<int> score = whole_number(word);
    if (!score)
      lines_.fail((word.empty() ? "`score` without a number" : shown(word) + " is no score") +
                  "; expected a whole number");
    if (current_.score) lines_.fail("a second `score` for one board; expected `board NAME` before it");
    begin();
    current_.score = score;
    end_line();
  }

  void read_moves(std::string_view first) {
    begin();
    const int rows = rows_of_(current_.board);
    if (whole_number(first)) return read_apart(first, rows);
    for (std::string_view word = first; !word.empty(); word = lines_.word()) {
      const auto numbers = number_pair(word);
      if (!numbers) lines_.fail(shown(word) + " is no move; expected " + std::string(reader_.form()));
      current_.moves.push_back(
          reader_.cell(numbers->first, lines_.place(), numbers->second, lines_.place(word.find(',') + 1), rows));
    }
  }

  // A line of one move, `12 6`.
  void read_apart(std::string_view first, int rows) {
    const Place place = lines_.place();
    const std::string_view second = lines_.word();
    if (second.empty() || !whole_number(second))
      fail_at(reader_.source, place, shown(first) + " is no move; expected " + std::string(reader_.form()));
    current_.moves.push_back(reader_.cell(*whole_number(first), place, *whole_number(second), lines_.place(), rows));
    end_line();
  }

  LineReader lines_;
  MoveReader reader_;
  const RowsOfBoard& rows_of_;
  std::vector<Solution> solutions_;
  Solution current_;
  bool open_ = false;       // something of `current_` was read
  bool has_moves_ = false;  // ... its moves
};

class JsonSolutions {
 public:
  JsonSolutions(std::string_view text, std::string_view source, Notation notation, const RowsOfBoard& rows_of)
      : text_(text), places_(text), reader_{source, notation}, rows_of_(rows_of) {}

  std::vector<Solution> read() {
    const LocatedJson root = parse_located_json(text_, reader_.source);
    const LocatedJson* list = root.find("boards");
    const LocatedJson& all = list != nullptr ? *list : root;
    const LocatedJson* scoring = root.find("scoring");
    if (all.kind == Kind::kArray && !all.items.empty() && all.items.front().kind == Kind::kArray) {
      solutions_.push_back({.board = {}, .scoring = {}, .score = {}, .moves = moves_of(all, {}), .place = place(all)});
    } else if (all.kind == Kind::kArray) {
      for (const LocatedJson& item : all.items)
        add(item, scoring);
    } else {
      add(all, scoring);
    }
    if (solutions_.empty()) fail(all, "no solution; expected an object with \"moves\"");
    return std::move(solutions_);
  }

 private:
  using Kind = LocatedJson::Kind;

  Place place(const LocatedJson& value) { return places_.of(value.offset); }
  [[noreturn]] void fail(const LocatedJson& value, std::string_view sentence) {
    fail_at(reader_.source, place(value), sentence);
  }

  // `scoring` may be null.
  void add(const LocatedJson& value, const LocatedJson* scoring) {
    const LocatedJson* best = value.find("best");
    const LocatedJson& line = best != nullptr ? *best : value;
    const LocatedJson* board = line.find("board");
    if (board == nullptr) board = value.find("board");
    if (board == nullptr) board = value.find("name");  // as the answers of `chainshot solve` call it
    const LocatedJson* score = line.find("score");
    const LocatedJson* moves = line.find("moves");
    Solution solution;
    solution.place = place(board != nullptr ? *board : value);
    if (board != nullptr) {
      if (board->kind != Kind::kString) fail(*board, "expected the name of a board in quotes");
      check_board_name(board->text, reader_.source, places_.of(board->offset + 1));
      solution.board = board->text;
    }
    if (const LocatedJson* own = value.find("scoring"); own != nullptr) scoring = own;
    if (scoring != nullptr) solution.scoring = read_scoring(*scoring);
    if (score != nullptr) solution.score = read_score(*score);
    if (moves == nullptr) fail(line, "no solution; expected an object with \"moves\"");
    if (moves->kind != Kind::kArray) fail(*moves, "expected an array of moves [" + std::string(reader_.form()) + "]");
    solution.moves = moves_of(*moves, solution.board);
    solutions_.push_back(std::move(solution));
  }

  std::vector<Cell> moves_of(const LocatedJson& list, const std::string& board) {
    const int rows = rows_of_(board);
    std::vector<Cell> moves;
    for (const LocatedJson& move : list.items)
      moves.push_back(read_move(move, rows));
    return moves;
  }

  Scoring read_scoring(const LocatedJson& value) {
    if (value.kind != Kind::kString) fail(value, "expected the name or the formula of a scoring in quotes");
    return scoring_at(value.text, reader_.source, places_.of(value.offset + 1));
  }

  int read_score(const LocatedJson& value) {
    if (value.kind != Kind::kInteger || value.integer < std::numeric_limits<int>::min() ||
        value.integer > std::numeric_limits<int>::max())
      fail(value, "no score; expected a whole number");
    return static_cast<int>(value.integer);
  }

  Cell read_move(const LocatedJson& move, int rows) {
    const auto is_number = [](const LocatedJson& v) { return v.kind == Kind::kInteger; };
    if (move.kind != Kind::kArray || move.items.size() != 2 || !is_number(move.items[0]) || !is_number(move.items[1]))
      fail(move, "no move; expected [" + std::string(reader_.form()) + "]");
    return reader_.cell(move.items[0].integer, place(move.items[0]), move.items[1].integer, place(move.items[1]), rows);
  }

  std::string_view text_;
  PlaceFinder places_;
  MoveReader reader_;
  const RowsOfBoard& rows_of_;
  std::vector<Solution> solutions_;
};

constexpr std::size_t kMovesPerLine = 12;  // 12 moves of 5 characters and the word `moves` fit in 80 columns

}  // namespace

std::vector<Solution> parse_solutions(std::string_view text, std::string_view source, Notation notation,
                                      const RowsOfBoard& rows_of) {
  text = without_byte_order_mark(text);
  if (is_json(text)) {
    const bool is_paper = notation == Notation::kPaper;
    return JsonSolutions(text, source, is_paper ? notation : Notation::kColumnRow, rows_of).read();
  }
  return TextSolutions(text, source, notation, rows_of).read();
}

std::vector<Solution> parse_solutions(std::string_view text, std::string_view source, Notation notation, int rows) {
  return parse_solutions(text, source, notation, [rows](const std::string&) { return rows; });
}

std::optional<Cell> parse_cell(std::string_view text) {
  const auto numbers = number_pair(text);
  if (!numbers || numbers->first < 0 || numbers->first >= kMaxColumns || numbers->second < 0 ||
      numbers->second >= kMaxRows)
    return std::nullopt;
  return Cell{static_cast<std::uint8_t>(numbers->first), static_cast<std::uint8_t>(numbers->second)};
}

std::string to_text(Cell cell, Notation notation, int rows) {
  const int from_top = cell.row < rows ? rows - cell.row : cell.row + 1;  // see flipped_row
  if (notation == Notation::kPaper) return std::to_string(from_top) + ',' + std::to_string(cell.column + 1);
  return std::to_string(cell.column) + (notation == Notation::kCodingame ? ' ' : ',') + std::to_string(cell.row);
}

std::string to_text(const Solution& solution, Notation notation, int rows) {
  std::string text;
  if (!solution.board.empty()) text += "board " + solution.board + '\n';
  if (solution.scoring) text += "scoring " + solution.scoring->name() + '\n';
  if (solution.score) text += "score " + std::to_string(*solution.score) + '\n';
  // A reader needs the word `moves` after a head, but moves to paste are nothing else.
  const bool is_head_alone = solution.moves.empty() && !text.empty();
  if (notation == Notation::kCodingame && !is_head_alone) {
    for (const Cell cell : solution.moves)
      text += to_text(cell, notation, rows) + '\n';
    return text;
  }
  text += "moves";
  for (std::size_t i = 0; i < solution.moves.size(); ++i) {
    const bool new_line = i > 0 && i % kMovesPerLine == 0;
    text += (new_line ? '\n' : ' ') + to_text(solution.moves[i], notation, rows);
  }
  return text + '\n';
}

nlohmann::ordered_json to_json(const Solution& solution) {
  nlohmann::ordered_json out = nlohmann::ordered_json::object();
  if (!solution.board.empty()) out["board"] = solution.board;
  if (solution.scoring) out["scoring"] = solution.scoring->name();
  if (solution.score) out["score"] = *solution.score;
  out["moves"] = nlohmann::ordered_json::array();
  for (Cell cell : solution.moves)
    out["moves"].push_back({cell.column, cell.row});
  return out;
}

}  // namespace chainshot::game
