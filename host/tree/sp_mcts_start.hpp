// A line to start a chain from: the best game of a short SP-MCTS (Schadd 2012, section 4) on one thread, with its
// playouts on the single position. It depends on the task, the colour and the seed alone, unless it is cut short.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "host/search/search.hpp"

namespace chainshot::host {

// Playouts keep `tabu_color` for last. At least one is played; `enough` is asked before each of the others. Nothing is
// returned where the system has no memory for a tree.
std::optional<std::vector<game::Cell>> sp_mcts_start(
    const SearchTask& task, int tabu_color, std::uint64_t playouts, std::uint64_t seed,
    const std::function<bool()>& enough = [] { return false; });

}  // namespace chainshot::host
