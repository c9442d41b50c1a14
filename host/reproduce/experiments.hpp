// Measures single samples of the rows of published tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>

#include "host/reproduce/published_table.hpp"

namespace chainshot::host {

// Returns the budget of a sample: this share of each limit.
Budget share_of(const Budget& budget, double share);

// Measures one sample on the calling thread with one thread of its own. Returns nothing if it was stopped. Throws
// std::invalid_argument for a preset or setting that does not exist, and std::runtime_error if a search fails.
std::optional<double> measure_sample(const Experiment& experiment, double budget_share, std::size_t index,
                                     const std::stop_token& stop);

}  // namespace chainshot::host
