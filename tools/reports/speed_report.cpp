#include "tools/reports/speed_report.hpp"

#include <fmt/format.h>

#include "machine/allowance.hpp"
#include "tools/measure/machine.hpp"
#include "tools/reports/number_text.hpp"

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
double busy_share(const SpeedRun& run) {
  return run.busy_share();
}
double moves_per_second(const SpeedRun& run) {
  return static_cast<double>(run.moves) / run.wall_seconds;
}

// The ratio of a figure in two sets of runs, taken round by round.
struct Ratio {
  std::string id;
  std::string text;  // printed after the ratio
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

// Returns the row of a case with one thread, or else with the most threads. A device has only one row per case.
const SpeedRow* row_of(const EngineSpeed& engine, std::string_view id, bool one_thread) {
  const SpeedRow* found = nullptr;
  for (const SpeedRow& row : engine.rows)
    if (row.speed_case.id == id && (found == nullptr || (row.threads > found->threads) != one_thread)) found = &row;
  return found;
}

// Compares single-threaded rows by processor time, which other programs disturb least, and all other rows by wall-clock
// time.
std::vector<Ratio> ratios_of(const EngineSpeed& engine, const std::vector<SpeedRun>& reference) {
  std::vector<Ratio> out;
  const SpeedRow& base = *row_of(engine, "one-position", true);
  const bool on_cpu = base.threads > 0;
  const auto figure = on_cpu ? per_cpu_second : per_second;
  if (!reference.empty())
    out.push_back({"reference",
                   on_cpu ? "one thread, relative to the reference" : "relative to the reference on one thread",
                   ratio_of(base.runs, reference, figure)});
  if (const SpeedRow* many = row_of(engine, "many-positions", true))
    out.push_back({"many_positions", "512 positions of 32 playouts, relative to one position",
                   ratio_of(many->runs, base.runs, figure)});
  if (const SpeedRow* roulette = row_of(engine, "roulette", true))
    out.push_back({"roulette", "roulette, relative to one position", ratio_of(roulette->runs, base.runs, figure)});
  if (const SpeedRow* wide = row_of(engine, "wide", true)) {
    const double blocks = static_cast<double>(wide->speed_case.blocks) / base.speed_case.blocks;
    out.push_back({"wide_per_block", "wide board, relative to one position, per block",
                   ratio_of(wide->runs, base.runs, figure, blocks)});
  }
  if (const SpeedRow* batch = row_of(engine, "batch", true))
    out.push_back(
        {"batch", batch->speed_case.title + ", relative to one position", ratio_of(batch->runs, base.runs, figure)});
  if (const SpeedRow* threaded = row_of(engine, "one-position", false); threaded != &base)
    out.push_back({"threads", fmt::format("{} threads, relative to one thread", threaded->threads),
                   ratio_of(threaded->runs, base.runs, per_second)});
  return out;
}

// Compares every case of an engine with the same case of the first engine, both with all their threads.
std::vector<Ratio> ratios_to(const EngineSpeed& first, const EngineSpeed& engine) {
  std::vector<Ratio> out;
  for (const SpeedRow& row : engine.rows) {
    const SpeedRow* base = row_of(first, row.speed_case.id, false);
    if (base != nullptr && &row == row_of(engine, row.speed_case.id, false))
      out.push_back({row.speed_case.id, row.speed_case.title, ratio_of(row.runs, base->runs, per_second)});
  }
  return out;
}

std::string row_text(const SpeedRow& row) {
  const Spread rate = spread_over(row.runs, per_second);
  return fmt::format(
      "{:<21} {:>10}  {:>6} .. {:<6} {:>8} {:>8} {:>6} {:>3.0f}%\n", row.speed_case.title, magnitude(rate.median),
      magnitude(rate.low), magnitude(rate.high), magnitude(spread_over(row.runs, moves_per_second).median),
      magnitude(rate.median * row.speed_case.blocks), magnitude(static_cast<double>(row.speed_case.playouts())),
      100 * spread_over(row.runs, busy_share).median);
}

std::string ratio_number(double ratio) {
  return ratio >= 10 ? fmt::format("{:.0f}", ratio) : fmt::format("{:.2f}", ratio);
}

std::string ratio_text(const Ratio& ratio) {
  return fmt::format("{:>6} ({} .. {}) {}\n", ratio_number(ratio.spread.median), ratio_number(ratio.spread.low),
                     ratio_number(ratio.spread.high), ratio.text);
}

// Returns the heading of the rows with the same number of threads.
std::string feed_text(const SpeedRow& row) {
  const std::string flights =
      fmt::format("{} in flight", row.in_flight == 1 ? "1 batch" : fmt::format("{} batches", row.in_flight));
  return row.threads == 0 ? flights
                          : fmt::format("{}, {}", counted(static_cast<std::uint64_t>(row.threads), "thread"), flights);
}

std::string engine_text(const SpeedTest& test, const EngineSpeed& engine, const Terminal& terminal) {
  std::string out = fmt::format("\n{}\n", terminal.bold("engine " + engine.name));
  out += fmt::format("{:<21} {:>10}  {:^16} {:>8} {:>8} {:>6} {:>4}\n", "case", "playouts/s", "low .. high", "moves/s",
                     "blocks/s", "batch", "busy");
  for (std::size_t i = 0; i < engine.rows.size(); ++i) {
    if (i == 0 || engine.rows[i].threads != engine.rows[i - 1].threads)
      out += terminal.dim(feed_text(engine.rows[i])) + '\n';
    out += row_text(engine.rows[i]);
  }
  out += "\n";
  for (const Ratio& ratio : ratios_of(engine, test.reference))
    out += ratio_text(ratio);
  if (&engine == &test.engines.front()) return out;
  const EngineSpeed& first = test.engines.front();
  out += fmt::format("\nrelative to {}\n", first.name);
  for (const Ratio& ratio : ratios_to(first, engine))
    out += ratio_text(ratio);
  return out;
}

Spread evaluations_of(const ChainRow& row) {
  std::vector<double> values;
  for (const ChainRun& run : row.runs)
    values.push_back(run.per_second());
  return spread_of(std::move(values));
}

// Relative to the first row, round by round.
Spread ratio_to_first(const SpeedTest& test, const ChainRow& row) {
  std::vector<double> values;
  for (std::size_t i = 0; i < row.runs.size(); ++i)
    values.push_back(row.runs[i].per_second() / test.annealing.front().runs[i].per_second());
  return spread_of(std::move(values));
}

std::string annealing_text(const SpeedTest& test, const Terminal& terminal) {
  std::string out = fmt::format("\n{}\n", terminal.bold("annealing, " + test.board));
  out += fmt::format("{:<39} {:>7} {:>13}  {:^17}\n", "engine", "chains", "evaluations/s", "low .. high");
  for (const ChainRow& row : test.annealing) {
    const Spread rate = evaluations_of(row);
    out += fmt::format("{:<39.39} {:>7} {:>13}  {:>6} .. {:<6}\n", row.engine, row.chains, magnitude(rate.median),
                       magnitude(rate.low), magnitude(rate.high));
  }
  if (test.annealing.size() > 1) {
    out += "\nrelative to the first row\n";
    for (const ChainRow& row : test.annealing)
      if (&row != &test.annealing.front())
        out += ratio_text(
            {"", fmt::format("{:.40}, {}", row.engine, counted(static_cast<std::uint64_t>(row.chains), "chain")),
             ratio_to_first(test, row)});
  }
  return out;
}

Json spread_json(const Spread& spread) {
  return {{"median", spread.median}, {"low", spread.low}, {"high", spread.high}};
}

Json annealing_json(const SpeedTest& test) {
  Json rows = Json::array();
  for (const ChainRow& row : test.annealing) {
    std::vector<double> per_cpu_second;
    for (const ChainRun& run : row.runs)
      per_cpu_second.push_back(run.per_cpu_second());
    rows.push_back({{"engine", row.engine},
                    {"chains", row.chains},
                    {"on_cpu", row.on_cpu},
                    {"evaluations_per_second", spread_json(evaluations_of(row))},
                    {"evaluations_per_cpu_second", spread_json(spread_of(std::move(per_cpu_second)))},
                    {"ratio_to_first", spread_json(ratio_to_first(test, row))}});
  }
  return rows;
}

Json row_json(const SpeedRow& row) {
  const Spread rate = spread_over(row.runs, per_second);
  return {{"case", row.speed_case.id},
          {"threads", row.threads == 0 ? Json() : Json(row.threads)},
          {"batch", row.speed_case.playouts()},
          {"positions", row.speed_case.batch.requests.size()},
          {"in_flight", row.in_flight},
          {"busy_share", spread_json(spread_over(row.runs, busy_share))},
          {"playouts_per_second", spread_json(rate)},
          {"playouts_per_cpu_second", spread_json(spread_over(row.runs, per_cpu_second))},
          {"moves_per_second", spread_json(spread_over(row.runs, moves_per_second))},
          {"blocks_per_second", rate.median * row.speed_case.blocks}};
}

}  // namespace

