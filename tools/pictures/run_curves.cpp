#include "tools/pictures/run_curves.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "host/analysis/statistics.hpp"

namespace chainshot::tools {
namespace {

const host::LoggedBoard* board_of(const host::LoggedRun& run, const std::string& name) {
  for (const host::LoggedBoard& board : run.boards)
    if (board.name == name && !board.scores.empty()) return &board;
  return nullptr;
}

// The playouts and evaluations of a board over time, interpolated between the counts of the log.
class Work {
 public:
  explicit Work(const host::LoggedBoard& board) {
    for (const host::LoggedCount& count : board.counts) {
      Curve& curve = searches_[count.search];
      if (curve.empty()) curve.emplace_back(0, 0);
      // Skip lines that are out of order: work cannot decrease.
      if (count.seconds > curve.back().first && count.done >= curve.back().second)
        curve.emplace_back(count.seconds, count.done);
    }
    for (const auto& [name, curve] : searches_)
      end_ = std::max(end_, curve.back().first);
  }

  double end() const { return end_; }
  double done_at(double seconds) const {
    double sum = 0;
    for (const auto& [name, curve] : searches_) {
      const auto after = std::lower_bound(curve.begin(), curve.end(), std::pair{seconds, 0.0});
      if (after == curve.begin()) continue;
      const auto before = std::prev(after);
      sum += before->second;
      if (after != curve.end())
        sum += (after->second - before->second) * (seconds - before->first) / (after->first - before->first);
    }
    return sum;
  }

 private:
  std::map<std::string, Curve> searches_;
  double end_ = 0;
};

// Returns the number of points of a curve: one per moment in the log, but no more than a picture can show.
std::size_t points_for(const LoggedBoards& boards) {
  constexpr std::size_t kMost = 60;
  std::size_t most = 1;
  for (const host::LoggedBoard* board : boards) {
    std::set<double> moments;
    for (const host::LoggedCount& count : board->counts)
      moments.insert(count.seconds);
    most = std::max(most, moments.size());
  }
  return std::min(most, kMost);
}

}  // namespace

std::vector<std::string> common_boards(const std::vector<host::LoggedRun>& runs) {
  std::vector<std::string> names;
  if (runs.empty()) return names;
  for (const host::LoggedBoard& board : runs.front().boards) {
    const bool everywhere =
        std::all_of(runs.begin(), runs.end(), [&](const auto& run) { return board_of(run, board.name) != nullptr; });
    if (everywhere && std::find(names.begin(), names.end(), board.name) == names.end()) names.push_back(board.name);
  }
  return names;
}

LoggedBoards boards_named(const host::LoggedRun& run, const std::vector<std::string>& names) {
  LoggedBoards boards;
  for (const std::string& name : names)
    if (const host::LoggedBoard* board = board_of(run, name)) boards.push_back(board);
  return boards;
}

Curve score_curve(const LoggedBoards& boards, RunAxis axis) {
  struct Gain {
    double at;
    double points;
  };
  std::vector<Gain> gains;
  double start = 0, sum = 0;
  for (const host::LoggedBoard* board : boards) {
    const Work work(*board);
    const auto place = [&](double seconds) { return axis == RunAxis::kSeconds ? seconds : work.done_at(seconds); };
    start = std::max(start, place(board->scores.front().seconds));
    double last = 0;
    for (const host::LoggedScore& score : board->scores)
      gains.push_back({place(score.seconds), score.score - std::exchange(last, score.score)});
  }
  std::stable_sort(gains.begin(), gains.end(), [](const Gain& a, const Gain& b) { return a.at < b.at; });
  Curve curve;
  for (const Gain& gain : gains) {
    sum += gain.points;
    if (gain.at < start) continue;
    if (!curve.empty() && curve.back().first == gain.at) curve.pop_back();
    curve.emplace_back(gain.at, sum);
  }
  return curve;
}

Curve rate_curve(const LoggedBoards& boards) {
  std::vector<Work> works;
  double end = 0;
  for (const host::LoggedBoard* board : boards) {
    works.emplace_back(*board);
    end = std::max(end, works.back().end());
  }
  const std::size_t points = points_for(boards);
  Curve curve;
  for (std::size_t i = 0; i < points; ++i) {
    const double from = end * static_cast<double>(i) / static_cast<double>(points);
    const double to = end * static_cast<double>(i + 1) / static_cast<double>(points);
    double done = 0, seconds = 0;
    for (const Work& work : works) {
      if (work.end() <= from) continue;
      const double until = std::min(to, work.end());
      done += work.done_at(until) - work.done_at(from);
      seconds += until - from;
    }
    if (seconds > 0 && done / seconds > 0) curve.emplace_back((from + to) / 2, done / seconds);
  }
  return curve;
}

double longest(const LoggedBoards& boards, RunAxis axis) {
  double end = 0;
  for (const host::LoggedBoard* board : boards) {
    const Work work(*board);
    end = std::max(end, axis == RunAxis::kSeconds ? board->seconds : work.done_at(work.end()));
  }
  return end;
}

MeanCurve mean_steps(const std::vector<Curve>& curves, const std::vector<double>& places, RunBand band) {
  MeanCurve result;
  for (const double place : places) {
    host::Moments moments;
    double low = std::numeric_limits<double>::max(), high = std::numeric_limits<double>::lowest();
    for (const Curve& curve : curves) {
      const auto after = std::upper_bound(curve.begin(), curve.end(), place,
                                          [](double at, const auto& point) { return at < point.first; });
      if (after == curve.begin()) break;
      const double value = std::prev(after)->second;
      moments.add(value);
      low = std::min(low, value);
      high = std::max(high, value);
    }
    if (moments.count() < curves.size()) continue;
    const double reach = band == RunBand::kError ? moments.standard_error() : moments.deviation();
    result.mean.emplace_back(place, moments.mean());
    result.band.push_back({.x = place,
                           .low = band == RunBand::kRange ? low : moments.mean() - reach,
                           .high = band == RunBand::kRange ? high : moments.mean() + reach});
  }
  return result;
}

Curve mean_line(const std::vector<Curve>& curves, const std::vector<double>& places) {
  Curve mean;
  for (const double place : places) {
    host::Moments moments;
    for (const Curve& curve : curves) {
      if (curve.empty() || place < curve.front().first || place > curve.back().first) continue;
      const auto after = std::lower_bound(curve.begin(), curve.end(), place,
                                          [](const auto& point, double at) { return point.first < at; });
      if (after == curve.begin()) {
        moments.add(after->second);
        continue;
      }
      const auto before = std::prev(after);
      const double share = (place - before->first) / (after->first - before->first);
      moments.add(before->second + share * (after->second - before->second));
    }
    if (moments.count() > 0) mean.emplace_back(place, moments.mean());
  }
  return mean;
}

}  // namespace chainshot::tools
