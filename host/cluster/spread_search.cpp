#include "host/cluster/spread_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "game/random.hpp"
#include "host/cluster/cluster.hpp"
#include "host/search/line_distance.hpp"

namespace chainshot::host {
namespace {

using namespace std::chrono_literals;

// Of all ranks together, and by how much they differ at least: as many as one search of annealing has.
constexpr std::size_t kMostElites = 16;
constexpr double kApart = 0.3;

constexpr auto kTelling = 1s;  // between two messages with the best line
// After a failure, or a signal that will be followed by a harder one: mpirun kills one second after its SIGTERM.
constexpr auto kPatience = 500ms;

SearchStatus sum_of(const std::vector<SearchStatus>& all) {
  SolveSample sample;
  for (const SearchStatus& status : all)
    sample.searches.push_back({{}, {}, status});
  return sample.total();
}

}  // namespace

std::vector<TurnShare> divide_budget(const Budget& budget, std::uint64_t seed, int shares) {
  auto count = static_cast<std::uint64_t>(std::max(1, shares));
  for (const std::uint64_t counted : {budget.playouts, budget.nodes, budget.resource_units})
    if (counted > 0) count = std::min(count, counted);
  const auto part = [count](std::uint64_t whole, std::uint64_t i) {
    return whole / count + (i < whole % count ? 1 : 0);
  };
  std::vector<TurnShare> all;
  for (std::uint64_t i = 0; i < count; ++i)
    all.push_back({.number = static_cast<int>(i),
                   .seed = i == 0 ? seed : game::mix64(seed ^ game::mix64(i)),
                   .budget = {.seconds = budget.seconds,
                              .playouts = part(budget.playouts, i),
                              .nodes = part(budget.nodes, i),
                              .resource_units = part(budget.resource_units, i)}});
  return all;
}

SpreadSearch::SpreadSearch(Cluster& cluster, const RunPlan& plan, const RunResources& resources, const SearchTask& task,
                           Incumbent& incumbent)
    : cluster_(cluster),
      plan_(plan),
      resources_(resources),
      task_(task),
      incumbent_(incumbent),
      shares_(
          divide_budget(plan.budget, task.seed,
                        plan.common.deterministic && plan.common.shares > 0 ? plan.common.shares : cluster.ranks())),
      ranks_(std::min(cluster.ranks(), static_cast<int>(shares_.size()))),
      turn_(cluster.next_turn()),
      by_rank_(static_cast<std::size_t>(ranks_)),
      by_share_(shares_.size()) {}

SpreadSearch::~SpreadSearch() {
  cluster_.end_turn(turn_);
}

void SpreadSearch::run(const SearchClock&, std::stop_token stop) {
  if (const std::string lost = cluster_.lost(); !lost.empty()) throw std::runtime_error(lost);
  cluster_.begin_turn(turn_, *this);
  start_ranks();
  const std::string error = wait(stop);
  std::unique_ptr<RankTurn> own;
  {
    const std::lock_guard lock(own_mutex_);
    own = std::move(own_);
  }
  own.reset();  // waits for it
  {
    const std::lock_guard lock(mutex_);
    for (std::optional<EndedShare>& share : by_share_)  // after a stop or a failure there are gaps
      if (share) offer(*share);
  }
  if (!error.empty()) throw std::runtime_error(error);
}

void SpreadSearch::start_ranks() {
  std::vector<std::vector<TurnShare>> by_rank(static_cast<std::size_t>(ranks_));
  for (const TurnShare& share : shares_)
    by_rank[static_cast<std::size_t>(share.number % ranks_)].push_back(share);
  for (std::size_t rank = 0; rank < by_rank.size(); ++rank)
    by_rank_[rank].shares_left = static_cast<int>(by_rank[rank].size());
  const bool shares_best = !plan_.kind->has_neighbours;
  RankMessage order = {{"kind", "turn"},
                       {"turn", turn_},
                       {"ranks", ranks_},
                       {"live", is_live()},
                       {"share_best", shares_best},
                       {"plan", plan_message(plan_)},
                       {"task", task_message(task_)}};
  for (int rank = 1; rank < ranks_; ++rank) {
    order["shares"] = RankMessage::array();
    for (const TurnShare& share : by_rank[static_cast<std::size_t>(rank)])
      order["shares"].push_back(share_message(share));
    cluster_.post().send(rank, order);
  }
  const auto make = [this](const SearchTask& task, const Budget& budget, Incumbent& incumbent, Neighbours* neighbours) {
    Resources resources = resources_.resources();
    resources.budget = budget;
    resources.neighbours = neighbours;
    return plan_.kind->make(task, plan_.settings, resources, incumbent);
  };
  TurnOrder own{.turn = turn_,
                .task = task_,
                .shares = by_rank[0],
                .ranks = ranks_,
                .is_live = is_live(),
                .shares_best = shares_best};
  const std::lock_guard lock(own_mutex_);
  own_ = std::make_unique<RankTurn>(std::move(own), cluster_.post(), [make] { return RankTurn::Maker(make); });
}

void SpreadSearch::stop_ranks() {
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(is_stopped_, true)) return;
  }
  own_->request_stop();
  for (int rank = 1; rank < ranks_; ++rank)
    cluster_.post().send(rank, {{"kind", "stop"}, {"turn", turn_}});
}

bool SpreadSearch::all_ended() const {
  return std::all_of(by_rank_.begin(), by_rank_.end(), [](const Rank& rank) { return rank.shares_left == 0; });
}

