// Searches, and what there is to choose from.
#include <algorithm>
#include <mutex>
#include <sstream>

#include "api/translation.hpp"
#include "game/policy.hpp"
#include "game/reference.hpp"
#include "host/cluster/cluster.hpp"
#include "host/run/plan_choice.hpp"
#include "host/run/run_engines.hpp"
#include "host/run/spread.hpp"
#include "host/search/search_runner.hpp"

namespace chainshot {
namespace {

const host::Setting* row_of(const host::SearchKind& kind, const std::string& name) {
  const host::Setting* row = host::setting_named(kind.settings(), name);
  return row != nullptr ? row : host::setting_named(host::common_settings(), name);
}

[[noreturn]] void refuse_type(const host::Setting& row, const char* expected) {
  throw InputError("setting " + row.name + " is of another type; expected " + expected);
}

// A whole number is taken where the search has a real one. A setting that the search does not have is refused later.
host::SettingValue value_for(const host::Setting& row, const SettingValue& value) {
  const bool* const flag = std::get_if<bool>(&value);
  const std::int64_t* const whole = std::get_if<std::int64_t>(&value);
  const double* const real = std::get_if<double>(&value);
  switch (row.kind) {
    case host::SettingKind::kFlag:
      if (flag == nullptr) refuse_type(row, "true or false");
      return *flag;
    case host::SettingKind::kName:
      if (!std::holds_alternative<std::string>(value)) refuse_type(row, "a name");
      return std::get<std::string>(value);
    case host::SettingKind::kReal:
      if (whole != nullptr) return static_cast<double>(*whole);
      if (real == nullptr) refuse_type(row, "a number");
      return *real;
    case host::SettingKind::kWhole:
    case host::SettingKind::kBytes:
      if (whole == nullptr) refuse_type(row, "a whole number");
      return *whole;
  }
  return value;
}

std::map<std::string, host::SettingValue> given_settings(const SolveOptions& options) {
  const host::SearchKind& kind = *host::preset_from(options.preset).kind;
  std::map<std::string, host::SettingValue> given;
  for (const auto& [name, value] : options.settings) {
    const host::Setting* const row = row_of(kind, name);
    given[name] = row == nullptr ? host::SettingValue(value) : value_for(*row, value);
  }
  return given;
}

std::vector<std::string> names_in(const std::string& list) {
  std::vector<std::string> names;
  std::istringstream stream(list);
  for (std::string name; std::getline(stream, name, ',');)
    names.push_back(name);
  return names;
}

host::RunPlan plan_of(const SolveOptions& options) {
  if (!(options.seconds >= 0)) throw InputError("a budget of less than 0 seconds; expected 0 or more");
  const host::Budget budget{.seconds = options.seconds,
                            .playouts = options.playouts,
                            .nodes = options.nodes,
                            .resource_units = options.resource_units};
  host::RunPlan plan = host::plan_from(options.preset, given_settings(options), budget, scoring_of(options.scoring));
  host::expect_counted_budget(plan);
  plan.seed = options.seed;
  plan.engines = names_in(options.engine.name);
  if (plan.engines.empty()) throw InputError("the name of the engine is empty; expected one such as auto");
  plan.choice = {.threads = options.engine.threads,
                 .isa = options.engine.isa,
                 .devices = options.engine.devices,
                 .gpu_memory = options.engine.gpu_memory};
  return plan;
}

host::SearchTask task_of(const Position& position, const SolveOptions& options, const host::RunPlan& plan) {
  host::SearchTask task{.board = position.state().board, .scoring = plan.scoring, .seed = plan.seed};
  expect_scores_fit(plan.scoring, task.board, plan.kind->most_score);
  std::vector<host::ScoredLine> starts;
  for (const Moves& moves : options.starts)
    starts.push_back({replay(position, moves, options.scoring).score, cells_of(moves)});
  std::stable_sort(starts.begin(), starts.end(), [](const auto& a, const auto& b) { return a.score > b.score; });
  for (host::ScoredLine& start : starts)
    task.starts.push_back(std::move(start.moves));
  return task;
}

// The best line while the searches run. Their threads write it; the caller's thread reads it.
class BestSoFar {
 public:
  void set(const host::BestLine& line, double seconds) {
    const std::lock_guard lock(mutex_);
    line_ = line;
    seconds_ = seconds;
  }
  host::BestLine line() const {
    const std::lock_guard lock(mutex_);
    return line_;
  }
  double seconds() const {
    const std::lock_guard lock(mutex_);
    return seconds_;
  }

