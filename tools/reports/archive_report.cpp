#include "tools/reports/archive_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "game/scoring_text.hpp"
#include "game/solution_text.hpp"
#include "tools/options/time_argument.hpp"
#include "tools/reports/number_text.hpp"

namespace chainshot::tools {
namespace {

// The standard names by hash, and the hashes by name.
const std::map<std::string, std::string>& standard_names() {
  static const auto names = [] {
    std::map<std::string, std::string> by_hash;
    for (const game::NamedBoard& board : game::standard_boards())
      by_hash.emplace(host::board_hash(board.position), board.name);
    return by_hash;
  }();
  return names;
}

bool is_standard_name(const std::string& name) {
  return std::any_of(standard_names().begin(), standard_names().end(),
                     [&](const auto& entry) { return entry.second == name; });
}

bool is_number(const std::string& cell) {
  return !cell.empty() && cell.find_first_not_of("0123456789,+-") == std::string::npos;
}

Json parameters_json(const std::string& text) {
  const Json parsed = Json::parse(text, nullptr, false);
  return parsed.is_object() ? parsed : Json(printable_text(text));
}

game::Solution solution_of(const host::ArchivedLine& line, const std::string& board) {
  return {.board = board, .scoring = game::scoring_from_text(line.scoring), .score = line.score, .moves = line.moves};
}

std::string signed_number(int n) {
  return fmt::format("{:+}", n);
}

}  // namespace

void BoardNames::add(const std::string& hash, const std::string& name) {
  if (by_hash_.contains(hash)) return;
  const auto standard = standard_names().find(hash);
  std::string shown = standard == standard_names().end() ? name : standard->second;
  const bool is_taken =
      hash_by_name_.contains(shown) || (standard == standard_names().end() && is_standard_name(shown));
  if (is_taken) shown += '-' + hash.substr(0, 8);
  by_hash_.emplace(hash, shown);
  hash_by_name_.emplace(shown, hash);
}

void BoardNames::add(const host::Archive& archive) {
  hash_of_.clear();
  for (const host::ArchivedBoard& board : archive.boards()) {
    add(board.hash, board.name);
    hash_of_.emplace(board.id, board.hash);
  }
}

Json line_json(const host::ArchivedLine& line, const std::string& board) {
  const host::LineOrigin& origin = line.origin;
  Json out = {{"id", line.id},
              {"board", board},
              {"scoring", printable_text(line.scoring)},
              {"score", line.score},
              {"found", printable_text(origin.found)},
              {"search", printable_text(origin.search)},
              {"preset", printable_text(origin.preset)},
              {"seed", printable_text(origin.seed)},
              {"engine", printable_text(origin.engine)},
              {"device", printable_text(origin.device)},
              {"host", printable_text(origin.host)},
              {"version", printable_text(origin.version)},
              {"imported", printable_text(origin.imported)},
              {"parameters", parameters_json(origin.parameters)},
              {"improved", line.improved},
              {"elite", line.is_elite},
              {"run", line.run},
              {"turn", line.turn}};
  out["moves"] = to_json(solution_of(line, board))["moves"];
  return out;
}

std::string line_text(const host::ArchivedLine& line, const std::string& board, int rows, const std::string& archive) {
  const host::LineOrigin& origin = line.origin;
  std::string text = fmt::format("# line {} of {}\n", line.id, printable_text(archive));
  const auto add = [&](const char* label, const std::string& value) {
    if (!value.empty()) text += fmt::format("# {:<11}{}\n", label, printable_text(value));
  };
  add("found", local_time(origin.found));
  add("search", origin.search);
  add("preset", origin.preset);
  add("seed", origin.seed);
  add("engine", origin.engine);
  add("device", origin.device);
  add("host", origin.host);
  add("version", origin.version);
  add("imported", origin.imported);
  add("parameters", origin.parameters);
  if (line.run != 0) add("run", fmt::format("{}, turn {}", line.run, line.turn));
  add("kept as", line.improved ? "an improvement" : line.is_elite ? "a start for later searches" : "");
  return text + to_text(solution_of(line, board), game::Notation::kColumnRow, rows);
}

std::string finder_text(const host::LineOrigin& origin) {
  if (!origin.imported.empty() && origin.search.empty()) return printable_text("imported from " + origin.imported);
  std::string details = origin.preset == origin.search ? "" : origin.preset;
  if (!origin.seed.empty()) details += (details.empty() ? "seed " : ", seed ") + origin.seed;
  return printable_text(details.empty() ? origin.search : fmt::format("{} ({})", origin.search, details));
}

std::string TextTable::text() const {
  std::string text;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t column = 0; column < row.size(); ++column) {
      std::size_t width = 0;
      bool stands_right = true;
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        width = std::max(width, rows_[i][column].size());
        stands_right &= i == 0 || rows_[i][column].empty() || is_number(rows_[i][column]);
      }
      const std::string blanks(width - row[column].size(), ' ');
      line += (column == 0 ? "" : "  ") + (stands_right ? blanks + row[column] : row[column] + blanks);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  }
  return text;
}

BestLines best_lines(const std::vector<SourcedLine>& lines, const BoardNames& names) {
  BestLines best;
  for (const SourcedLine& line : lines) {
    const auto [entry, is_first] = best.try_emplace({names.of(line.hash), line.line.scoring}, line);
    if (!is_first && line.line.score > entry->second.line.score) entry->second = line;
  }
  return best;
}

std::vector<LineChange> changes_between(const BestLines& before, const BestLines& after) {
  std::vector<LineChange> changes;
  for (const auto& [key, line] : after) {
    const auto old = before.find(key);
    if (old != before.end() && old->second.line.score == line.line.score) continue;
    changes.push_back(
        {key.first, key.second, old == before.end() ? std::nullopt : std::optional(old->second.line.score), line});
  }
  return changes;
}

void print_changes(const std::vector<LineChange>& changes) {
  TextTable table({"board", "from", "to", "gain", "found", "by"});
  int gain = 0;
  std::size_t improved = 0, worse = 0;
  for (const LineChange& change : changes) {
    const host::NewLine& line = change.to.line;
    const std::string by = change.scoring == "standard" ? "" : " (scoring " + printable_text(change.scoring) + ')';
    table.add({change.board + by, change.from ? std::to_string(*change.from) : "-", std::to_string(line.score),
               change.from ? signed_number(change.gain()) : "new", local_time(printable_text(line.origin.found)),
               finder_text(line.origin)});
    gain += change.from ? change.gain() : 0;
    improved += !change.from || change.gain() > 0 ? 1 : 0;
    worse += change.from && change.gain() < 0 ? 1 : 0;
  }
  if (!changes.empty()) fmt::print("{}", table.text());
  fmt::print("{} better{}, {} points\n", counted(improved, "board"), worse == 0 ? "" : fmt::format(", {} worse", worse),
             signed_number(gain));
}

Json changes_json(const std::vector<LineChange>& changes) {
  Json out = Json::array();
  for (const LineChange& change : changes) {
    const host::LineOrigin& origin = change.to.line.origin;
    out.push_back({{"board", change.board},
                   {"scoring", printable_text(change.scoring)},
                   {"from", change.from ? Json(*change.from) : Json()},
                   {"to", change.to.line.score},
                   {"gain", change.from ? Json(change.gain()) : Json()},
                   {"found", printable_text(origin.found)},
                   {"search", printable_text(origin.search)},
                   {"preset", printable_text(origin.preset)},
                   {"seed", printable_text(origin.seed)},
                   {"host", printable_text(origin.host)},
                   {"source", printable_text(change.to.source)}});
  }
  return out;
}

}  // namespace chainshot::tools
