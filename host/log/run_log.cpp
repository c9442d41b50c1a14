#include "host/log/run_log.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace chainshot::host {

using nlohmann::ordered_json;

namespace {

constexpr int kLogVersion = 1;

ordered_json moves_json(const std::vector<game::Cell>& moves) {
  ordered_json list = ordered_json::array();
  for (const game::Cell cell : moves)
    list.push_back({int{cell.column}, int{cell.row}});
  return list;
}

double rate(std::uint64_t now, std::uint64_t before, double seconds) {
  return seconds > 0 && now >= before ? static_cast<double>(now - before) / seconds : 0;
}

// Rounds to microseconds; more digits would only look precise.
double rounded(double seconds) {
  return std::round(seconds * 1e6) / 1e6;
}

}  // namespace

ordered_json figure_json(const Figure& figure) {
  constexpr double kExact = 9007199254740992.0;  // 2^53: whole numbers up to here are exact
  if (figure.value == std::floor(figure.value) && std::abs(figure.value) < kExact)
    return static_cast<std::int64_t>(figure.value);
  return figure.value;
}

// Replaces bytes that are not UTF-8, because an odd name or error must not make the log fail.
void RunLog::write(const ordered_json& line) {
  writer_(line.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + '\n');
}

void RunLog::begin(const ordered_json& fields) {
  const std::lock_guard lock(mutex_);
  ordered_json line = {{"version", kLogVersion}, {"event", "run"}};
  line.update(fields);
  write(line);
}

void RunLog::best(const std::string& board, const BestLine& line, double seconds) {
  const std::lock_guard lock(mutex_);
  write({{"event", "best"},
         {"board", board},
         {"seconds", rounded(seconds)},
         {"score", line.score},
         {"moves", line.moves.size()},
         {"source", line.source},
         {"line", moves_json(line.moves)}});
}

void RunLog::status(const std::string& board, const SolveSample& sample) {
  const std::lock_guard lock(mutex_);
  if (board_ != board) {
    board_ = board;
    next_status_ = 0;
    last_.clear();
  }
  if (sample.seconds < next_status_) return;
  next_status_ = std::max(next_status_ + interval_, sample.seconds);
  write_status(board, sample);
}

void RunLog::write_status(const std::string& board, const SolveSample& sample) {
  for (const auto& [name, title, s] : sample.searches) {
    Counters& last = last_[name];
    const double passed = sample.seconds - last.seconds;
    if (passed <= 0) continue;  // the last sample of a board may already be in the log
    ordered_json line = {{"event", "status"},
                         {"board", board},
                         {"search", name},
                         {"seconds", rounded(sample.seconds)},
                         {"playouts", s.playouts},
                         {"evaluations", s.evaluations},
                         {"nodes_visited", s.nodes_visited},
                         {"playouts_per_second", rate(s.playouts, last.playouts, passed)},
                         {"evaluations_per_second", rate(s.evaluations, last.evaluations, passed)},
                         {"nodes_per_second", rate(s.nodes_visited, last.nodes_visited, passed)},
                         {"resource_units", s.resource_units},
                         {"proven", s.proven}};
    for (const Figure& figure : s.figures)
      line[std::string(figure.name)] = figure_json(figure);
    write(line);
    last = {sample.seconds, s.playouts, s.evaluations, s.nodes_visited};
  }
}

void RunLog::end(const std::string& board, const SolveResult& result) {
  const std::lock_guard lock(mutex_);
  if (board_ != board) last_.clear();
  write_status(board, result.last);
  board_.clear();
  const SearchStatus total = result.last.total();
  ordered_json line = {{"event", "end"},
                       {"board", board},
                       {"seconds", rounded(result.last.seconds)},
                       {"score", result.best.score},
                       {"moves", moves_json(result.best.moves)},
                       {"playouts", total.playouts},
                       {"evaluations", total.evaluations},
                       {"proven", result.proven},
                       {"complete", result.complete}};
  if (!result.error.empty()) line["error"] = result.error;
  write(line);
}

}  // namespace chainshot::host
