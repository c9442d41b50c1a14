#include "tools/measure/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <unordered_set>

#include "game/board_text.hpp"
#include "tools/measure/speed.hpp"
#include "tools/reports/number_text.hpp"
#include "tools/terminal/interrupt.hpp"

namespace chainshot::tools {
namespace {

constexpr std::uint32_t kPositionCounts[] = {1, 16, 256, 4096};
constexpr std::uint64_t kSmallest = 1024;
constexpr std::uint64_t kLargest = std::uint64_t{1} << 28;
constexpr double kLongestBatch = 0.5;  // seconds
constexpr int kMovesDeep = 8;          // the same for all positions, so that playouts are equally long
constexpr double kGoodEnough = 0.95;

SpeedCase case_of(const std::vector<game::Position>& positions, const game::Policy& policy, std::uint64_t playouts,
                  std::uint32_t count) {
  SpeedCase out{.id = {}, .title = {}, .batch = {}, .blocks = 0};
  for (std::uint32_t i = 0; i < count; ++i)
    out.batch.requests.push_back({.position = positions[i],
                                  .points = 0,
                                  .policy = policy,
                                  .playouts = static_cast<std::uint32_t>(playouts / count),
                                  .key = i});
  return out;
}

double best_rate(const Sweep& sweep) {
  double best = 0;
  for (const SweepPoint& point : sweep.points)
    best = std::max(best, point.per_second);
  return best;
}

bool is_last_size(std::uint64_t playouts, const game::Capabilities& c, double rate) {
  if (playouts * 4 > kLargest) return true;
  return playouts >= c.recommended_batch && static_cast<double>(playouts) * 4 > rate * kLongestBatch;
}

// The share of points that is measured, as far as the best rate so far tells how many there will be.
double share_done(const Sweep& sweep, const game::Capabilities& c) {
  std::size_t points = 0;
  for (std::uint64_t playouts = kSmallest;; playouts *= 4) {
    points += static_cast<std::size_t>(std::count_if(std::begin(kPositionCounts), std::end(kPositionCounts),
                                                     [&](std::uint32_t n) { return n <= playouts; }));
    if (is_last_size(playouts, c, best_rate(sweep))) break;
  }
  return std::min(1.0, static_cast<double>(sweep.points.size()) / static_cast<double>(points));
}

}  // namespace

std::vector<game::Position> sweep_positions(std::uint32_t count) {
  const auto& boards = game::standard_boards();
  std::vector<game::Position> out;
  std::unordered_set<std::uint64_t> seen;
  for (std::uint32_t i = 0; out.size() < count; ++i) {
    game::Position position = boards[i % boards.size()].position;
    game::DrawSequence draws({.seed = 0, .request = 0, .playout = i});
    for (int move = 0; move < kMovesDeep; ++move) {
      const std::vector<game::Group> groups = position.groups();
      position.apply(groups[game::scale_draw(draws.next(), static_cast<std::uint32_t>(groups.size()))].cell);
    }
    if (seen.insert(position.hash()).second) out.push_back(position);
  }
  return out;
}

Sweep run_sweep(game::Engine& engine, const game::Policy& policy, const std::string& policy_name, double seconds) {
  const game::Capabilities& c = engine.capabilities();
  Sweep sweep{.engine = c.name,
              .policy = policy_name,
              .in_flight = std::max(1, c.batches_in_flight),
              .seconds_a_point = seconds,
              .complete = false,
              .points = {}};
  const std::vector<game::Position> positions = sweep_positions(kPositionCounts[std::size(kPositionCounts) - 1]);
  Progress progress("measuring");
  measure(engine, case_of(positions, policy, kSmallest, 1), seconds);  // a warm-up
  for (std::uint64_t playouts = kSmallest;; playouts *= 4) {
    for (const std::uint32_t count : kPositionCounts) {
      if (count > playouts) continue;
      if (interrupted()) return sweep;
      const SpeedRun run = measure(engine, case_of(positions, policy, playouts, count), seconds);
      sweep.points.push_back({playouts, count, run.per_second(), run.busy_share()});
      progress.update(share_done(sweep, c),
                      fmt::format("{} playouts a batch, {}", grouped(playouts), counted(count, "position")));
    }
    if (is_last_size(playouts, c, best_rate(sweep))) break;
  }
  sweep.complete = true;
  return sweep;
}

const SweepPoint& recommended(const Sweep& sweep) {
  const auto is_good = [enough = kGoodEnough * best_rate(sweep)](const SweepPoint& point) {
    return point.per_second >= enough;
  };
  auto found = std::find_if(sweep.points.begin(), sweep.points.end(), is_good);  // the best point qualifies
  for (auto at = found; at != sweep.points.end() && at->playouts == found->playouts; ++at)
    if (at->per_second > found->per_second) found = at;
  return *found;
}

}  // namespace chainshot::tools
