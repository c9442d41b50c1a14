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

#include "game/random.hpp"
#include "host/anneal/population.hpp"
#include "host/anneal/schedule.hpp"
#include "host/anneal/tree_start.hpp"

namespace chainshot::host {

std::vector<int> annealing_taboo_colors(const game::Position& board) {
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

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view kSource = "anneal";
constexpr std::uint64_t kSlice = 2048;    // evaluations between looks at the clock
constexpr double kGuessedRate = 600'000;  // evaluations a second and thread, before the first are counted

// Rounds of a search without an end grow from the first length to the second; longer budgets are divided.
constexpr std::uint64_t kFirstRound = 20'000'000;
constexpr std::uint64_t kLongestRound = 400'000'000;

// The population is a multiple of this, or of the threads where only time is the limit: nobody waits for the last.
constexpr int kTogether = 4;

constexpr std::uint64_t kEvaluationsOfPlayout = 50;  // that take the time of a playout on the single position
constexpr std::size_t kMostElites = 16;
constexpr double kEliteTemperature = 20;  // above it a line of an earlier round would melt

// More evaluations buy more members sooner than longer cooling.
int members_for(std::uint64_t evaluations) {
  return static_cast<int>(std::clamp<std::uint64_t>(evaluations / 500'000, 8, 256));
}

class Annealing final : public Search {
 public:
  Annealing(const SearchTask& task, const AnnealSettings& settings, const Budget& budget, Incumbent& incumbent)
      : task_(task), settings_(settings), budget_(budget), incumbent_(incumbent) {
    threads_ =
        settings.threads > 0 ? settings.threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  }

  void run(std::stop_token stop) override {
    stop_ = std::move(stop);
    started_ = Clock::now();
    for (std::uint64_t round = 0; !over(); ++round)
      run_round(round);
    if (error_) std::rethrow_exception(error_);
  }

  SearchStatus status() const override {
    return {.evaluations = evaluations_.load(std::memory_order_relaxed),
            .busy_share = 1,
            .temperature = temperature_.load(std::memory_order_relaxed)};
  }

 private:
  struct Round {
    CoolingSchedule schedule;
    Population population;
    std::uint64_t seed;
    std::uint64_t end;            // evaluations of the search when the round is over
    double end_seconds;           // the same by the clock
    std::uint64_t tree_playouts;  // of a member that starts from a tree
    std::optional<cpu::Heat> heat = {};
    int step = -1;                 // before the first members are started
    std::uint64_t per_member = 0;  // evaluations in this step
    bool has_elites = false;
    std::atomic<int> next_member = 0;
    bool done = false;
  };

  static constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();
  static constexpr double kForever = std::numeric_limits<double>::infinity();

  double seconds() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }

  // Asked to stop, out of time or failed: chains stop where they are.
  bool halted() const {
    return stop_.stop_requested() || failed_.load(std::memory_order_relaxed) ||
           (budget_.seconds > 0 && seconds() >= budget_.seconds);
  }
  bool over() const {
    return halted() || (budget_.playouts > 0 && evaluations_.load(std::memory_order_relaxed) >= budget_.playouts);
  }

  // What can be evaluated until a moment, by the speed so far.
  std::uint64_t evaluations_until(double end_seconds) const {
    const auto done = static_cast<double>(evaluations_.load(std::memory_order_relaxed));
    const double now = seconds();
    const double rate = done < 100'000 ? kGuessedRate * threads_ : done / now;
    return static_cast<std::uint64_t>(std::max(0.0, end_seconds - now) * rate);
  }

  // What is left of the budget, in evaluations; of a time budget an estimate.
  std::uint64_t evaluations_left() const {
    std::uint64_t left = kUnlimited;
    if (budget_.playouts > 0) left = budget_.playouts - std::min(evaluations_.load(), budget_.playouts);
    if (budget_.seconds > 0) left = std::min(left, evaluations_until(budget_.seconds));
    return left;
  }

  Round make_round(std::uint64_t number) const {
    const std::uint64_t left = evaluations_left();
    const bool endless = left == kUnlimited;
    const std::uint64_t rounds = endless ? 1 : (left + kLongestRound - 1) / kLongestRound;
    const std::uint64_t evaluations =
        endless ? std::min(kLongestRound, kFirstRound << std::min<std::uint64_t>(number, 16)) : left / rounds;
    const double now = seconds();
    const bool timed = budget_.seconds > 0 && budget_.playouts == 0;
    const CoolingSchedule schedule(settings_, settings_.members > 0 ? settings_.members : members_for(evaluations),
                                   timed ? std::max(kTogether, threads_) : kTogether);
    const int members = schedule.members(0);
    const std::uint64_t seed = game::mix64(task_.seed ^ game::mix64(number));
    return {.schedule = schedule,
            .population = Population(task_, members, annealing_taboo_colors(task_.board), seed),
            .seed = seed,
            .end = timed ? kUnlimited : evaluations_.load() + evaluations,
            .end_seconds = budget_.seconds > 0 ? now + (budget_.seconds - now) / static_cast<double>(rounds) : kForever,
            .tree_playouts = static_cast<std::uint64_t>(settings_.tree_share * static_cast<double>(evaluations)) /
                             (kEvaluationsOfPlayout * static_cast<std::uint64_t>((members + 1) / 2))};
  }

  void run_round(std::uint64_t number) {
    Round round = make_round(number);
    const auto between_steps = [&]() noexcept { end_step(round); };
    std::barrier barrier(threads_, between_steps);
    const auto work = [&] {
      while (!round.done) {
        for (int member; (member = round.next_member.fetch_add(1)) < round.population.size();)
          if (round.step < 0)
            start(round, member);
          else
            advance(round.population.chain(member), *round.heat, round.per_member);
        barrier.arrive_and_wait();
      }
    };
    {
      std::vector<std::jthread> workers;
      for (int i = 1; i < threads_; ++i)
        workers.emplace_back(work);
      work();
    }
    keep_elite(round.population);
  }

  // Every second member starts from a line of a tree search, the others from random ones.
  void start(Round& round, int member) try {
    const cpu::Chain& chain = round.population.chain(member);
    if (member % 2 == 1 && round.tree_playouts > 0 && !halted()) {
      const std::uint64_t seed = round.seed + static_cast<std::uint64_t>(member);
      round.population.start(member, tree_start(task_, chain.taboo_color(), round.tree_playouts, seed));
    }
    offer(chain);
  } catch (...) {
    fail();
  }

  void advance(cpu::Chain& chain, const cpu::Heat& heat, std::uint64_t evaluations) try {
    while (evaluations > 0 && !halted()) {
      const std::uint64_t slice = std::min(evaluations, kSlice);
      chain.advance(heat, slice);
      evaluations -= slice;
      evaluations_.fetch_add(slice, std::memory_order_relaxed);
      offer(chain);
    }
  } catch (...) {
    fail();
  }

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
    if (over() || round.step + 1 == round.schedule.steps()) {
      round.done = true;
      return;
    }
    prepare_step(round);
  } catch (...) {
    fail();
    round.done = true;
  }

  void prepare_step(Round& round) {
    const int step = ++round.step;
    const CoolingSchedule& schedule = round.schedule;
    round.heat.emplace(schedule.temperature(step), schedule.soft(step), task_.scoring);
    temperature_.store(schedule.temperature(step), std::memory_order_relaxed);
    if (step > 0)
      round.population.resample(*round.heat, schedule.temperature(step - 1), schedule.temperature(step),
                                schedule.members(step));
    admit_foreign_line(round);
    if (!round.has_elites && schedule.temperature(step) <= kEliteTemperature) {
      round.has_elites = true;
      for (const BestLine& elite : elites_)
        round.population.admit(elite.moves, *round.heat);
    }
    const std::uint64_t turns = schedule.turns_from(step);
    std::uint64_t left = round.end - std::min(round.end, evaluations_.load());
    if (budget_.seconds > 0) left = std::min(left, evaluations_until(round.end_seconds));
    round.per_member = (left + turns - 1) / turns;
    round.next_member.store(0);
  }

  // The best line of each round is a member of those after it, once they are cool.
  void keep_elite(const Population& population) {
    int fittest = 0;
    for (int i = 1; i < population.size(); ++i)
      if (population.chain(i).best_score() > population.chain(fittest).best_score()) fittest = i;
    const auto moves = population.chain(fittest).best_moves();
    elites_.push_back({.score = population.chain(fittest).best_score(), .moves = {moves.begin(), moves.end()}});
    std::sort(elites_.begin(), elites_.end(), [](const BestLine& a, const BestLine& b) { return a.score > b.score; });
    if (elites_.size() > kMostElites) elites_.pop_back();
  }

  void admit_foreign_line(Round& round) {
    if (incumbent_.score() <= known_score_) return;
    const BestLine best = incumbent_.best();
    known_score_ = best.score;
    if (best.source != kSource) round.population.admit(best.moves, *round.heat);
  }

  const SearchTask task_;
  const AnnealSettings settings_;
  const Budget budget_;
  Incumbent& incumbent_;
  int threads_;
  std::stop_token stop_;
  Clock::time_point started_;
  std::vector<BestLine> elites_;  // of the rounds so far, the best first
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
