// The evaluation of a beam's states: weights in points, and the tables of integers that processors compute with.
// The form of the terms and the weights were found by CMA-ES at width 100 on random boards of the standard kind. For
// each colour, n is the number of its blocks and k of its components; the target is the colour kept for last.
#pragma once

#include <cstdint>

#include "game/beam_step.hpp"
#include "game/position.hpp"
#include "game/scoring.hpp"

namespace chainshot::host {

// A penalty per feature on an empty and on a full board; in between it is interpolated by blocks left.
struct Penalty {
  double empty = 0, full = 0;
};

struct BeamWeights {
  // A colour is worth scale * points(n) * k^power if it is the target, else scale * n^size_power * k^power.
  double target_scale = 0.679, target_power = -0.128;
  double other_scale = 2.07, other_size_power = 1.652, other_power = -1.144;
  Penalty target_components{29.6, 4.1}, target_isolated{-3.4, 12.0}, target_lonely{20.7, 8.5}, target_runs{5.4, 9.2};
  Penalty other_components{-16.3, -6.4}, other_isolated{29.6, 26.4}, other_lonely{21.6, 14.3}, other_runs{25.8, 21.4};
  double steps = 4.25, columns = 13.6;
};

// Multiplies every weight by a random factor exp(noise * z), z normal. `draw` names the draw of a seed.
BeamWeights perturbed(const BeamWeights& weights, double noise, std::uint64_t seed, std::uint64_t draw);

// Points that a beam counts, either way. Evaluations are 32-bit numbers of 1 / kBeamScale points.
inline constexpr int kMostBeamScore = 1 << 21;

// The tables for positions that follow from `board`. Under a scoring by formula the weights are scaled to its points;
// where evaluations would not fit into 32 bits, all terms but the points themselves count for less. A scoring without
// points for groups (clickomania) gets a simple evaluation in place of the weights: it counts components, isolated and
// lonely blocks.
game::BeamTables beam_tables(const BeamWeights& weights, const game::Position& board, const game::Scoring& scoring,
                             int target);

}  // namespace chainshot::host
