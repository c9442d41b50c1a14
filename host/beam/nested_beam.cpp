#include "host/beam/nested_beam.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "game/random.hpp"

namespace chainshot::host {
namespace {

constexpr int kRound = 4;                      // beams
constexpr int kMostNestedWidth = 100'000'000;  // the search would be over before
constexpr std::uint64_t kDraws = 1ull << 40;   // numbers of draws from here on belong to this search

}  // namespace

NestedBeam::NestedBeam(const SearchTask& task, const BeamSettings& settings, std::vector<int> colors, int threads,
                       const BeamStepMaker& make_step)
    : task_(task), settings_(settings), colors_(std::move(colors)), width_(settings.nested_width) {
  for (int i = 0; i < std::clamp(threads, 1, kRound); ++i)
    steps_.push_back(make_step(1, BeamSize::kSmall));
}

void NestedBeam::start(const std::vector<game::Cell>& moves) {
  moves_ = moves;
  game::Position position = task_.board;
  score_ = 0;
  for (const game::Cell move : moves_)
    score_ += task_.scoring.group_points(position.apply(move));
  score_ += position.final_points(task_.scoring);
  width_ = settings_.nested_width;
  failures_ = 0;
}

NestedRound NestedBeam::run_round(const game::BeamLimit& limit) {
  NestedRound round;
  if (moves_.empty()) return round;
  std::vector<Try> tries;
  for (int i = 0; i < kRound; ++i)
    tries.push_back(make_try(limit));
  run_tries(tries);
  const Try* best = nullptr;
  for (const Try& done : tries) {
    ++round.beams;
    round.states += done.result.states;
    round.children += done.result.children;
    round.blocks = done.request.root.blocks();
    if (best == nullptr || done.result.score > best->result.score) best = &done;
  }
  failures_ += round.beams;
  // An equal score is taken over as well: it may be another line, with other ways on.
  const bool is_better = best->result.score > score_;
  if (best->result.score >= score_) {
    score_ = best->result.score;
    moves_.resize(best->depth);
    moves_.insert(moves_.end(), best->result.moves.begin(), best->result.moves.end());
  }
  if (is_better) {
    failures_ = 0;
    width_ = std::max<double>(settings_.nested_width, width_ / settings_.widening);
  } else if (failures_ >= settings_.patience) {
    width_ = std::min<double>(width_ * settings_.widening, kMostNestedWidth);
    failures_ = 0;
  }
  return round;
}

NestedBeam::Try NestedBeam::make_try(const game::BeamLimit& limit) {
  const std::uint64_t number = kDraws + beams_++;
  game::DrawSequence draws({task_.seed, number, 1});
  Try next;
  next.depth = game::scale_draw(draws.next(), static_cast<std::uint32_t>(moves_.size()));
  const int color = colors_[game::scale_draw(draws.next(), static_cast<std::uint32_t>(colors_.size()))];
  PassRequest& request = next.request;
  request.root = task_.board;
  for (std::size_t i = 0; i < next.depth; ++i)
    request.points += task_.scoring.group_points(request.root.apply(moves_[i]));
  request.line.assign(moves_.begin() + static_cast<std::ptrdiff_t>(next.depth), moves_.end());
  request.tables =
      beam_tables(perturbed({}, settings_.nested_noise, task_.seed, number), request.root, task_.scoring, color);
  request.width = static_cast<int>(width_);
  request.limit = limit;
  constexpr auto kNoLimit = std::numeric_limits<std::uint64_t>::max();
  if (limit.states != kNoLimit) request.limit.states /= kRound;
  if (limit.children != kNoLimit) request.limit.children /= kRound;
  return next;
}

void NestedBeam::run_tries(std::vector<Try>& tries) {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr error;
  const auto work = [&](game::BeamStep& step) {
    try {
      for (std::size_t i; (i = next.fetch_add(1)) < tries.size();)
        tries[i].result = BeamPass(step).run(tries[i].request);
    } catch (...) {
      const std::lock_guard lock(mutex);
      error = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < steps_.size(); ++i)
      threads.emplace_back([&, i] { work(*steps_[i]); });
    work(*steps_[0]);
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace chainshot::host
