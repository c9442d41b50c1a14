// What one rank does of a turn: it searches its shares one after the other, each as if it were alone, and reports to
// rank 0. A turn that is live has one share per rank: improvements are reported within half a second, and the ranks
// learn of each other's lines. A deterministic turn only reports the end of each share.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

#include "host/cluster/messages.hpp"
#include "host/cluster/post.hpp"
#include "host/search/neighbours.hpp"
#include "host/search/search_runner.hpp"

namespace chainshot::host {

struct TurnOrder {
  std::uint64_t turn = 0;
  SearchTask task;
  std::vector<TurnShare> shares;  // of this rank
  int ranks = 1;                  // that search
  bool is_live = true;
  bool shares_best = true;  // the best line of all ranks goes into the search
};

class RankTurn final : public Neighbours {
 public:
  // Makes the searches of a share.
  using Maker = std::function<std::vector<NamedSearch>(const SearchTask&, const Budget&, Incumbent&, Neighbours*)>;
  // Prepares the turn in its own thread, because engines may take long to open. Throws std::exception if it fails.
  using Preparation = std::function<Maker()>;

  // Starts. The post outlives the turn.
  RankTurn(TurnOrder order, Post& post, Preparation prepare);
  // Asks for a stop and waits.
  ~RankTurn() override;

  void request_stop() { stop_.request_stop(); }
  bool is_over() const { return is_over_; }
  // Messages for this turn: `best` of rank 0 and `elites` of other ranks.
  void received(const RankMessage& message);

  int rank() const override { return post_.rank(); }
  int ranks() const override { return order_.ranks; }
  void send(int rank, const std::vector<ScoredLine>& lines) override;
  std::vector<ScoredLine> take() override;

 private:
  using Clock = std::chrono::steady_clock;

  void run(const Preparation& prepare);
  void run_share(const TurnShare& share, const Maker& make);
  void report_end(const TurnShare& share, const SolveResult& result);
  void improved(const BestLine& line);
  void sampled(const SolveSample& sample);
  void report_found();
  void take_best(const RankMessage& message);
  void lend(Incumbent* incumbent);
  RankMessage message(const char* kind) const { return {{"kind", kind}, {"turn", order_.turn}}; }

  const TurnOrder order_;
  Post& post_;
  std::stop_source stop_;
  std::atomic<bool> is_over_ = false;
  Clock::time_point next_found_ = {}, next_status_ = {};  // of the thread that runs the turn

  std::mutex incumbent_mutex_;  // locked before mutex_
  Incumbent* incumbent_ = nullptr;
  std::mutex mutex_;  // guards what follows
  int best_of_all_ = ScoredLine{}.score;
  std::optional<BestLine> found_;       // not reported yet
  std::vector<RankMessage> newcomers_;  // lines of other ranks, not taken yet

  std::thread thread_;  // last, because it uses the others
};

}  // namespace chainshot::host
