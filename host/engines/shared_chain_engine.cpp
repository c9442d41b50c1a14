#include "host/engines/shared_chain_engine.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <stdexcept>
#include <thread>
#include <utility>

namespace chainshot::host {
namespace {

// Passes on an observer, and stops all parts of a call once one of them has failed.
class PartObserver final : public game::ChainObserver {
 public:
  PartObserver(game::ChainObserver& observer, const std::atomic<bool>& failed) : observer_(observer), failed_(failed) {}

  bool stopped() override { return failed_ || observer_.stopped(); }
  void advanced(std::uint64_t evaluations) override { observer_.advanced(evaluations); }
  bool wants(int score) override { return observer_.wants(score); }
  void found(int score, std::span<const game::Cell> moves) override { observer_.found(score, moves); }

 private:
  game::ChainObserver& observer_;
  const std::atomic<bool>& failed_;
};

}  // namespace

// The islands of a set on several engines, in the order of their numbers. Every call goes to all of them at the same
// time.
class SharedChainSet final : public game::ChainSet {
 public:
  SharedChainSet(SharedChainEngine& engine, const game::Position& board, const game::Scoring& scoring,
                 const game::ChainLayout& layout)
      : engine_(engine), room_(layout.members) {
    for (const SharedChainEngine::Share& share : engine.shares(layout.islands))
      parts_.push_back({share, nullptr});
    on_all([&](Part& part) {
      part.chains = part.share.engine->make_chains(board, scoring,
                                                   {.islands = part.share.islands,
                                                    .members = layout.members,
                                                    .first_island = layout.first_island + part.share.first_island});
    });
  }

  void start(std::span<const game::ChainStart> starts, game::ChainObserver& observer) override {
    on_all([&](Part& part) {
      std::vector<game::ChainStart> own;
      for (game::ChainStart start : starts)
        if (holds(part, start.chain)) {
          start.chain -= part.share.first_island * room_;
          own.push_back(start);
        }
      PartObserver of_part(observer, failed_);
      part.chains->start(own, of_part);
    });
  }
  bool exists(int chain) const override {
    const Part& part = part_of(chain);
    return part.chains->exists(chain - part.share.first_island * room_);
  }
  int members() const override { return parts_.front().chains->members(); }
  void keep(int members) override {
    on_all([&](Part& part) { part.chains->keep(members); });
  }
  void advance(const game::AcceptanceTable& table, std::uint64_t evaluations_each,
               game::ChainObserver& observer) override {
    on_all([&](Part& part) {
      PartObserver of_part(observer, failed_);
      part.chains->advance(table, evaluations_each, of_part);
    });
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
    watched(part, [&] { moves = part.chains->best_moves(chain - part.share.first_island * room_); });
    return moves;
  }
  game::ChainCounts counts() const override {
    game::ChainCounts sum;
    for (const Part& part : parts_)
      sum += part.chains->counts();
    return sum;
  }
  double busy_seconds() const override {
    double sum = 0;
    for (const Part& part : parts_)
      sum += part.chains->busy_seconds();
    return sum / static_cast<double>(parts_.size());
  }

 private:
  struct Part {
    SharedChainEngine::Share share;
    std::unique_ptr<game::ChainSet> chains;
  };

  bool holds(const Part& part, int chain) const {
    return chain >= part.share.first_island * room_ && chain < (part.share.first_island + part.share.islands) * room_;
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
        failed_ = true;
      }
    };
    {
      std::vector<std::jthread> others;
      for (std::size_t i = 1; i < parts_.size(); ++i)
        others.emplace_back([&run, i] { run(i); });
      run(0);
    }
    rethrow(errors);
  }

  // An error that is not the loss of a device comes first: nothing else may go on.
  void rethrow(const std::vector<std::exception_ptr>& errors) const {
    std::vector<SharedChainEngine::Loss> losses;
    std::exception_ptr lost;
    for (std::size_t i = 0; i < errors.size(); ++i) {
      if (errors[i] == nullptr) continue;
      try {
        std::rethrow_exception(errors[i]);
      } catch (const game::ChainsLost& error) {
        losses.push_back({parts_[i].share.engine, error.what()});
        if (lost == nullptr) lost = errors[i];
      }
    }
    if (lost == nullptr) return;
    engine_.lose(losses);
    std::rethrow_exception(lost);
  }

  template <class Call>
  void watched(const Part& part, Call call) const {
    try {
      call();
    } catch (const game::ChainsLost& error) {
      engine_.lose({{part.share.engine, error.what()}});
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
  std::atomic<bool> failed_ = false;
};

ChainDevices::ChainDevices(std::vector<std::unique_ptr<game::ChainEngine>> devices)
    : devices_(std::move(devices)), is_lost_(devices_.size()) {}

std::vector<game::ChainEngine*> ChainDevices::healthy() const {
  const std::lock_guard lock(mutex_);
  std::vector<game::ChainEngine*> engines;
  for (std::size_t i = 0; i < devices_.size(); ++i)
    if (!is_lost_[i]) engines.push_back(devices_[i].get());
  return engines;
}

bool ChainDevices::leave_out(const game::ChainEngine* device) {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < devices_.size(); ++i)
    if (devices_[i].get() == device && !is_lost_[i]) return is_lost_[i] = true;
  return false;
}

