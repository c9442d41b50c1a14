#include "host/engines/shared_chain_engine.hpp"

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <thread>
#include <utility>

namespace chainshot::host {

// The islands of a set on several engines, in the order of their numbers. Every call goes to all of them at the same
// time.
class SharedChainSet final : public game::ChainSet {
 public:
  SharedChainSet(SharedChainEngine& engine, const game::Position& board, const game::Scoring& scoring,
                 const game::ChainLayout& layout)
      : engine_(engine), room_(layout.members) {
    const std::vector<game::ChainEngine*> engines = engine.healthy();
    double rate = 0, given = 0;
    for (const game::ChainEngine* one : engines)
      rate += one->capabilities().chains_at_once;
    int first = 0;
    for (game::ChainEngine* one : engines) {
      given += one->capabilities().chains_at_once;
      const int end = one == engines.back() ? layout.islands : static_cast<int>(layout.islands * given / rate + 0.5);
      if (end == first) continue;
      parts_.push_back({one, first, end - first, nullptr});
      first = end;
    }
    on_all([&](Part& part) {
      part.chains = part.engine->make_chains(board, scoring,
                                             {.islands = part.islands,
                                              .members = layout.members,
                                              .first_island = layout.first_island + part.first_island});
    });
  }

  void start(std::span<const game::ChainStart> starts, game::ChainObserver& observer) override {
    on_all([&](Part& part) {
      std::vector<game::ChainStart> own;
      for (game::ChainStart start : starts)
        if (holds(part, start.chain)) {
          start.chain -= part.first_island * room_;
          own.push_back(start);
        }
      part.chains->start(own, observer);
    });
  }
  bool exists(int chain) const override {
    const Part& part = part_of(chain);
    return part.chains->exists(chain - part.first_island * room_);
  }
  int members() const override { return parts_.front().chains->members(); }
  void keep(int members) override {
    on_all([&](Part& part) { part.chains->keep(members); });
  }
  void advance(const game::AcceptanceTable& table, std::uint64_t evaluations_each,
               game::ChainObserver& observer) override {
    on_all([&](Part& part) { part.chains->advance(table, evaluations_each, observer); });
  }
  void resample(const game::AcceptanceTable& table, const game::ResampleTable& weights, int members,
                std::uint64_t seed) override {
    on_all([&](Part& part) { part.chains->resample(table, weights, members, seed); });
  }
  std::uint64_t slice() const override {
    std::uint64_t longest = 0;
    for (const Part& part : parts_)
      longest = std::max(longest, part.chains->slice());
    return longest;
  }
  std::vector<int> fitness(const game::AcceptanceTable& table) const override {
    return gathered([&](const game::ChainSet& chains) { return chains.fitness(table); });
  }
  std::vector<int> best_scores() const override {
    return gathered([](const game::ChainSet& chains) { return chains.best_scores(); });
  }
  std::vector<game::Cell> best_moves(int chain) const override {
    const Part& part = part_of(chain);
    std::vector<game::Cell> moves;
    watched(part, [&] { moves = part.chains->best_moves(chain - part.first_island * room_); });
    return moves;
  }
  game::ChainCounts counts() const override {
    game::ChainCounts sum;
    for (const Part& part : parts_)
      sum += part.chains->counts();
    return sum;
  }

 private:
  struct Part {
    game::ChainEngine* engine;
    int first_island, islands;
    std::unique_ptr<game::ChainSet> chains;
  };

  bool holds(const Part& part, int chain) const {
    return chain >= part.first_island * room_ && chain < (part.first_island + part.islands) * room_;
  }
  const Part& part_of(int chain) const {
    return *std::find_if(parts_.begin(), parts_.end(), [&](const Part& part) { return holds(part, chain); });
  }

