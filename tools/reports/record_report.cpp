#include "tools/reports/record_report.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <numeric>

#include "tools/reports/number_text.hpp"

namespace chainshot::tools {
namespace {

using host::RecordedBoard;
using host::RecordStatus;
using host::RunningTurn;

std::int64_t sum_of_bests(const RecordStatus& status) {
  std::int64_t sum = 0;
  for (const RecordedBoard& board : status.boards)
    sum += board.best.value_or(0);
  return sum;
}

// The gain of a run that found the first line of a board is not known: the board had no score.
std::int64_t sum_of_gains(const RecordStatus& status) {
  return std::accumulate(status.boards.begin(), status.boards.end(), std::int64_t{0},
                         [](std::int64_t sum, const RecordedBoard& board) { return sum + board.gain(); });
}

const RunningTurn* turn_of(const RecordStatus& status, std::size_t board) {
  const auto found = std::find_if(status.turns.begin(), status.turns.end(),
                                  [&](const RunningTurn& turn) { return turn.board == board; });
  return found == status.turns.end() ? nullptr : &*found;
}

std::string rate_text(const RecordStatus& status) {
  std::string text;
  if (status.evaluations_per_second > 0) text += magnitude(status.evaluations_per_second) + " evaluations/s";
  if (status.playouts_per_second > 0)
    text += (text.empty() ? "" : ", ") + magnitude(status.playouts_per_second) + " playouts/s";
  return text;
}

std::string gain_text(const RecordedBoard& board) {
  if (!board.best) return "";
  if (!board.before) return "new";
  return board.gain() == 0 ? "" : fmt::format("+{}", board.gain());
}

std::string place_text(const RecordStatus& status) {
  return fmt::format("round {}{}, {} of {} turns", status.round,
                     status.rounds > 0 ? fmt::format(" of {}", status.rounds) : "", status.turns_done_of_round,
                     status.turns_of_round);
}

// Returns a time of the archive by the local clock, without seconds: 2026-11-18 07:00.
std::string found_text(const std::string& utc) {
  std::tm time = {};
  if (::strptime(utc.c_str(), "%Y-%m-%dT%H:%M:%S", &time) == nullptr) return utc;
  const std::time_t seconds = ::timegm(&time);
  ::localtime_r(&seconds, &time);
  return fmt::format("{:%Y-%m-%d %H:%M}", time);
}

std::string board_row(const RecordStatus& status, std::size_t i, int name_width) {
  const RecordedBoard& board = status.boards[i];
  std::string row = fmt::format("{:<{}} {:>7} {:>7} {:>7} {:>6}", board.name, name_width,
                                board.best ? std::to_string(*board.best) : "-", gain_text(board),
                                board.known ? std::to_string(*board.known) : "", board.turns);
  if (const RunningTurn* turn = turn_of(status, i))
    row += fmt::format("  {:3.0f} % of its turn{}", 100 * turn->share,
                       turn->best ? fmt::format(", at {}", *turn->best) : "");
  return row;
}

std::string head_row(int name_width) {
  return fmt::format("{:<{}} {:>7} {:>7} {:>7} {:>6}", "board", name_width, "best", "gain", "known", "turns");
}

int name_width(const RecordStatus& status) {
  std::size_t width = 5;
  for (const RecordedBoard& board : status.boards)
    width = std::max(width, board.name.size());
  return static_cast<int>(std::min<std::size_t>(width, 60));
}

std::string sum_row(const RecordStatus& status, int width) {
  const std::int64_t gains = sum_of_gains(status);
  return fmt::format("{:<{}} {:>7}{}", "sum", width, sum_of_bests(status),
                     gains > 0 ? fmt::format(" {:>7}", fmt::format("+{}", gains)) : "");
}

// Boards under way first, then those that improved last; in the order of the list otherwise.
std::vector<std::size_t> rows_to_show(const RecordStatus& status, std::size_t most) {
  std::vector<std::size_t> order(status.boards.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (order.size() <= most) return order;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const bool a_runs = turn_of(status, a) != nullptr, b_runs = turn_of(status, b) != nullptr;
    if (a_runs != b_runs) return a_runs;
    return status.boards[a].improved_at > status.boards[b].improved_at;
  });
  order.resize(most);
  std::sort(order.begin(), order.end());
  return order;
}

}  // namespace

std::string record_line(const RecordStatus& status) {
  const std::int64_t gains = sum_of_gains(status);
  std::string line = fmt::format("{}, sum {}", place_text(status), sum_of_bests(status));
  if (gains > 0) line += fmt::format(" (+{})", gains);
  if (const std::string rate = rate_text(status); !rate.empty()) line += ", " + rate;
  line += fmt::format(", busy {:.0f} %, {}", 100 * status.busy, duration_text(status.seconds));
  if (status.seconds_left) line += fmt::format(", {} left", duration_text(*status.seconds_left));
  return line;
}

std::vector<std::string> record_table(const RecordStatus& status, int width, int height) {
  std::vector<std::string> lines;
  std::string head = fmt::format("{}, {}", place_text(status), duration_text(status.seconds));
  if (status.seconds_left) head += fmt::format(", {} left", duration_text(*status.seconds_left));
  lines.push_back(head);
  lines.push_back(
      fmt::format("{}{}busy {:.0f} %", rate_text(status), rate_text(status).empty() ? "" : ", ", 100 * status.busy));
  const int name = std::min(name_width(status), std::max(5, width - 32));
  lines.push_back(head_row(name));
  constexpr int kOtherRows = 5;  // the head, the rates, the names of columns, boards left out, the sum
  const std::vector<std::size_t> shown =
      rows_to_show(status, static_cast<std::size_t>(std::max(1, height - kOtherRows)));
  for (const std::size_t i : shown)
    lines.push_back(board_row(status, i, name));
  if (shown.size() < status.boards.size())
    lines.push_back(fmt::format("and {} more boards", status.boards.size() - shown.size()));
  if (status.boards.size() > 1) lines.push_back(sum_row(status, name));
  return lines;
}

std::string record_result(const RecordStatus& status, const Terminal& terminal) {
  const int name = name_width(status);
  std::string text = terminal.bold(head_row(name)) + '\n';
  for (const RecordedBoard& board : status.boards)
    text += fmt::format("{:<{}} {:>7} {:>7} {:>7} {:>6}{}\n", board.name, name,
                        board.best ? std::to_string(*board.best) : "-", gain_text(board),
                        board.known ? std::to_string(*board.known) : "", board.turns,
                        board.improved_at.empty() ? "" : "  " + found_text(board.improved_at));
  if (status.boards.size() > 1) text += terminal.bold(sum_row(status, name)) + '\n';
  return text + fmt::format("{}: {}, {}\n", status.state, place_text(status), duration_text(status.seconds));
}

Json record_json(const RecordStatus& status) {
  Json boards = Json::array();
  const auto number = [](const std::optional<int>& score) { return score ? Json(*score) : Json(nullptr); };
  for (const RecordedBoard& board : status.boards)
    boards.push_back({{"board", board.name},
                      {"best", number(board.best)},
                      {"before", number(board.before)},
                      {"gain", board.gain()},
                      {"known", number(board.known)},
                      {"turns", board.turns},
                      {"improved_at", board.improved_at}});
  return {{"run", status.run},
          {"state", status.state},
          {"strategy", status.strategy},
          {"seconds", status.seconds},
          {"round", status.round},
          {"sum", sum_of_bests(status)},
          {"gain", sum_of_gains(status)},
          {"boards", std::move(boards)}};
}

}  // namespace chainshot::tools
