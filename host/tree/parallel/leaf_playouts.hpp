// How many playouts each leaf gets: a fixed number, or as many as make the trees somewhat faster than the engines, by
// the speeds of the rounds so far.
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
  // `most` is how many playouts the whole budget is worth, infinity if it does not tell; `workers` is how many threads
  // search trees.
  LeafPlayouts(const TreeSettings& settings, double most, const std::vector<game::Engine*>& engines, int workers);

  // From any thread.
  std::uint32_t now() const { return now_.load(std::memory_order_relaxed); }
  void learn(const RoundReport& report);

 private:
  const int workers_;
  const bool follow_speeds_;  // false: the number is fixed
  const std::uint32_t most_;
  double margin_;  // how many times as fast as the engines the trees should be
  std::atomic<std::uint32_t> now_ = 1;
};

}  // namespace chainshot::host
