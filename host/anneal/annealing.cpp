#include "host/anneal/annealing.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <numeric>
#include <utility>

#include "game/reference.hpp"
#include "host/anneal/elites.hpp"
#include "host/anneal/population.hpp"
#include "host/anneal/round_plan.hpp"

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

int largest_color_of(const game::Position& board) {
  const auto counts = board.color_counts();
  return *std::max_element(counts.begin(), counts.end());
}

Temperatures temperatures_for(const AnnealSettings& settings, const game::Scoring& scoring, int largest_color) {
  Temperatures t = scoring.scores_groups() ? kOfPoints : kOfBlocks;
  const double scale = scoring.scores_groups() ? game::points_scale(scoring, largest_color) : 1;
  t = {t.hot * scale, t.cold * scale, t.elite * scale};
  if (settings.hot > 0) t.hot = settings.hot;
  if (settings.cold > 0) t.cold = settings.cold;
  // Nobody can know what is scaled: one temperature that was given moves the other.
  if (scale != 1 && settings.cold <= 0) t.cold = std::min(t.cold, t.hot);
  if (scale != 1 && settings.hot <= 0) t.hot = std::max(t.cold, t.hot);
  return t;
}

namespace {

constexpr std::size_t kRescued = 16;  // lines that survive a lost device

// Returns the least number if there is no start.
int best_start(const SearchTask& task) {
  int best = std::numeric_limits<int>::min();
  for (const std::vector<game::Cell>& start : task.starts)
    best = std::max(best, game::replay(task.board, start, task.scoring).score);
  return best;
}

class Annealing final : public Search {
 public:
  Annealing(const SearchTask& task, const AnnealSettings& settings, const Budget& budget, AnnealParts parts)
      : task_(task),
        engine_(parts.engine),
        incumbent_(parts.incumbent),
        source_(parts.source),
        temperatures_(temperatures_for(settings, task.scoring, largest_color_of(task.board))),
        bound_(task.board.upper_bound(task.scoring)),
        budget_(budget, parts.engine.capabilities().evaluations_per_second),
        planner_(task, settings, budget_, parts.engine),
        elites_(parts.elites != nullptr ? std::move(parts.elites) : std::make_shared<Elites>(task)),
        known_score_(best_start(task)) {}

  void run(const SearchClock& clock, std::stop_token stop) override {
    stop_ = std::move(stop);
    budget_.begin(clock);
    for (std::uint64_t number = 0;; ++number) {  // the first round offers a line even if there is no time
      AnnealRound round = planner_.plan_round(number);
      const bool is_whole = run_round(round);
      if ((round.is_last && is_whole) || over()) break;
    }
  }

  SearchStatus status() const override {
    SearchStatus status{.evaluations = budget_.evaluations(), .proven = is_proven()};
    if (const double temperature = temperature_.load(std::memory_order_relaxed); temperature > 0)
      status.figures.push_back({"temperature", temperature, FigureStyle::kNumber, "temperature"});
    if (const int islands = islands_.load(std::memory_order_relaxed); islands > 1)
      status.figures.push_back({"islands", static_cast<double>(islands), FigureStyle::kCount, "islands"});
    // Evaluations of a device were counted after the clock was set.
    const std::uint64_t on_device = device_evaluations_.load(std::memory_order_acquire);
    if (on_device == 0) return status;
    status.figures.push_back(
        {.name = "device_evaluations", .value = static_cast<double>(on_device), .total = FigureTotal::kSum});
    const double busy = busy_seconds_.load(std::memory_order_relaxed) / std::max(1e-3, budget_.seconds());
    status.figures.push_back({"busy_share", std::min(1.0, busy), FigureStyle::kPercent, "engine busy", "busy"});
    return status;
  }

  std::vector<ScoredLine> elites() const override { return elites_->found(); }

 private:
  enum class Heeds { kNothing, kStop };

  // The engine's threads report to the search and ask it through this observer. In a timed search lines are offered as
  // they are found.
  class Observer final : public game::ChainObserver {
   public:
    explicit Observer(Annealing& search, double end_seconds = kForever, Heeds heeds = Heeds::kStop)
        : search_(search), end_seconds_(end_seconds), heeds_(heeds) {}

    bool stopped() override {
      if (heeds_ == Heeds::kNothing) return false;
      return search_.halted() || (end_seconds_ < kForever && search_.budget_.seconds() >= end_seconds_);
    }
    void advanced(std::uint64_t evaluations) override {
      search_.budget_.add(evaluations);
      if (search_.is_on_device_.load(std::memory_order_relaxed))
        search_.device_evaluations_.fetch_add(evaluations, std::memory_order_release);
    }
    bool wants(int score) override { return search_.budget_.is_timed() && score > search_.incumbent_.score(); }
    void found(int score, std::span<const game::Cell> moves) override {
      search_.incumbent_.offer(score, {moves.begin(), moves.end()}, search_.source_);
    }

   private:
    Annealing& search_;
    const double end_seconds_;
    const Heeds heeds_;
  };

