#include "host/analysis/paired_scores.hpp"

#include <algorithm>
#include <cmath>

namespace chainshot::host {
namespace {

MeanScore mean_score(const Moments& moments) {
  return {.samples = moments.count(),
          .mean = moments.mean(),
          .error = moments.count() > 1 ? std::optional(moments.standard_error()) : std::nullopt};
}

}  // namespace

Moments PairedScores::differences(std::size_t search, std::size_t board) const {
  Moments moments;
  for (const auto& [seed, first] : scores(0, board))
    if (const auto ours = scores(search, board).find(seed); ours != scores(search, board).end())
      moments.add(ours->second - first);
  return moments;
}

bool PairedScores::has_repeats() const {
  return std::all_of(scores_.begin(), scores_.end(), [](const Scores& scores) { return scores.size() != 1; });
}

ScoreSummary PairedScores::on_board(std::size_t search, std::size_t board) const {
  ScoreSummary summary;
  Moments moments;
  for (const auto& [seed, score] : scores(search, board)) {
    summary.worst = moments.count() == 0 ? score : std::min(summary.worst, score);
    summary.best = moments.count() == 0 ? score : std::max(summary.best, score);
    moments.add(score);
  }
  summary.score = mean_score(moments);
  summary.difference = mean_score(differences(search, board));
  return summary;
}

// The error of a mean of independent means is the root of the sum of their squared errors, divided by their number.
MeanScore PairedScores::mean_of(const std::vector<Moments>& boards) const {
  MeanScore all;
  Moments means;
  double squares = 0;
  for (const Moments& board : boards) {
    if (board.count() == 0) continue;
    all.samples += board.count();
    means.add(board.mean());
    squares += board.standard_error() * board.standard_error();
  }
  all.mean = means.mean();
  if (all.samples > 0 && has_repeats())
    all.error = std::sqrt(squares) / static_cast<double>(means.count());
  else if (means.count() > 1)
    all.error = means.standard_error();
  return all;
}

ScoreSummary PairedScores::over_boards(std::size_t search) const {
  std::vector<Moments> of_scores(boards_), of_differences(boards_);
  Moments worst, best;
  for (std::size_t board = 0; board < boards_; ++board) {
    for (const auto& [seed, score] : scores(search, board))
      of_scores[board].add(score);
    of_differences[board] = differences(search, board);
    const ScoreSummary one = on_board(search, board);
    if (one.score.samples == 0) continue;
    worst.add(one.worst);
    best.add(one.best);
  }
  return {
      .score = mean_of(of_scores), .worst = worst.mean(), .best = best.mean(), .difference = mean_of(of_differences)};
}

}  // namespace chainshot::host
