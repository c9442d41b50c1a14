// What the scores of many playouts have in common: mean, deviation, and the bins that fit them.
#pragma once

#include "game/engine.hpp"

namespace chainshot::game {

double mean(const Result& result);
double standard_deviation(const Result& result);  // of the sample; 0 for one playout

// Returns bins for the scores of playouts like those of `pilot`, with room for rare scores on both sides. Their width
// is a power of ten, and they start at a multiple of it.
HistogramSpec fine_bins(const Result& pilot);

}  // namespace chainshot::game
