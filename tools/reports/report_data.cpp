#include "tools/reports/report_data.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>

#include "game/board_text.hpp"
#include "game/reference.hpp"
#include "game/scoring.hpp"
#include "game/scoring_text.hpp"

namespace chainshot::tools {

Milliseconds now_in_milliseconds() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

std::optional<Milliseconds> parse_time(const std::string& text) {
  int year = 0, read = 0;
  unsigned month = 0, day = 0, hour = 0, minute = 0, second = 0;
  if (std::sscanf(text.c_str(), "%4d-%2u-%2uT%2u:%2u:%2u%n", &year, &month, &day, &hour, &minute, &second, &read) != 6)
    return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month), std::chrono::day(day)};
  if (!date.ok() || year < 1970 || hour > 23 || minute > 59 || second > 60) return std::nullopt;
  Milliseconds fraction = 0, weight = 100;
  std::size_t at = static_cast<std::size_t>(read);
  if (at < text.size() && text[at] == '.')
    for (++at; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at, weight /= 10)
      fraction += weight * (text[at] - '0');
  if (text.substr(at) != "Z") return std::nullopt;
  const Milliseconds days = std::chrono::sys_days(date).time_since_epoch().count();
  return (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000 + fraction;
}

namespace {

// Keeps the lines that improved their board, in the order of time. Lines of unknown time come first.
void keep_improvements(ReportBoard& board) {
  std::stable_sort(board.lines.begin(), board.lines.end(),
                   [](const ReportLine& a, const ReportLine& b) { return a.at < b.at; });
  std::vector<ReportLine> kept;
  for (ReportLine& line : board.lines)
    if (kept.empty() || line.score > kept.back().score) kept.push_back(std::move(line));
  board.lines = std::move(kept);
}

std::optional<std::size_t> last_run_of(const std::vector<ReportRun>& runs) {
  if (runs.empty()) return std::nullopt;
  const auto later = [](const ReportRun& a, const ReportRun& b) { return a.started <= b.started; };
  return static_cast<std::size_t>(std::max_element(runs.begin(), runs.end(), later) - runs.begin());
}

void count_gains(Report& report) {
  for (ReportBoard& board : report.boards)
    for (std::size_t i = 0; i < board.lines.size(); ++i) {
      const ReportLine& line = board.lines[i];
      if (!line.run) continue;
      ReportRun& run = report.runs[*line.run];
      ++run.improvements;
      if (i == 0) continue;
      const int gain = line.score - board.lines[i - 1].score;
      if (board.scoring == report.scoring) run.gain += gain;
      if (line.run == report.last_run) board.gain += gain;
    }
}

std::string scoring_of_most(const std::vector<ReportBoard>& boards) {
  std::map<std::string, int> counts{{"standard", 0}};
  for (const ReportBoard& board : boards)
    ++counts[board.scoring];
  std::string most = "standard";
  for (const auto& [name, count] : counts)
    if (count > counts[most]) most = name;
  return most;
}

bool replays(const game::Position& position, const std::vector<game::Cell>& moves, int score,
             const game::Scoring& scoring) {
  const game::ReplayResult replayed = game::replay(position, moves, scoring);
  return replayed.error.empty() && replayed.score == score;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words)
    text += (text.empty() ? "" : " ") + word;
  return text;
}

// Merges neighbours until at most `most` rates are left, so that a long run does not make a heavy page.
void thin_out(std::vector<ReportRate>& rates, std::size_t most) {
  while (rates.size() > most) {
    std::vector<ReportRate> merged;
    for (std::size_t i = 0; i + 1 < rates.size(); i += 2) {
      const ReportRate &a = rates[i], &b = rates[i + 1];
      merged.push_back({.at = b.at,
                        .playouts_per_second = (a.playouts_per_second + b.playouts_per_second) / 2,
                        .evaluations_per_second = (a.evaluations_per_second + b.evaluations_per_second) / 2,
                        .busy = a.busy && b.busy ? std::optional((*a.busy + *b.busy) / 2)
                                : b.busy         ? b.busy
                                                 : a.busy});
    }
    if (rates.size() % 2 == 1) merged.push_back(rates.back());
    rates = std::move(merged);
  }
}

Milliseconds to_milliseconds(double seconds) {
  constexpr double kMost = 1e11;  // 3000 years; a log may claim more
  return static_cast<Milliseconds>(std::min(seconds, kMost) * 1000);
}

