// The ranks of a run, seen from one of them. Rank 0 leads: it alone reads the command line and files, writes and
// prints, and spreads each search over all. The other ranks follow: they search what rank 0 asks for. A single process
// is a cluster of one rank.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "host/cluster/follower.hpp"
#include "host/cluster/messages.hpp"
#include "host/cluster/post.hpp"
#include "host/run/spread.hpp"
#include "machine/rank_share.hpp"

namespace chainshot::host {

class SpreadSearch;

struct ClusterOptions {
  machine::RankPlace place = {};                                 // where this process runs
  std::stop_token interrupted = {};                              // a signal came to this rank
  std::function<int()> signal = {};                              // which one
  std::function<void(int)> interrupt = {};                       // of rank 0: a signal came to another rank
  std::function<void(const std::string& sentence)> notice = {};  // of rank 0: for the user
  std::chrono::milliseconds silence = PostOptions{}.silence;
};

class Cluster final : public Spread {
 public:
  // Joins the ranks and learns which part of the machine is this rank's. Throws std::runtime_error with one sentence.
  Cluster(const Post::Open& open, ClusterOptions options);
  ~Cluster() override;
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  int rank() const { return post_->rank(); }
  int ranks() const override { return post_->ranks(); }
  const machine::RankShare& share() const { return share_; }
  // Rank 0: ends the run; waits until all ranks have left. If one was lost, it ends the others and this process.
  void end(int exit_code);
  // Another rank: searches until rank 0 ends the run. Returns false if rank 0 was lost; then `end` ends the process.
  bool serve();

  std::vector<NamedSearch> make(const RunPlan& plan, const RunResources& resources, const SearchTask& task,
                                Incumbent& incumbent) override;
  std::string lost() const override;

  // For the searches of rank 0.
  Post& post() { return *post_; }
  bool is_interrupted() const { return options_.interrupted.stop_requested(); }
  void lose(int rank, const std::string& why);
  std::string name_of(int rank) const;  // for people
  std::uint64_t next_turn() { return ++turns_; }
  void begin_turn(std::uint64_t turn, SpreadSearch& search);
  void end_turn(std::uint64_t turn);

 private:
  void received(int from, const RankMessage& message);
  void lead(int from, const RankMessage& message);
  void greet(int from, const RankMessage& message);
  void welcome_all();
  void tick();
  bool exists(int rank) const;

  const ClusterOptions options_;
  std::unique_ptr<Post> post_;
  std::unique_ptr<Follower> follower_;  // of a rank that follows
  machine::RankShare share_;
  std::atomic<std::uint64_t> turns_ = 0;

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::vector<machine::RankPlace> places_;  // by rank; of this rank and, in rank 0, of all that said hello
  int greeted_ = 0;
  bool is_welcome_ = false;
  bool has_ended_ = false;  // rank 0 said so
  std::string lost_;

  std::mutex turns_mutex_;  // locked before mutex_
  std::map<std::uint64_t, SpreadSearch*> searches_;
};

// Returns a cluster of this process alone, for a search that is divided into shares.
std::unique_ptr<Cluster> alone();

}  // namespace chainshot::host
