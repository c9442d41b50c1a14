#include "host/beam/beam_search.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <numeric>
#include <string_view>
#include <thread>
#include <utility>

#include "game/random.hpp"
#include "host/beam/beam_budget.hpp"
#include "host/beam/beam_pass.hpp"
#include "host/beam/evaluation.hpp"
#include "host/beam/nested_beam.hpp"

namespace chainshot::host {

int beam_width_for(std::uint64_t memory_bytes, int blocks, std::size_t state_bytes) {
  // Measured on random boards of the standard kind, width 1,000: at the peak a sixth of the buckets is full, each with
  // half as many states again as the width. The step leaves three eighths of its memory for other things. The history
  // has 8 bytes per state.
  const double open = 1.5 * std::max(8.0, blocks / 6.0) * static_cast<double>(state_bytes) * 8 / 5;
  const double history = static_cast<double>(sizeof(game::BeamSelected)) * blocks;
  return static_cast<int>(std::clamp(static_cast<double>(memory_bytes) / (open + history), 1.0, 1e8));
}

std::vector<int> beam_tabu_colors(const game::Position& board, int count) {
  const auto counts = board.color_counts();
  std::vector<int> colors(counts.size());
  std::iota(colors.begin(), colors.end(), 0);
  std::stable_sort(colors.begin(), colors.end(), [&](int a, int b) {
    return counts[static_cast<std::size_t>(a)] > counts[static_cast<std::size_t>(b)];
  });
  const auto present = std::count_if(counts.begin(), counts.end(), [](int n) { return n > 0; });
  colors.resize(static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(count, 1, std::max<std::ptrdiff_t>(1, present))));
  return colors;
}

namespace {

constexpr std::string_view kSource = "beam";
constexpr int kFirstWidth = 64;
constexpr double kGrowth = 4;         // of the width from pass to pass
constexpr double kLeastWidth = 4;     // a narrower pass is not worth its time
constexpr double kTimeMargin = 0.97;  // of the time that is left, for a pass

class BeamSearch final : public Search {
 public:
  BeamSearch(const SearchTask& task, const BeamSettings& settings, const Budget& budget, int threads,
             BeamStepMaker make_step, Incumbent& incumbent, const std::function<void(const std::string&)>& note)
      : task_(task),
        settings_(settings),
        budget_(budget),
        threads_(threads),
        make_step_(std::move(make_step)),
        step_(make_step_(threads, BeamSize::kWhole)),
        incumbent_(incumbent),
        colors_(beam_tabu_colors(task.board, settings.tabu_colors)),
        bound_(task.board.upper_bound(task.scoring)) {
    const std::uint64_t memory = settings.memory_bytes > 0 ? settings.memory_bytes : kDefaultBeamMemory;
    most_width_ = beam_width_for(memory, task.board.blocks(), step_->state_bytes(task.board));
    memory_bytes_ = memory - std::min(memory / 2, static_cast<std::uint64_t>(most_width_) * sizeof(game::BeamSelected) *
                                                      static_cast<std::uint64_t>(task.board.blocks()));
    if (note && widest_part() > most_width_)
      note(fmt::format("--width {} does not fit into the memory of a beam; it is at most {} wide", settings.width,
                       most_width_));
  }

  void run(const SearchClock& clock, std::stop_token stop) override {
    stop_ = std::move(stop);
    budget_.begin(clock);
    // Another search's line, or that of an earlier run, is as good a start as a beam.
    const bool has_start = settings_.is_nested && incumbent_.best().version > 0;
    if (!has_start) run_passes(settings_.is_nested ? settings_.start_share : 1.0);
    step_.reset();
    if (settings_.is_nested && !over(1)) improve();
  }

  SearchStatus status() const override {
    SearchStatus status{.evaluations = budget_.children(), .nodes_visited = budget_.states(), .proven = is_proven()};
    status.figures = {
        {"width", static_cast<double>(width_), FigureStyle::kCount, "wide"},
        {"blocks_left", static_cast<double>(blocks_left_), FigureStyle::kNumber, "blocks left", "left"},
        {"passes", static_cast<double>(passes_), FigureStyle::kNumber, "pass"},
    };
    return status;
  }

 private:
  bool is_proven() const { return incumbent_.score() >= bound_; }
  bool halted() const { return stop_.stop_requested() || is_proven(); }
  bool over(double share) const { return halted() || budget_.is_spent(share); }

  // Passes of growing width until `share` of the budget is used.
  void run_passes(double share) {
    for (int width = 0; (width = next_width(width, share)) > 0;) {
      const bool complete = run_pass(width, share);
      if (!complete || over(share) || (settings_.is_nested && width == settings_.width)) break;
    }
  }

  // Returns 0 if the budget does not allow another pass. The first pass is always run, because a search offers a line.
  int next_width(int last, double share) const {
    // A narrow pass comes first: it gives a line, and its cost tells when a wide one must narrow to end in time.
    if (last == 0) return settings_.width > 0 ? std::min(settings_.width, kFirstWidth) : kFirstWidth;
    if (settings_.width > 0) return settings_.width;
    const double fits = cost_.width_for(budget_.states_left(share), budget_.children_left(share),
                                        kTimeMargin * budget_.seconds_left(share));
    if (fits < kLeastWidth) return 0;
    double width = std::min(kGrowth * last, static_cast<double>(most_width_ * static_cast<int>(colors_.size())));
    // If a next pass could not be wider than this one, this one takes all that is left.
    if (width * 2 > fits) width = fits;
    return static_cast<int>(std::min(width, static_cast<double>(most_width_) * static_cast<double>(colors_.size())));
  }

