#include "host/anneal/annealing.hpp"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <exception>
#include <limits>
#include <numeric>
#include <optional>
#include <thread>
#include <vector>

#include "game/geometry.hpp"
#include "game/random.hpp"
#include "host/anneal/elites.hpp"
#include "host/anneal/population.hpp"
#include "host/anneal/schedule.hpp"
#include "host/anneal/sp_mcts_start.hpp"
#include "host/tree/memory/node_pool.hpp"

namespace chainshot::host {

std::vector<int> annealing_tabu_colors(const game::Position& board) {
  const auto counts = board.color_counts();
  std::vector<int> colors(counts.size());
  std::iota(colors.begin(), colors.end(), 0);
  std::stable_sort(colors.begin(), colors.end(), [&](int a, int b) { return counts[a] > counts[b]; });
  std::size_t taken = 1;
  while (taken < colors.size() && counts[colors[taken]] > 0 &&
         (taken < 2 || counts[colors[taken]] == counts[colors[taken - 1]]))
    ++taken;
  colors.resize(taken);
  return colors;
}

Temperatures temperatures_for(const AnnealSettings& settings, const game::Scoring& scoring) {
  Temperatures t = scoring.scores_groups ? kOfPoints : kOfBlocks;
  if (settings.hot > 0) t.hot = settings.hot;
  if (settings.cold > 0) t.cold = settings.cold;
  return t;
}

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view kSource = "anneal";
constexpr std::uint64_t kSmallSlice = 2048, kWideSlice = 256;  // evaluations between looks at the clock: 2 and 20 ms
constexpr double kGuessedRate = 600'000;  // evaluations a second and thread, before the first are counted
constexpr double kPatience = 1.5;         // a step may take so many times its share of the time

// Rounds of a search without an end grow from here to the longest.
constexpr std::uint64_t kFirstRound = 20'000'000;

// The population is a multiple of this, or of the threads where only time is the limit: nobody waits for the last.
constexpr int kTogether = 4;

constexpr std::uint64_t kEvaluationsOfPlayout = 50;  // that take the time of a playout on the single position

// Of the time of a round, for making its members: each then has some twenty times what it took to make it, whatever
// the size of the board. Those that are not made by then are left out.
constexpr double kStartShare = 0.05;
constexpr double kTreePatience = 2;  // a start from a tree may take so many times its share of the time

constexpr std::uint64_t kFewestMembers = 8;
constexpr std::uint64_t kLeastEvaluations = 2048;  // a member: 10 to 40 in each of 60 steps

// What the chains of a population may take, whatever was asked for, and bounds of what one takes. Not a share of the
// machine's memory: for a budget of evaluations all machines have the same members.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;
constexpr std::uint64_t kSmallChainBytes = std::uint64_t{64} << 10, kWideChainBytes = std::uint64_t{1} << 20;

// More evaluations buy more members sooner than longer cooling.
std::uint64_t members_for(std::uint64_t evaluations) {
  return std::clamp<std::uint64_t>(evaluations / 500'000, kFewestMembers, 256);
}

bool is_small(const game::Position& board) {
  return game::fits_small(board.columns(), board.rows(), board.colors());
}

// As many of the members asked for as the evaluations and the memory can serve; 0 asks for what suits the evaluations.
int members_served(int asked, std::uint64_t evaluations, const game::Position& board) {
  const std::uint64_t wanted = asked > 0 ? static_cast<std::uint64_t>(asked) : members_for(evaluations);
  const std::uint64_t served = std::max(kFewestMembers, evaluations / kLeastEvaluations);
  const std::uint64_t chain_bytes = is_small(board) ? kSmallChainBytes : kWideChainBytes;
  return static_cast<int>(std::min({wanted, served, kMostBytes / chain_bytes}));
}

class Annealing final : public Search {
 public:
  Annealing(const SearchTask& task, const AnnealSettings& settings, const Budget& budget, Incumbent& incumbent)
      : task_(task),
        settings_(settings),
        temperatures_(temperatures_for(settings, task.scoring)),
        budget_(budget),
        incumbent_(incumbent),
        bound_(task.board.upper_bound(task.scoring)),
        slice_(is_small(task.board) ? kSmallSlice : kWideSlice) {
    threads_ =
        settings.threads > 0 ? settings.threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  }

  void run(std::stop_token stop) override {
    stop_ = std::move(stop);
    started_ = Clock::now();
    for (std::uint64_t number = 0;; ++number) {  // the first round makes a line to offer, be there time or not
      Round round = make_round(number);
      run_round(round);
      if (round.is_last || over()) break;
    }
    if (error_) std::rethrow_exception(error_);
  }

  SearchStatus status() const override {
    SearchStatus status{.evaluations = evaluations_.load(std::memory_order_relaxed), .proven = is_proven()};
    const double temperature = temperature_.load(std::memory_order_relaxed);
    if (temperature > 0) status.figures = {{"temperature", temperature, FigureStyle::kNumber, "temperature"}};
    return status;
  }

 private:
  static constexpr int kMaking = -2, kPlanting = -1;  // steps before the first of temperature

  struct Round {
    CoolingSchedule schedule;
    Population population;
    int together;
    std::uint64_t seed;
    std::uint64_t evaluations;  // what it is to have, of a time budget an estimate
    std::uint64_t end;          // evaluations of the search when the round is over
    double end_seconds;         // the same by the clock
    double made_seconds;        // when no more members are made
    bool is_last;
    std::uint64_t tree_playouts = 0;  // of a member that starts from a tree
    double tree_seconds = 0;          // the most it may take for them
    std::optional<cpu::Heat> heat = {};
    int step = kMaking;
    std::uint64_t per_member = 0;  // evaluations in this step ...
    int with_one_more = 0;         // ... and one more for so many members, the first ones
    double step_end = 0;           // in seconds; a processor that others use must not make the end of the round hot
    bool has_elites = false;
    std::atomic<int> next_member = 0;
    bool done = false;
  };

  static constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();
  static constexpr double kForever = std::numeric_limits<double>::infinity();

  double seconds() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }

  // No line scores more than all blocks of each colour in one group.
  bool is_proven() const { return incumbent_.score() >= bound_; }
  // Asked to stop, out of time or failed: chains stop where they are.
  bool halted() const {
    return stop_.stop_requested() || failed_.load(std::memory_order_relaxed) ||
           (is_timed() && (seconds() >= budget_.seconds || is_proven()));
  }
  bool over() const {
    return halted() || is_proven() ||
           (budget_.playouts > 0 && evaluations_.load(std::memory_order_relaxed) >= budget_.playouts);
  }

  // What can be evaluated until a moment, by the speed so far.
  std::uint64_t evaluations_until(double end_seconds) const {
    const auto done = static_cast<double>(evaluations_.load(std::memory_order_relaxed));
    const double now = seconds();
    const double rate = done == 0 ? kGuessedRate * threads_ : done / (now - first_step_seconds_);
    return static_cast<std::uint64_t>(std::max(0.0, end_seconds - now) * rate);
  }

  // What is left of the budget, in evaluations; of a time budget an estimate.
  std::uint64_t evaluations_left() const {
    std::uint64_t left = kUnlimited;
    if (budget_.playouts > 0) left = budget_.playouts - std::min(evaluations_.load(), budget_.playouts);
    if (budget_.seconds > 0) left = std::min(left, evaluations_until(budget_.seconds));
    return left;
  }

  std::uint64_t evaluations_left(const Round& round) const {
    const std::uint64_t left = round.end - std::min(round.end, evaluations_.load());
    return budget_.seconds > 0 ? std::min(left, evaluations_until(round.end_seconds)) : left;
  }

  Round make_round(std::uint64_t number) const {
    const std::uint64_t left = evaluations_left();
    const bool endless = left == kUnlimited;
    const std::uint64_t longest = settings_.longest_round;
    const std::uint64_t rounds = endless ? 1 : std::max<std::uint64_t>(1, left / longest + (left % longest > 0));
    const std::uint64_t evaluations =
        endless ? std::min(longest, kFirstRound << std::min<std::uint64_t>(number, 16)) : left / rounds;
    const double now = seconds();
    const bool timed = budget_.seconds > 0 && budget_.playouts == 0;
    const double end_seconds =
        budget_.seconds > 0 ? now + (budget_.seconds - now) / static_cast<double>(rounds) : kForever;
    const int together = members_together(settings_, timed ? std::max(kTogether, threads_) : kTogether);
    const CoolingSchedule schedule =
        schedule_for(evaluations, members_served(settings_.members, evaluations, task_.board), together);
    const std::uint64_t seed = game::mix64(task_.seed ^ game::mix64(number));
    return {
        .schedule = schedule,
        .population = Population(task_, schedule.members(0), annealing_tabu_colors(task_.board), seed, settings_.isa),
        .together = together,
        .seed = seed,
        .evaluations = evaluations,
        .end = timed ? kUnlimited : evaluations_.load() + evaluations,
        .end_seconds = end_seconds,
        .made_seconds = now + kStartShare * (end_seconds - now),
        .is_last = !endless && rounds == 1};
  }

  CoolingSchedule schedule_for(std::uint64_t evaluations, int members, int together) const {
    AnnealSettings served = settings_;
    served.steps = steps_served(settings_.steps, evaluations, members);
    return {served, temperatures_, members, together};
  }

  void run_round(Round& round) {
    const auto between_steps = [&]() noexcept { end_step(round); };
    std::barrier barrier(threads_, between_steps);
    const auto work = [&] {
      while (!round.done) {
        for (int member; (member = round.next_member.fetch_add(1)) < round.population.size();)
          if (round.step == kMaking)
            make(round, member);
          else if (round.step == kPlanting)
            start_from_tree(round, member);
          else
            advance(round, member);
        barrier.arrive_and_wait();
      }
    };
    std::vector<std::jthread> workers;
    workers.reserve(static_cast<std::size_t>(threads_));
    try {
      while (static_cast<int>(workers.size()) + 1 < threads_)
        workers.emplace_back(work);
    } catch (...) {  // the system has no more threads, or no memory for one: those that run do all the work
      for (int missing = threads_ - 1 - static_cast<int>(workers.size()); missing > 0; --missing)
        barrier.arrive_and_drop();
    }
    work();
  }

  // The first member is made even if there is no time: a search offers a line. A round needs `together` of them.
  void make(Round& round, int member) try {
    if (member > 0 && (halted() || (member >= round.together && seconds() >= round.made_seconds))) return;
    round.population.make(member);
    if (is_timed()) offer(round.population.chain(member));
  } catch (...) {
    fail();
  }

  // Every second member starts from a line of a tree search, the others from random ones; all of them where the system
  // has no memory for a tree.
  void start_from_tree(Round& round, int member) try {
    if (member % 2 == 0 || round.tree_playouts == 0 || halted()) return;
    const cpu::Chain& chain = round.population.chain(member);
    const auto enough = [&, end = seconds() + round.tree_seconds] { return halted() || seconds() >= end; };
    const std::uint64_t seed = round.seed + static_cast<std::uint64_t>(member);
    round.population.start(member, tree_start(task_, chain.tabu_color(), round.tree_playouts, seed, enough));
    if (is_timed()) offer(chain);
  } catch (const NoAddressSpace&) {
  } catch (...) {
    fail();
  }

  void advance(Round& round, int member) try {
    if (halted()) return;
    round.population.settle(member);
    cpu::Chain& chain = round.population.chain(member);
    for (std::uint64_t evaluations = round.per_member + (member < round.with_one_more ? 1 : 0);
         evaluations > 0 && !halted() && (budget_.seconds == 0 || seconds() < round.step_end);) {
      const std::uint64_t slice = std::min(evaluations, slice_);
      chain.advance(*round.heat, slice);
      evaluations -= slice;
      evaluations_.fetch_add(slice, std::memory_order_relaxed);
      if (is_timed()) offer(chain);
    }
  } catch (...) {
    fail();
  }

  // Lines are offered as they are found; with a budget of evaluations alone after each step, in the order of the
  // members: which of equals is the first must not depend on threads.
  bool is_timed() const { return budget_.seconds > 0; }

  void offer(const cpu::Chain& chain) {
    if (chain.best_score() <= incumbent_.score()) return;
    const auto moves = chain.best_moves();
    incumbent_.offer(chain.best_score(), {moves.begin(), moves.end()}, kSource);
  }

  void fail() {
    if (!failed_.exchange(true)) error_ = std::current_exception();
  }

  // Between the steps one thread works alone.
  void end_step(Round& round) noexcept try {
    for (int i = 0; i < round.population.size() && !is_timed(); ++i)
      if (round.population.is_made(i)) offer(round.population.chain(i));
    const bool cold = round.step + 1 == round.schedule.steps();
    round.done = over() || (cold && is_spent(round));
    if (round.done) return;
    if (round.step == kMaking) {
      plant(round);
    } else {
      if (!cold) cool(round);
      share_out(round);
    }
    round.next_member.store(0);
  } catch (...) {
    fail();
    round.done = true;
  }

  // All its evaluations were made, or there is no time for a slice of each member.
  bool is_spent(const Round& round) const {
    return evaluations_.load() >= round.end ||
           (budget_.seconds > 0 &&
            evaluations_until(round.end_seconds) < slice_ * static_cast<std::uint64_t>(round.population.size()));
  }

  // The members that were made are those of the round. Some will start from trees.
  void plant(Round& round) {
    const int planned = round.population.size();
    round.population.close(round.together);
    const int members = round.population.size();
    if (members < planned) round.schedule = schedule_for(round.evaluations, members, round.together);
    const int trees = (members + 1) / 2;
    round.tree_playouts = static_cast<std::uint64_t>(settings_.tree_share * static_cast<double>(round.evaluations)) /
                          (kEvaluationsOfPlayout * static_cast<std::uint64_t>(trees));
    round.tree_seconds = kTreePatience * settings_.tree_share * (round.end_seconds - seconds()) *
                         std::min(1.0, static_cast<double>(threads_) / trees);
    round.step = kPlanting;
  }

  void cool(Round& round) {
    const int step = ++round.step;
    const CoolingSchedule& schedule = round.schedule;
    round.heat.emplace(schedule.temperature(step), schedule.soft(step), task_.scoring);
    temperature_.store(schedule.temperature(step), std::memory_order_relaxed);
    if (step > 0)
      round.population.resample(*round.heat, schedule.temperature(step - 1), schedule.temperature(step),
                                schedule.members(step));
    admit_foreign_line(round);
    if (!round.has_elites && schedule.temperature(step) <= temperatures_.elite) {
      round.has_elites = true;
      elites_.exchange(round.population, incumbent_.best().moves, *round.heat);
    }
  }

  // Divides what is left of the round among the steps to come. If time is left after the last one, it goes on.
  void share_out(Round& round) {
    const double now = seconds();
    if (evaluations_.load() == 0) first_step_seconds_ = now;
    const std::uint64_t turns = round.schedule.turns_from(round.step);
    const auto members = static_cast<std::uint64_t>(round.population.size());
    const std::uint64_t evaluations = evaluations_left(round) * members / turns;  // in the last step all that are left
    round.per_member = evaluations / members;
    round.with_one_more = static_cast<int>(evaluations % members);
    const double share = static_cast<double>(members) / static_cast<double>(turns);
    round.step_end = now + kPatience * share * (round.end_seconds - now);
  }

  void admit_foreign_line(Round& round) {
    if (incumbent_.score() <= known_score_) return;
    const BestLine best = incumbent_.best();
    known_score_ = best.score;
    if (best.source != kSource) round.population.admit(best.moves, *round.heat);
  }

  const SearchTask task_;
  const AnnealSettings settings_;
  const Temperatures temperatures_;
  const Budget budget_;
  Incumbent& incumbent_;
  const int bound_;
  const std::uint64_t slice_;
  int threads_;
  std::stop_token stop_;
  Clock::time_point started_;
  double first_step_seconds_ = 0;  // when the first evaluation began
  Elites elites_;                  // of the rounds so far
  int known_score_ = std::numeric_limits<int>::min();
  std::atomic<std::uint64_t> evaluations_ = 0;
  std::atomic<double> temperature_ = 0;
  std::atomic<bool> failed_ = false;
  std::exception_ptr error_;
};

}  // namespace

std::unique_ptr<Search> make_annealing(const SearchTask& task, const AnnealSettings& settings, const Budget& budget,
                                       Incumbent& incumbent) {
  return std::make_unique<Annealing>(task, settings, budget, incumbent);
}

}  // namespace chainshot::host
