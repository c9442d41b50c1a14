// Suggestions for mistyped names on the command line.
#pragma once

#include "game/suggest.hpp"

namespace chainshot::tools {

using game::closest_name;
using game::edit_distance;
using game::unknown_name;

}  // namespace chainshot::tools
