// Beam search: all states with the same number of blocks left compete for a place in the beam, and the best of them, by
// the evaluation of evaluation.hpp, are expanded. A beam keeps one tabu colour for last, so there is one beam per
// colour.
//
//   beam          passes of growing width until the budget is spent or memory is full; then passes of that width with
//                 other weights
//   nested-beam   a first part like `beam`; then small beams with other weights from random depths of the best line,
//                 each of which keeps the states of that line
//
// Buckets by blocks left were far ahead of levels by moves (2,960 against 2,470 at half a second). Small beams that
// improve a line follow the strongest public beam programs.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "game/beam_step.hpp"
#include "host/search/incumbent.hpp"
#include "host/search/search.hpp"

namespace chainshot::host {

inline constexpr std::uint64_t kDefaultBeamMemory = std::uint64_t{1} << 30;

struct BeamSettings {
  int width = 0;             // states of a bucket, in the beams of all colours together; 0: from budget and memory
  int tabu_colors = 2;       // colours that have a beam, most frequent first
  double first_share = 0.6;  // of the width, for the most frequent colour
  double noise = 0.1;        // of the weights, when a width is repeated

  bool is_nested = false;
  double start_share = 0.3;  // of the budget, for the first beams
  int nested_width = 300;    // of a small beam, at first
  double nested_noise = 0.2;
  double widening = 1.4;  // factor of the width after `patience` beams in a row that found nothing
  int patience = 8;

  std::uint64_t memory_bytes = 0;  // 0: kDefaultBeamMemory
};

// A device is for the beams that take the whole width. Small ones would leave it idle between their buckets; they run
// side by side on the CPU.
enum class BeamSize : std::uint8_t { kWhole, kSmall };

// Makes a step with so many threads.
using BeamStepMaker = std::function<std::unique_ptr<game::BeamStep>(int threads, BeamSize size)>;

// Returns the width for which the states of a beam fit into the memory.
int beam_width_for(std::uint64_t memory_bytes, int blocks, std::size_t state_bytes);

// The colours that get a beam: the most frequent ones, the lowest first where counts tie.
std::vector<int> beam_tabu_colors(const game::Position& board, int count);

// The incumbent outlives the search. `note` is told if the width asked for does not fit into the memory.
std::unique_ptr<Search> make_beam_search(const SearchTask& task, const BeamSettings& settings, const Budget& budget,
                                         int threads, BeamStepMaker make_step, Incumbent& incumbent,
                                         const std::function<void(const std::string&)>& note = {});

}  // namespace chainshot::host
