// Reads the state of a tuning. A state may have been cut off or edited by hand, so every value is checked.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <system_error>

#include "game/geometry.hpp"
#include "game/located_json.hpp"
#include "game/parse_error.hpp"
#include "host/tune/tuning_state.hpp"

namespace chainshot::host {
namespace {

using game::LocatedJson;
using Kind = LocatedJson::Kind;

// Returns values of parsed JSON; throws game::ParseError with the place of one that is not what was expected.
class Reader {
 public:
  Reader(std::string_view text, std::string_view source) : text_(text), source_(source) {}

  [[noreturn]] void fail(const LocatedJson& value, std::string_view sentence) const {
    game::fail_at(source_, game::place_of(text_, value.offset), sentence);
  }
  const LocatedJson& field(const LocatedJson& object, std::string_view key) const {
    if (object.kind != Kind::kObject) fail(object, "expected an object in braces");
    const LocatedJson* value = object.find(key);
    if (value == nullptr) fail(object, fmt::format("expected \"{}\" here, as chainshot tune writes it", key));
    return *value;
  }
  const std::vector<LocatedJson>& list(const LocatedJson& value) const {
    if (value.kind != Kind::kArray) fail(value, "expected a list in brackets");
    return value.items;
  }
  // Returns the items of a list of a known length.
  const std::vector<LocatedJson>& list_of(const LocatedJson& value, std::size_t length) const {
    if (list(value).size() != length)
      fail(value, fmt::format("a list of {} values; expected {}", value.items.size(), length));
    return value.items;
  }
  std::string text(const LocatedJson& object, std::string_view key) const {
    const LocatedJson& value = field(object, key);
    if (value.kind != Kind::kString) fail(value, fmt::format("expected \"{}\" in quotes", key));
    return value.text;
  }
  bool flag(const LocatedJson& object, std::string_view key) const {
    const LocatedJson& value = field(object, key);
    if (value.kind != Kind::kBoolean) fail(value, fmt::format("expected \"{}\" to be true or false", key));
    return text_.substr(value.offset, 4) == "true";
  }
  double number(const LocatedJson& value, double low = -kMost, double high = kMost) const {
    const double found = std::strtod(value.text.c_str(), nullptr);
    if ((value.kind != Kind::kInteger && value.kind != Kind::kReal) || !(found >= low && found <= high))
      fail(value, fmt::format("expected a number from {:g} to {:g}", low, high));
    return found;
  }
  int whole(const LocatedJson& value, int low, int high) const {
    if (value.kind != Kind::kInteger || value.integer < low || value.integer > high)
      fail(value, fmt::format("expected a whole number from {} to {}", low, high));
    return static_cast<int>(value.integer);
  }
  int whole(const LocatedJson& object, std::string_view key, int low, int high) const {
    return whole(field(object, key), low, high);
  }
  // Returns a number of 64 bits, which is written in quotes.
  std::uint64_t long_number(const LocatedJson& object, std::string_view key) const {
    const std::string digits = text(object, key);
    std::uint64_t found = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), found);
    if (error != std::errc() || end != digits.data() + digits.size())
      fail(field(object, key), fmt::format("expected \"{}\" to be a whole number in quotes", key));
    return found;
  }

  static constexpr double kMost = 1e18;  // sums and squares of such numbers stay finite

 private:
  std::string_view text_;
  std::string_view source_;
};

Gaussian gaussian_from(const Reader& r, const LocatedJson& mean, const LocatedJson& deviation) {
  return {r.number(mean), r.number(deviation, 0)};
}

TunedParameter parameter_from(const Reader& r, const LocatedJson& json) {
  TunedParameter parameter;
  parameter.name = r.text(json, "name");
  parameter.is_whole = r.flag(json, "whole");
  const std::string scale = r.text(json, "scale");
  if (scale != "linear" && scale != "logarithmic")
    r.fail(r.field(json, "scale"), "expected \"linear\" or \"logarithmic\"");
  parameter.is_logarithmic = scale == "logarithmic";
  parameter.low = r.number(r.field(json, "low"));
  parameter.high = r.number(r.field(json, "high"), parameter.low);
  parameter.start = gaussian_from(r, r.field(json, "mean"), r.field(json, "deviation"));
  return parameter;
}

SettingValue setting_from(const Reader& r, const LocatedJson& object, std::string_view name) {
  const LocatedJson& value = r.field(object, name);
  switch (value.kind) {
    case Kind::kBoolean:
      return r.flag(object, name);
    case Kind::kInteger:
      return value.integer;
    case Kind::kReal:
      return r.number(value);
    case Kind::kString:
      return value.text;
    default:
      r.fail(value, "expected a number, a name, true or false");
  }
}

