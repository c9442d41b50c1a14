// One beam from a position to the end of the game: drives a BeamStep bucket by bucket, remembers where every selected
// state came from, and rebuilds the lines of games that ended.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "game/beam_step.hpp"
#include "game/position.hpp"
#include "host/beam/evaluation.hpp"

namespace chainshot::host {

struct PassRequest {
  game::Position root;
  int points = 0;
  std::vector<game::Cell> line = {};  // from the root; its states are never dropped
  game::BeamTables tables = {};
  int width = 1;
  std::uint64_t memory_bytes = 0;  // for the open states; 0: no cap
  game::BeamLimit limit = {};
};

struct PassResult {
  int score = std::numeric_limits<int>::min();
  std::vector<game::Cell> moves = {};  // from the root to the end of the game
  std::uint64_t states = 0;            // expanded
  std::uint64_t children = 0;          // evaluated
  int width = 0;                       // at the end
  std::uint64_t peak_memory = 0;       // of the open states
  bool complete = true;                // false: a limit or a stop cut it short; the line is then finished greedily
};

class BeamPass {
 public:
  // Called after every bucket with its blocks and what is done so far; returns the width from there on.
  using Progress = std::function<int(int blocks, const PassResult& so_far)>;

  explicit BeamPass(game::BeamStep& step) : step_(step) {}

  PassResult run(const PassRequest& request, const Progress& progress = {});
  std::uint64_t history_bytes() const { return history_.capacity() * sizeof(game::BeamSelected); }

 private:
  void open_seeds(const PassRequest& request);
  std::vector<game::Cell> line_to(const PassRequest& request, std::uint32_t state) const;
  void finish_greedily(const PassRequest& request, PassResult& result) const;

  game::BeamStep& step_;
  std::vector<game::BeamSelected> history_;  // of every selected state
  std::size_t last_bucket_ = 0;              // the first of its states in the history
};

}  // namespace chainshot::host
