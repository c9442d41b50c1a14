#include "host/tune/tuning_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <variant>

namespace chainshot::host {
namespace {

using nlohmann::ordered_json;

ordered_json parameter_json(const TunedParameter& p) {
  return {{"name", p.name},
          {"whole", p.is_whole},
          {"scale", p.is_logarithmic ? "logarithmic" : "linear"},
          {"low", p.low},
          {"high", p.high},
          {"mean", p.start.mean},
          {"deviation", p.start.deviation}};
}

ordered_json settings_json(const std::map<std::string, SettingValue>& settings) {
  ordered_json json = ordered_json::object();
  for (const auto& [name, value] : settings)
    std::visit([&, &key = name](const auto& v) { json[key] = v; }, value);
  return json;
}

ordered_json plan_json(const TuningPlan& plan) {
  ordered_json parameters = ordered_json::array();
  for (const TunedParameter& parameter : plan.parameters)
    parameters.push_back(parameter_json(parameter));
  return {{"preset", plan.preset},
          {"settings", settings_json(plan.settings)},
          {"parameters", std::move(parameters)},
          {"budget",
           {{"seconds", plan.budget.seconds},
            {"playouts", std::to_string(plan.budget.playouts)},
            {"nodes", std::to_string(plan.budget.nodes)},
            {"resource_units", std::to_string(plan.budget.resource_units)}}},
          {"scoring", plan.scoring},
          {"columns", plan.columns},
          {"rows", plan.rows},
          {"colors", plan.colors},
          {"boards", plan.boards},
          {"population", plan.population},
          {"elite", plan.elite},
          {"smoothing", plan.smoothing},
          {"seed", std::to_string(plan.seed)},
          {"generations", plan.generations},
          {"test_boards", plan.test_boards}};
}

ordered_json generation_json(const TuningGeneration& generation) {
  ordered_json distribution = ordered_json::array();
  for (const auto& [mean, deviation] : generation.distribution)
    distribution.push_back({mean, deviation});
  return {{"mean", generation.mean},
          {"best", generation.best},
          {"best_point", generation.best_point},
          {"distribution", std::move(distribution)}};
}

ordered_json sample_json(const TuningSample& sample) {
  ordered_json scores = ordered_json::array();
  for (const std::optional<int>& score : sample.scores)
    scores.push_back(score ? ordered_json(*score) : ordered_json(nullptr));
  return {{"point", sample.point}, {"scores", std::move(scores)}};
}

// Writes a list with a line for each item.
template <class Item, class Json>
std::string list_text(const std::vector<Item>& items, Json json) {
  std::string text = "[";
  for (const Item& item : items)
    text += (text.size() == 1 ? "\n" : ",\n") + json(item).dump();
  return text + (items.empty() ? "]" : "\n]");
}

// Writes a parameter as --parameters takes it.
std::string option_text(const TunedParameter& p) {
  if (p.is_logarithmic)
    return fmt::format("{}={:.6g}x{:.6g}", p.name, std::exp(p.start.mean), std::exp(p.start.deviation));
  return fmt::format("{}={:.6g}:{:.6g}", p.name, p.start.mean, p.start.deviation);
}

std::string budget_text(const Budget& b) {
  std::string text;
  const auto add = [&](std::string_view option, const auto& value) {
    if (value > 0) text += fmt::format("{}{} {}", text.empty() ? "" : " ", option, value);
  };
  add("--time", b.seconds);
  add("--playouts", b.playouts);
  add("--nodes", b.nodes);
  add("--ru", b.resource_units);
  return text;
}

}  // namespace

Point TuningPlan::start_point() const {
  Point point;
  for (const TunedParameter& parameter : parameters)
    point.push_back(parameter.start.mean);
  return point;
}

bool TuningSample::is_complete() const {
  return std::all_of(scores.begin(), scores.end(), [](const std::optional<int>& score) { return score.has_value(); });
}

double TuningSample::fitness() const {
  const double sum = std::accumulate(scores.begin(), scores.end(), 0.0,
                                     [](double sum_so_far, const auto& score) { return sum_so_far + *score; });
  return sum / static_cast<double>(scores.size());
}

double TuningSample::standard_error() const {
  if (scores.size() < 2) return 0;
  const double mean = fitness(), count = static_cast<double>(scores.size());
  double squares = 0;
  for (const std::optional<int>& score : scores)
    squares += (*score - mean) * (*score - mean);
  return std::sqrt(squares / (count - 1) / count);
}

std::vector<Gaussian> TuningState::distribution() const {
  if (!done.empty()) return done.back().distribution;
  std::vector<Gaussian> start;
  for (const TunedParameter& parameter : plan.parameters)
    start.push_back(parameter.start);
  return start;
}

std::string tuning_text(const TuningState& state) {
  return fmt::format("{{\"version\": 1,\n\"plan\": {},\n\"done\": {},\n\"samples\": {},\n\"test\": {}}}\n",
                     plan_json(state.plan).dump(), list_text(state.done, generation_json),
                     list_text(state.samples, sample_json), list_text(state.test, sample_json));
}

std::string difference(const TuningPlan& wanted, const TuningPlan& other) {
  if (wanted.preset != other.preset) return "PRESET is " + wanted.preset;
  if (budget_text(wanted.budget) != budget_text(other.budget)) return "the budget is " + budget_text(wanted.budget);
  if (wanted.settings != other.settings) return "the settings are " + settings_json(wanted.settings).dump();
  if (wanted.parameters != other.parameters) {
    std::string text;
    for (const TunedParameter& parameter : wanted.parameters)
      text += (text.empty() ? "" : ",") + option_text(parameter);
    return "--parameters is " + text;
  }
  if (wanted.scoring != other.scoring) return "--scoring is " + wanted.scoring;
  if (wanted.columns != other.columns || wanted.rows != other.rows)
    return fmt::format("--size is {}x{}", wanted.columns, wanted.rows);
  if (wanted.colors != other.colors) return fmt::format("--colors is {}", wanted.colors);
  if (wanted.boards != other.boards) return fmt::format("--boards is {}", wanted.boards);
  if (wanted.population != other.population) return fmt::format("--population is {}", wanted.population);
  if (wanted.elite != other.elite) return fmt::format("--elite is {}", wanted.elite);
  if (wanted.smoothing != other.smoothing) return fmt::format("--smoothing is {}", wanted.smoothing);
  if (wanted.seed != other.seed) return fmt::format("--seed is {}", wanted.seed);
  return {};
}

}  // namespace chainshot::host
