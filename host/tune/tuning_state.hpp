// The state of a tuning: its plan, the generations that are done, and the samples and scores of the one under way. As
// text it is JSON with a line for each generation and sample. What is read is checked, so that a state has no number
// out of range and no list of a wrong length.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/search/search.hpp"
#include "host/search/setting.hpp"
#include "host/tune/cross_entropy.hpp"

namespace chainshot::host {

// Schadd 2012, 6.6: 100 samples of 30 games, 10 of them the elite. The paper does not say how many generations it took.
struct TuningPlan {
  static constexpr int kMostSamples = 10'000, kMostBoards = 100'000, kMostGenerations = 100'000;

  std::string preset;
  std::map<std::string, SettingValue> settings;  // that the user gave, by name; the others are the preset's
  std::vector<TunedParameter> parameters;
  Budget budget;  // of a game
  std::string scoring = "standard";
  int columns = 15, rows = 15, colors = 5;  // of the random boards
  int boards = 30;                          // for each sample; the samples of a generation share them
  int population = 100;
  int elite = 10;
  double smoothing = 1;
  std::uint64_t seed = 0;
  // These two may be others when a tuning goes on.
  int generations = 20;
  int test_boards = 0;  // on which the result is compared with the start; 0: it is not

  Point start_point() const;
};

struct TuningSample {
  Point point;
  std::vector<std::optional<int>> scores;  // one per board; empty where the game has not ended

  bool is_complete() const;
  // Returns the average score of a complete sample.
  double fitness() const;
  // Returns the standard error of that average; 0 for a single game.
  double standard_error() const;
};

// A generation that is done.
struct TuningGeneration {
  double mean = 0;  // fitness of all samples
  double best = 0;
  Point best_point;
  std::vector<Gaussian> distribution;  // fitted to its elite
};

struct TuningState {
  TuningPlan plan;
  std::vector<TuningGeneration> done;
  std::vector<TuningSample> samples;  // of the generation under way; empty before they are drawn
  std::vector<TuningSample> test;     // the start and the result on boards of their own; empty before that

  // Returns the distribution that the next generation draws from, which is the result at the end.
  std::vector<Gaussian> distribution() const;
};

std::string tuning_text(const TuningState& state);

// Throws game::ParseError, which names the place in `source`.
TuningState parse_tuning(std::string_view text, std::string_view source);

// Returns the first thing in which two plans differ, as the option that sets it and what `wanted` has there: `--boards
// is 30`; an empty text if one tuning can go on as the other.
std::string difference(const TuningPlan& wanted, const TuningPlan& other);

}  // namespace chainshot::host