std::string SpreadSearch::wait(const std::stop_token& stop) {
  const std::stop_callback on_stop(stop, [this] { wake(); });
  std::optional<Clock::time_point> patience_end;
  std::unique_lock lock(mutex_);
  for (; !all_ended(); changed_.wait_for(lock, 50ms)) {
    const std::string lost = cluster_.lost();
    const bool has_failed = !lost.empty() || !error_.empty();
    const bool must_stop = has_failed || stop.stop_requested() || (is_proven_ && is_live());
    if (must_stop && !is_stopped_) {
      lock.unlock();
      stop_ranks();
      lock.lock();
    }
    if (has_failed || cluster_.is_interrupted()) {
      if (!patience_end) patience_end = Clock::now() + kPatience;
      if (by_rank_[0].shares_left == 0 && Clock::now() >= *patience_end) break;
    }
  }
  if (const std::string lost = cluster_.lost(); !lost.empty()) return lost;
  if (!error_.empty() || all_ended()) return error_;
  const auto late = std::find_if(by_rank_.begin(), by_rank_.end(), [](const Rank& r) { return r.shares_left > 0; });
  const auto rank = static_cast<int>(late - by_rank_.begin());
  lock.unlock();
  cluster_.lose(rank, "did not answer in time");
  return cluster_.lost();
}

void SpreadSearch::wake() {
  const std::lock_guard lock(mutex_);
  changed_.notify_all();
}

void SpreadSearch::received(int from, const RankMessage& message) {
  const std::string kind = message.at("kind");
  if (from >= ranks_) return;
  if (kind == "found") return found(from, message);
  if (kind == "elites" || kind == "best") {
    const std::lock_guard lock(own_mutex_);
    if (own_ != nullptr) own_->received(message);
    return;
  }
  if (kind == "ended") return ended(from, message);
  if (kind != "status") return;
  const std::lock_guard lock(mutex_);
  by_rank_[static_cast<std::size_t>(from)].now = status_of(message.at("status"));
}

std::string SpreadSearch::source_of(int from, const RankMessage& message) const {
  const std::string source = message.at("source");
  return ranks_ > 1 ? fmt::format("{} on rank {}", source, from) : source;
}

void SpreadSearch::found(int from, const RankMessage& message) {
  EndedShare share;
  share.line = line_of(message.at("line"), task_);
  share.source = source_of(from, message);
  offer(share);
}

void SpreadSearch::ended(int from, const RankMessage& message) {
  const auto number = message.at("share").get<std::size_t>();
  EndedShare share;
  if (message.contains("line")) {
    share.line = line_of(message["line"], task_);
    share.source = source_of(from, message);
  }
  for (const RankMessage& elite : message.at("elites"))
    if (ScoredLine line = line_of(elite, task_); !line.moves.empty()) share.elites.push_back(std::move(line));
  const std::string error = message.at("error");
  if (is_live()) offer(share);
  const std::lock_guard lock(mutex_);
  Rank& rank = by_rank_[static_cast<std::size_t>(from)];
  rank.ended = sum_of({rank.ended, status_of(message.at("status"))});
  rank.now = {};
  --rank.shares_left;
  by_share_.at(number) = std::move(share);
  is_proven_ = is_proven_ || message.at("proven").get<bool>();
  if (!error.empty() && error_.empty())
    error_ = from == 0 ? error : fmt::format("{}: {}", cluster_.name_of(from), error);
  if (!is_live()) offer_in_order();
  changed_.notify_all();
}

void SpreadSearch::offer(const EndedShare& share) {
  if (!share.line.moves.empty()) incumbent_.offer(share.line.score, share.line.moves, kept_name(share.source));
}

// Offers the lines of all shares before the first that is under way.
void SpreadSearch::offer_in_order() {
  for (std::optional<EndedShare>& share : by_share_) {
    if (!share) return;
    if (!std::exchange(share->is_offered, true)) offer(*share);
  }
}

// Tells the ranks the best score of all, or the line as well where the search does not pass lines on itself.
void SpreadSearch::tick() {
  const Clock::time_point now = Clock::now();
  if (!is_live() || ranks_ < 2 || now < next_telling_) return;
  const BestLine best = incumbent_.best();
  if (best.version == told_version_) return;
  told_version_ = best.version;
  next_telling_ = now + kTelling;
  RankMessage message = {{"kind", "best"}, {"turn", turn_}, {"score", best.score}};
  if (!plan_.kind->has_neighbours) message["line"] = line_message({best.score, best.moves});
  for (int rank = 0; rank < ranks_; ++rank)
    cluster_.post().send(rank, message);
}

SearchStatus SpreadSearch::status() const {
  const std::lock_guard lock(mutex_);
  std::vector<SearchStatus> all;
  for (const Rank& rank : by_rank_) {
    all.push_back(rank.now);
    all.push_back(rank.ended);
  }
  SearchStatus status = sum_of(all);
  status.proven = is_proven_;
  if (ranks_ < 2) return status;
  const PostTraffic traffic = cluster_.post().traffic();
  status.figures.push_back({"messages", static_cast<double>(traffic.sent + traffic.received)});
  status.figures.push_back({"message_bytes", static_cast<double>(traffic.bytes_sent + traffic.bytes_received)});
  status.figures.push_back({"message_seconds", traffic.busy_seconds});
  return status;
}

std::vector<ScoredLine> SpreadSearch::elites() const {
  const std::lock_guard lock(mutex_);
  std::vector<ScoredLine> all;
  for (const std::optional<EndedShare>& share : by_share_)
    if (share) all.insert(all.end(), share->elites.begin(), share->elites.end());
  if (shares_.size() == 1) return all;
  std::vector<ScoredLine> best;
  for (const std::size_t i : choose_apart(task_.board, all, kMostElites, kApart))
    best.push_back(std::move(all[i]));
  return best;
}

}  // namespace chainshot::host
