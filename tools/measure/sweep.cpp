#include "tools/measure/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <unordered_set>

#include "tools/measure/rate_ratio.hpp"
#include "tools/reports/number_text.hpp"
#include "tools/terminal/interrupt.hpp"

namespace chainshot::tools {
namespace {

constexpr std::uint32_t kPositionCounts[] = {1, 16, 256, 4096};
constexpr std::uint64_t kSmallest = 1024;
constexpr std::uint64_t kLargest = std::uint64_t{1} << 28;
constexpr int kMovesDeep = 8;      // the same for all positions, so that playouts are equally long
constexpr double kMostLoss = 0.1;  // of a recommended batch

// The median does not mind a round in which another program took the processors.
bool is_slower_in_the_median(const SweepPoint& a, const SweepPoint& b) {
  return a.per_second().median < b.per_second().median;
}

double best_rate(const Sweep& sweep) {
  return sweep.points.empty() ? 0 : fastest(sweep).per_second().median;
}

// A batch of `most` playouts takes as long as one may.
bool is_last_size(std::uint64_t playouts, const game::Capabilities& c, double most) {
  if (playouts * 4 > kLargest) return true;
  return playouts >= c.recommended_batch && static_cast<double>(playouts) * 4 > most;
}

// The share of runs that is measured, as far as the best rate so far tells how many there will be.
double share_done(const Sweep& sweep, const game::Capabilities& c, std::size_t runs, const SweepPlan& plan) {
  std::size_t points = 0;
  for (std::uint64_t playouts = kSmallest;; playouts *= 4) {
    points += static_cast<std::size_t>(std::count_if(std::begin(kPositionCounts), std::end(kPositionCounts),
                                                     [&](std::uint32_t n) { return n <= playouts; }));
    if (is_last_size(playouts, c, best_rate(sweep) * plan.longest_batch)) break;
  }
  return std::min(1.0, static_cast<double>(runs) / static_cast<double>(points * plan.rounds));
}

// Measures the points of a sweep, again and again.
class SweepRun {
 public:
  SweepRun(game::Engine& engine, const SweepPlan& plan, Sweep& sweep)
      : engine_(engine),
        plan_(plan),
        sweep_(sweep),
        positions_(sweep_positions(kPositionCounts[std::size(kPositionCounts) - 1], plan.boards)) {
    measure(engine_, batch_case(positions_, plan_.policy, kSmallest, 1), plan_.seconds_a_run);  // a warm-up
  }

  // Both return false if Ctrl-C came first.
  bool find_points() {
    const game::Capabilities& c = engine_.capabilities();
    for (std::uint64_t playouts = kSmallest;; playouts *= 4) {
      for (const std::uint32_t count : kPositionCounts) {
        if (count > playouts) continue;
        if (interrupted()) return false;
        sweep_.points.push_back({.playouts = playouts, .positions = count});
        measure_again(sweep_.points.back());
      }
      if (is_last_size(playouts, c, best_rate(sweep_) * plan_.longest_batch)) return true;
    }
  }
  bool repeat() {
    for (SweepPoint& point : sweep_.points) {
      if (interrupted()) return false;
      measure_again(point);
    }
    return true;
  }

 private:
  void measure_again(SweepPoint& point) {
    const SpeedRun run =
        measure(engine_, batch_case(positions_, plan_.policy, point.playouts, point.positions), plan_.seconds_a_run);
    point.rates.push_back(run.per_second());
    point.busy_share += (run.busy_share() - point.busy_share) / static_cast<double>(point.rates.size());
    progress_.update(
        share_done(sweep_, engine_.capabilities(), ++runs_, plan_),
        fmt::format("{} playouts a batch, {}", grouped(point.playouts), counted(point.positions, "position")));
  }

  game::Engine& engine_;
  const SweepPlan& plan_;
  Sweep& sweep_;
  const std::vector<game::Position> positions_;
  std::size_t runs_ = 0;
  Progress progress_{"measuring"};
};

}  // namespace

SpeedCase batch_case(const std::vector<game::Position>& positions, const game::Policy& policy, std::uint64_t playouts,
                     std::uint32_t count) {
  SpeedCase out{.id = {}, .title = {}, .batch = {}, .blocks = positions.front().blocks()};
  for (std::uint32_t i = 0; i < count; ++i)
    out.batch.requests.push_back({.position = positions[i],
                                  .points = 0,
                                  .policy = policy,
                                  .playouts = static_cast<std::uint32_t>(playouts / count),
                                  .key = i});
  return out;
}

std::vector<game::Position> sweep_positions(std::uint32_t count, const std::vector<game::NamedBoard>& boards) {
  constexpr std::uint64_t kPatience = 64;  // games for each position, before one may be there twice
  std::vector<game::Position> out;
  std::unordered_set<std::uint64_t> seen;
  for (std::uint32_t i = 0; out.size() < count; ++i) {
    game::Position position = boards[i % boards.size()].position;
    game::DrawSequence draws({.seed = 0, .request = 0, .playout = i});
    for (int move = 0; move < kMovesDeep; ++move) {
      const std::vector<game::Group> groups = position.groups();
      if (groups.size() < 2) break;  // a small board: what is left must be played, too
      position.apply(groups[game::scale_draw(draws.next(), static_cast<std::uint32_t>(groups.size()))].cell);
    }
    if (seen.insert(position.hash()).second || i >= kPatience * count) out.push_back(position);
  }
  return out;
}

Sweep run_sweep(game::Engine& engine, const SweepPlan& plan) {
  const game::Capabilities& c = engine.capabilities();
  Sweep sweep{.engine = c.name,
              .policy = plan.policy_name,
              .in_flight = std::max(1, c.batches_in_flight),
              .seconds_a_run = plan.seconds_a_run,
              .points = {}};
  SweepRun run(engine, plan, sweep);
  bool goes_on = run.find_points();
  sweep.rounds = 1;
  while (goes_on && sweep.rounds < plan.rounds) {
    goes_on = run.repeat();
    if (goes_on) ++sweep.rounds;
  }
  for (SweepPoint& point : sweep.points)
    point.rates.resize(std::min(point.rates.size(), sweep.rounds));
  sweep.complete = goes_on;
  return sweep;
}

const SweepPoint& fastest(const Sweep& sweep) {
  return *std::max_element(sweep.points.begin(), sweep.points.end(), is_slower_in_the_median);
}

const SweepPoint& recommended(const Sweep& sweep) {
  const SweepPoint& best = fastest(sweep);
  const auto is_good = [&best](const SweepPoint& point) {
    return !rate_ratio(point.rates, best.rates).is_slower() &&
           point.per_second().median > (1 - kMostLoss) * best.per_second().median;
  };
  auto found = std::find_if(sweep.points.begin(), sweep.points.end(), is_good);  // the best point qualifies
  for (auto at = found; at != sweep.points.end() && at->playouts == found->playouts; ++at)
    if (is_good(*at) && is_slower_in_the_median(*found, *at)) found = at;
  return *found;
}

}  // namespace chainshot::tools
