#include "host/cluster/post.hpp"

#include <fmt/format.h>

#include <ctime>

namespace chainshot::host {
namespace {

using namespace std::chrono_literals;

// MPI offers nothing to wait for with a time limit, so this is how often the thread looks for messages. That takes
// 0.1 % of a core (docs/lab/cluster.md).
constexpr auto kPause = 40ms;
constexpr auto kTick = 100ms;
constexpr auto kAlive = 1s;
// If this thread itself did not run for so long, the machine was suspended or overloaded, and the silence of others
// means nothing.
constexpr auto kOwnSilence = 2s;

double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

Post::Post(const Open& open, PostEvents events, PostOptions options)
    : events_(std::move(events)), options_(std::move(options)) {
  thread_ = std::thread([this, &open] { run(open); });
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return is_open_ || error_; });
  if (!error_) return;
  lock.unlock();
  thread_.join();
  std::rethrow_exception(error_);
}

Post::~Post() {
  if (!thread_.joinable()) return;
  ask(Task::kDrop);
  thread_.join();
}

void Post::ask(Task task) {
  const std::lock_guard lock(mutex_);
  task_ = task;
  changed_.notify_all();
}

void Post::send(int to, RankMessage message) {
  const std::lock_guard lock(mutex_);
  waiting_.emplace_back(to, std::move(message));
  changed_.notify_all();
}

void Post::leave() {
  expect_end();
  ask(Task::kLeave);
  thread_.join();
}

void Post::abandon(int exit_code) {
  {
    const std::lock_guard lock(mutex_);
    exit_code_ = exit_code;
  }
  ask(Task::kAbandon);
  for (;;)
    thread_.join();  // never returns
}

PostTraffic Post::traffic() const {
  const std::lock_guard lock(mutex_);
  return traffic_;
}

void Post::run(const Open& open) {
  try {
    transport_ = open();
    rank_ = transport_->rank();
    ranks_ = transport_->ranks();
  } catch (...) {
    const std::lock_guard lock(mutex_);
    error_ = std::current_exception();
    changed_.notify_all();
    return;
  }
  {
    std::unique_lock lock(mutex_);
    is_open_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return task_ != Task::kWait; });
  }
  last_turn_ = next_tick_ = next_alive_ = Clock::now();
  heard_.assign(static_cast<std::size_t>(ranks_), last_turn_);
  carry();
}

// Goes on until it is asked for something else.
void Post::carry() {
  const double joined = thread_seconds();  // to start MPI takes longer than thousands of messages
  for (;;) {
    const bool has_sent = send_waiting(), has_received = receive_arrived();
    watch(Clock::now());
    std::unique_lock lock(mutex_);
    traffic_.busy_seconds = thread_seconds() - joined;
    if (!waiting_.empty() || ((has_sent || has_received) && task_ == Task::kCarry)) continue;
    if (task_ == Task::kAbandon) {
      const int exit_code = exit_code_;
      lock.unlock();
      transport_->abandon(exit_code);
    }
    if (task_ != Task::kCarry) {
      const bool leaves = task_ == Task::kLeave;
      lock.unlock();
      if (leaves) transport_->leave();
      transport_.reset();
      return;
    }
    changed_.wait_for(lock, kPause, [this] { return !waiting_.empty() || task_ != Task::kCarry; });
  }
}

bool Post::send_waiting() {
  std::deque<std::pair<int, RankMessage>> messages;
  {
    const std::lock_guard lock(mutex_);
    messages.swap(waiting_);
  }
  std::uint64_t count = 0, size = 0;
  for (const auto& [to, message] : messages) {
    if (to == rank_) {
      deliver(rank_, message);
      continue;
    }
    cluster::Bytes bytes = bytes_of(message);
    ++count;
    size += bytes.size();
    transport_->send(to, std::move(bytes));
  }
  const std::lock_guard lock(mutex_);
  traffic_.sent += count;
  traffic_.bytes_sent += size;
  return !messages.empty();
}

bool Post::receive_arrived() {
  constexpr int kMost = 1000;  // before it looks for other work
  int count = 0;
  for (; count < kMost; ++count) {
    const auto arrived = transport_->receive();
    if (!arrived) break;
    heard_[static_cast<std::size_t>(arrived->from)] = Clock::now();
    {
      const std::lock_guard lock(mutex_);
      ++traffic_.received;
      traffic_.bytes_received += arrived->bytes.size();
    }
    try {
      deliver(arrived->from, message_of(arrived->bytes));
    } catch (const std::exception& error) {
      lose(arrived->from, error.what());
    }
  }
  return count > 0;
}

void Post::deliver(int from, const RankMessage& message) {
  if (message.at("kind") != "alive") events_.received(from, message);
}

void Post::watch(Clock::time_point now) {
  if (now - last_turn_ > kOwnSilence) heard_.assign(heard_.size(), now);
  last_turn_ = now;
  if (now < next_tick_) return;
  next_tick_ = now + kTick;
  if (now >= next_alive_) {
    next_alive_ = now + kAlive;
    say_alive();
  }
  for (int rank = 0; rank < ranks_ && !has_lost_ && !expects_end_; ++rank) {
    if (!listens_to(rank)) continue;
    const auto silence = now - heard_[static_cast<std::size_t>(rank)];
    if (!options_.exists(rank))
      lose(rank, "has ended unexpectedly");
    else if (silence > options_.silence)
      lose(rank,
           fmt::format("has been silent for {} s", std::chrono::duration_cast<std::chrono::seconds>(silence).count()));
  }
  events_.tick();
}

void Post::say_alive() {
  const cluster::Bytes alive = bytes_of({{"kind", "alive"}});
  std::uint64_t count = 0;
  for (int rank = 0; rank < ranks_; ++rank)
    if (listens_to(rank)) {
      transport_->send(rank, alive);
      ++count;
    }
  const std::lock_guard lock(mutex_);
  traffic_.sent += count;
  traffic_.bytes_sent += count * alive.size();
}

void Post::lose(int rank, const std::string& why) {
  if (has_lost_ || expects_end_) return;
  has_lost_ = true;
  events_.lost(rank, why);
}

}  // namespace chainshot::host
