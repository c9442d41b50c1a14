#include "tools/reports/tuning_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "tools/reports/number_text.hpp"

namespace chainshot::tools {
namespace {

using host::Gaussian;
using host::TunedParameter;
using host::TuningPlan;
using host::TuningSample;
using host::TuningState;
using host::TuningStatus;

// Four digits, and no power of ten where the number can be read without.
std::string tuned_number(double value) {
  const double size = std::abs(value);
  return size >= 1000 && size < 1e7 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

std::vector<Gaussian> start_of(const TuningPlan& plan) {
  return TuningState{.plan = plan, .done = {}, .samples = {}, .test = {}}.distribution();
}

// Rows of cells, with columns as wide as their widest cell.
class Table {
 public:
  void add(std::vector<std::string> row) {
    widths_.resize(std::max(widths_.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i)
      widths_[i] = std::max(widths_[i], row[i].size());
    rows_.push_back(std::move(row));
  }
  std::vector<std::string> lines() const {
    std::vector<std::string> lines;
    for (const std::vector<std::string>& row : rows_) {
      std::string line;
      for (std::size_t i = 0; i < row.size(); ++i)
        line +=
            i < kNumbers ? fmt::format("{:>{}}  ", row[i], widths_[i]) : fmt::format("{:<{}}  ", row[i], widths_[i]);
      lines.push_back(line.substr(0, line.find_last_not_of(' ') + 1));
    }
    return lines;
  }

 private:
  static constexpr std::size_t kNumbers = 3;  // columns that are flush right

  std::vector<std::vector<std::string>> rows_;
  std::vector<std::size_t> widths_;
};

void add_distribution(std::vector<std::string>& row, const TuningPlan& plan,
                      const std::vector<Gaussian>& distribution) {
  for (std::size_t p = 0; p < plan.parameters.size(); ++p)
    row.push_back(gaussian_text(plan.parameters[p], distribution[p]));
}

// Lists the start and the generations from `first` on.
std::vector<std::string> generation_table(const TuningState& state, std::size_t first) {
  Table table;
  std::vector<std::string> head = {"generation", "mean", "best"};
  for (const TunedParameter& parameter : state.plan.parameters)
    head.push_back(parameter.name);
  table.add(std::move(head));
  if (first == 0) {
    std::vector<std::string> start = {"start", "", ""};
    add_distribution(start, state.plan, start_of(state.plan));
    table.add(std::move(start));
  }
  for (std::size_t g = first; g < state.done.size(); ++g) {
    const host::TuningGeneration& generation = state.done[g];
    std::vector<std::string> row = {std::to_string(g + 1), fmt::format("{:.1f}", generation.mean),
                                    fmt::format("{:.1f}", generation.best)};
    add_distribution(row, state.plan, generation.distribution);
    table.add(std::move(row));
  }
  return table.lines();
}

std::string place_text(const TuningState& state, const TuningStatus& status) {
  std::string text = status.is_test ? std::string("test")
                                    : fmt::format("generation {} of {}", status.generation + 1, state.plan.generations);
  text +=
      fmt::format(", {} of {} samples, {} of {} games, {}", status.samples, status.is_test ? 2 : state.plan.population,
                  grouped(status.games), grouped(status.games_in_all), duration_text(status.seconds));
  if (status.seconds_left > 0) text += fmt::format(", about {} left", duration_text(status.seconds_left));
  return text;
}

// Describes the samples that are complete; empty if none is.
std::string fitness_text(const TuningStatus& status) {
  return status.samples == 0 ? "" : fmt::format("mean {:.1f}, best {:.1f} so far", status.mean, status.best);
}

bool has_test(const TuningState& state) {
  return state.test.size() == 2 && state.test[0].is_complete() && state.test[1].is_complete();
}

// The samples play the same boards, so the error of their difference follows from the differences by board.
TuningSample test_difference(const TuningState& state) {
  TuningSample difference;
  for (std::size_t i = 0; i < state.test[0].scores.size(); ++i)
    difference.scores.emplace_back(*state.test[1].scores[i] - *state.test[0].scores[i]);
  return difference;
}

std::string with_error(const TuningSample& sample, std::string_view sign = "") {
  return fmt::format("{}{:.1f} (standard error {:.1f})", sign, sample.fitness(), sample.standard_error());
}

std::string test_text(const TuningState& state) {
  const TuningSample difference = test_difference(state);
  return fmt::format("test on {}: start {}, result {}, difference {}\n", counted(state.test[0].scores.size(), "board"),
                     with_error(state.test[0]), with_error(state.test[1]),
                     with_error(difference, difference.fitness() > 0 ? "+" : ""));
}

Json sample_json(const TuningSample& sample) {
  Json scores = Json::array();
  for (const std::optional<int>& score : sample.scores)
    scores.push_back(score ? Json(*score) : Json(nullptr));
  return {{"mean", sample.fitness()}, {"standard_error", sample.standard_error()}, {"scores", std::move(scores)}};
}

Json values_json(const TuningPlan& plan, const host::Point& point) {
  Json values = Json::object();
  for (std::size_t p = 0; p < point.size(); ++p) {
    const double value = plan.parameters[p].value_at(point[p]);
    values[plan.parameters[p].name] = plan.parameters[p].is_whole ? Json(std::llround(value)) : Json(value);
  }
  return values;
}

// The deviation of a logarithmic scale is a factor.
Json distribution_json(const TuningPlan& plan, const std::vector<Gaussian>& distribution) {
  Json json = Json::object();
  for (std::size_t p = 0; p < plan.parameters.size(); ++p) {
    const TunedParameter& parameter = plan.parameters[p];
    json[parameter.name] = {
        {"mean", parameter.exact_value_at(distribution[p].mean)},
        {parameter.is_logarithmic ? "factor" : "deviation", parameter.exact_value_at(distribution[p].deviation)}};
  }
  return json;
}

}  // namespace

std::string gaussian_text(const TunedParameter& parameter, const Gaussian& gaussian) {
  const double spread = parameter.exact_value_at(gaussian.deviation);
  return fmt::format("{} ({}{})", tuned_number(parameter.exact_value_at(gaussian.mean)),
                     parameter.is_logarithmic ? "x" : "", tuned_number(spread));
}

std::string options_text(const TuningState& state) {
  const std::vector<Gaussian> distribution = state.distribution();
  std::string text;
  for (std::size_t p = 0; p < distribution.size(); ++p) {
    const TunedParameter& parameter = state.plan.parameters[p];
    const double value = parameter.value_at(distribution[p].mean);
    text += fmt::format("{}--{} {}", text.empty() ? "" : " ", parameter.name,
                        parameter.is_whole ? fmt::format("{:.0f}", value) : tuned_number(value));
  }
  return text;
}

std::string generation_line(const TuningState& state, std::size_t generation) {
  const host::TuningGeneration& done = state.done[generation];
  std::string line = fmt::format("generation {}: mean {:.1f}, best {:.1f}", generation + 1, done.mean, done.best);
  for (std::size_t p = 0; p < state.plan.parameters.size(); ++p)
    line += fmt::format("{} {} {}", p == 0 ? ';' : ',', state.plan.parameters[p].name,
                        gaussian_text(state.plan.parameters[p], done.distribution[p]));
  return line;
}

std::string tuning_line(const TuningState& state, const TuningStatus& status) {
  const std::string fitness = fitness_text(status);
  return place_text(state, status) + (fitness.empty() ? "" : ", " + fitness);
}

std::vector<std::string> tuning_block(const TuningState& state, const TuningStatus& status, int height) {
  const auto rows = static_cast<std::size_t>(std::clamp(height - 3, 1, 12));  // below two lines and the head
  const std::size_t first = state.done.size() + 1 > rows ? state.done.size() + 1 - rows : 0;
  std::vector<std::string> lines = {place_text(state, status), fitness_text(status)};
  for (std::string& line : generation_table(state, first))
    lines.push_back(std::move(line));
  return lines;
}

std::string tuning_result(const TuningState& state, const Terminal& terminal) {
  std::vector<std::string> lines = generation_table(state, 0);
  lines.front() = terminal.bold(lines.front());
  std::string text;
  for (const std::string& line : lines)
    text += line + '\n';
  if (has_test(state)) text += test_text(state);
  if (!state.done.empty()) text += options_text(state) + '\n';
  return text;
}

Json tuning_json(const TuningState& state, bool is_finished) {
  Json generations = Json::array();
  for (const host::TuningGeneration& generation : state.done)
    generations.push_back({{"mean", generation.mean},
                           {"best", generation.best},
                           {"best_sample", values_json(state.plan, generation.best_point)},
                           {"parameters", distribution_json(state.plan, generation.distribution)}});
  host::Point result;
  for (const Gaussian& gaussian : state.distribution())
    result.push_back(gaussian.mean);
  Json json = {{"preset", state.plan.preset},
               {"state", is_finished ? "finished" : "stopped"},
               {"start", distribution_json(state.plan, start_of(state.plan))},
               {"generations", std::move(generations)},
               {"result", values_json(state.plan, result)},
               {"options", options_text(state)}};
  if (has_test(state))
    json["test"] = {{"start", sample_json(state.test[0])},
                    {"result", sample_json(state.test[1])},
                    {"difference", sample_json(test_difference(state))}};
  return json;
}

std::string evaluation_text(const TuningPlan& plan, const TuningSample& sample) {
  return fmt::format("{} on {}\n", with_error(sample, "mean "),
                     counted(static_cast<std::uint64_t>(plan.boards), "board"));
}

Json evaluation_json(const TuningPlan& plan, const TuningSample& sample) {
  Json json = {{"preset", plan.preset}, {"parameters", values_json(plan, sample.point)}};
  json.update(sample_json(sample));
  return json;
}

TuningPicture tuning_picture(const TuningState& state) {
  const TuningPlan& plan = state.plan;
  TuningPicture picture{
      .title = "Tuning of " + plan.preset,
      .subtitle = fmt::format("{} samples on {} in each generation; elite of {}", plan.population,
                              counted(static_cast<std::uint64_t>(plan.boards), "new board"), plan.elite),
      .means = {},
      .bests = {},
      .parameters = {}};
  for (const host::TuningGeneration& generation : state.done) {
    picture.means.push_back(generation.mean);
    picture.bests.push_back(generation.best);
  }
  for (std::size_t p = 0; p < plan.parameters.size(); ++p) {
    const TunedParameter& parameter = plan.parameters[p];
    TuningPicture::Parameter& drawn = picture.parameters.emplace_back();
    drawn.name = parameter.name;
    drawn.is_logarithmic = parameter.is_logarithmic;
    const auto add = [&](const Gaussian& gaussian) {
      const auto at = [&](double deviations) {
        return std::clamp(parameter.exact_value_at(gaussian.mean + deviations * gaussian.deviation), parameter.low,
                          parameter.high);
      };
      drawn.bands.push_back({.low = at(-1), .mean = at(0), .high = at(1)});
    };
    add(parameter.start);
    for (const host::TuningGeneration& generation : state.done)
      add(generation.distribution[p]);
  }
  return picture;
}

}  // namespace chainshot::tools
