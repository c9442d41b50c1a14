#include "host/tune/tuning_run.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <utility>

#include "game/generate.hpp"
#include "game/random.hpp"

namespace chainshot::host {
namespace {

// Boards, searches and samples have random numbers of their own.
enum class Purpose : std::uint64_t { kBoards = 1, kSearches, kSamples };

std::uint64_t seed_for(const TuningPlan& plan, Purpose purpose) {
  return game::mix64(plan.seed ^ game::mix64(static_cast<std::uint64_t>(purpose)));
}

// Samples of a generation search a board with the same seed, so that luck helps no sample.
std::uint64_t search_seed(const TuningPlan& plan, std::size_t generation, std::size_t board) {
  return game::mix64(game::mix64(seed_for(plan, Purpose::kSearches) ^ generation) ^ board);
}

std::vector<TuningGame> missing_games(const std::vector<TuningSample>& samples) {
  std::vector<TuningGame> games;
  for (std::size_t s = 0; s < samples.size(); ++s)
    for (std::size_t b = 0; b < samples[s].scores.size(); ++b)
      if (!samples[s].scores[b]) games.push_back({s, b});
  return games;
}

TuningSample sample_at(Point point, int boards) {
  return {std::move(point), std::vector<std::optional<int>>(static_cast<std::size_t>(boards))};
}

GameTask task_of(const TuningPlan& plan, const RunPlan& base, const Point& point, std::size_t generation,
                 std::size_t board) {
  return {settings_at(plan, base, point), tuning_board(plan, generation, board), search_seed(plan, generation, board)};
}

}  // namespace

game::Position tuning_board(const TuningPlan& plan, std::size_t generation, std::size_t board) {
  const game::BoardRecipe recipe{.kind = game::BoardKind::kUniform,
                                 .columns = plan.columns,
                                 .rows = plan.rows,
                                 .colors = plan.colors,
                                 .inverted = {}};
  return game::generate_board(recipe, seed_for(plan, Purpose::kBoards),
                              generation * static_cast<std::size_t>(TuningPlan::kMostBoards) + board);
}

Settings settings_at(const TuningPlan& plan, const RunPlan& base, const Point& point) {
  Settings settings = base.settings;
  for (std::size_t p = 0; p < point.size(); ++p) {
    const TunedParameter& parameter = plan.parameters[p];
    const Setting* row = setting_named(base.kind->settings(), parameter.name);
    if (row == nullptr) throw std::logic_error("the search has no setting " + parameter.name);
    const double value = parameter.value_at(point[p]);
    row->set(settings, parameter.is_whole ? SettingValue(static_cast<std::int64_t>(value)) : SettingValue(value));
  }
  return settings;
}

TuningSample evaluate(const TuningPlan& plan, const RunPlan& base, GameTeam& team, Point point, std::size_t generation,
                      const std::function<void(std::size_t games)>& watch, const std::stop_token& stop) {
  TuningSample sample = sample_at(std::move(point), plan.boards);
  std::mutex mutex;
  std::size_t games = 0;
  const GameWatcher watcher{
      .task = [&](const TuningGame& game) { return task_of(plan, base, sample.point, generation, game.board); },
      .finished =
          [&](const TuningGame& game, int score) {
            const std::lock_guard lock(mutex);
            sample.scores[game.board] = score;
            ++games;
          },
      .watch =
          [&] {
            const std::lock_guard lock(mutex);
            watch(games);
          }};
  const std::string error = team.play(missing_games({sample}), watcher, stop);
  if (!error.empty()) throw std::runtime_error(error);
  return sample;
}

TuningRun::TuningRun(TuningState state, RunPlan base, GameTeam& team, Save save)
    : state_(std::move(state)), base_(std::move(base)), team_(team), save_(std::move(save)) {
  // A tuning that goes on for more generations has another result to test.
  const bool has_all = state_.done.size() >= static_cast<std::size_t>(state_.plan.generations);
  if (!state_.test.empty() && !has_all) state_.test.clear();
}

bool TuningRun::is_finished() const {
  if (state_.done.size() < static_cast<std::size_t>(state_.plan.generations)) return false;
  if (state_.plan.test_boards == 0) return true;
  return !state_.test.empty() && missing_games(state_.test).empty();
}

void TuningRun::draw_samples() {
  const std::vector<Gaussian> distribution = state_.distribution();
  const auto is_allowed = [&](const Point& point) {
    return base_.kind->objection == nullptr ||
           base_.kind->objection(settings_at(state_.plan, base_, point), base_.scoring).empty();
  };
  std::vector<TuningSample> samples;
  for (int i = 0; i < state_.plan.population; ++i) {
    const DrawKey key{.seed = seed_for(state_.plan, Purpose::kSamples),
                      .generation = state_.done.size(),
                      .sample = static_cast<std::uint32_t>(i)};
    samples.push_back(
        sample_at(draw_sample(state_.plan.parameters, distribution, key, is_allowed), state_.plan.boards));
  }
  state_.samples = std::move(samples);
}

void TuningRun::finish_generation() {
  std::vector<Point> points;
  std::vector<double> fitness;
  double sum = 0;
  for (const TuningSample& sample : state_.samples) {
    points.push_back(sample.point);
    fitness.push_back(sample.fitness());
    sum += fitness.back();
  }
  const std::size_t best = elite_of(fitness, 1).front();
  state_.done.push_back({.mean = sum / static_cast<double>(fitness.size()),
                         .best = fitness[best],
                         .best_point = points[best],
                         .distribution = fitted(state_.distribution(), points, fitness,
                                                static_cast<std::size_t>(state_.plan.elite), state_.plan.smoothing)});
  state_.samples.clear();
}

void TuningRun::begin_test() {
  Point result;
  for (const Gaussian& gaussian : state_.distribution())
    result.push_back(gaussian.mean);
  state_.test = {sample_at(state_.plan.start_point(), state_.plan.test_boards),
                 sample_at(std::move(result), state_.plan.test_boards)};
}

std::string TuningRun::run(const std::function<void()>& watch, const std::stop_token& stop) {
  clock_ = SearchClock();
  save();
  std::string error;
  while (error.empty() && !is_finished() && !stop.stop_requested()) {
    if (state_.done.size() < static_cast<std::size_t>(state_.plan.generations)) {
      if (state_.samples.empty()) draw_samples();
      error = play(state_.samples, state_.done.size(), watch, stop);
      if (missing_games(state_.samples).empty()) finish_generation();
    } else {
      if (state_.test.empty()) begin_test();
      error = play(state_.test, kTestGeneration, watch, stop);
    }
    save();
    watch();
  }
  return error;
}

std::string TuningRun::play(std::vector<TuningSample>& samples, std::size_t generation,
                            const std::function<void()>& watch, const std::stop_token& stop) {
  const GameWatcher watcher{.task =
                                [&](const TuningGame& game) {
                                  return task_of(state_.plan, base_, samples[game.sample].point, generation,
                                                 game.board);
                                },
                            .finished =
                                [&](const TuningGame& game, int score) {
                                  const std::lock_guard lock(mutex_);
                                  results_.emplace_back(game, score);
                                },
                            .watch =
                                [&] {
                                  collect(samples);
                                  watch();
                                }};
  const std::string error = team_.play(missing_games(samples), watcher, stop);
  collect(samples);
  return error;
}

// Takes the results of the threads into the state, and saves it if a sample is complete or a second has passed.
void TuningRun::collect(std::vector<TuningSample>& samples) {
  std::vector<std::pair<TuningGame, int>> results;
  {
    const std::lock_guard lock(mutex_);
    results = std::exchange(results_, {});
  }
  bool is_sample_complete = false;
  for (const auto& [game, score] : results) {
    samples[game.sample].scores[game.board] = score;
    is_sample_complete = is_sample_complete || samples[game.sample].is_complete();
  }
  games_of_run_ += results.size();
  is_unsaved_ = is_unsaved_ || !results.empty();
  if (is_sample_complete || (is_unsaved_ && SearchClock::Clock::now() >= next_save_)) save();
}

void TuningRun::save() {
  save_problem_ = save_(state_);
  is_unsaved_ = !save_problem_.empty();
  next_save_ = SearchClock::Clock::now() + std::chrono::seconds(1);
}

TuningStatus TuningRun::status() const {
  const TuningPlan& plan = state_.plan;
  TuningStatus status{.generation = state_.done.size()};
  const auto generations = static_cast<std::size_t>(plan.generations);
  status.is_test = state_.done.size() >= generations;
  const std::vector<TuningSample>& samples = status.is_test ? state_.test : state_.samples;
  double sum = 0;
  for (const TuningSample& sample : samples) {
    status.games += static_cast<std::size_t>(
        std::count_if(sample.scores.begin(), sample.scores.end(), [](const auto& score) { return score.has_value(); }));
    if (!sample.is_complete()) continue;
    const double fitness = sample.fitness();
    sum += fitness;
    status.best = status.samples == 0 ? fitness : std::max(status.best, fitness);
    ++status.samples;
  }
  if (status.samples > 0) status.mean = sum / static_cast<double>(status.samples);
  const auto a_generation = static_cast<std::size_t>(plan.population) * static_cast<std::size_t>(plan.boards);
  const auto a_test = 2 * static_cast<std::size_t>(plan.test_boards);
  status.games_in_all = status.is_test ? a_test : a_generation;
  const std::size_t generations_left = status.is_test ? 0 : generations - state_.done.size();
  const std::size_t left = generations_left * a_generation + a_test - status.games;
  status.seconds = clock_.seconds();
  if (games_of_run_ > 0)
    status.seconds_left = status.seconds / static_cast<double>(games_of_run_) * static_cast<double>(left);
  return status;
}

}  // namespace chainshot::host