  // Runs a call on every part, each but the first in a thread of its own. All devices that fail in it are left out, and
  // the first exception is rethrown.
  template <class Call>
  void on_all(Call call) {
    std::vector<std::exception_ptr> errors(parts_.size());
    const auto run = [&](std::size_t i) {
      try {
        call(parts_[i]);
      } catch (...) {
        errors[i] = std::current_exception();
      }
    };
    {
      std::vector<std::jthread> others;
      for (std::size_t i = 1; i < parts_.size(); ++i)
        others.emplace_back([&run, i] { run(i); });
      run(0);
    }
    std::exception_ptr first;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (errors[i] == nullptr) continue;
      try {
        watched(parts_[i], [&] { std::rethrow_exception(errors[i]); });
      } catch (...) {
        if (first == nullptr) first = std::current_exception();
      }
    }
    if (first != nullptr) std::rethrow_exception(first);
  }

  template <class Call>
  void watched(const Part& part, Call call) const {
    try {
      call();
    } catch (const game::ChainsLost& lost) {
      engine_.lose(part.engine, lost.what());
      throw;
    }
  }

  template <class Fetch>
  std::vector<int> gathered(Fetch fetch) const {
    std::vector<int> all;
    for (const Part& part : parts_)
      watched(part, [&] {
        const std::vector<int> own = fetch(*part.chains);
        all.insert(all.end(), own.begin(), own.end());
      });
    return all;
  }

  SharedChainEngine& engine_;
  const int room_;  // chains of an island
  std::vector<Part> parts_;
};

SharedChainEngine::SharedChainEngine(std::vector<std::unique_ptr<game::ChainEngine>> devices, Factory make_last,
                                     EngineNotice notice)
    : devices_(std::move(devices)),
      is_lost_(devices_.size()),
      make_last_(std::move(make_last)),
      notice_(std::move(notice)) {
  describe();
}

SharedChainEngine::~SharedChainEngine() = default;

std::vector<game::ChainEngine*> SharedChainEngine::healthy() const {
  std::vector<game::ChainEngine*> engines;
  for (std::size_t i = 0; i < devices_.size(); ++i)
    if (!is_lost_[i]) engines.push_back(devices_[i].get());
  if (engines.empty() && last_ != nullptr) engines.push_back(last_.get());
  return engines;
}

void SharedChainEngine::describe() {
  const std::vector<game::ChainEngine*> engines = healthy();
  capabilities_ = engines.front()->capabilities();
  for (std::size_t i = 1; i < engines.size(); ++i) {
    const game::ChainCapabilities& more = engines[i]->capabilities();
    capabilities_.name += " and " + more.name;
    capabilities_.chains_at_once += more.chains_at_once;
    capabilities_.evaluations_per_second += more.evaluations_per_second;
  }
}

void SharedChainEngine::lose(const game::ChainEngine* device, const std::string& sentence) {
  const auto found =
      std::find_if(devices_.begin(), devices_.end(), [&](const auto& one) { return one.get() == device; });
  if (found == devices_.end()) return;
  const auto place = static_cast<std::size_t>(found - devices_.begin());
  if (is_lost_[place]) return;
  is_lost_[place] = true;
  if (healthy().empty()) {
    if (!make_last_) throw std::runtime_error(sentence);
    last_ = make_last_();
  }
  describe();
  if (notice_) notice_(sentence + "; " + capabilities_.name + " goes on from its best lines");
}

std::string SharedChainEngine::objection(const game::Position& board, const game::Scoring& scoring) const {
  return healthy().front()->objection(board, scoring);
}

int SharedChainEngine::most_chains(const game::Position& board) const {
  int sum = 0;
  for (const game::ChainEngine* engine : healthy()) {
    const int most = engine->most_chains(board);
    if (most == 0) return 0;
    sum += most;
  }
  return sum;
}

std::unique_ptr<game::ChainSet> SharedChainEngine::make_chains(const game::Position& board,
                                                               const game::Scoring& scoring,
                                                               const game::ChainLayout& layout) {
  return std::make_unique<SharedChainSet>(*this, board, scoring, layout);
}

}  // namespace chainshot::host
