#include "game/scoring_bounds.hpp"

#include <algorithm>
#include <limits>
#include <list>

#include "game/geometry.hpp"

namespace chainshot::game {
namespace {

__extension__ typedef __int128 Exact;

constexpr std::int64_t kClamp = 1'000'000'000'000'000;  // sums of 992 such values fit into 64 bits
constexpr std::size_t kTablesKept = 16;                 // per thread

// In exact arithmetic; values beyond the clamp stay beyond every limit.
std::int64_t exact_value(const Polynomial& p, int n) {
  Exact value = 0;
  for (int power = p.degree(); power >= 0; --power)
    value = value * n + p.coefficient(power);
  return static_cast<std::int64_t>(std::clamp<Exact>(value, -kClamp, kClamp));
}

constexpr std::int64_t kImpossible = std::numeric_limits<std::int64_t>::min() / 4;

// The least and the most that groups of exactly n blocks of a colour earn together, for every n; one block is no group.
std::vector<PointRange> earned_by_exactly(const Polynomial& points) {
  std::vector<std::int64_t> of_group(kMaxCells + 1);
  for (int n = 2; n <= kMaxCells; ++n)
    of_group[static_cast<std::size_t>(n)] = exact_value(points, n);
  std::vector<PointRange> earned(of_group.size(), {-kImpossible, kImpossible});
  earned[0] = {0, 0};
  for (std::size_t n = 2; n < earned.size(); ++n) {
    PointRange range = {-kImpossible, kImpossible};
    for (std::size_t size = 2; size <= n; ++size) {
      range.least = std::min(range.least, of_group[size] + earned[n - size].least);
      range.most = std::max(range.most, of_group[size] + earned[n - size].most);
    }
    earned[n] = range;
  }
  return earned;
}

// The same for up to n blocks: groups of fewer, while others are still there.
std::vector<PointRange> earned_by_up_to(std::vector<PointRange> earned) {
  for (std::size_t n = 1; n < earned.size(); ++n)
    earned[n] = {std::min(earned[n - 1].least, earned[n].least), std::max(earned[n - 1].most, earned[n].most)};
  return earned;
}

// What is added for up to n blocks that are left, for every n.
std::vector<PointRange> added_for_left(const Polynomial& deducted) {
  std::vector<PointRange> added(kMaxCells + 1);
  for (int n = 1; n <= kMaxCells; ++n) {
    const PointRange& fewer = added[static_cast<std::size_t>(n - 1)];
    const std::int64_t value = -exact_value(deducted, n);
    added[static_cast<std::size_t>(n)] = {std::min(fewer.least, value), std::max(fewer.most, value)};
  }
  return added;
}

int as_int(std::int64_t value) {
  return static_cast<int>(std::clamp<std::int64_t>(value, -(1 << 30), 1 << 30));
}

bool have_same_bounds(const Scoring& a, const Scoring& b) {
  return a.points == b.points && a.left == b.left && a.left_per_color == b.left_per_color;
}

struct KeptBounds {
  Scoring scoring;
  ScoringBounds bounds;
};

}  // namespace

ScoringBounds::ScoringBounds(const Scoring& scoring)
    : left_of_color_(added_for_left(scoring.left_per_color)),
      left_in_all_(added_for_left(scoring.left)),
      most_of_color_(kMaxCells + 1),
      most_at_end_(kMaxCells + 1) {
  const std::vector<PointRange> exactly = earned_by_exactly(scoring.points);
  // All n blocks are in groups, but for some that stay and may give points.
  std::vector<std::int64_t> given(exactly.size());
  for (int left = 1; left <= kMaxCells; ++left)
    given[static_cast<std::size_t>(left)] = std::max<std::int64_t>(0, -exact_value(scoring.left_per_color, left));
  for (std::size_t n = 0; n < exactly.size(); ++n) {
    std::int64_t most = 0;
    for (std::size_t left = 0; left <= n; ++left)
      most = std::max(most, exactly[n - left].most + given[left]);
    most_of_color_[n] = as_int(most);
  }
  earned_ = earned_by_up_to(exactly);
  most_at_end_[0] = std::numeric_limits<int>::min();
  for (int left = 1; left <= kMaxCells; ++left) {
    const auto i = static_cast<std::size_t>(left);
    most_at_end_[i] = std::max(most_at_end_[i - 1], as_int(-exact_value(scoring.left, left)));
  }
}

const ScoringBounds& ScoringBounds::of(const Scoring& scoring) {
  thread_local std::list<KeptBounds> kept;  // the last one used first
  const auto found =
      std::find_if(kept.begin(), kept.end(), [&](const KeptBounds& k) { return have_same_bounds(k.scoring, scoring); });
  if (found == kept.end()) {
    if (kept.size() == kTablesKept) kept.pop_back();
    kept.push_front({scoring, ScoringBounds(scoring)});
  } else if (found != kept.begin()) {
    kept.splice(kept.begin(), kept, found);
  }
  return kept.front().bounds;
}

PointRange earned_range(const Scoring& scoring, const Position& position) {
  const ScoringBounds& bounds = ScoringBounds::of(scoring);
  PointRange range;
  for (const int n : position.color_counts()) {
    range.least += bounds.earned_of_color(n).least;
    range.most += bounds.earned_of_color(n).most;
  }
  return range;
}

PointRange score_range(const Scoring& scoring, const Position& position) {
  const ScoringBounds& bounds = ScoringBounds::of(scoring);
  PointRange end = bounds.left_in_all(position.blocks());
  for (const int n : position.color_counts()) {
    end.least += bounds.left_of_color(n).least;
    end.most += bounds.left_of_color(n).most;
  }
  const PointRange earned = earned_range(scoring, position);
  return {earned.least + std::min<std::int64_t>(end.least, scoring.clear_bonus),
          earned.most + std::max<std::int64_t>(end.most, scoring.clear_bonus)};
}

int least_estimate(const Scoring& scoring, const Position& position) {
  const int end = std::min(ScoringBounds::of(scoring).most_at_end(1), scoring.clear_bonus);
  return as_int(earned_range(scoring, position).least + end);
}

double points_scale(const Scoring& scoring, int blocks) {
  if (std::find(kScorings.begin(), kScorings.end(), scoring) != kScorings.end()) return 1;
  const int n = std::max(blocks, 3);  // fewer earn nothing in the standard scoring
  const PointRange& earned = ScoringBounds::of(scoring).earned_of_color(n);
  const auto reach = static_cast<double>(std::max(earned.most, -earned.least));
  return reach > 0 ? reach / kStandardScoring.group_points(n) : 1;
}

bool stays_within(std::int64_t most, const Scoring& scoring, const Position& position) {
  // The range of scores includes that of points: the end may always add 0 or more, and 0 or less.
  const PointRange score = score_range(scoring, position);
  return -most <= score.least && score.most <= most;
}

std::string score_objection(const Scoring& scoring, const Position& position, const std::string& board,
                            std::int64_t most) {
  if (stays_within(most, scoring, position)) return {};
  const PointRange score = score_range(scoring, position);
  return "the scoring " + scoring.name() + " could reach " +
         std::to_string(score.most > most ? score.most : score.least) + " points on " + board +
         "; expected no more than " + std::to_string(most) + " either way";
}

}  // namespace chainshot::game
