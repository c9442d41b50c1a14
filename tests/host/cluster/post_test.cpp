#include "host/cluster/post.hpp"

#include <gtest/gtest.h>

#include <future>
#include <set>
#include <thread>

#include "tests/support/local_ranks.hpp"

namespace chainshot::host {
namespace {

using namespace std::chrono_literals;

constexpr auto kLong = 20s;  // no test waits so long unless it fails

// A rank that notes what it receives.
class Listener {
 public:
  Listener(tests::LocalRanks& all, int rank, PostOptions options = {})
      : post_([&all, rank] { return all.transport(rank); },
              {.received =
                   [this](int from, const RankMessage& message) {
                     const std::lock_guard lock(mutex_);
                     received_.emplace_back(from, message.value("number", -1));
                     changed_.notify_all();
                   },
               .lost =
                   [this](int rank_lost, const std::string& why) {
                     lost_.set_value({rank_lost, why});
                   }},
              std::move(options)) {
    post_.start();
  }

  Post& post() { return post_; }
  std::vector<std::pair<int, int>> wait_for(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, kLong, [&] { return received_.size() >= count; });
    return received_;
  }
  std::future<std::pair<int, std::string>> lost() { return lost_.get_future(); }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::pair<int, int>> received_;
  std::promise<std::pair<int, std::string>> lost_;
  Post post_;  // last, because its thread uses the others
};

TEST(Post, KeepsTheOrderOfMessages) {
  tests::LocalRanks ranks(2);
  Listener leader(ranks, 0), other(ranks, 1);
  for (int i = 0; i < 100; ++i)
    other.post().send(0, {{"kind", "test"}, {"number", i}});
  const auto received = leader.wait_for(100);
  ASSERT_EQ(received.size(), 100u);
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(received[static_cast<std::size_t>(i)], std::pair(1, i));
}

TEST(Post, DeliversMessagesToItself) {
  tests::LocalRanks ranks(1);
  Listener alone(ranks, 0);
  alone.post().send(0, {{"kind", "test"}, {"number", 7}});
  EXPECT_EQ(alone.wait_for(1), (std::vector{std::pair(0, 7)}));
}

TEST(Post, LosesARankThatFallsSilent) {
  tests::LocalRanks ranks(3);
  const PostOptions options{.silence = 5000ms};
  Listener leader(ranks, 0, options), first(ranks, 1, options), second(ranks, 2, options);
  auto lost = leader.lost();
  // A rank with nothing to say is not silent.
  EXPECT_EQ(lost.wait_for(6000ms), std::future_status::timeout);
  ranks.silence(2);
  ASSERT_EQ(lost.wait_for(kLong), std::future_status::ready);
  EXPECT_EQ(lost.get().first, 2);
}

TEST(Post, LosesARankWhoseProcessIsGone) {
  tests::LocalRanks ranks(2);
  std::atomic<bool> exists = true;
  Listener leader(ranks, 0, {.exists = [&](int) { return exists.load(); }});
  auto lost = leader.lost();
  exists = false;
  ASSERT_EQ(lost.wait_for(kLong), std::future_status::ready);
  EXPECT_EQ(lost.get(), std::pair(1, std::string("has ended unexpectedly")));
}

TEST(Post, LosesNoRankWhileTheRunEnds) {
  tests::LocalRanks ranks(2);
  Listener leader(ranks, 0, {.silence = 2000ms});
  leader.post().expect_end();
  EXPECT_EQ(leader.lost().wait_for(3000ms), std::future_status::timeout);
}

TEST(Post, PassesOnWhyTheRanksCannotBeJoined) {
  const auto refuse = []() -> std::unique_ptr<cluster::Transport> { throw std::runtime_error("no network"); };
  EXPECT_THROW(Post(refuse, {}), std::runtime_error);
}

}  // namespace
}  // namespace chainshot::host
