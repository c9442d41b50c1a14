#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "machine/allowance.hpp"
#include "tools/measure/machine.hpp"
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
      out += fmt::format("{:>{}}{}", magnitude(found->second->per_second), width,
                         found->second == &recommended(sweep) ? '*' : ' ');
    }
    out.erase(out.find_last_not_of(' ') + 1);
    out += '\n';
  }
  return out;
}

}  // namespace

std::string sweep_text(const Sweep& sweep, const Terminal& terminal) {
  std::string out = fmt::format("{}\n", terminal.bold("engine " + sweep.engine));
  out += fmt::format("processor  {}\n", processors_text());
  out += fmt::format("policy     {}\n", sweep.policy);
  out += fmt::format("measured   {} s per batch size, {} in flight; rates in playouts/s\n\n", sweep.seconds_a_point,
                     sweep.in_flight == 1 ? "1 batch" : fmt::format("{} batches", sweep.in_flight));
  out += table(sweep, terminal);
  const SweepPoint& best = recommended(sweep);
  out += fmt::format(
      "\n* recommended: batches of {} playouts of {},\n  {} playouts/s; the smallest batch within 5 % of the best "
      "rate\n",
      grouped(best.playouts), counted(best.positions, "position"), magnitude(best.per_second));
  if (!sweep.complete) out += "\nInterrupted: larger batches were not measured.\n";
  return out;
}

Json sweep_json(const Sweep& sweep) {
  const auto point_json = [](const SweepPoint& point) -> Json {
    return {{"playouts", point.playouts},
            {"positions", point.positions},
            {"playouts_per_second", point.per_second},
            {"busy_share", point.busy_share}};
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
          {"seconds_a_point", sweep.seconds_a_point},
          {"complete", sweep.complete},
          {"points", std::move(points)},
          {"recommended", point_json(recommended(sweep))}};
}

std::string sweep_csv(const Sweep& sweep) {
  std::string out = "playouts,positions,batches_in_flight,playouts_per_second,busy_share\n";
  for (const SweepPoint& point : sweep.points)
    fmt::format_to(std::back_inserter(out), "{},{},{},{:.0f},{:.4f}\n", point.playouts, point.positions,
                   sweep.in_flight, point.per_second, point.busy_share);
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
      .ringed = {static_cast<double>(best.playouts), best.per_second}};
  std::set<std::uint64_t> sizes;
  for (const SweepPoint& point : sweep.points)
    sizes.insert(point.playouts);
  picture.ticks.assign(sizes.begin(), sizes.end());
  for (const std::uint32_t positions : positions_of(sweep)) {
    LineSeries& series = picture.series.emplace_back();
    series.name = counted(positions, "position");
    for (const SweepPoint& point : sweep.points)
      if (point.positions == positions)
        series.points.emplace_back(static_cast<double>(point.playouts), point.per_second);
  }
  return line_svg(picture);
}

}  // namespace chainshot::tools
