// A seam between searches that must not know each other: one makes a line, another starts from it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "host/search/search.hpp"

namespace chainshot::host {

// Makes a line to start from, by up to `playouts` playouts that keep a colour for last. `enough` cuts it short. Nothing
// is returned where no line can be had. Several threads may call it at a time; the line depends on the arguments alone
// unless it is cut short.
using StartLineMaker =
    std::function<std::optional<std::vector<game::Cell>>(const SearchTask& task, int tabu_color, std::uint64_t playouts,
                                                         std::uint64_t seed, const std::function<bool()>& enough)>;

}  // namespace chainshot::host
