#include "host/anneal/annealing.hpp"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <exception>
#include <numeric>
#include <optional>
#include <thread>
#include <vector>

#include "game/random.hpp"
#include "host/anneal/population.hpp"
#include "host/anneal/schedule.hpp"

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
constexpr double kGuessedRate = 500'000;  // evaluations a second and thread, before the first are counted

constexpr std::uint64_t kLongestRound = 400'000'000;

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
    std::uint64_t end;  // evaluations of the search when the round is over
    std::optional<cpu::Heat> heat = {};
    int step = -1;
    std::uint64_t per_member = 0;  // evaluations in this step
    std::atomic<int> next_member = 0;
    bool done = false;
  };

  double seconds() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }

  // Asked to stop, out of time or failed: chains stop where they are.
  bool halted() const {
    return stop_.stop_requested() || failed_.load(std::memory_order_relaxed) ||
           (budget_.seconds > 0 && seconds() >= budget_.seconds);
  }
  bool over() const {
    return halted() || (budget_.playouts > 0 && evaluations_.load(std::memory_order_relaxed) >= budget_.playouts);
  }

  // What is left of the budget, in evaluations; of a time budget an estimate from the speed so far.
  std::uint64_t evaluations_left() const {
    const std::uint64_t done = evaluations_.load(std::memory_order_relaxed);
    std::uint64_t left = budget_.playouts > 0 ? budget_.playouts - std::min(done, budget_.playouts) : kLongestRound;
    if (budget_.seconds > 0) {
      const double now = seconds();
      const double rate = done < 100'000 ? kGuessedRate * threads_ : static_cast<double>(done) / now;
      left = std::min(left, static_cast<std::uint64_t>(std::max(0.0, budget_.seconds - now) * rate));
    }
    return left;
  }

  void run_round(std::uint64_t number) {
    const std::uint64_t evaluations = std::min(evaluations_left(), kLongestRound);
    const int members = settings_.members > 0 ? settings_.members : members_for(evaluations);
    Round round{.schedule = CoolingSchedule(settings_, members),
                .population = Population(task_, members, annealing_taboo_colors(task_.board),
                                         game::mix64(task_.seed ^ game::mix64(number))),
                .end = evaluations_.load() + evaluations};
    prepare_step(round);
    const auto between_steps = [&]() noexcept { end_step(round); };
    std::barrier barrier(threads_, between_steps);
    const auto work = [&] {
      while (!round.done) {
        for (int member; (member = round.next_member.fetch_add(1)) < round.population.size();)
          advance(round.population.chain(member), *round.heat, round.per_member);
        barrier.arrive_and_wait();
      }
    };
    std::vector<std::jthread> workers;
    for (int i = 1; i < threads_; ++i)
      workers.emplace_back(work);
    work();
  }

  void advance(cpu::Chain& chain, const cpu::Heat& heat, std::uint64_t evaluations) try {
    while (evaluations > 0 && !halted()) {
      const std::uint64_t slice = std::min(evaluations, kSlice);
      chain.advance(heat, slice);
      evaluations -= slice;
      evaluations_.fetch_add(slice, std::memory_order_relaxed);
      if (chain.best_score() > incumbent_.score()) {
        const auto moves = chain.best_moves();
        incumbent_.offer(chain.best_score(), {moves.begin(), moves.end()}, kSource);
      }
    }
  } catch (...) {
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
    if (!failed_.exchange(true)) error_ = std::current_exception();
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
    const std::uint64_t turns = schedule.turns_from(step);
    const std::uint64_t left = std::min(evaluations_left(), round.end - std::min(round.end, evaluations_.load()));
    round.per_member = (left + turns - 1) / turns;
    round.next_member.store(0);
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