std::string speed_text(const SpeedTest& test, const Terminal& terminal) {
  const std::size_t rounds = test.engines[0].rows[0].runs.size();
  std::string out = fmt::format("processor  {}\n", processors_text());
  out += fmt::format("build      chainshot {}, {}, {}\n", CHAINSHOT_VERSION, compiler_name(), build_flags());
  out += fmt::format("policy     {}, {}\n", test.policy, test.board);
  out += fmt::format(
      "measured   {} rounds of {} s per case after a warm-up, cases interleaved;\n"
      "           playouts/s is the median, low and high are the extremes; batch is in\n"
      "           playouts, busy is the share of time in which the engine computes\n"
      "           (ratios of one thread use processor time, all else wall-clock time)\n",
      rounds, test.seconds_a_run);
  for (const EngineSpeed& engine : test.engines)
    out += engine_text(test, engine, terminal);
  if (!test.annealing.empty()) out += annealing_text(test, terminal);
  if (!test.reference.empty()) {
    const Spread rate = spread_over(test.reference, per_cpu_second);
    out += fmt::format("\nreference: {} playouts per second of processor time ({} .. {})\n", magnitude(rate.median),
                       magnitude(rate.low), magnitude(rate.high));
  }
  return out;
}

Json speed_json(const SpeedTest& test) {
  Json answer = {{"processor", processor_name()},
                 {"logical_processors", logical_processors()},
                 {"usable_processors", machine::usable_processors()},
                 {"program", CHAINSHOT_VERSION},
                 {"compiler", compiler_name()},
                 {"build", build_flags()},
                 {"policy", test.policy},
                 {"board", test.board},
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
    Json entry = {{"engine", engine.engine},
                  {"isa", engine.isa.empty() ? Json() : Json(engine.isa)},
                  {"name", engine.name},
                  {"cases", std::move(rows)},
                  {"ratios", std::move(ratios)}};
    if (&engine != &test.engines.front())
      for (const Ratio& ratio : ratios_to(test.engines.front(), engine))
        entry["ratios_to_first_engine"][ratio.id] = spread_json(ratio.spread);
    answer["engines"].push_back(std::move(entry));
  }
  answer["annealing"] = annealing_json(test);
  return answer;
}

}  // namespace chainshot::tools