// Adds the rates of a board: one per moment at which the searches wrote their counters, over all searches.
void add_rates(std::vector<ReportRate>& rates, const host::LoggedBoard& board, Milliseconds start) {
  struct Counted {
    double seconds = 0, playouts = 0, evaluations = 0;
  };
  std::map<std::string, Counted> last;
  double moment = -1;
  for (const host::LoggedCount& count : board.counts) {
    Counted& before = last[count.search];
    const double passed = count.seconds - before.seconds;
    if (passed <= 0) continue;
    if (count.seconds != moment) rates.push_back({.at = start + to_milliseconds(count.seconds), .busy = {}});
    moment = count.seconds;
    ReportRate& rate = rates.back();
    rate.playouts_per_second += std::max(0.0, count.playouts - before.playouts) / passed;
    rate.evaluations_per_second += std::max(0.0, count.evaluations - before.evaluations) / passed;
    if (count.busy_share) rate.busy = std::clamp(*count.busy_share, 0.0, 1.0);
    before = {count.seconds, count.playouts, count.evaluations};
  }
}

}  // namespace

std::int64_t Report::sum() const {
  std::int64_t sum = 0;
  for (const ReportBoard& board : boards)
    if (board.scoring == scoring && !board.lines.empty()) sum += board.lines.back().score;
  return sum;
}

int Report::gain() const {
  return last_run ? runs[*last_run].gain : 0;
}

ReportBoard& ReportBuilder::board_of(const std::string& name, const std::string& scoring,
                                     const std::optional<game::Position>& position) {
  for (ReportBoard& board : report_.boards)
    if (board.scoring == scoring && (position ? board.position == position : !board.position && board.name == name))
      return board;
  return report_.boards.emplace_back(ReportBoard{.name = name, .scoring = scoring, .position = position, .lines = {}});
}

std::optional<game::Position> ReportBuilder::position_of(const host::LoggedBoard& board,
                                                         const std::string& scoring) const {
  const std::optional<game::Scoring> rules = game::scoring_from_text(scoring);
  if (!rules) return std::nullopt;
  const auto fits = [&](const game::Position& position) {
    return !board.scores.empty() &&
           std::all_of(board.scores.begin(), board.scores.end(), [&](const host::LoggedScore& found) {
             return replays(position, found.moves, found.score, *rules);
           });
  };
  for (const ReportBoard& entry : report_.boards)
    if (entry.position && entry.name == board.name && fits(*entry.position)) return entry.position;
  for (const std::vector<game::NamedBoard>* boards : {&known_, &game::standard_boards()})
    for (const game::NamedBoard& entry : *boards)
      if ((entry.name == board.name || entry.long_name == board.name) && fits(entry.position)) return entry.position;
  return std::nullopt;
}

void ReportBuilder::add_board(const host::LoggedBoard& board, const host::LoggedRun& run, std::size_t number,
                              std::optional<Milliseconds> start) {
  const std::optional<game::Position> position = position_of(board, run.scoring);
  ReportBoard& entry = board_of(board.name, run.scoring, position);
  for (const host::LoggedScore& found : board.scores) {
    ReportLine line{.at = start ? std::optional(*start + to_milliseconds(found.seconds)) : std::nullopt,
                    .score = found.score,
                    .moves = position ? found.moves : std::vector<game::Cell>{},
                    .origin = {},
                    .run = number};
    line.origin.search = found.source;
    line.origin.preset = run.preset;
    line.origin.seed = run.seed;
    line.origin.engine = run.engine;
    line.origin.host = run.host;
    line.origin.version = run.program;
    entry.lines.push_back(std::move(line));
  }
}

// The boards of a run are searched one after another, and their seconds count from the start of each.
void ReportBuilder::add(const std::vector<host::LoggedRun>& runs, const std::string& source) {
  for (const host::LoggedRun& logged : runs) {
    const std::size_t number = report_.runs.size();
    ReportRun run{.source = source,
                  .state = "finished",
                  .started = parse_time(logged.date),
                  .seconds = 0,
                  .host = logged.host,
                  .processor = logged.processor,
                  .preset = logged.preset,
                  .version = logged.program,
                  .command = joined(logged.command),
                  .rates = {}};
    for (const host::LoggedBoard& board : logged.boards) {
      std::optional<Milliseconds> start = run.started;
      if (start) *start += to_milliseconds(run.seconds);
      add_board(board, logged, number, start);
      if (start) add_rates(run.rates, board, *start);
      run.seconds += board.seconds;
      if (!board.ended) run.state = "not finished";
    }
    report_.runs.push_back(std::move(run));
  }
}

Report ReportBuilder::finished(Milliseconds now) && {
  constexpr std::size_t kMostRates = 400;
  report_.made = now;
  for (ReportRun& run : report_.runs)
    thin_out(run.rates, kMostRates);
  for (ReportBoard& board : report_.boards)
    keep_improvements(board);
  report_.scoring = scoring_of_most(report_.boards);
  report_.last_run = last_run_of(report_.runs);
  count_gains(report_);
  return std::move(report_);
}

}  // namespace chainshot::tools