 private:
  mutable std::mutex mutex_;
  host::BestLine line_;
  double seconds_ = 0;
};

bool report(const SolveOptions& options, const host::SolveSample& sample, const host::BestLine& best) {
  const host::SearchStatus total = sample.total();
  const Moves moves = moves_of(best.moves);
  const Progress progress{.seconds = sample.seconds,
                          .score = best.version > 0 ? std::optional(best.score) : std::nullopt,
                          .moves = moves,
                          .playouts = total.playouts,
                          .evaluations = total.evaluations,
                          .nodes = total.nodes_visited};
  return options.progress(progress);
}

SolveResult result_of(const host::SolveResult& solved, double found_seconds) {
  const host::SearchStatus total = solved.last.total();
  return {.score = solved.best.score,
          .moves = moves_of(solved.best.moves),
          .is_proven = solved.proven,
          .seconds = solved.last.seconds,
          .found_seconds = found_seconds,
          .found_by = std::string(solved.best.source),
          .playouts = total.playouts,
          .evaluations = total.evaluations,
          .nodes = total.nodes_visited,
          .resource_units = total.resource_units};
}

SolveResult run(const Position& position, const SolveOptions& options, ProgressCalls& calls) {
  host::RunPlan plan = plan_of(options);
  const std::unique_ptr<host::Cluster> shares = plan.common.shares > 1 ? host::alone() : nullptr;
  plan.spread = shares.get();
  const host::SearchTask task = task_of(position, options, plan);
  const host::RunResources engines(plan, options.engine.notice);
  BestSoFar best;
  std::stop_source stop;
  const std::stop_callback pass_on(options.stop, [&stop] { stop.request_stop(); });
  const host::SolveWatcher watcher{
      .improved = [&best](const host::BestLine& line, double seconds) { best.set(line, seconds); },
      .sampled =
          [&](const host::SolveSample& sample) {
            if (options.progress && !calls.goes_on([&] { return report(options, sample, best.line()); }))
              stop.request_stop();
          },
      .interval = 0.1};
  const auto make = [&](const host::SearchTask& of, host::Incumbent& incumbent) {
    return host::make_searches(plan, engines, of, incumbent);
  };
  const host::SolveResult solved = host::solve(task, make, plan.budget.seconds, watcher, stop.get_token());
  if (!solved.error.empty()) throw Error(solved.error);
  const game::ReplayResult replayed = game::replay(task.board, solved.best.moves, plan.scoring);
  if (!replayed.error.empty() || replayed.score != solved.best.score)
    throw Error("the line of " + std::to_string(solved.best.score) +
                " points does not replay: the reference rules score " + std::to_string(replayed.score) + ' ' +
                replayed.error);
  return result_of(solved, best.seconds());
}

}  // namespace

SolveResult solve(const Position& position, const SolveOptions& options) {
  ProgressCalls calls;
  SolveResult result;
  try {
    result = translated([&] { return run(position, options, calls); });
  } catch (...) {
    calls.rethrow();
    throw;
  }
  calls.rethrow();
  return result;
}

std::vector<Choice> policies() {
  std::vector<Choice> choices;
  for (const game::NamedPolicy& policy : game::kPolicies)
    choices.push_back({std::string(policy.name), std::string(policy.summary)});
  return choices;
}

std::vector<Choice> scorings() {
  std::vector<Choice> choices;
  for (const game::Scoring& scoring : game::kScorings)
    choices.push_back({scoring.name(), scoring.summary()});
  return choices;
}

std::vector<Choice> presets() {
  std::vector<Choice> choices;
  for (const host::SearchKind* kind : host::search_kinds())
    for (const host::Preset& preset : kind->presets())
      choices.push_back({preset.name, preset.summary});
  return choices;
}

std::vector<Setting> settings(const std::string& preset) {
  return translated([&] {
    const auto [kind, found] = host::preset_from(preset);
    std::vector<Setting> settings;
    const auto add = [&settings](const host::Setting& row, const host::Settings& values) {
      settings.push_back({.name = row.name,
                          .summary = row.help,
                          .value = row.get(values),
                          .low = row.low,
                          .high = row.high,
                          .names = row.names});
    };
    for (const host::Setting& row : host::common_settings(*kind))
      add(row, host::CommonSettings{});
    for (const host::Setting& row : kind->settings())
      add(row, found->settings);
    return settings;
  });
}

}  // namespace chainshot
