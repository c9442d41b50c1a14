// A chain engine that runs every chain twice, on devices and on the CPU, and throws std::runtime_error at the first
// difference.
#pragma once

#include <memory>

#include "game/chain_engine.hpp"

namespace chainshot::host {

class CheckChainEngine final : public game::ChainEngine {
 public:
  CheckChainEngine(std::unique_ptr<game::ChainEngine> devices, std::unique_ptr<game::ChainEngine> cpu);

  const game::ChainCapabilities& capabilities() const override { return capabilities_; }
  std::string objection(const game::Position& board, const game::Scoring& scoring) const override {
    return devices_->objection(board, scoring);
  }
  int most_members(const game::Position& board, int islands) const override {
    return devices_->most_members(board, islands);
  }
  std::unique_ptr<game::ChainSet> make_chains(const game::Position& board, const game::Scoring& scoring,
                                              const game::ChainLayout& layout) override;

 private:
  const std::unique_ptr<game::ChainEngine> devices_, cpu_;
  game::ChainCapabilities capabilities_;
};

}  // namespace chainshot::host
