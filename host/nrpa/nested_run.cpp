#include "host/nrpa/nested_run.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace chainshot::host::nrpa {

LevelRules::LevelRules(const NrpaSettings& settings)
    : iterations(settings.iterations),
      alpha(static_cast<Logit>(std::lround(settings.alpha * kOne))),
      adapt_playouts(settings.adapt_playouts),
      repetitions(settings.repetitions),
      beam(settings.beam),
      beam_level(settings.beam_level > 0 ? settings.beam_level : settings.levels),
      diversity(settings.diversity) {}

NestedRun::NestedRun(std::unique_ptr<Player> player, const LevelRules& rules, std::uint64_t policy_bytes,
                     Ledger& ledger)
    : player_(std::move(player)), rules_(rules), ledger_(ledger), policy_(policy_bytes) {}

bool NestedRun::run_level(int level, Rollout& best) {
  best.clear();
  if (level == 0) return play(best);
  if (bool complete = false; run_elsewhere(level, best, complete)) return complete;
  if (rules_.beam > 1 && level == rules_.beam_level) return run_beam(level, best);
  policy_.open_level();
  const bool complete = iterate(level, rules_.iterations, best);
  policy_.close_level();
  return complete;
}

bool NestedRun::run_elsewhere(int, Rollout&, bool&) {
  return false;
}

bool NestedRun::play(Rollout& out) {
  if (!ledger_.may_play()) return false;
  player_->play(policy_, keys_.next(), out);
  ledger_.played(out);
  return true;
}

NestedRun::LevelRoom& NestedRun::room(int level) {
  while (static_cast<int>(rooms_.size()) <= level)
    rooms_.emplace_back();
  return rooms_[static_cast<std::size_t>(level)];
}

// One call of the level below. Level 1 of stabilised NRPA plays P playouts and takes the best of them (Cazenave,
// Sevestre and Toulemont 2020).
bool NestedRun::run_below(int level, Rollout& best) {
  bool complete = run_level(level - 1, best);
  if (level > 1) return complete;
  for (int i = 1; i < rules_.adapt_playouts && complete; ++i) {
    Rollout& candidate = room(level).candidate;
    complete = run_level(level - 1, candidate);
    if (complete && candidate.score >= best.score) std::swap(best, candidate);
  }
  return complete;
}

// A sequence that ties with the best one replaces it, as in the paper. With limited repetitions (Cazenave 2024) the
// level ends when it has found its best sequence that many times again.
bool NestedRun::iterate(int level, int iterations, Rollout& best) {
  LevelRoom& mine = room(level);
  bool complete = true;
  for (int i = 0, repeated = 0; i < iterations && complete; ++i) {
    complete = run_below(level, mine.trial);
    if (mine.trial.score == Rollout::kNoScore) break;
    const bool is_same = best.score != Rollout::kNoScore && mine.trial.fingerprint == best.fingerprint;
    if (is_same && ++repeated == rules_.repetitions) break;
    if (!is_same && mine.trial.score >= best.score) {
      std::swap(best, mine.trial);
      policy_.prepare(best, mine.lesson);
      repeated = 0;
    }
    policy_.adapt(best, mine.lesson, rules_.alpha);
  }
  return complete;
}

// Beam NRPA (Cazenave and Teytaud 2012): the level keeps several sequences, each with a policy that adapts to it alone.
// An iteration calls the level below once for each of them and keeps the best of old and new. As in Edelkamp and
// Cazenave 2016, no two of those kept are alike. A new sequence inherits the policy it was found with.
bool NestedRun::run_beam(int level, Rollout& best) {
  std::vector<Member> members(1), pool;
  bool complete = true;
  for (int i = 0; i < rules_.iterations && complete; ++i) {
    pool.clear();
    for (std::size_t m = 0; m < members.size() && complete; ++m) {
      Member found{{}, members[m].learned};
      policy_.open_level();
      policy_.learn(found.learned);
      complete = run_level(level - 1, found.rollout);
      policy_.close_level();
      if (found.rollout.score != Rollout::kNoScore) pool.push_back(std::move(found));
    }
    for (Member& member : members)
      if (member.rollout.score != Rollout::kNoScore) pool.push_back(std::move(member));
    keep_diverse(pool);
    members.swap(pool);
    for (Member& member : members) {
      policy_.open_level();
      policy_.learn(member.learned);
      Lesson lesson = policy_.prepare(member.rollout);
      policy_.adapt(member.rollout, lesson, rules_.alpha);
      member.learned = policy_.learned_by_level();
      policy_.close_level();
    }
    if (members.empty()) break;
  }
  if (!members.empty()) best = std::move(members.front().rollout);
  return complete;
}

// Sorts the pool, the best first and new sequences before old ones of the same score, and leaves as many as the beam
// holds.
void NestedRun::keep_diverse(std::vector<Member>& pool) const {
  std::stable_sort(pool.begin(), pool.end(),
                   [](const Member& a, const Member& b) { return a.rollout.score > b.rollout.score; });
  std::vector<Member> kept;
  for (Member& member : pool) {
    const bool has_like = std::any_of(kept.begin(), kept.end(), [&](const Member& other) {
      return member.rollout.score == other.rollout.score &&
             (rules_.diversity == NrpaDiversity::kScore || member.rollout.fingerprint == other.rollout.fingerprint);
    });
    if (!has_like) kept.push_back(std::move(member));
    if (static_cast<int>(kept.size()) == rules_.beam) break;
  }
  pool.swap(kept);
}

}  // namespace chainshot::host::nrpa
