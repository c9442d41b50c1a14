#include "host/reproduce/measured_row.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "host/analysis/statistics.hpp"

namespace chainshot::host {
namespace {

// A solvable share of boards that are counted, and a theorem on all of its boards, have no sampling error: all samples
// are equal then, so their deviation is 0 too.
bool is_exact_with_one_sample(const Experiment& experiment) {
  return std::holds_alternative<SolvableExperiment>(experiment) || std::holds_alternative<ChessExperiment>(experiment);
}

// Adds up the mean scores of the boards, or averages them. The error comes from boards that were searched more than
// once; it is known if all were.
void total_of_boards(std::span<const Sample> samples, Total total, MeasuredRow& row) {
  std::array<Moments, kStandardBoards> boards;
  for (const Sample& sample : samples)
    boards[sample.index % kStandardBoards].add(sample.value);
  double squares = 0;
  row.error_is_known = true;
  for (const Moments& board : boards) {
    if (board.count() == 0) row.samples = 0;
    if (board.count() < 2) row.error_is_known = false;
    row.value += board.mean();
    squares += board.standard_error() * board.standard_error();
  }
  const double divisor = total == Total::kStandardMean ? kStandardBoards : 1;
  row.value = row.samples == 0 ? 0 : row.value / divisor;
  if (row.error_is_known) row.error = std::sqrt(squares) / divisor;
}

void average(std::span<const Sample> samples, bool is_exact, MeasuredRow& row) {
  Moments all;
  for (const Sample& sample : samples)
    all.add(sample.value);
  row.value = all.mean();
  row.error = all.standard_error();
  row.error_is_known = all.count() > 1 || is_exact;
}

}  // namespace

MeasuredRow measured_row(const PublishedTable& table, const PublishedRow& row, std::span<const Sample> samples) {
  MeasuredRow measured{.samples = samples.size()};
  if (samples.empty()) return measured;
  measured.lowest = measured.highest = samples.front().value;
  for (const Sample& sample : samples) {
    measured.lowest = std::min(measured.lowest, sample.value);
    measured.highest = std::max(measured.highest, sample.value);
    measured.seconds += sample.seconds;
  }
  if (table.total == Total::kMean)
    average(samples, is_exact_with_one_sample(row.experiment), measured);
  else
    total_of_boards(samples, table.total, measured);
  return measured;
}

Judgement judge(const PublishedTable& table, const PublishedRow& row, const MeasuredRow& measured, Effort effort) {
  Judgement judgement{.verdict = Verdict::kListed,
                      .difference = measured.value - row.published,
                      .error = std::hypot(measured.error, row.published_error),
                      .has_less = effort.budget_share < 1 || row.has_less_in_full};
  if (std::holds_alternative<NotMeasured>(row.experiment)) return judgement;
  judgement.verdict = Verdict::kUnknown;
  if (measured.samples == 0) return judgement;
  const bool is_near = std::abs(judgement.difference) <= 2 * judgement.error + row.rounding;
  if (measured.error_is_known && is_near)
    judgement.verdict = Verdict::kAgrees;
  else if (table.more_is_better && judgement.difference >= 0)
    judgement.verdict = Verdict::kBetter;
  else if (!measured.error_is_known && table.total != Total::kStandardSum)
    judgement.verdict = Verdict::kUnknown;
  else if (table.more_is_better && judgement.has_less)
    judgement.verdict = Verdict::kBelowLess;
  else
    judgement.verdict = Verdict::kDiffers;
  return judgement;
}

std::string_view name_of(Verdict verdict) {
  constexpr std::array<std::string_view, 6> kNames = {"agrees",  "better", "below-with-less",
                                                      "differs", "listed", "unknown"};
  return kNames[static_cast<std::size_t>(verdict)];
}

}  // namespace chainshot::host
