#include "tools/watch/status_json.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

namespace chainshot::tools {
namespace {

using nlohmann::ordered_json;

constexpr int kStatusVersion = 1;

template <typename T>
ordered_json or_null(const std::optional<T>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

double tenths(double x) {
  return std::round(x * 10) / 10;
}

ordered_json board_json(const host::RecordedBoard& board, bool is_current) {
  return {{"name", board.name},
          {"best", or_null(board.best)},
          {"gain", board.gain()},
          {"before", or_null(board.before)},
          {"known", or_null(board.known)},
          {"turns", board.turns},
          {"improved_at", board.improved_at},
          {"current", is_current}};
}

// The rates of a turn are means since it began.
ordered_json turn_json(const host::RunningTurn& turn, const std::string& board) {
  const auto rate = [&](std::uint64_t count) {
    return turn.seconds > 0 ? std::round(static_cast<double>(count) / turn.seconds) : 0.0;
  };
  return {{"board", board},
          {"best", or_null(turn.best)},
          {"seconds", tenths(turn.seconds)},
          {"share", std::clamp(turn.share, 0.0, 1.0)},
          {"playouts_per_second", rate(turn.status.playouts)},
          {"evaluations_per_second", rate(turn.status.evaluations)}};
}

}  // namespace

std::string status_json(const host::RecordStatus& status, const std::string& scoring) {
  std::int64_t sum = 0, gain = 0;
  ordered_json boards = ordered_json::array(), turns = ordered_json::array();
  for (std::size_t i = 0; i < status.boards.size(); ++i) {
    const host::RecordedBoard& board = status.boards[i];
    sum += board.best.value_or(0);
    gain += board.gain();
    boards.push_back(board_json(board, std::any_of(status.turns.begin(), status.turns.end(),
                                                   [&](const auto& turn) { return turn.board == i; })));
  }
  for (const host::RunningTurn& turn : status.turns)
    turns.push_back(turn_json(turn, turn.board < status.boards.size() ? status.boards[turn.board].name : ""));
  const ordered_json out = {
      {"version", kStatusVersion},
      {"run", status.run},
      {"state", status.state},
      {"strategy", status.strategy},
      {"scoring", scoring},
      {"seconds", tenths(status.seconds)},
      {"seconds_left", status.seconds_left ? ordered_json(tenths(*status.seconds_left)) : ordered_json(nullptr)},
      {"round", status.round},
      {"rounds", status.rounds},
      {"turns_of_round", status.turns_of_round},
      {"turns_done_of_round", status.turns_done_of_round},
      {"sum", sum},
      {"gain", gain},
      {"playouts_per_second", std::round(status.playouts_per_second)},
      {"evaluations_per_second", std::round(status.evaluations_per_second)},
      {"busy", std::clamp(status.busy, 0.0, 1.0)},
      {"boards", std::move(boards)},
      {"turns", std::move(turns)},
      {"notes", status.notes}};
  return out.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace chainshot::tools
