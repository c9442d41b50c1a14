// Compares searches by the scores that they reach on the same boards with the same seeds. Differences are those of runs
// that share board and seed, so what makes a board easy for all of them does not count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "host/analysis/statistics.hpp"

namespace chainshot::host {

// A mean and its standard error, which takes at least two samples.
struct MeanScore {
  std::uint64_t samples = 0;
  double mean = 0;
  std::optional<double> error = {};
};

struct ScoreSummary {
  MeanScore score;
  double worst = 0;  // over several boards: the mean of their worst and best
  double best = 0;
  MeanScore difference;  // to the first search
};

class PairedScores {
 public:
  PairedScores(std::size_t searches, std::size_t boards) : boards_(boards), scores_(searches * boards) {}

  // At most one score for each search, board and seed.
  void add(std::size_t search, std::size_t board, std::uint64_t seed, double score) {
    scores_[search * boards_ + board].emplace(seed, score);
  }

  // Without a score where the search has not finished a run.
  ScoreSummary on_board(std::size_t search, std::size_t board) const;
  // The mean over the boards of their means. If every board has several seeds, the boards count as fixed, and the error
  // is that of other seeds on them; else it is that of other boards.
  ScoreSummary over_boards(std::size_t search) const;
  // True if every board that a search has finished at all has several seeds.
  bool has_repeats() const;

 private:
  using Scores = std::map<std::uint64_t, double>;  // by seed

  const Scores& scores(std::size_t search, std::size_t board) const { return scores_[search * boards_ + board]; }
  Moments differences(std::size_t search, std::size_t board) const;
  MeanScore mean_of(const std::vector<Moments>& boards) const;

  std::size_t boards_;
  std::vector<Scores> scores_;
};

}  // namespace chainshot::host
