// The settings of NRPA. The defaults are those of Negrevergne and Cazenave 2017.
#pragma once

#include <cstdint>

namespace chainshot::host {

enum class NrpaTabu : std::uint8_t { kKeep, kBias, kNone };
enum class NrpaParallel : std::uint8_t { kRoot, kShared, kLocal };
enum class NrpaDiversity : std::uint8_t { kSequence, kScore };

struct NrpaSettings {
  int levels = 4;
  int iterations = 100;  // N
  double alpha = 1;
  NrpaTabu tabu = NrpaTabu::kKeep;
  int tabu_color = -1;     // -1: the most frequent one
  double tabu_bias = -4;   // with NrpaTabu::kBias
  double size_bias = 0;    // generalised NRPA: per block beyond the second
  int adapt_playouts = 1;  // P of stabilised NRPA
  int repetitions = 0;     // limited repetitions; 0: no limit
  int beam = 1;            // sequences kept, each with a policy of its own
  int beam_level = 0;      // the level that keeps them; 0: the top level
  NrpaDiversity diversity = NrpaDiversity::kScore;
  NrpaParallel parallel = NrpaParallel::kRoot;
  int parallel_level = 1;  // L
  int branches = 4;        // M
  int jobs = 0;            // independent runs at a time; 0: one per thread
};

}  // namespace chainshot::host
