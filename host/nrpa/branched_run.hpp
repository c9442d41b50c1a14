// A run whose level L makes its calls in parallel (Negrevergne and Cazenave 2017, 3.2). M branches, each with a player
// and a copy of the policy, call level L - 1. With a shared policy all adapt to the best sequence of all after each
// round of calls, by M alpha (algorithm 4); with thread-local policies each adapts to its own best, and the policy of
// the best branch goes to the level above (algorithm 5). The result does not depend on the number of threads. With L =
// 2 a round is M independent runs of level 1, each from a policy and a stream of keys: the unit that a device would
// take.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "host/nrpa/branch_team.hpp"
#include "host/nrpa/nested_run.hpp"

namespace chainshot::host::nrpa {

using PlayerMaker = std::function<std::unique_ptr<Player>()>;

class BranchedRun final : public NestedRun {
 public:
  BranchedRun(const PlayerMaker& make_player, const NrpaSettings& settings, std::uint64_t policy_bytes, Ledger& ledger,
              int threads);

  // Each worker of a run takes a stream of its own.
  static std::uint64_t streams(const NrpaSettings& settings) {
    return static_cast<std::uint64_t>(settings.branches) + 1;
  }
  void begin_run(std::uint64_t seed, std::uint64_t first_stream);

 private:
  struct Branch {
    Branch(std::unique_ptr<Player> player, const LevelRules& rules, std::uint64_t policy_bytes, SharedProgress& shared)
        : ledger(shared), run(std::move(player), rules, policy_bytes, ledger) {}
    Ledger ledger;
    NestedRun run;
    Rollout found;
    Lesson lesson;
    bool complete = true;
  };

  bool run_elsewhere(int level, Rollout& best, bool& complete) override;
  bool run_shared(int level, Rollout& best);
  bool run_local(int level, Rollout& best);
  void open_branches();
  // Calls `body` for every branch and settles the playouts and lines of all. Returns false if one ended early.
  bool for_each_branch(const std::function<void(Branch&)>& body);

  const NrpaParallel parallel_;
  const int parallel_level_;
  std::vector<std::unique_ptr<Branch>> branches_;
  BranchTeam team_;
};

}  // namespace chainshot::host::nrpa
