// Ranks in one process, as a stand-in for MPI: messages go through queues in memory. A rank can fall silent, as if its
// machine had lost its network.
#pragma once

#include <cstdlib>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "cluster/transport.hpp"

namespace chainshot::tests {

class LocalRanks {
 public:
  explicit LocalRanks(int ranks) : boxes_(static_cast<std::size_t>(ranks)) {}

  // The ranks outlive their transports.
  std::unique_ptr<cluster::Transport> transport(int rank) { return std::make_unique<LocalTransport>(*this, rank); }

  // From now on nothing that this rank sends arrives.
  void silence(int rank) {
    const std::lock_guard lock(mutex_);
    boxes_[static_cast<std::size_t>(rank)].is_silent = true;
  }

 private:
  struct Box {
    std::deque<cluster::Message> messages;
    bool is_silent = false;
  };

  class LocalTransport final : public cluster::Transport {
   public:
    LocalTransport(LocalRanks& all, int rank) : all_(all), rank_(rank) {}
    int rank() const override { return rank_; }
    int ranks() const override { return static_cast<int>(all_.boxes_.size()); }
    void send(int to, cluster::Bytes bytes) override {
      const std::lock_guard lock(all_.mutex_);
      if (all_.boxes_[static_cast<std::size_t>(rank_)].is_silent) return;
      all_.boxes_[static_cast<std::size_t>(to)].messages.push_back({rank_, std::move(bytes)});
    }
    std::optional<cluster::Message> receive() override {
      const std::lock_guard lock(all_.mutex_);
      std::deque<cluster::Message>& messages = all_.boxes_[static_cast<std::size_t>(rank_)].messages;
      if (messages.empty()) return std::nullopt;
      cluster::Message first = std::move(messages.front());
      messages.pop_front();
      return first;
    }
    void leave() override {}
    [[noreturn]] void abandon(int) override { std::abort(); }

   private:
    LocalRanks& all_;
    const int rank_;
  };

  std::mutex mutex_;
  std::vector<Box> boxes_;
};

}  // namespace chainshot::tests
