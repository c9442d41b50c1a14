// The interface between annealing and the processors its chains run on, as game/engine.hpp is for playouts. A ChainSet
// holds the islands of a population: many chains of one board, which each call is about, so a device can keep them in
// its memory. What a chain does depends on its line, its tabu colour, its seed and the acceptance tables alone
// (game/reference_chain.hpp is the specification), and resampling on the fitness of its island and a seed.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "game/chain.hpp"

namespace chainshot::game {

struct ChainCapabilities {
  std::string name;
  bool on_cpu = true;
  int chains_at_once = 1;             // chains that advance at the same time
  bool advances_together = false;     // all chains of a set advance at the same time, however many there are
  double evaluations_per_second = 1;  // a guess, until some were counted
};

// Chains are numbered from 0, island by island: chain i m + k is slot k of island i, where m is `members`.
struct ChainLayout {
  int islands = 1;
  int members = 1;       // of each island, at most
  int first_island = 0;  // its number in the whole population, where several sets share one

  int chains() const { return islands * members; }
};

// The chains of a set are gone, with the device that held them; the message is one sentence. Their lines that were
// reported or fetched before are not.
class ChainsLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Watches a call while it runs. The engine's threads call it, several at a time.
class ChainObserver {
 public:
  virtual ~ChainObserver() = default;

  // True ends the call as soon as possible; chains stay where they are. Once true, it stays true during the call.
  virtual bool stopped() { return false; }
  virtual void advanced(std::uint64_t /*evaluations*/) {}
  // Whether a line of this score should be reported to `found`.
  virtual bool wants(int /*score*/) { return false; }
  virtual void found(int /*score*/, std::span<const Cell> /*moves*/) {}
};

struct ChainStart {
  int chain = 0;
  int tabu_color = -1;  // kept for last wherever moves are drawn; -1 is none
  std::uint32_t seed = 0;
  std::span<const Cell> moves = {};  // a legal line; its end, if it is unfinished, is played at random
};

// A chain does not exist before it is started. Of each island the first `members()` slots live; at first that is the
// whole layout. Every call blocks until it is done or stopped. The first exception of an observer or of the engine ends
// a call and is rethrown from it.
class ChainSet {
 public:
  // Evaluations for `advance` that end only when the observer stops them.
  static constexpr std::uint64_t kUntilStopped = ~std::uint64_t{0};

  virtual ~ChainSet() = default;

  // Starts chains in the order given, or starts them anew; none twice in one call. A stop leaves out the last ones.
  virtual void start(std::span<const ChainStart> starts, ChainObserver& observer) = 0;
  virtual bool exists(int chain) const = 0;
  virtual int members() const = 0;
  // From now on only the first `members` slots of each island live.
  virtual void keep(int members) = 0;
  // Advances every living chain, all of which must exist, by so many evaluations.
  virtual void advance(const AcceptanceTable& table, std::uint64_t evaluations_each, ChainObserver& observer) = 0;
  // Resamples each island by itself to `members` lines, no more than live in it, by the rule of resampled_slots. `seed`
  // is that of the step: island i draws resampling_draw(seed, first_island + i). A slot takes over the line and the
  // tabu colour of its source, and keeps its seed and its count of evaluations.
  virtual void resample(const AcceptanceTable& table, const ResampleTable& weights, int members,
                        std::uint64_t seed) = 0;
  // Evaluations of a chain between two looks at the observer, roughly.
  virtual std::uint64_t slice() const = 0;

  // The score of the line of each living chain, with the bonus of the table; island by island.
  virtual std::vector<int> fitness(const AcceptanceTable& table) const = 0;
  // The best line, by the true score, that the chain has accepted since its slot was first started. Of every chain of
  // the layout, also of those that no longer live; kNoScore where none was ever started.
  static constexpr int kNoScore = -(1 << 30);
  virtual std::vector<int> best_scores() const = 0;
  virtual std::vector<Cell> best_moves(int chain) const = 0;
  virtual ChainCounts counts() const = 0;  // of all chains together
  // In which a device computed for `advance`; of several devices the mean. 0 on the CPU.
  virtual double busy_seconds() const { return 0; }
};

class ChainEngine {
 public:
  virtual ~ChainEngine() = default;

  virtual const ChainCapabilities& capabilities() const = 0;
  // One sentence if the engine cannot advance chains of this board; else an empty string.
  virtual std::string objection(const Position& /*board*/, const Scoring& /*scoring*/) const { return {}; }
  // The most members of each of so many islands that the engine has room for; 0 is no limit.
  virtual int most_members(const Position& /*board*/, int /*islands*/) const { return 0; }
  // Makes room for the chains of a layout. The set must not outlive the engine. Threads may use different sets of one
  // engine at the same time; their calls take turns. May throw ChainsLost.
  virtual std::unique_ptr<ChainSet> make_chains(const Position& board, const Scoring& scoring,
                                                const ChainLayout& layout) = 0;
};

}  // namespace chainshot::game
