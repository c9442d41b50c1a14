// Nested Rollout Policy Adaptation (Rosin 2011; Negrevergne and Cazenave 2017, algorithm 1) by one worker: a level
// calls the level below N times with a copy of its policy, and after each call adapts the policy to the best sequence
// so far. Level 0 is a playout. A run is a pure function of (board, settings, key) until a limit ends it.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "host/nrpa/ledger.hpp"
#include "host/nrpa/player.hpp"
#include "host/nrpa/policy.hpp"
#include "host/nrpa/settings.hpp"

namespace chainshot::host::nrpa {

// The settings of a level in the units of the policy.
struct LevelRules {
  explicit LevelRules(const NrpaSettings& settings);

  int iterations;
  Logit alpha;
  int adapt_playouts;
  int repetitions;
  int beam;
  int beam_level;
  NrpaDiversity diversity;
};

// The keys of a worker's playouts in order. Playout n of stream s has request s + 2^40 floor(n / 2^32).
class KeySequence {
 public:
  KeySequence(std::uint64_t seed, std::uint64_t stream) : seed_(seed), stream_(stream) {}
  game::PlayoutKey next() {
    const std::uint64_t n = count_++;
    return {seed_, stream_ + (n >> 32 << 40), static_cast<std::uint32_t>(n)};
  }

 private:
  std::uint64_t seed_;
  std::uint64_t stream_;
  std::uint64_t count_ = 0;
};

class NestedRun {
 public:
  NestedRun(std::unique_ptr<Player> player, const LevelRules& rules, std::uint64_t policy_bytes, Ledger& ledger);
  virtual ~NestedRun() = default;

  void begin(const KeySequence& keys) { keys_ = keys; }
  // Runs a level and leaves its best sequence, if any, in `best`. Returns false if a limit ended it early.
  bool run_level(int level, Rollout& best);
  // The parts of a level, for levels whose calls are spread over workers. One call of the level below:
  bool run_below(int level, Rollout& best);
  // Makes `iterations` calls, each followed by an adaptation; needs an open level of the policy.
  bool iterate(int level, int iterations, Rollout& best);

  Policy& policy() { return policy_; }
  Ledger& ledger() { return ledger_; }
  const LevelRules& rules() const { return rules_; }

 protected:
  // Called instead of a level's loop; returns true if it ran the level and set `complete`.
  virtual bool run_elsewhere(int level, Rollout& best, bool& complete);

 private:
  struct LevelRoom {
    Rollout trial, candidate;
    Lesson lesson;
  };
  struct Member {  // of a beam
    Rollout rollout;
    Learned learned;
  };

  bool play(Rollout& out);
  bool run_beam(int level, Rollout& best);
  void keep_diverse(std::vector<Member>& pool) const;
  LevelRoom& room(int level);

  const std::unique_ptr<Player> player_;
  const LevelRules rules_;
  Ledger& ledger_;
  Policy policy_;
  KeySequence keys_{0, 0};
  std::deque<LevelRoom> rooms_;
};

}  // namespace chainshot::host::nrpa