  // No line scores more than all blocks of each colour in one group.
  bool is_proven() const { return incumbent_.score() >= bound_; }
  // Asked to stop or out of time: chains stop where they are.
  bool halted() const { return stop_.stop_requested() || (budget_.is_timed() && is_proven()); }
  bool over() const { return halted() || is_proven() || budget_.is_spent(); }

  // Returns false if the round was lost with a device. The next round is planned for the engine that is left, and meets
  // the best lines of the lost one as elites.
  bool run_round(AnnealRound& round) {
    rescued_.clear();
    try {
      is_on_device_.store(!engine_.capabilities().on_cpu, std::memory_order_relaxed);
      islands_.store(round.islands, std::memory_order_relaxed);
      Population population(task_, engine_, round.islands, round.schedule.members(0),
                            annealing_tabu_colors(task_.board), round.seed);
      make_members(round, population);
      if (!over()) anneal(round, population);
      elites_->finish_round(population);
      return true;
    } catch (const game::ChainsLost&) {
      elites_->rescue(rescued_);
      return false;
    }
  }

  void anneal(AnnealRound& round, Population& population) {
    planner_.settle_members(round, population.members());
    for (int step = 0; step < round.schedule.steps() && !over(); ++step)
      run_step(round, step, population);
  }

  // The first member is made even if there is no time, because a search offers a line. A round needs `together` members
  // and leaves out others that are late.
  void make_members(const AnnealRound& round, Population& population) {
    const int needed = std::min(round.together, population.members());
    Observer always(*this, kForever, Heeds::kNothing), unless_halted(*this), while_early(*this, round.made_seconds);
    population.make(0, 1, always);
    population.make(1, needed, unless_halted);
    population.make(needed, population.members(), while_early);
    population.keep_made(round.together);
    offer_lines(population);
  }

  // The last step goes on while the round has evaluations or time left.
  void run_step(const AnnealRound& round, int step, Population& population) {
    const game::AcceptanceTable table(round.schedule.temperature(step), round.schedule.soft(step), task_.scoring);
    cool(round, step, table, population);
    const bool is_last = step + 1 == round.schedule.steps();
    do {
      budget_.begin_step();
      const StepPlan plan = planner_.plan_step(round, step, population);
      Observer observer(*this, plan.end_seconds);
      const double before = population.busy_seconds();
      population.advance(table, plan.evaluations_each, observer);
      busy_seconds_.store(busy_seconds_.load(std::memory_order_relaxed) + population.busy_seconds() - before,
                          std::memory_order_relaxed);
      offer_lines(population);
    } while (is_last && !over() && !planner_.is_spent(round, population));
    if (is_on_device_.load(std::memory_order_relaxed)) rescued_ = best_lines_of(population, kRescued);
  }

  // Starts and lines of earlier rounds join at the first step that is cool enough for them.
  void cool(const AnnealRound& round, int step, const game::AcceptanceTable& table, Population& population) {
    const double temperature = round.schedule.temperature(step);
    const double before = step > 0 ? round.schedule.temperature(step - 1) : kForever;
    temperature_.store(temperature, std::memory_order_relaxed);
    if (step > 0)
      population.resample(table, before, temperature, std::min(population.members(), round.schedule.members(step)));
    admit_foreign_line(table, population);
    if (temperature <= temperatures_.elite && before > temperatures_.elite)
      elites_->exchange(population, incumbent_.best().moves, table);
  }

  void admit_foreign_line(const game::AcceptanceTable& table, Population& population) {
    if (incumbent_.score() <= known_score_) return;
    const BestLine best = incumbent_.best();
    known_score_ = best.score;
    if (best.source != source_) population.admit({{.island = 0, .moves = &best.moves}}, table);
  }

  // A search that is not timed offers lines here, in the order of the chains: which of equal lines comes first must
  // not depend on threads.
  void offer_lines(const Population& population) {
    if (budget_.is_timed()) return;
    const std::vector<int> scores = population.best_scores();
    for (std::size_t i = 0; i < scores.size(); ++i)
      if (scores[i] > incumbent_.score())
        incumbent_.offer(scores[i], population.best_moves(static_cast<int>(i)), source_);
  }

  const SearchTask task_;
  game::ChainEngine& engine_;
  Incumbent& incumbent_;
  const std::string_view source_;
  const Temperatures temperatures_;
  const int bound_;
  EvaluationBudget budget_;
  const RoundPlanner planner_;
  std::stop_token stop_;
  const std::shared_ptr<Elites> elites_;
  std::vector<ScoredLine> rescued_;  // of the round under way, if a device has it
  int known_score_;                  // a line of the incumbent that scores more is new to the search
  // For the status, which other threads ask for.
  std::atomic<double> temperature_ = 0;
  std::atomic<double> busy_seconds_ = 0;  // of the device
  std::atomic<int> islands_ = 0;
  std::atomic<bool> is_on_device_ = false;
  std::atomic<std::uint64_t> device_evaluations_ = 0;
};

}  // namespace

std::unique_ptr<Search> make_annealing(const SearchTask& task, const AnnealSettings& settings, const Budget& budget,
                                       AnnealParts parts) {
  return std::make_unique<Annealing>(task, settings, budget, std::move(parts));
}

}  // namespace chainshot::host
