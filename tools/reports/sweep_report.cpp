#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "machine/allowance.hpp"
#include "tools/measure/machine.hpp"
#include "tools/measure/rate_ratio.hpp"
#include "tools/measure/sweep.hpp"
#include "tools/pictures/svg.hpp"
#include "tools/reports/number_text.hpp"

namespace chainshot::tools {
namespace {

constexpr int kSizeWidth = 13, kRateWidth = 13;

std::set<std::uint32_t> positions_of(const Sweep& sweep) {
  std::set<std::uint32_t> out;
  for (const SweepPoint& point : sweep.points)
    out.insert(point.positions);
  return out;
}

std::string table(const Sweep& sweep, const Terminal& terminal) {
  std::string head = fmt::format("{:>{}}", "playouts", kSizeWidth);
  for (const std::uint32_t positions : positions_of(sweep))
    head += fmt::format("{:>{}} ", counted(positions, "position"), kRateWidth + (positions > 999 ? 2 : 0));
  std::string out = terminal.bold(head.substr(0, head.find_last_not_of(' ') + 1)) + '\n';
  std::map<std::uint64_t, std::map<std::uint32_t, const SweepPoint*>> lines;
  for (const SweepPoint& point : sweep.points)
    lines[point.playouts][point.positions] = &point;
  for (const auto& [playouts, line] : lines) {
    out += fmt::format("{:>{}}", grouped(playouts), kSizeWidth);
    for (const std::uint32_t positions : positions_of(sweep)) {
      const auto found = line.find(positions);
      const int width = kRateWidth + (positions > 999 ? 2 : 0);
      if (found == line.end()) {
        out += fmt::format("{:>{}} ", "-", width);
        continue;
      }
      out += fmt::format("{:>{}}{}", magnitude(found->second->per_second().median), width,
                         found->second == &recommended(sweep) ? '*' : ' ');
    }
    out.erase(out.find_last_not_of(' ') + 1);
    out += '\n';
  }
  return out;
}

}  // namespace

std::string batch_text(const SweepPoint& point) {
  return fmt::format("{}x{}", point.playouts, point.positions);
}

namespace {

std::string verdict_text(const Sweep& sweep) {
  const SweepPoint &chosen = recommended(sweep), &best = fastest(sweep);
  const Spread rate = chosen.per_second();
  std::string out = fmt::format("\n* recommended: batches of {} playouts of {}:\n  {} playouts/s ({} .. {})\n",
                                grouped(chosen.playouts), counted(chosen.positions, "position"), magnitude(rate.median),
                                magnitude(rate.low), magnitude(rate.high));
  const std::string of_best = fmt::format("{} of {}", grouped(best.playouts), counted(best.positions, "position"));
  if (sweep.rounds < 2) {
    out += fmt::format("  the fastest batch is {}; one round cannot tell which are as fast\n", of_best);
  } else if (&chosen == &best) {
    out += "  the fastest batch; all smaller ones are slower in these samples\n";
  } else {
    const RateRatio ratio = rate_ratio(chosen.rates, best.rates);
    out += fmt::format(
        "  the smallest batch that these samples cannot tell from the fastest,\n"
        "  {}: {:.3f} of its rate (95 % interval {:.3f} to {:.3f})\n",
        of_best, ratio.ratio, ratio.low, ratio.high);
  }
  return out + fmt::format("  speedtest --batch {} measures it beside the other cases\n", batch_text(chosen));
}

}  // namespace

std::string sweep_text(const Sweep& sweep, const Terminal& terminal) {
  std::string out = fmt::format("{}\n", terminal.bold("engine " + sweep.engine));
  out += fmt::format("processor  {}\n", processors_text());
  out += fmt::format("policy     {}\n", sweep.policy);
  out += fmt::format("measured   {} of {} s per batch size, {} in flight;\n           medians in playouts/s\n\n",
                     counted(sweep.rounds, "round"), sweep.seconds_a_run,
                     sweep.in_flight == 1 ? "1 batch" : fmt::format("{} batches", sweep.in_flight));
  out += table(sweep, terminal) + verdict_text(sweep);
  if (!sweep.complete)
    out += sweep.rounds > 1 ? "\nInterrupted: later rounds were not measured.\n"
                            : "\nInterrupted: larger batches or later rounds were not measured.\n";
  return out;
}

Json sweep_json(const Sweep& sweep) {
  const SweepPoint& best = fastest(sweep);
  const auto point_json = [&best](const SweepPoint& point) -> Json {
    const Spread rate = point.per_second();
    Json out = {{"playouts", point.playouts},
                {"positions", point.positions},
                {"batch", batch_text(point)},
                {"playouts_per_second", rate.median},
                {"low", rate.low},
                {"high", rate.high},
                {"busy_share", point.busy_share}};
    if (point.rates.size() > 1) {
      const RateRatio ratio = rate_ratio(point.rates, best.rates);
      out["ratio_to_fastest"] = {{"ratio", ratio.ratio}, {"low", ratio.low}, {"high", ratio.high}};
    }
    return out;
  };
  Json points = Json::array();
  for (const SweepPoint& point : sweep.points)
    points.push_back(point_json(point));
  return {{"processor", processor_name()},
          {"logical_processors", logical_processors()},
          {"usable_processors", machine::usable_processors()},
          {"program", CHAINSHOT_VERSION},
          {"compiler", compiler_name()},
          {"build", build_flags()},
          {"engine", sweep.engine},
          {"policy", sweep.policy},
          {"in_flight", sweep.in_flight},
          {"seconds_a_run", sweep.seconds_a_run},
          {"rounds", sweep.rounds},
          {"complete", sweep.complete},
          {"points", std::move(points)},
          {"recommended", point_json(recommended(sweep))}};
}

std::string sweep_csv(const Sweep& sweep) {
  std::string out = "playouts,positions,batches_in_flight,rounds,playouts_per_second,low,high,busy_share\n";
  for (const SweepPoint& point : sweep.points) {
    const Spread rate = point.per_second();
    fmt::format_to(std::back_inserter(out), "{},{},{},{},{:.0f},{:.0f},{:.0f},{:.4f}\n", point.playouts,
                   point.positions, sweep.in_flight, point.rates.size(), rate.median, rate.low, rate.high,
                   point.busy_share);
  }
  return out;
}

std::string sweep_svg(const Sweep& sweep) {
  const SweepPoint& best = recommended(sweep);
  LinePicture picture{
      .title = "Playouts per second by batch size",
      .subtitle = fmt::format("{}, {}; the ring marks the recommended batch", sweep.engine, sweep.policy),
      .across = "playouts per batch",
      .up = "playouts/s",
      .ticks = {},
      .series = {},
      .ringed = std::pair(static_cast<double>(best.playouts), best.per_second().median)};
  std::set<std::uint64_t> sizes;
  for (const SweepPoint& point : sweep.points)
    sizes.insert(point.playouts);
  picture.ticks.assign(sizes.begin(), sizes.end());
  for (const std::uint32_t positions : positions_of(sweep)) {
    LineSeries& series = picture.series.emplace_back();
    series.name = counted(positions, "position");
    for (const SweepPoint& point : sweep.points)
      if (point.positions == positions)
        series.points.emplace_back(static_cast<double>(point.playouts), point.per_second().median);
  }
  return line_svg(picture);
}

}  // namespace chainshot::tools
