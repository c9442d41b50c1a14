// Carries messages between the ranks, from a thread of its own, which alone touches the transport. Any thread may send.
// It also watches over the ranks: rank 0 listens to all, the others to rank 0, and every rank that has nothing to say
// says so once per second. A rank that is silent for too long is lost, and so is one whose process has ended on the
// same machine. (MPI itself may notice neither.)
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cluster/transport.hpp"
#include "host/cluster/messages.hpp"

namespace chainshot::host {

// Called from the thread of the post; they must not wait.
struct PostEvents {
  std::function<void(int from, const RankMessage& message)> received;
  std::function<void(int rank, const std::string& why)> lost;  // once
  std::function<void()> tick = [] {};                          // ten times per second
};

struct PostOptions {
  std::chrono::milliseconds silence = std::chrono::seconds(8);  // longest silence of a rank
  // Returns whether the process of a rank still exists, as far as this machine can tell.
  std::function<bool(int rank)> exists = [](int) { return true; };
};

// What the post has carried so far.
struct PostTraffic {
  std::uint64_t sent = 0, received = 0, bytes_sent = 0, bytes_received = 0;
  double busy_seconds = 0;  // of its thread, on the processor
};

class Post {
 public:
  using Open = std::function<std::unique_ptr<cluster::Transport>()>;

  // Joins the ranks; throws what `open` throws. Messages are carried once `start` is called.
  Post(const Open& open, PostEvents events, PostOptions options = {});
  // The ranks part by `leave` or `abandon`; without either, the transport is dropped.
  ~Post();
  Post(const Post&) = delete;
  Post& operator=(const Post&) = delete;

  void start() { ask(Task::kCarry); }
  int rank() const { return rank_; }
  int ranks() const { return ranks_; }
  // A message to this rank arrives like any other.
  void send(int to, RankMessage message);
  // Sends what waits to be sent and waits until all ranks leave.
  void leave();
  // Ends all ranks at once, this process included.
  [[noreturn]] void abandon(int exit_code);
  // From now on no rank counts as lost: they end one after the other.
  void expect_end() { expects_end_ = true; }
  PostTraffic traffic() const;

 private:
  using Clock = std::chrono::steady_clock;
  enum class Task { kWait, kCarry, kLeave, kAbandon, kDrop };

  void run(const Open& open);
  void carry();
  bool send_waiting();
  bool receive_arrived();
  void deliver(int from, const RankMessage& message);
  void watch(Clock::time_point now);
  void say_alive();
  void lose(int rank, const std::string& why);
  bool listens_to(int rank) const { return rank != rank_ && (rank_ == 0 || rank == 0); }
  void ask(Task task);

  const PostEvents events_;
  const PostOptions options_;
  int rank_ = 0, ranks_ = 1;
  std::unique_ptr<cluster::Transport> transport_;  // of the thread
  std::vector<Clock::time_point> heard_;           // by rank
  Clock::time_point last_turn_, next_tick_, next_alive_;
  bool has_lost_ = false;

  std::atomic<bool> expects_end_ = false;
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::deque<std::pair<int, RankMessage>> waiting_;
  Task task_ = Task::kWait;
  int exit_code_ = 0;
  bool is_open_ = false;
  std::exception_ptr error_;
  PostTraffic traffic_;

  std::thread thread_;  // last, because it uses the others
};

}  // namespace chainshot::host
