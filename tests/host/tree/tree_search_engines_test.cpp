// How a tree search deals with its engines: cancellation, errors, several engines, limits of what is in flight.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <stop_token>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "game/board_text.hpp"
#include "host/engines/engines.hpp"
#include "host/tree/tree_kind.hpp"
#include "host/tree/tree_search.hpp"
#include "tests/support/scripted_engine.hpp"
#include "tests/support/test_scale.hpp"
#include "tools/measure/delay_engine.hpp"

namespace chainshot::host {
namespace {

SearchTask standard_task() {
  return {.board = game::standard_boards().front().position, .seed = 1};
}

TreeSettings settings_of(std::string_view preset) {
  return tree_preset(preset);
}

// Searches the first standard board with one thread.
SearchStatus search(const TreeSettings& settings, const Budget& budget, const std::vector<game::Engine*>& engines) {
  const SearchTask task = standard_task();
  Incumbent incumbent(task);
  const auto searching = make_tree_search(task, settings, budget, engines, 1, incumbent);
  searching->run({}, {});
  return searching->status();
}

TEST(TreeSearchEngines, DoesNotWaitForLeavesWhenItIsToHurry) {
  const SearchTask task = standard_task();
  Incumbent incumbent(task);
  const auto engine = make_engine({.name = "cpu", .threads = 1});
  TreeSettings settings = settings_of("hgsts");
  settings.leaf_playouts = 100'000'000;  // hours
  const auto searching = make_tree_search(task, settings, {}, {engine.get()}, 1, incumbent);
  std::stop_source stop;
  std::atomic<bool> is_done = false;
  std::thread thread([&] {
    searching->run({}, stop.get_token());
    is_done = true;
  });
  while (searching->status().figure("in_flight") == 0)
    std::this_thread::yield();
  stop.request_stop();
  // A batch may be sent just after the first call.
  for (; !is_done; std::this_thread::sleep_for(std::chrono::milliseconds(5)))
    searching->cancel_pending();
  thread.join();
  EXPECT_EQ(searching->status().playouts, 0U);
}

TEST(TreeSearchEngines, SaysInOneSentenceWhyAnEngineFailed) {
  const SearchTask task = standard_task();
  tests::ScriptedEngine engine("scripted");
  engine.error = "the device is gone";
  engine.error_from = 1;
  Incumbent incumbent(task);
  const auto searching = make_tree_search(task, settings_of("uct"), {.playouts = 100}, {&engine}, 1, incumbent);
  try {
    searching->run({}, {});
    FAIL() << "no error";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "the device is gone");
  }
}

TEST(TreeSearchEngines, UsesEveryEngineByItsSpeed) {
  // Slow enough that the inner engine is always in time, even under sanitizers.
  DelayEngine fast(make_engine({.name = "cpu", .threads = 1}),
                   {.playouts_per_second = 4e4, .latency_us = 100, .recommended_batch = 512});
  DelayEngine slow(make_engine({.name = "cpu", .threads = 1}),
                   {.playouts_per_second = 1e4, .latency_us = 100, .recommended_batch = 128});
  TreeSettings settings = settings_of("uct");
  settings.leaf_playouts = 4;
  search(settings, {.playouts = 20000}, {&fast, &slow});
  EXPECT_GT(slow.report().playouts, 0U);
  EXPECT_GT(fast.report().playouts, slow.report().playouts);
}

// Counts the requests in flight.
class CountingEngine final : public game::Engine {
 public:
  const game::Capabilities& capabilities() const override { return inner_->capabilities(); }
  game::Ticket submit(game::Batch batch) override {
    const std::lock_guard lock(mutex_);
    const auto requests = batch.requests.size();
    in_flight_ += requests;
    most_ = std::max(most_, in_flight_);
    const game::Ticket ticket = inner_->submit(std::move(batch));
    requests_[ticket] = requests;
    return ticket;
  }
  bool poll(game::Ticket ticket) override { return inner_->poll(ticket); }
  game::Outcome wait(game::Ticket ticket) override {
    game::Outcome outcome = inner_->wait(ticket);
    const std::lock_guard lock(mutex_);
    in_flight_ -= requests_[ticket];
    return outcome;
  }
  game::Usage usage() const override { return inner_->usage(); }
  std::size_t most() const { return most_; }

 private:
  std::unique_ptr<game::Engine> inner_ = make_engine({.name = "cpu", .threads = 1});
  std::mutex mutex_;
  std::map<game::Ticket, std::size_t> requests_;
  std::size_t in_flight_ = 0, most_ = 0;
};

TEST(TreeSearchEngines, HasNoMoreWalksInFlightThanItMay) {
  const auto playouts = static_cast<std::uint64_t>(tests::scaled(4000));
  for (const int in_flight : {1, 7}) {
    CountingEngine engine;
    TreeSettings settings = settings_of("uct");
    settings.in_flight = in_flight;
    EXPECT_GE(search(settings, {.playouts = playouts}, {&engine}).playouts, playouts * 9 / 10);
    EXPECT_EQ(engine.most(), static_cast<std::size_t>(in_flight));
  }
  CountingEngine engine;
  search(settings_of("uct"), {.playouts = playouts}, {&engine});
  EXPECT_GT(engine.most(), 7U);
}

}  // namespace
}  // namespace chainshot::host
