// A chain engine that divides the islands of a population among devices. When one of them fails, the set it was part of
// is lost as a whole; the next set is divided among those that are left, and where the user allows it, the CPU takes
// over from the last.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "game/chain_engine.hpp"
#include "host/engines/fallback_engine.hpp"

namespace chainshot::host {

class SharedChainEngine final : public game::ChainEngine {
 public:
  using Factory = std::function<std::unique_ptr<game::ChainEngine>()>;

  // `make_last` may be empty; then the failure of the last device is thrown as std::runtime_error. The thread that made
  // the set calls `notice`, once for each device that fails.
  SharedChainEngine(std::vector<std::unique_ptr<game::ChainEngine>> devices, Factory make_last, EngineNotice notice);
  ~SharedChainEngine() override;

  const game::ChainCapabilities& capabilities() const override { return capabilities_; }
  std::string objection(const game::Position& board, const game::Scoring& scoring) const override;
  int most_chains(const game::Position& board) const override;
  std::unique_ptr<game::ChainSet> make_chains(const game::Position& board, const game::Scoring& scoring,
                                              const game::ChainLayout& layout) override;

 private:
  friend class SharedChainSet;

  std::vector<game::ChainEngine*> healthy() const;
  // Leaves a device out from now on, and tells the user.
  void lose(const game::ChainEngine* device, const std::string& sentence);
  void describe();

  std::vector<std::unique_ptr<game::ChainEngine>> devices_;
  std::vector<bool> is_lost_;  // by device
  std::unique_ptr<game::ChainEngine> last_;
  const Factory make_last_;
  const EngineNotice notice_;
  game::ChainCapabilities capabilities_;
};

}  // namespace chainshot::host
