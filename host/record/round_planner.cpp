#include "host/record/round_planner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace chainshot::host {
namespace {

constexpr double kLeastWeight = 0.25, kMostWeight = 4;
constexpr double kShortfall = 0.1;  // below the target by this share: twice the time
constexpr double kLeastTurn = 0.5;  // of the usual turn; a board that is due less waits for the next round
constexpr double kLastRound = 1.5;  // a round that would leave less than half of another takes all

double momentum(const BoardProgress& board) {
  return board.turns_without_gain == 0 ? 2 : 2.0 / (1 + board.turns_without_gain);
}

// Returns the median share of its upper bound that a line of these boards reaches.
double usual_share(const std::vector<BoardProgress>& boards) {
  std::vector<double> shares;
  for (const BoardProgress& board : boards)
    if (board.best && board.upper_bound > 0) shares.push_back(static_cast<double>(*board.best) / board.upper_bound);
  if (shares.empty()) return 0;
  const auto middle = shares.begin() + static_cast<std::ptrdiff_t>(shares.size() / 2);
  std::nth_element(shares.begin(), middle, shares.end());
  return *middle;
}

double shortfall(const BoardProgress& board, double share) {
  if (!board.best) return 1;
  const double target = board.known ? *board.known : share * board.upper_bound;
  if (target <= 0 || *board.best >= target) return 1;
  return 1 + std::min(1.0, (target - *board.best) / target / kShortfall);
}

// Returns what each board is due in this round: shares of the weight, and what it saved.
std::vector<double> turns_due(const std::vector<BoardProgress>& boards) {
  const std::vector<double> weights = board_weights(boards);
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  const auto open = static_cast<double>(
      std::count_if(boards.begin(), boards.end(), [](const BoardProgress& board) { return !board.is_proven; }));
  std::vector<double> due(boards.size());
  for (std::size_t i = 0; i < boards.size(); ++i)
    if (!boards[i].is_proven) due[i] = open * weights[i] / sum + boards[i].saved;
  return due;
}

}  // namespace

std::vector<double> board_weights(const std::vector<BoardProgress>& boards) {
  const double share = usual_share(boards);
  std::vector<double> weights;
  for (const BoardProgress& board : boards)
    weights.push_back(
        board.is_proven ? 0 : std::clamp(momentum(board) * shortfall(board, share), kLeastWeight, kMostWeight));
  return weights;
}

RoundPlan plan_round(const TurnBudgets& budgets, const std::vector<BoardProgress>& boards, int round,
                     std::optional<double> seconds_left, int side_by_side) {
  RoundPlan plan{.turns = {}, .saved = std::vector<double>(boards.size())};
  const double size = std::min(std::pow(budgets.growth, round - 1), budgets.longest);
  double seconds = budgets.first_seconds * size;
  const std::vector<double> due = turns_due(boards);
  double all = 0;
  for (const double turn : due)
    if (turn >= kLeastTurn) all += turn;
  if (seconds_left && !budgets.is_counted() && all > 0) {
    // A machine cannot search more boards at once than have a turn.
    const double room = *seconds_left * std::min<double>(side_by_side, std::ceil(all)) / all;
    if (room < kLastRound * seconds) seconds = room;
  }
  for (std::size_t i = 0; i < boards.size(); ++i) {
    if (due[i] < kLeastTurn) {
      plan.saved[i] = due[i];
      continue;
    }
    PlannedTurn turn{.board = i};
    if (budgets.is_counted())
      turn.playouts =
          static_cast<std::uint64_t>(std::llround(static_cast<double>(budgets.first_playouts) * size * due[i]));
    else
      turn.seconds = seconds * due[i];
    plan.turns.push_back(turn);
  }
  return plan;
}

std::string strategy_text(const TurnBudgets& budgets, int elites, double distance, int side_by_side, int threads) {
  const auto length = [&](double times) {
    return budgets.is_counted() ? fmt::format("{:.0f} playouts", static_cast<double>(budgets.first_playouts) * times)
                                : fmt::format("{:.3g} s", budgets.first_seconds * times);
  };
  std::string text = fmt::format("A turn is one search of one board: {} in the first round", length(1));
  if (budgets.longest > 1 && budgets.growth > 1)
    text +=
        fmt::format(", {:.3g} times as long in each further round, up to {}", budgets.growth, length(budgets.longest));
  text +=
      ". Boards that still improve or are far below what is known or expected get up to 4 times as much, others "
      "down to a quarter. ";
  text += elites > 0 ? fmt::format(
                           "Turns start from up to {} lines of the archive that differ in {:.0f} % of their "
                           "groups or more. ",
                           elites, 100 * distance)
                     : std::string("Turns start from nothing. ");
  text += side_by_side > 1 ? fmt::format("{} boards are searched side by side on {} threads.", side_by_side,
                                         std::max(threads, side_by_side))
                           : fmt::format("One board is searched at a time, with {} {}.", threads,
                                         threads > 1 ? "threads" : "thread");
  return text;
}

}  // namespace chainshot::host
