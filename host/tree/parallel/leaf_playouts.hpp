// Playouts a leaf gets: as many as were asked for, or those with which the trees are somewhat faster than the engines,
// by the speeds of the rounds so far.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "game/engine.hpp"
#include "host/tree/parallel/group_worker.hpp"
#include "host/tree/settings.hpp"

namespace chainshot::host {

class LeafPlayouts {
 public:
  // `most`: playouts that the whole budget is worth, infinity if it does not say. `workers`: threads that search trees.
  LeafPlayouts(const TreeSettings& settings, double most, const std::vector<game::Engine*>& engines, int workers);

  // From any thread.
  std::uint32_t now() const { return now_.load(std::memory_order_relaxed); }
  void learn(const RoundReport& report);

 private:
  const int workers_;
  const bool follow_speeds_;  // or the number is fixed
  const std::uint32_t most_;
  double margin_;  // by which the trees are to be faster than the engines
  std::atomic<std::uint32_t> now_ = 1;
};

}  // namespace chainshot::host
