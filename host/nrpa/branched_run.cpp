#include "host/nrpa/branched_run.hpp"

#include <algorithm>
#include <utility>

namespace chainshot::host::nrpa {

BranchedRun::BranchedRun(const PlayerMaker& make_player, const NrpaSettings& settings, std::uint64_t policy_bytes,
                         Ledger& ledger, int threads)
    : NestedRun(make_player(), LevelRules(settings), policy_bytes, ledger),
      parallel_(settings.parallel),
      parallel_level_(settings.parallel_level),
      team_(std::min(threads, settings.branches)) {
  for (int i = 0; i < settings.branches; ++i)
    branches_.push_back(std::make_unique<Branch>(make_player(), rules(), policy_bytes, ledger.shared()));
}

void BranchedRun::begin_run(std::uint64_t seed, std::uint64_t first_stream) {
  begin({seed, first_stream});
  for (const auto& branch : branches_)
    branch->run.begin({seed, ++first_stream});
}

bool BranchedRun::run_elsewhere(int level, Rollout& best, bool& complete) {
  if (level != parallel_level_) return false;
  open_branches();
  complete = parallel_ == NrpaParallel::kShared ? run_shared(level, best) : run_local(level, best);
  return true;
}

void BranchedRun::open_branches() {
  for (const auto& branch : branches_) {
    branch->run.policy().copy_from(policy());
    branch->run.policy().open_level();
  }
}

bool BranchedRun::for_each_branch(const std::function<void(Branch&)>& body) {
  const std::uint64_t left = ledger().left(), count = branches_.size();
  std::vector<std::uint64_t> quotas(count, Ledger::kNoLimit);
  for (std::uint64_t i = 0; i < count && left != Ledger::kNoLimit; ++i)
    quotas[i] = left / count + (i < left % count ? 1 : 0);
  team_.for_each(static_cast<int>(count), [&](int i) {
    Branch& branch = *branches_[static_cast<std::size_t>(i)];
    branch.ledger.set_quota(quotas[static_cast<std::size_t>(i)]);
    body(branch);
  });
  bool complete = true;
  for (std::uint64_t i = 0; i < count; ++i) {
    const Branch& branch = *branches_[i];
    if (left != Ledger::kNoLimit) ledger().spend(quotas[i] - branch.ledger.left());
    ledger().keep(branch.ledger.best_score(), branch.ledger.best_moves());
    complete = complete && branch.complete;
  }
  return complete && ledger().may_play();
}

bool BranchedRun::run_shared(int level, Rollout& best) {
  const int count = static_cast<int>(branches_.size()), rounds = std::max(1, rules().iterations / count);
  const Logit alpha = rules().alpha * count;
  bool complete = true, is_new = false;
  for (int round = 0; round < rounds && complete; ++round) {
    complete = for_each_branch([&](Branch& branch) {
      Policy& policy = branch.run.policy();
      if (is_new) policy.prepare(best, branch.lesson);
      if (round > 0) policy.adapt(best, branch.lesson, alpha);
      branch.complete = branch.run.run_below(level, branch.found);
    });
    is_new = false;
    for (const auto& branch : branches_) {
      const Rollout& found = branch->found;
      if (found.score == Rollout::kNoScore || found.score < best.score) continue;
      if (best.score != Rollout::kNoScore && found.fingerprint == best.fingerprint) continue;
      std::swap(best, branch->found);
      is_new = true;
    }
    if (best.score == Rollout::kNoScore) break;
  }
  return complete;
}

bool BranchedRun::run_local(int level, Rollout& best) {
  const int iterations = std::max(1, rules().iterations / static_cast<int>(branches_.size()));
  const bool complete = for_each_branch([&](Branch& branch) {
    branch.found.clear();
    branch.complete = branch.run.iterate(level, iterations, branch.found);
  });
  Branch* winner = nullptr;
  for (const auto& branch : branches_)
    if (winner == nullptr || branch->found.score > winner->found.score) winner = branch.get();
  if (winner->found.score == Rollout::kNoScore) return complete;
  if (policy().open_levels() > 0) policy().learn(winner->run.policy().learned_by_level());
  std::swap(best, winner->found);
  return complete;
}

}  // namespace chainshot::host::nrpa
