#include "host/run/solution_collection.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <utility>

#include "game/located_json.hpp"
#include "game/reference.hpp"

namespace chainshot::host {
namespace {

// Returns the lines of a text, each with its newline.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end == std::string_view::npos ? end : end + 1));
    text.remove_prefix(lines.back().size());
  }
  return lines;
}

bool is_blank_or_comment(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t\r\n");
  return first == std::string_view::npos || line[first] == '#';
}

// Two entries must not share a line.
void end_line(std::string& text) {
  if (!text.empty() && text.back() != '\n') text += '\n';
}

}  // namespace

std::string saved_line(const game::NamedBoard& board, const game::Scoring& scoring, int score,
                       const std::vector<game::Cell>& moves) {
  return to_text(game::Solution{.board = board.name, .scoring = scoring, .score = score, .moves = moves},
                 game::Notation::kColumnRow, board.position.rows());
}

SolutionCollection::SolutionCollection(std::string_view text, std::string_view source) : source_(source) {
  text = game::without_byte_order_mark(text);
  if (game::is_json(text))
    game::fail_at(source, {1, 1}, "solve adds no lines to JSON; expected a solution file of text, or a new file");
  const std::vector<std::string_view> lines = lines_of(text);
  std::size_t next = 0;
  while (next < lines.size() && is_blank_or_comment(lines[next]))
    before_ += lines[next++];
  if (next == lines.size()) {
    end_line(before_);
    return;
  }
  std::vector<game::Solution> solutions =
      game::parse_solutions(text, source, game::Notation::kColumnRow, game::kMaxRows);
  for (std::size_t i = 0; i < solutions.size(); ++i) {
    const std::size_t end =
        i + 1 < solutions.size() ? static_cast<std::size_t>(solutions[i + 1].place.line) - 1 : lines.size();
    std::size_t last = end;
    while (last > next && is_blank_or_comment(lines[last - 1]))
      --last;
    Entry entry{.solution = std::move(solutions[i]), .lines = {}, .after = {}};
    for (; next < end; ++next)
      (next < last ? entry.lines : entry.after) += lines[next];
    entries_of_[entry.solution.board].push_back(i);
    entries_.push_back(std::move(entry));
  }
  end_line(entries_.back().after.empty() ? entries_.back().lines : entries_.back().after);
}

const std::vector<std::size_t>& SolutionCollection::entries_of(const std::string& board) const {
  static const std::vector<std::size_t> kNone;
  const auto found = entries_of_.find(board);
  return found == entries_of_.end() ? kNone : found->second;
}

void SolutionCollection::expect_replays(const game::NamedBoard& board, const game::Scoring& scoring) const {
  for (const std::size_t i : entries_of(board.name)) {
    const game::Solution& solution = entries_[i].solution;
    const game::ReplayResult replayed =
        game::replay(board.position, solution.moves, solution.scoring.value_or(scoring));
    const bool has_claimed_score = !solution.score || *solution.score == replayed.score;
    if (replayed.error.empty() && has_claimed_score) continue;
    const std::string why = !replayed.error.empty()
                                ? fmt::format("move {} of this line is illegal", replayed.moves + 1)
                                : fmt::format("this line scores {}, not {}", replayed.score, *solution.score);
    game::fail_at(
        source_, solution.place,
        fmt::format("{} on board {} as given; expected lines of that board, or another file", why, board.name));
  }
}

bool SolutionCollection::improve(const game::NamedBoard& board, const game::Scoring& scoring, int score,
                                 const std::vector<game::Cell>& moves) {
  Entry* best = nullptr;
  int best_score = 0;
  for (const std::size_t i : entries_of(board.name)) {
    const game::Solution& solution = entries_[i].solution;
    if (solution.scoring.value_or(scoring) != scoring) continue;
    const int found = solution.score ? *solution.score : game::replay(board.position, solution.moves, scoring).score;
    if (best == nullptr || found > best_score) {
      best = &entries_[i];
      best_score = found;
    }
  }
  if (best != nullptr && best_score >= score) return false;
  if (best == nullptr) {
    entries_of_[board.name].push_back(entries_.size());
    best = &entries_.emplace_back();
  }
  best->solution = {.board = board.name, .scoring = scoring, .score = score, .moves = moves};
  best->lines = saved_line(board, scoring, score, moves);
  return true;
}

std::string SolutionCollection::text() const {
  std::string text = before_;
  for (const Entry& entry : entries_)
    text += entry.lines + entry.after;
  return text;
}

}  // namespace chainshot::host