  // The width of the first beam, which is the widest, if the user chose a width.
  int widest_part() const {
    const double part = colors_.size() == 1 ? 1 : settings_.first_share;
    return static_cast<int>(std::lround(settings_.width * part));
  }

  // One beam per colour. Returns false if a limit or a stop cut one of them short.
  bool run_pass(int width, double share) {
    BeamWeights weights;
    if (width <= last_width_)
      weights = perturbed(weights, settings_.noise, task_.seed, static_cast<std::uint64_t>(passes_));
    last_width_ = width;
    ++passes_;
    cost_.begin(width, task_.board.blocks());
    const double begin = budget_.seconds(), seconds = kTimeMargin * budget_.seconds_left(share);
    double parts = 0;
    bool complete = true;
    for (std::size_t i = 0; i < colors_.size() && (i == 0 || !over(share)); ++i) {
      const double others = static_cast<double>(colors_.size()) - 1;
      const double part = others == 0 ? 1 : i == 0 ? settings_.first_share : (1 - settings_.first_share) / others;
      const int own = std::clamp(static_cast<int>(std::lround(width * part)), 1, most_width_);
      parts += part;
      complete = run_beam(own, colors_[i], weights, share, begin + parts * seconds) && complete;
    }
    if (complete) cost_.complete();
    return complete;
  }

  bool run_beam(int width, int color, const BeamWeights& weights, double share, double end) {
    PassRequest request{.root = task_.board,
                        .tables = beam_tables(weights, task_.board, task_.scoring, color),
                        .width = width,
                        .memory_bytes = memory_bytes_};
    request.limit.states = budget_.states_left(share);
    request.limit.children = budget_.children_left(share);
    request.limit.stopped = [&] { return halted(); };
    width_ = width;
    BeamPass pass(*step_);
    PassResult before;
    const double begin = budget_.seconds();
    double then = begin;
    const PassResult result = pass.run(request, [&](int blocks, const PassResult& now) {
      const double seconds = budget_.seconds();
      cost_.add(blocks, now.states - before.states, now.children - before.children, seconds - then);
      budget_.add(now.states - before.states, now.children - before.children);
      before.states = now.states;
      before.children = now.children;
      then = seconds;
      blocks_left_ = blocks;
      offer(now);
      const double per_child = (seconds - begin) / static_cast<double>(std::max<std::uint64_t>(1, now.children));
      if (budget_.is_timed()) width_ = width_in_time(blocks, per_child, end - seconds);
      return width_.load();
    });
    offer(result);
    return result.complete;
  }

  // The width that lets a beam end in time: at the speed so far, with the children per width that the last complete
  // pass had below the same number of blocks.
  int width_in_time(int blocks, double seconds_per_child, double seconds_left) const {
    if (!cost_.is_known()) return width_;
    const double seconds_per_width = seconds_per_child * cost_.children_per_width_below(blocks);
    if (seconds_per_width <= 0 || width_ * seconds_per_width <= seconds_left) return width_;
    return std::max(1, static_cast<int>(std::max(0.0, seconds_left) / seconds_per_width));
  }

  void offer(const PassResult& result) {
    if (result.score > incumbent_.score()) incumbent_.offer(result.score, result.moves, kSource);
  }

  void improve() {
    NestedBeam nested(task_, settings_, colors_, threads_, make_step_);
    nested.start(incumbent_.best().moves);
    while (!over(1)) {
      const NestedRound round = nested.run_round(
          {.states = budget_.states_left(), .children = budget_.children_left(), .stopped = [&] { return halted(); }});
      if (round.states == 0) return;
      budget_.add(round.states, round.children);
      passes_ += round.beams;
      width_ = nested.width();
      blocks_left_ = round.blocks;
      if (nested.score() > incumbent_.score()) incumbent_.offer(nested.score(), nested.moves(), kSource);
      // Other searches may have found more.
      if (incumbent_.score() > nested.score()) nested.start(incumbent_.best().moves);
    }
  }

  const SearchTask task_;
  const BeamSettings settings_;
  BeamBudget budget_;
  const int threads_;
  const BeamStepMaker make_step_;
  std::unique_ptr<game::BeamStep> step_;
  Incumbent& incumbent_;
  const std::vector<int> colors_;
  const int bound_;
  int most_width_ = 1;
  std::uint64_t memory_bytes_ = 0;  // of a step
  std::stop_token stop_;
  PassCost cost_;
  int last_width_ = 0;
  std::atomic<int> width_ = 0, blocks_left_ = 0, passes_ = 0;
};

}  // namespace

std::unique_ptr<Search> make_beam_search(const SearchTask& task, const BeamSettings& settings, const Budget& budget,
                                         int threads, BeamStepMaker make_step, Incumbent& incumbent,
                                         const std::function<void(const std::string&)>& note) {
  return std::make_unique<BeamSearch>(task, settings, budget, threads, std::move(make_step), incumbent, note);
}

}  // namespace chainshot::host
