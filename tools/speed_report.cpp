#include "tools/speed_report.hpp"

#include <fmt/format.h>

#include "tools/figures.hpp"
#include "tools/machine.hpp"

namespace chainshot::tools {
namespace {

template <class Figure>
Spread spread_over(const std::vector<SpeedRun>& runs, Figure figure) {
  std::vector<double> values;
  for (const SpeedRun& run : runs)
    values.push_back(figure(run));
  return spread_of(std::move(values));
}

double per_second(const SpeedRun& run) {
  return run.per_second();
}
double per_cpu_second(const SpeedRun& run) {
  return run.per_cpu_second();
}
double moves_per_second(const SpeedRun& run) {
  return static_cast<double>(run.moves) / run.wall_seconds;
}

// A figure of two sets of runs, round by round.
struct Ratio {
  std::string id;
  std::string text;  // what follows the figure
  Spread spread;
};

template <class Figure>
Spread ratio_of(const std::vector<SpeedRun>& runs, const std::vector<SpeedRun>& base, Figure figure,
                double factor = 1) {
  std::vector<double> values;
  for (std::size_t i = 0; i < runs.size(); ++i)
    values.push_back(factor * figure(runs[i]) / figure(base[i]));
  return spread_of(std::move(values));
}

const SpeedRow* row_of(const EngineSpeed& engine, std::string_view id, bool one_thread) {
  for (const SpeedRow& row : engine.rows)
    if (row.speed_case.id == id && (row.threads == 1) == one_thread) return &row;
  return nullptr;
}

// One thread's figures are compared by processor time, which other programs disturb least; several threads' by the
// clock.
std::vector<Ratio> ratios_of(const EngineSpeed& engine, const std::vector<SpeedRun>& reference) {
  std::vector<Ratio> out;
  const SpeedRow& base = *row_of(engine, "one-position", true);
  if (!reference.empty())
    out.push_back({"reference", "times the reference implementation, one thread each",
                   ratio_of(base.runs, reference, per_cpu_second)});
  if (const SpeedRow* many = row_of(engine, "many-positions", true))
    out.push_back({"many_positions", "of it with 32 playouts each of 512 positions",
                   ratio_of(many->runs, base.runs, per_cpu_second)});
  if (const SpeedRow* roulette = row_of(engine, "roulette", true))
    out.push_back({"roulette", "of it by roulette", ratio_of(roulette->runs, base.runs, per_cpu_second)});
  if (const SpeedRow* wide = row_of(engine, "wide", true)) {
    const double blocks = static_cast<double>(wide->speed_case.blocks) / base.speed_case.blocks;
    out.push_back({"wide_per_block", "of it on the wide board, per block on the board",
                   ratio_of(wide->runs, base.runs, per_cpu_second, blocks)});
  }
  if (const SpeedRow* threaded = row_of(engine, "one-position", false))
    out.push_back({"threads", fmt::format("times one thread with {} threads, by the clock", threaded->threads),
                   ratio_of(threaded->runs, base.runs, per_second)});
  return out;
}

std::string row_text(const SpeedRow& row) {
  const Spread rate = spread_over(row.runs, per_second);
  const double blocks = rate.median * row.speed_case.blocks;
  return fmt::format("{:<22} {:>7} {:>10}  {:>7} .. {:<7} {:>8} {:>8}\n", row.speed_case.title, row.threads,
                     magnitude(rate.median), magnitude(rate.low), magnitude(rate.high),
                     magnitude(spread_over(row.runs, moves_per_second).median), magnitude(blocks));
}

std::string ratio_text(double ratio) {
  return ratio >= 10 ? fmt::format("{:.0f}", ratio) : fmt::format("{:.2f}", ratio);
}

std::string engine_text(const EngineSpeed& engine, const std::vector<SpeedRun>& reference, const Terminal& terminal) {
  std::string out = fmt::format("\n{}\n", terminal.bold("engine " + engine.name));
  out += fmt::format("{:<22} {:>7} {:>10}  {:^18} {:>8} {:>8}\n", "case", "threads", "playouts/s", "low .. high",
                     "moves/s", "blocks/s");
  for (const SpeedRow& row : engine.rows)
    out += row_text(row);
  out += "\n";
  for (const Ratio& ratio : ratios_of(engine, reference))
    out += fmt::format("{:>6} ({} .. {}) {}\n", ratio_text(ratio.spread.median), ratio_text(ratio.spread.low),
                       ratio_text(ratio.spread.high), ratio.text);
  return out;
}

Json spread_json(const Spread& spread) {
  return {{"median", spread.median}, {"low", spread.low}, {"high", spread.high}};
}

Json row_json(const SpeedRow& row) {
  const Spread rate = spread_over(row.runs, per_second);
  return {{"case", row.speed_case.id},
          {"threads", row.threads},
          {"playouts_per_second", spread_json(rate)},
          {"playouts_per_cpu_second", spread_json(spread_over(row.runs, per_cpu_second))},
          {"moves_per_second", spread_json(spread_over(row.runs, moves_per_second))},
          {"blocks_per_second", rate.median * row.speed_case.blocks}};
}

}  // namespace

std::string speed_text(const SpeedTest& test, const Terminal& terminal) {
  const std::size_t rounds = test.engines[0].rows[0].runs.size();
  std::string out = fmt::format("processor  {}, {} logical\n", processor_name(), logical_processors());
  out += fmt::format("build      chainshot {}, {}, {}\n", CHAINSHOT_VERSION, compiler_name(), build_flags());
  out += fmt::format("policy     {}\n", test.policy);
  out += fmt::format(
      "measured   {} rounds of {} s a case after a warm-up, cases interleaved; median,\n"
      "           lowest and highest; rates by the clock, ratios by processor time\n",
      rounds, test.seconds_a_run);
  for (const EngineSpeed& engine : test.engines)
    out += engine_text(engine, test.reference, terminal);
  if (!test.reference.empty()) {
    const Spread rate = spread_over(test.reference, per_cpu_second);
    out += fmt::format("\nreference: {} playouts per processor second ({} .. {})\n", magnitude(rate.median),
                       magnitude(rate.low), magnitude(rate.high));
  }
  return out;
}

Json speed_json(const SpeedTest& test) {
  Json answer = {{"processor", processor_name()},
                 {"logical_processors", logical_processors()},
                 {"program", CHAINSHOT_VERSION},
                 {"compiler", compiler_name()},
                 {"build", build_flags()},
                 {"policy", test.policy},
                 {"seconds_a_run", test.seconds_a_run},
                 {"rounds", test.engines[0].rows[0].runs.size()}};
  if (!test.reference.empty())
    answer["reference"] = {{"playouts_per_cpu_second", spread_json(spread_over(test.reference, per_cpu_second))}};
  answer["engines"] = Json::array();
  for (const EngineSpeed& engine : test.engines) {
    Json rows = Json::array(), ratios = Json::object();
    for (const SpeedRow& row : engine.rows)
      rows.push_back(row_json(row));
    for (const Ratio& ratio : ratios_of(engine, test.reference))
      ratios[ratio.id] = spread_json(ratio.spread);
    answer["engines"].push_back({{"engine", engine.engine},
                                 {"isa", engine.isa},
                                 {"name", engine.name},
                                 {"cases", std::move(rows)},
                                 {"ratios", std::move(ratios)}});
  }
  return answer;
}

}  // namespace chainshot::tools
