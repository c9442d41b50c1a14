// The search of a turn as rank 0 sees it: one search that runs in all ranks, rank 0 among them. It tells the ranks
// their shares, offers what they find, and adds up what they count. Rank 0 searches its own shares like any other rank,
// so that all are alike.
//
// With a deterministic plan the budget is divided into shares, each a search by itself that exchanges nothing; their
// lines are offered in the order of the shares. The result depends on the number of shares alone.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "host/cluster/messages.hpp"
#include "host/cluster/rank_turn.hpp"
#include "host/run/spread.hpp"
#include "host/search/search_runner.hpp"

namespace chainshot::host {

class Cluster;

// Divides a budget into so many shares, but no more than a counted budget has units. Seeds differ, and a single share
// has the seed of the task.
std::vector<TurnShare> divide_budget(const Budget& budget, std::uint64_t seed, int shares);

class SpreadSearch final : public Search {
 public:
  // All arguments outlive the search.
  SpreadSearch(Cluster& cluster, const RunPlan& plan, const RunResources& resources, const SearchTask& task,
               Incumbent& incumbent);
  ~SpreadSearch() override;

  void run(const SearchClock& clock, std::stop_token stop) override;
  SearchStatus status() const override;
  std::vector<ScoredLine> elites() const override;

  // Called from the thread of the post.
  void received(int from, const RankMessage& message);
  void tick();
  void wake();  // something that `run` waits for has changed

 private:
  using Clock = std::chrono::steady_clock;

  struct Rank {
    int shares_left = 0;
    SearchStatus ended;  // shares that have ended, added up
    SearchStatus now;    // the share under way
  };
  struct EndedShare {
    ScoredLine line;
    std::string source;
    std::vector<ScoredLine> elites;
    bool is_offered = false;
  };

  void start_ranks();
  void stop_ranks();
  // Returns the sentence of what went wrong; empty if nothing did.
  std::string wait(const std::stop_token& stop);
  bool all_ended() const;
  void found(int from, const RankMessage& message);
  void ended(int from, const RankMessage& message);
  void offer(const EndedShare& share);
  void offer_in_order();
  std::string source_of(int from, const RankMessage& message) const;
  bool is_live() const { return !plan_.common.deterministic; }

  Cluster& cluster_;
  const RunPlan& plan_;
  const RunResources& resources_;
  const SearchTask task_;
  Incumbent& incumbent_;
  const std::vector<TurnShare> shares_;
  const int ranks_;  // that have a share
  const std::uint64_t turn_;
  std::mutex own_mutex_;            // guards own_ against the thread of the post
  std::unique_ptr<RankTurn> own_;   // the part of this rank
  std::uint64_t told_version_ = 0;  // of the best line that the ranks know
  Clock::time_point next_telling_ = {};

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::vector<Rank> by_rank_;
  std::vector<std::optional<EndedShare>> by_share_;
  bool is_proven_ = false;
  bool is_stopped_ = false;  // the ranks were told to stop
  std::string error_;
};

}  // namespace chainshot::host
