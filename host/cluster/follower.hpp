// A rank that follows rank 0: it searches its shares of the turns that rank 0 begins, several side by side where rank 0
// works on several boards.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "host/cluster/messages.hpp"
#include "host/cluster/post.hpp"
#include "host/cluster/rank_turn.hpp"
#include "host/run/run_engines.hpp"

namespace chainshot::host {

class Follower {
 public:
  // The post outlives it.
  explicit Follower(Post& post) : post_(post) {}

  // From the thread of the post: `turn`, and messages for a turn: `stop`, `best`, `elites`.
  void received(const RankMessage& message);
  void stop_turns();
  // Stops all turns and waits for them.
  void end();

 private:
  // What the turns of a slot search with. It is opened anew only if the plan has changed.
  struct Slot {
    std::string plan_text;
    RunPlan plan;
    std::unique_ptr<RunResources> resources;
  };

  RankTurn::Maker prepare(const RankMessage& plan);
  Slot& slot_for(const RankMessage& plan);

  Post& post_;
  std::mutex mutex_;
  std::map<std::uint64_t, std::unique_ptr<RankTurn>> turns_;
  std::mutex slots_mutex_;
  std::map<int, Slot> slots_;
};

}  // namespace chainshot::host