Budget budget_from(const Reader& r, const LocatedJson& json) {
  Budget budget;
  budget.seconds = r.number(r.field(json, "seconds"), 0);
  budget.playouts = r.long_number(json, "playouts");
  budget.nodes = r.long_number(json, "nodes");
  budget.resource_units = r.long_number(json, "resource_units");
  if (budget.seconds == 0 && !budget.is_counted()) r.fail(json, "a game without a budget; expected one above 0");
  return budget;
}

TuningPlan plan_from(const Reader& r, const LocatedJson& json) {
  TuningPlan plan;
  plan.preset = r.text(json, "preset");
  const LocatedJson& settings = r.field(json, "settings");
  if (settings.kind != Kind::kObject) r.fail(settings, "expected an object in braces");
  for (const std::string& name : settings.keys)
    plan.settings[name] = setting_from(r, settings, name);
  for (const LocatedJson& parameter : r.list(r.field(json, "parameters")))
    plan.parameters.push_back(parameter_from(r, parameter));
  if (plan.parameters.empty()) r.fail(r.field(json, "parameters"), "expected at least one parameter");
  plan.budget = budget_from(r, r.field(json, "budget"));
  plan.scoring = r.text(json, "scoring");
  plan.columns = r.whole(json, "columns", 1, game::kMaxColumns);
  plan.rows = r.whole(json, "rows", 1, game::kMaxRows);
  plan.colors = r.whole(json, "colors", 1, game::kMaxColors);
  plan.boards = r.whole(json, "boards", 1, TuningPlan::kMostBoards);
  plan.population = r.whole(json, "population", 2, TuningPlan::kMostSamples);
  plan.elite = r.whole(json, "elite", 2, plan.population);
  plan.smoothing = r.number(r.field(json, "smoothing"), 0, 1);
  plan.seed = r.long_number(json, "seed");
  plan.generations = r.whole(json, "generations", 1, TuningPlan::kMostGenerations);
  plan.test_boards = r.whole(json, "test_boards", 0, TuningPlan::kMostBoards);
  return plan;
}

Point point_from(const Reader& r, const LocatedJson& json, const TuningPlan& plan) {
  Point point;
  for (const LocatedJson& coordinate : r.list_of(json, plan.parameters.size()))
    point.push_back(r.number(coordinate));
  return point;
}

TuningGeneration generation_from(const Reader& r, const LocatedJson& json, const TuningPlan& plan) {
  TuningGeneration generation;
  generation.mean = r.number(r.field(json, "mean"));
  generation.best = r.number(r.field(json, "best"));
  generation.best_point = point_from(r, r.field(json, "best_point"), plan);
  for (const LocatedJson& pair : r.list_of(r.field(json, "distribution"), plan.parameters.size())) {
    r.list_of(pair, 2);
    generation.distribution.push_back(gaussian_from(r, pair.items[0], pair.items[1]));
  }
  return generation;
}

TuningSample sample_from(const Reader& r, const LocatedJson& json, const TuningPlan& plan, int boards) {
  TuningSample sample;
  sample.point = point_from(r, r.field(json, "point"), plan);
  for (const LocatedJson& score : r.list_of(r.field(json, "scores"), static_cast<std::size_t>(boards))) {
    if (score.kind == Kind::kNull)
      sample.scores.push_back(std::nullopt);
    else
      sample.scores.push_back(r.whole(score, std::numeric_limits<int>::min() / 2, std::numeric_limits<int>::max() / 2));
  }
  return sample;
}

// Returns the samples of a list, which has none or `count` of them.
std::vector<TuningSample> samples_from(const Reader& r, const LocatedJson& json, const TuningPlan& plan, int count,
                                       int boards) {
  std::vector<TuningSample> samples;
  if (!r.list(json).empty())
    for (const LocatedJson& sample : r.list_of(json, static_cast<std::size_t>(count)))
      samples.push_back(sample_from(r, sample, plan, boards));
  return samples;
}

}  // namespace

TuningState parse_tuning(std::string_view text, std::string_view source) {
  const Reader r(text, source);
  const LocatedJson json = game::parse_located_json(text, source);
  TuningState state;
  r.field(json, "version");
  state.plan = plan_from(r, r.field(json, "plan"));
  for (const LocatedJson& generation : r.list(r.field(json, "done")))
    state.done.push_back(generation_from(r, generation, state.plan));
  state.samples = samples_from(r, r.field(json, "samples"), state.plan, state.plan.population, state.plan.boards);
  state.test = samples_from(r, r.field(json, "test"), state.plan, 2, state.plan.test_boards);
  if (state.done.size() > TuningPlan::kMostGenerations)
    r.fail(r.field(json, "done"), "more generations than a tuning can have");
  if (!state.test.empty() && state.plan.test_boards == 0)
    r.fail(r.field(json, "test"), "a test without boards; expected an empty list");
  return state;
}

}  // namespace chainshot::host
