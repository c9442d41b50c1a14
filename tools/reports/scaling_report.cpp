#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tools/measure/machine.hpp"
#include "tools/measure/rate_ratio.hpp"
#include "tools/measure/scaling.hpp"
#include "tools/pictures/svg.hpp"
#include "tools/reports/csv_text.hpp"
#include "tools/reports/number_text.hpp"

namespace chainshot::tools {
namespace {

// What is counted per second, and its rates in the runs of a step.
struct ScalingMeasure {
  std::string_view id;
  std::string_view unit;
  std::vector<double> (*rates)(const ScalingStep&);
};

constexpr ScalingMeasure kMeasures[] = {{"playouts", "playouts/s",
                                         [](const ScalingStep& step) {
                                           std::vector<double> rates;
                                           for (const SpeedRun& run : step.playouts)
                                             rates.push_back(run.per_second());
                                           return rates;
                                         }},
                                        {"annealing", "evaluations/s", [](const ScalingStep& step) {
                                           std::vector<double> rates;
                                           for (const ChainRun& run : step.chains)
                                             rates.push_back(run.per_second());
                                           return rates;
                                         }}};

// The step that another is compared with: the first one of its engine.
const ScalingStep& base_of(const Scaling& scaling, const ScalingStep& step) {
  return *std::find_if(scaling.steps.begin(), scaling.steps.end(),
                       [&](const ScalingStep& other) { return other.engine == step.engine; });
}

// Round by round.
Spread speedup_of(const ScalingMeasure& measure, const Scaling& scaling, const ScalingStep& step) {
  const std::vector<double> base = measure.rates(base_of(scaling, step));
  std::vector<double> ratios = measure.rates(step);
  for (std::size_t i = 0; i < ratios.size(); ++i)
    ratios[i] /= base[i];
  return spread_of(std::move(ratios));
}

// The share of the speedup that as many times the workers could bring.
double efficiency_of(const Scaling& scaling, const ScalingStep& step, const Spread& speedup) {
  return speedup.median * base_of(scaling, step).workers / step.workers;
}

std::string row_text(const ScalingMeasure& measure, const Scaling& scaling, const ScalingStep& step) {
  const Spread rate = spread_of(measure.rates(step)), speedup = speedup_of(measure, scaling, step);
  return fmt::format("{:<19.19} {:>10}  {:>6} .. {:<6} {:>7.2f}  {:>5.2f} .. {:<5.2f} {:>5.0f} %\n",
                     fmt::format("{}, {}", step.engine, step.workers_text), magnitude(rate.median), magnitude(rate.low),
                     magnitude(rate.high), speedup.median, speedup.low, speedup.high,
                     100 * efficiency_of(scaling, step, speedup));
}

Json range_json(const Spread& spread) {
  return {{"median", spread.median}, {"low", spread.low}, {"high", spread.high}};
}

}  // namespace

std::string scaling_text(const Scaling& scaling, const Terminal& terminal) {
  std::string out = fmt::format("processor  {}\n", processors_text());
  out += fmt::format("build      chainshot {}, {}, {}\n", CHAINSHOT_VERSION, compiler_name(), build_flags());
  out += fmt::format("board      {}, policy {}\n", scaling.board, scaling.policy);
  out += fmt::format(
      "measured   {} of {} s, all rows in turn; low and high are the extremes\n"
      "           beside the median; speedup is to the first row, round by round;\n"
      "           share is that of the speedup if every worker brought the same\n",
      counted(scaling.rounds, "round"), scaling.seconds_a_run);
  for (const ScalingMeasure& measure : kMeasures) {
    out += '\n' +
           terminal.bold(fmt::format("{:<16} {:>13}  {:^16} {:>7}  {:^14} {:>7}", measure.id, measure.unit,
                                     "low .. high", "speedup", "low .. high", "share")) +
           '\n';
    for (const ScalingStep& step : scaling.steps)
      out += row_text(measure, scaling, step);
  }
  if (!scaling.complete) out += "\nInterrupted: later rounds were not measured.\n";
  return out;
}

std::string scaling_csv(const Scaling& scaling) {
  std::string out = "measure,engine,workers,name,rounds,per_second,low,high,speedup,speedup_low,speedup_high\n";
  for (const ScalingMeasure& measure : kMeasures)
    for (const ScalingStep& step : scaling.steps) {
      const Spread rate = spread_of(measure.rates(step)), speedup = speedup_of(measure, scaling, step);
      CsvRow row;
      row.add(measure.id).add(step.engine).add(step.workers).add(step.workers_text).add(scaling.rounds);
      row.add(rate.median).add(rate.low).add(rate.high).add(speedup.median).add(speedup.low).add(speedup.high);
      out += row.text();
    }
  return out;
}

Json scaling_json(const Scaling& scaling) {
  Json answer = {{"processor", processor_name()}, {"logical_processors", logical_processors()},
                 {"program", CHAINSHOT_VERSION},  {"compiler", compiler_name()},
                 {"build", build_flags()},        {"policy", scaling.policy},
                 {"board", scaling.board},        {"seconds_a_run", scaling.seconds_a_run},
                 {"rounds", scaling.rounds},      {"complete", scaling.complete},
                 {"scaling", Json::array()}};
  for (const ScalingStep& step : scaling.steps) {
    Json entry = {{"engine", step.engine}, {"workers", step.workers}, {"name", step.workers_text}};
    for (const ScalingMeasure& measure : kMeasures) {
      const Spread speedup = speedup_of(measure, scaling, step);
      entry[std::string(measure.id)] = {{"per_second", range_json(spread_of(measure.rates(step)))},
                                        {"speedup", range_json(speedup)},
                                        {"share", efficiency_of(scaling, step, speedup)}};
    }
    answer["scaling"].push_back(std::move(entry));
  }
  return answer;
}

// Of devices that were measured one by one, the first stands for all.
std::string scaling_svg(const Scaling& scaling) {
  std::set<int> workers;
  std::vector<std::string> engines;
  for (const ScalingStep& step : scaling.steps) {
    workers.insert(step.workers);
    if (std::find(engines.begin(), engines.end(), step.engine) == engines.end()) engines.push_back(step.engine);
  }
  const bool has_devices = engines.size() > 1 || engines.front() != "cpu";
  LinePicture picture{.title = fmt::format("Playouts and evaluations per second, {}", scaling.board),
                      .subtitle = fmt::format("{}; medians of {}; dashed: if every worker brought the same",
                                              scaling.policy, counted(scaling.rounds, "round")),
                      .across = !has_devices         ? "threads"
                                : engines.size() > 1 ? "threads or devices"
                                                     : "devices",
                      .up = "per second",
                      .ticks = {workers.begin(), workers.end()},
                      .series = {}};
  for (const std::string& engine : engines)
    for (const ScalingMeasure& measure : kMeasures) {
      LineSeries line{.name = engines.size() > 1 ? fmt::format("{}, {}", engine, measure.id) : std::string(measure.id),
                      .points = {}};
      LineSeries guide{.name = {}, .points = {}, .is_guide = true};
      std::set<int> drawn;
      double first = 0;
      for (const ScalingStep& step : scaling.steps) {
        if (step.engine != engine || !drawn.insert(step.workers).second) continue;
        const double rate = spread_of(measure.rates(step)).median;
        if (first == 0) first = rate / step.workers;
        line.points.emplace_back(step.workers, rate);
        guide.points.emplace_back(step.workers, first * step.workers);
      }
      picture.series.push_back(std::move(line));
      picture.series.push_back(std::move(guide));
    }
  for (LineSeries& series : picture.series)
    std::sort(series.points.begin(), series.points.end());
  return line_svg(picture);
}

}  // namespace chainshot::tools
