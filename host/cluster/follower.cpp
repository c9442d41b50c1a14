#include "host/cluster/follower.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "machine/allowance.hpp"

namespace chainshot::host {
namespace {

// The threads of one of the slots that divide the threads of a rank; at least one.
int threads_of_slot(int threads, const PlanSlot& slot) {
  const auto until = [&](int i) { return threads * i / slot.count; };
  return std::max(1, until(slot.number + 1) - until(slot.number));
}

}  // namespace

void Follower::received(const RankMessage& message) {
  const auto number = message.at("turn").get<std::uint64_t>();
  const std::string kind = message.at("kind");
  const std::lock_guard lock(mutex_);
  if (kind != "turn") {
    const auto turn = turns_.find(number);
    if (turn == turns_.end()) return;  // it has ended
    if (kind == "stop")
      turn->second->request_stop();
    else
      turn->second->received(message);
    return;
  }
  std::erase_if(turns_, [](const auto& entry) { return entry.second->is_over(); });
  TurnOrder order{.turn = number,
                  .task = task_of(message.at("task")),
                  .shares = {},
                  .ranks = message.at("ranks"),
                  .is_live = message.at("live"),
                  .shares_best = message.at("share_best")};
  for (const RankMessage& share : message.at("shares"))
    order.shares.push_back(share_of(share));
  turns_[number] =
      std::make_unique<RankTurn>(std::move(order), post_, [this, plan = message.at("plan")] { return prepare(plan); });
}

RankTurn::Maker Follower::prepare(const RankMessage& plan) {
  Slot& slot = slot_for(plan);
  return [&slot](const SearchTask& task, const Budget& budget, Incumbent& incumbent, Neighbours* neighbours) {
    Resources resources = slot.resources->resources();
    resources.budget = budget;
    resources.neighbours = neighbours;
    return slot.plan.kind->make(task, slot.plan.settings, resources, incumbent);
  };
}

// Turns of the same slot follow one another, so nobody else uses what is replaced.
Follower::Slot& Follower::slot_for(const RankMessage& plan) {
  const std::lock_guard lock(slots_mutex_);
  std::string text = plan.dump();
  RunPlan opened = plan_of(plan);
  Slot& slot = slots_[opened.slot.number];
  if (slot.plan_text == text) return slot;
  slot.resources.reset();
  slot.plan_text.clear();
  const int threads = opened.slot.threads_asked > 0 ? opened.slot.threads_asked : machine::usable_processors();
  opened.choice.threads = threads_of_slot(threads, opened.slot);
  slot.plan = std::move(opened);
  const auto notice = [this](const std::string& sentence) { post_.send(0, {{"kind", "note"}, {"text", sentence}}); };
  slot.resources = std::make_unique<RunResources>(slot.plan, notice);
  slot.plan_text = std::move(text);
  return slot;
}

void Follower::stop_turns() {
  const std::lock_guard lock(mutex_);
  for (const auto& [number, turn] : turns_)
    turn->request_stop();
}

void Follower::end() {
  stop_turns();
  std::map<std::uint64_t, std::unique_ptr<RankTurn>> turns;
  {
    const std::lock_guard lock(mutex_);
    turns.swap(turns_);
  }
}

}  // namespace chainshot::host
