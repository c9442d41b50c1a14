// A stand-in for a device that anneals: chains of the CPU that all advance together, and a failure on request.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cpu/chain/cpu_chain_engine.hpp"
#include "game/chain_engine.hpp"

namespace chainshot::tests {

class ScriptedChainEngine final : public game::ChainEngine {
 public:
  ScriptedChainEngine(std::string name, int chains_at_once) {
    capabilities_.name = std::move(name);
    capabilities_.on_cpu = false;
    capabilities_.advances_together = true;
    capabilities_.chains_at_once = chains_at_once;
    capabilities_.evaluations_per_second = 1e5;
  }

  int fails_after = -1;           // calls of advance; never if negative
  std::vector<int> best_of_lost;  // the best scores of the chains before the call that failed
  int advances = 0;
  int room = 0;                            // for so many chains; 0: no limit
  std::vector<game::ChainLayout> layouts;  // of the sets that were made

  const game::ChainCapabilities& capabilities() const override { return capabilities_; }
  std::string objection(const game::Position& board, const game::Scoring&) const override {
    return board.columns() > 15 ? "the device anneals boards of up to 15 columns" : "";
  }
  int most_members(const game::Position&, int islands) const override { return room / islands; }
  std::unique_ptr<game::ChainSet> make_chains(const game::Position& board, const game::Scoring& scoring,
                                              const game::ChainLayout& layout) override {
    layouts.push_back(layout);
    return std::make_unique<Set>(*this, cpu_->make_chains(board, scoring, layout));
  }

 private:
  class Set final : public game::ChainSet {
   public:
    Set(ScriptedChainEngine& engine, std::unique_ptr<game::ChainSet> chains)
        : engine_(engine), chains_(std::move(chains)) {}

    void start(std::span<const game::ChainStart> starts, game::ChainObserver& observer) override {
      expect_alive();
      chains_->start(starts, observer);
    }
    bool exists(int chain) const override { return chains_->exists(chain); }
    int members() const override { return chains_->members(); }
    void keep(int members) override { chains_->keep(members); }
    void advance(const game::AcceptanceTable& table, std::uint64_t evaluations_each,
                 game::ChainObserver& observer) override {
      if (engine_.fails_after == engine_.advances++) {
        engine_.best_of_lost = chains_->best_scores();
        is_lost_ = true;
      }
      expect_alive();
      chains_->advance(table, evaluations_each, observer);
    }
    void resample(const game::AcceptanceTable& table, const game::ResampleTable& weights, int members,
                  std::uint64_t seed) override {
      expect_alive();
      chains_->resample(table, weights, members, seed);
    }
    std::uint64_t slice() const override { return chains_->slice(); }
    std::vector<int> fitness(const game::AcceptanceTable& table) const override {
      expect_alive();
      return chains_->fitness(table);
    }
    std::vector<int> best_scores() const override {
      expect_alive();
      return chains_->best_scores();
    }
    std::vector<game::Cell> best_moves(int chain) const override {
      expect_alive();
      return chains_->best_moves(chain);
    }
    game::ChainCounts counts() const override { return chains_->counts(); }

   private:
    void expect_alive() const {
      if (is_lost_) throw game::ChainsLost(engine_.capabilities_.name + " fails");
    }

    ScriptedChainEngine& engine_;
    std::unique_ptr<game::ChainSet> chains_;
    bool is_lost_ = false;
  };

  std::unique_ptr<game::ChainEngine> cpu_ = cpu::make_cpu_chain_engine({.threads = 1});
  game::ChainCapabilities capabilities_;
};

}  // namespace chainshot::tests
