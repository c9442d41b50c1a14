#include "host/cluster/rank_turn.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

namespace chainshot::host {
namespace {

using namespace std::chrono_literals;

constexpr auto kFoundInterval = 500ms;
constexpr auto kStatusInterval = 1s;
constexpr std::size_t kMostNewcomers = 64;  // that wait; the oldest give way

// A search that tells when it is destroyed, which is before its incumbent is.
class LastingSearch final : public Search {
 public:
  LastingSearch(std::unique_ptr<Search> search, std::function<void()> ended)
      : search_(std::move(search)), ended_(std::move(ended)) {}
  ~LastingSearch() override { ended_(); }
  LastingSearch(const LastingSearch&) = delete;
  LastingSearch& operator=(const LastingSearch&) = delete;

  void run(const SearchClock& clock, std::stop_token stop) override { search_->run(clock, std::move(stop)); }
  void cancel_pending() override { search_->cancel_pending(); }
  SearchStatus status() const override { return search_->status(); }
  std::vector<ScoredLine> elites() const override { return search_->elites(); }

 private:
  const std::unique_ptr<Search> search_;
  const std::function<void()> ended_;
};

}  // namespace

RankTurn::RankTurn(TurnOrder order, Post& post, Preparation prepare)
    : order_(std::move(order)), post_(post), thread_([this, prepare = std::move(prepare)] { run(prepare); }) {}

RankTurn::~RankTurn() {
  request_stop();
  thread_.join();
}

void RankTurn::run(const Preparation& prepare) {
  Maker make;
  SolveResult failed;
  try {
    make = prepare();
  } catch (const std::exception& error) {
    failed.error = error.what();
  }
  for (const TurnShare& share : order_.shares) {
    if (!make || (stop_.stop_requested() && &share != &order_.shares.front()))
      report_end(share, failed);
    else
      run_share(share, make);
  }
  is_over_ = true;
}

void RankTurn::run_share(const TurnShare& share, const Maker& make) {
  SearchTask task = order_.task;
  task.seed = share.seed;
  const SolveWatcher watcher{.improved = [this](const BestLine& line, double) { improved(line); },
                             .sampled = [this](const SolveSample& sample) { sampled(sample); },
                             .interval = 0.1};
  const bool meets_others = order_.is_live && order_.ranks > 1;
  const auto make_share = [&](const SearchTask& of_share, Incumbent& incumbent) {
    std::vector<NamedSearch> searches = make(of_share, share.budget, incumbent, meets_others ? this : nullptr);
    if (!meets_others || !order_.shares_best || searches.empty()) return searches;
    lend(&incumbent);
    searches.front().search =
        std::make_unique<LastingSearch>(std::move(searches.front().search), [this] { lend(nullptr); });
    return searches;
  };
  const SolveResult result = solve(task, make_share, share.budget.seconds, watcher, stop_.get_token());
  report_end(share, result);
}

void RankTurn::improved(const BestLine& line) {
  if (!order_.is_live || line.source == kStartSource) return;
  const std::lock_guard lock(mutex_);
  if (line.score > best_of_all_) found_ = line;
}

void RankTurn::sampled(const SolveSample& sample) {
  const Clock::time_point now = Clock::now();
  if (now >= next_found_) {
    next_found_ = now + kFoundInterval;
    report_found();
  }
  if (now < next_status_) return;
  next_status_ = now + kStatusInterval;
  RankMessage status = message("status");
  status["status"] = status_message(sample.total());
  post_.send(0, std::move(status));
}

void RankTurn::report_found() {
  std::optional<BestLine> found;
  {
    const std::lock_guard lock(mutex_);
    found = std::exchange(found_, std::nullopt);
    if (!found || found->score <= best_of_all_) return;
    best_of_all_ = found->score;
  }
  RankMessage report = message("found");
  report["line"] = line_message({found->score, found->moves});
  report["source"] = found->source;
  post_.send(0, std::move(report));
}

void RankTurn::report_end(const TurnShare& share, const SolveResult& result) {
  RankMessage report = message("ended");
  report["share"] = share.number;
  report["status"] = status_message(result.last.total());
  report["error"] = result.error;
  report["proven"] = result.proven;
  report["complete"] = result.complete;
  report["elites"] = RankMessage::array();
  for (const ScoredLine& elite : result.elites)
    report["elites"].push_back(line_message(elite));
  if (result.best.version > 0 && result.best.source != kStartSource) {
    report["line"] = line_message({result.best.score, result.best.moves});
    report["source"] = result.best.source;
  }
  post_.send(0, std::move(report));
}

void RankTurn::received(const RankMessage& message) {
  if (message.at("kind") == "best") return take_best(message);
  const std::lock_guard lock(mutex_);
  for (const RankMessage& line : message.at("lines"))
    newcomers_.push_back(line);
  if (newcomers_.size() > kMostNewcomers)
    newcomers_.erase(newcomers_.begin(), newcomers_.end() - static_cast<std::ptrdiff_t>(kMostNewcomers));
}

// The score alone keeps this rank from reporting what is no news.
void RankTurn::take_best(const RankMessage& message) {
  {
    const std::lock_guard lock(mutex_);
    best_of_all_ = std::max(best_of_all_, message.at("score").get<int>());
  }
  if (!message.contains("line")) return;
  const std::lock_guard lock(incumbent_mutex_);
  if (incumbent_ == nullptr || message.at("score").get<int>() <= incumbent_->score()) return;
  const ScoredLine line = line_of(message["line"], order_.task);
  incumbent_->offer(line.score, line.moves, kStartSource);
}

void RankTurn::lend(Incumbent* incumbent) {
  const std::lock_guard lock(incumbent_mutex_);
  incumbent_ = incumbent;
}

void RankTurn::send(int rank, const std::vector<ScoredLine>& lines) {
  RankMessage elites = message("elites");
  elites["lines"] = RankMessage::array();
  for (const ScoredLine& line : lines)
    elites["lines"].push_back(line_message(line));
  post_.send(rank, std::move(elites));
}

std::vector<ScoredLine> RankTurn::take() {
  std::vector<RankMessage> messages;
  {
    const std::lock_guard lock(mutex_);
    messages.swap(newcomers_);
  }
  std::vector<ScoredLine> lines;
  for (const RankMessage& message : messages)
    if (ScoredLine line = line_of(message, order_.task); !line.moves.empty()) lines.push_back(std::move(line));
  return lines;
}

}  // namespace chainshot::host