void ChainDevices::set_in_use(std::string names) {
  const std::lock_guard lock(mutex_);
  in_use_ = std::move(names);
}

std::string ChainDevices::in_use() const {
  const std::lock_guard lock(mutex_);
  return in_use_;
}

SharedChainEngine::SharedChainEngine(std::shared_ptr<ChainDevices> devices, Factory make_last, EngineNotice notice)
    : devices_(std::move(devices)), make_last_(std::move(make_last)), notice_(std::move(notice)) {
  describe();
}

SharedChainEngine::~SharedChainEngine() = default;

std::vector<game::ChainEngine*> SharedChainEngine::engines() const {
  std::vector<game::ChainEngine*> engines = devices_->healthy();
  if (engines.empty() && last_ != nullptr) engines.push_back(last_.get());
  return engines;
}

std::vector<SharedChainEngine::Share> SharedChainEngine::shares(int islands) const {
  const std::vector<game::ChainEngine*> all = engines();
  double chains = 0, given = 0;
  for (const game::ChainEngine* engine : all)
    chains += engine->capabilities().chains_at_once;
  std::vector<Share> shares;
  int first = 0;
  for (game::ChainEngine* engine : all) {
    given += engine->capabilities().chains_at_once;
    const int end = engine == all.back() ? islands : static_cast<int>(islands * given / chains + 0.5);
    if (end > first) shares.push_back({engine, first, end - first});
    first = end;
  }
  return shares;
}

// Describes the engines that are left; the last one is made when no device is.
void SharedChainEngine::describe() {
  if (engines().empty()) {
    if (!make_last_) throw std::runtime_error("no CUDA device is left: all have failed");
    last_ = make_last_();
  }
  const std::vector<game::ChainEngine*> all = engines();
  capabilities_ = all.front()->capabilities();
  for (std::size_t i = 1; i < all.size(); ++i) {
    const game::ChainCapabilities& more = all[i]->capabilities();
    capabilities_.name += " and " + more.name;
    capabilities_.chains_at_once += more.chains_at_once;
    capabilities_.evaluations_per_second += more.evaluations_per_second;
  }
  devices_->set_in_use(capabilities_.name);
}

void SharedChainEngine::lose(const std::vector<Loss>& losses) {
  std::vector<std::string> sentences;
  for (const Loss& loss : losses)
    if (devices_->leave_out(loss.engine)) sentences.push_back(loss.sentence);
  if (sentences.empty()) return;
  if (engines().empty() && !make_last_) throw std::runtime_error(sentences.front());
  describe();
  for (const std::string& sentence : sentences)
    if (notice_) notice_(sentence + "; " + capabilities_.name + " goes on from its best lines");
}

std::string SharedChainEngine::objection(const game::Position& board, const game::Scoring& scoring) const {
  return engines().front()->objection(board, scoring);
}

int SharedChainEngine::most_members(const game::Position& board, int islands) const {
  int least = 0;
  for (const Share& share : shares(islands)) {
    const int most = share.engine->most_members(board, share.islands);
    if (most > 0 && (least == 0 || most < least)) least = most;
  }
  return least;
}

std::unique_ptr<game::ChainSet> SharedChainEngine::make_chains(const game::Position& board,
                                                               const game::Scoring& scoring,
                                                               const game::ChainLayout& layout) {
  return std::make_unique<SharedChainSet>(*this, board, scoring, layout);
}

}  // namespace chainshot::host
