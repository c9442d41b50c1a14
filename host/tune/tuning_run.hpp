// Runs a tuning: draws the samples of a generation, plays their games, fits the next distribution to the elite, and
// saves the state whenever a sample is known. A run that goes on from a saved state ends as if it had never been broken
// off, if the budget of a game is counted.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "host/search/search_clock.hpp"
#include "host/tune/game_team.hpp"
#include "host/tune/tuning_state.hpp"

namespace chainshot::host {

// Returns a board of a generation; the samples of a generation share them. Boards of the test are others.
game::Position tuning_board(const TuningPlan& plan, std::size_t generation, std::size_t board);
inline constexpr std::size_t kTestGeneration = TuningPlan::kMostGenerations;

// Returns the settings of `base` with the values of a point.
Settings settings_at(const TuningPlan& plan, const RunPlan& base, const Point& point);

// Plays one sample on the boards of a generation. Empty scores are those of games that a stop broke off. Throws
// std::runtime_error if a search fails.
TuningSample evaluate(const TuningPlan& plan, const RunPlan& base, GameTeam& team, Point point, std::size_t generation,
                      const std::function<void(std::size_t games)>& watch, const std::stop_token& stop);

struct TuningStatus {
  std::size_t generation = 0;  // under way, from 0
  bool is_test = false;        // all generations are done, and the result is compared with the start
  std::size_t games = 0;       // finished ones of this generation or test
  std::size_t games_in_all = 0;
  std::size_t samples = 0;  // complete ones
  double mean = 0;          // fitness of the complete samples
  double best = 0;
  double seconds = 0;       // of this run
  double seconds_left = 0;  // estimated; 0 before a game has finished
};

class TuningRun {
 public:
  // Writes the state. Returns why it could not, or an empty text.
  using Save = std::function<std::string(const TuningState&)>;

  TuningRun(TuningState state, RunPlan base, GameTeam& team, Save save);

  // Returns at the end, at a stop, or when a search fails, with the sentence of that failure or an empty text. The
  // state is saved in any case. `watch` is called ten times per second.
  std::string run(const std::function<void()>& watch, const std::stop_token& stop);

  // Not to be read from another thread than that of `run`.
  const TuningState& state() const { return state_; }
  bool is_finished() const;
  TuningStatus status() const;
  // Returns why the last write of the state failed; empty if it did not.
  const std::string& save_problem() const { return save_problem_; }

 private:
  void draw_samples();
  void finish_generation();
  void begin_test();
  // Plays the games of these samples that have no score yet.
  std::string play(std::vector<TuningSample>& samples, std::size_t generation, const std::function<void()>& watch,
                   const std::stop_token& stop);
  void collect(std::vector<TuningSample>& samples);
  void save();

  TuningState state_;
  RunPlan base_;
  GameTeam& team_;
  Save save_;
  std::string save_problem_;
  SearchClock clock_;
  SearchClock::Clock::time_point next_save_;
  bool is_unsaved_ = false;       // the state has something that the file lacks
  std::size_t games_of_run_ = 0;  // that finished in this run

  std::mutex mutex_;
  std::vector<std::pair<TuningGame, int>> results_;  // that finished and are not in the state yet
};

}  // namespace chainshot::host
