// Improves a line by small beams: each begins at a random depth of the line, with perturbed weights and one of the tabu
// colours, and keeps the states of the line. Beams run in rounds of a fixed number, each on a thread of its own, so
// that the result does not depend on the number of threads.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "host/beam/beam_pass.hpp"
#include "host/beam/beam_search.hpp"
#include "host/search/search.hpp"

namespace chainshot::host {

struct NestedRound {
  int beams = 0;
  std::uint64_t states = 0, children = 0;
  int blocks = 0;  // at the root of the last beam
};

class NestedBeam {
 public:
  NestedBeam(const SearchTask& task, const BeamSettings& settings, std::vector<int> colors, int threads,
             const BeamStepMaker& make_step);

  // Goes on from another line.
  void start(const std::vector<game::Cell>& moves);
  // Runs the beams of a round and takes over the best line found. Each gets an equal part of the limits.
  NestedRound run_round(const game::BeamLimit& limit);

  int score() const { return score_; }
  const std::vector<game::Cell>& moves() const { return moves_; }
  int width() const { return static_cast<int>(width_); }

 private:
  struct Try {
    std::size_t depth = 0;
    PassRequest request;
    PassResult result;
  };

  Try make_try(const game::BeamLimit& limit);
  void run_tries(std::vector<Try>& tries);

  const SearchTask task_;
  const BeamSettings settings_;
  const std::vector<int> colors_;
  std::vector<std::unique_ptr<game::BeamStep>> steps_;  // one per thread
  std::vector<game::Cell> moves_;
  int score_ = 0;
  double width_;
  int failures_ = 0;         // beams since the last improvement or widening
  std::uint64_t beams_ = 0;  // so far
};

}  // namespace chainshot::host
