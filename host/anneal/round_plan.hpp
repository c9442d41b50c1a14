// How annealing divides its budget: the budget into rounds, a round into the making of members and
// steps of temperature. Shares are reckoned in evaluations; where the clock is the limit, by the rate so far.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>

#include "game/chain_engine.hpp"
#include "host/anneal/annealing.hpp"
#include "host/anneal/population.hpp"
#include "host/anneal/schedule.hpp"
#include "host/search/search.hpp"

namespace chainshot::host {

inline constexpr std::uint64_t kMostAnnealBytes = std::uint64_t{1} << 30;  // whatever --memory allows
// How many chains on the CPU fit into the memory, of which annealing takes no more than kMostAnnealBytes; 0: that much.
std::uint64_t chains_in_memory(const game::Position& board, std::uint64_t memory_bytes);

inline constexpr double kForever = std::numeric_limits<double>::infinity();

// The budget of a search and what was spent of it. `add` and the questions may come from any thread.
class EvaluationBudget {
 public:
  static constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

  // `guessed_rate` in evaluations per second serves until some were counted.
  EvaluationBudget(const Budget& budget, double guessed_rate) : budget_(budget), guessed_rate_(guessed_rate) {}

  // From now on time is read from this clock.
  void begin(const SearchClock& clock) { clock_ = clock; }
  double seconds() const { return clock_.seconds(); }
  void add(std::uint64_t evaluations) { evaluations_.fetch_add(evaluations, std::memory_order_relaxed); }
  std::uint64_t evaluations() const { return evaluations_.load(std::memory_order_relaxed); }
  // A step begins: the rate counts from the first one.
  void begin_step() {
    if (evaluations() == 0) first_step_seconds_ = seconds();
  }

  bool is_timed() const { return budget_.seconds > 0; }
  bool is_counted() const { return budget_.playouts > 0; }
  bool is_spent() const { return is_counted() && evaluations() >= budget_.playouts; }
  double end_seconds() const { return is_timed() ? budget_.seconds : kForever; }

  // Estimates the evaluations until a moment, by the rate so far.
  std::uint64_t evaluations_until(double end_seconds) const;
  // Returns the evaluations left, an estimate if the search is timed.
  std::uint64_t evaluations_left() const;

 private:
  const Budget budget_;
  const double guessed_rate_;
  SearchClock clock_;
  double first_step_seconds_ = 0;
  std::atomic<std::uint64_t> evaluations_ = 0;
};

struct AnnealRound {
  CoolingSchedule schedule;
  int islands;
  int together;  // the members of an island are a multiple of this
  std::uint64_t seed;
  std::uint64_t evaluations;  // of the round; an estimate if the search is timed
  std::uint64_t end;          // evaluations of the whole search when the round is over
  double end_seconds;         // the same by the clock
  double made_seconds;        // when no more members are made
  bool is_last;
};

struct StepPlan {
  std::uint64_t evaluations_each;  // for every chain; 0: there are too few left for one each
  double end_seconds;              // a processor that others use must not make the end of the round hot
};

class RoundPlanner {
 public:
  // `engine` says what it can do at the moment, which changes when it loses a device.
  RoundPlanner(const SearchTask& task, const AnnealSettings& settings, const EvaluationBudget& budget,
               const game::ChainEngine& engine);

  AnnealRound plan_round(std::uint64_t number) const;
  // Adapts the schedule where fewer members were made than planned.
  void settle_members(AnnealRound& round, int members) const;
  // Divides what is left of the round among this step and those to come.
  StepPlan plan_step(const AnnealRound& round, int step, const Population& population) const;
  // The round has no evaluation left for each chain, or no time for a slice of each.
  bool is_spent(const AnnealRound& round, const Population& population) const;

 private:
  struct Shape {
    int islands, members, last_members;
    int together;  // members are a multiple of this
  };

  bool fills_device() const;
  Shape shape_for(std::uint64_t evaluations, int usual_together) const;
  Shape device_shape(std::uint64_t evaluations) const;
  int members_served(std::uint64_t evaluations, int islands) const;
  std::uint64_t rounds_of(std::uint64_t left) const;
  CoolingSchedule schedule_for(std::uint64_t evaluations, const Shape& shape) const;

  const SearchTask task_;
  const AnnealSettings settings_;
  const Temperatures temperatures_;
  const EvaluationBudget& budget_;
  const game::ChainEngine& engine_;
};

}  // namespace chainshot::host
