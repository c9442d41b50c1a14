#include "host/cluster/cluster.hpp"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <utility>

#include "host/cluster/spread_search.hpp"

namespace chainshot::host {
namespace {

// The only rank of a run.
class NoOtherRanks final : public cluster::Transport {
 public:
  int rank() const override { return 0; }
  int ranks() const override { return 1; }
  void send(int, cluster::Bytes) override {}
  std::optional<cluster::Message> receive() override { return std::nullopt; }
  void leave() override {}
  [[noreturn]] void abandon(int exit_code) override { std::_Exit(exit_code); }
};

}  // namespace

Cluster::Cluster(const Post::Open& open, ClusterOptions options) : options_(std::move(options)) {
  PostEvents events{.received = [this](int from, const RankMessage& message) { received(from, message); },
                    .lost = [this](int rank, const std::string& why) { lose(rank, why); },
                    .tick = [this] { tick(); }};
  post_ = std::make_unique<Post>(
      open, std::move(events),
      PostOptions{.silence = options_.silence, .exists = [this](int rank) { return exists(rank); }});
  places_.resize(static_cast<std::size_t>(ranks()));
  if (rank() != 0) follower_ = std::make_unique<Follower>(*post_);
  post_->start();
  post_->send(0, {{"kind", "hello"}, {"place", place_message(options_.place)}});
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return is_welcome_ || !lost_.empty(); });
  if (!lost_.empty()) throw std::runtime_error(lost_);
}

Cluster::~Cluster() {
  if (follower_ != nullptr) follower_->end();
  post_.reset();  // ends its thread, which uses the others
}

void Cluster::end(int exit_code) {
  if (!lost().empty()) {
    // A launcher may leave the others alone.
    for (int other = 1; rank() == 0 && other < ranks(); ++other)
      post_->send(other, {{"kind", "abandon"}});
    post_->abandon(exit_code);
  }
  post_->expect_end();
  if (rank() == 0)
    for (int other = 1; other < ranks(); ++other)
      post_->send(other, {{"kind", "quit"}});
  post_->leave();
}

bool Cluster::serve() {
  const std::stop_callback on_signal(options_.interrupted, [this] {
    follower_->stop_turns();
    post_->send(0, {{"kind", "interrupted"}, {"signal", options_.signal()}});
  });
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return has_ended_ || !lost_.empty(); });
  const bool is_lost = !lost_.empty();
  lock.unlock();
  if (is_lost) return false;
  follower_->end();
  return true;
}

std::vector<NamedSearch> Cluster::make(const RunPlan& plan, const RunResources& resources, const SearchTask& task,
                                       Incumbent& incumbent) {
  std::string title(plan.kind->title);
  if (ranks() > 1) title += fmt::format(" on {} ranks", ranks());
  std::vector<NamedSearch> searches;
  searches.push_back({std::string(plan.kind->name), std::move(title),
                      std::make_unique<SpreadSearch>(*this, plan, resources, task, incumbent)});
  return searches;
}

std::string Cluster::lost() const {
  const std::lock_guard lock(mutex_);
  return lost_;
}

std::string Cluster::name_of(int rank) const {
  const std::lock_guard lock(mutex_);
  const machine::RankPlace& place = places_[static_cast<std::size_t>(rank)];
  if (place.process == 0) return fmt::format("rank {}", rank);
  return fmt::format("rank {} (process {} on {})", rank, place.process, place.host);
}

void Cluster::lose(int rank, const std::string& why) {
  std::string sentence =
      fmt::format("{} {}; the run ends, and all that it had told rank 0 is kept", name_of(rank), why);
  {
    const std::lock_guard lock(mutex_);
    if (!lost_.empty() || has_ended_) return;
    lost_ = std::move(sentence);
    changed_.notify_all();
  }
  if (follower_ != nullptr) follower_->stop_turns();
}

// Only processes of this machine can be asked for.
bool Cluster::exists(int rank) const {
  const std::lock_guard lock(mutex_);
  const machine::RankPlace& place = places_[static_cast<std::size_t>(rank)];
  if (place.process == 0 || place.process_space != options_.place.process_space) return true;
  return ::kill(place.process, 0) == 0 || errno != ESRCH;
}

void Cluster::begin_turn(std::uint64_t turn, SpreadSearch& search) {
  const std::lock_guard lock(turns_mutex_);
  searches_[turn] = &search;
}

void Cluster::end_turn(std::uint64_t turn) {
  const std::lock_guard lock(turns_mutex_);
  searches_.erase(turn);
}

void Cluster::tick() {
  const std::lock_guard lock(turns_mutex_);
  for (const auto& [turn, search] : searches_)
    search->tick();
}

void Cluster::received(int from, const RankMessage& message) {
  const std::string kind = message.at("kind");
  if (kind == "elites" || kind == "best") {
    if (follower_ != nullptr) return follower_->received(message);
    const std::lock_guard lock(turns_mutex_);
    if (const auto found = searches_.find(message.at("turn")); found != searches_.end())
      found->second->received(from, message);
    return;
  }
  if (rank() == 0) return lead(from, message);
  if (kind == "turn" || kind == "stop") return follower_->received(message);
  const std::lock_guard lock(mutex_);
  if (kind == "welcome") {
    share_ = rank_share_of(message.at("share"));
    places_[0] = place_of(message.at("leader"));
    is_welcome_ = true;
  }
  if (kind == "abandon") lost_ = "another rank is lost";
  if (kind == "quit") {
    has_ended_ = true;
    post_->expect_end();
  }
  changed_.notify_all();
}

void Cluster::lead(int from, const RankMessage& message) {
  const std::string kind = message.at("kind");
  if (kind == "hello") return greet(from, message);
  if (kind == "interrupted") {
    if (options_.interrupt) options_.interrupt(message.at("signal"));
    return;
  }
  if (kind == "note") {
    if (options_.notice) options_.notice(fmt::format("{}: {}", name_of(from), message.at("text").get<std::string>()));
    return;
  }
  const std::lock_guard lock(turns_mutex_);
  if (const auto found = searches_.find(message.at("turn")); found != searches_.end())
    found->second->received(from, message);
}

void Cluster::greet(int from, const RankMessage& message) {
  const std::lock_guard lock(mutex_);
  places_[static_cast<std::size_t>(from)] = place_of(message.at("place"));
  if (++greeted_ == ranks()) welcome_all();
}

void Cluster::welcome_all() {
  const std::vector<machine::RankShare> shares = machine::share_machines(places_);
  for (int other = 1; other < ranks(); ++other)
    post_->send(other, {{"kind", "welcome"},
                        {"share", rank_share_message(shares[static_cast<std::size_t>(other)])},
                        {"leader", place_message(places_[0])}});
  share_ = shares[0];
  is_welcome_ = true;
  changed_.notify_all();
}

std::unique_ptr<Cluster> alone() {
  return std::make_unique<Cluster>([] { return std::make_unique<NoOtherRanks>(); }, ClusterOptions{});
}

}  // namespace chainshot::host
