// The settings of NMCS.
#pragma once

#include "game/policy.hpp"

namespace chainshot::host {

struct NmcsSettings {
  game::Policy policy = {};  // of level 0
  int levels = 2;            // of nested calls; level 0 is a playout
  bool keep_best = true;     // a call follows the best line it has found (Cazenave 2009)
  bool keep_tabu = true;     // levels, too, make moves of the tabu colour only where there is no other move
  int leaf_playouts = 1;     // a call of level 0 is the best of this many playouts
};

}  // namespace chainshot::host
