// A chain engine that divides the islands of a population among devices. When one of them fails, the set it was part of
// is lost as a whole; the next set is divided among those that are left, and where the user allows it, the CPU takes
// over from the last.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "game/chain_engine.hpp"
#include "host/engines/fallback_engine.hpp"

namespace chainshot::host {

// The devices of a run, open from board to board, without those that have failed. Threads may share them.
class ChainDevices {
 public:
  explicit ChainDevices(std::vector<std::unique_ptr<game::ChainEngine>> devices);

  std::vector<game::ChainEngine*> healthy() const;
  // Returns false if the device was left out before.
  bool leave_out(const game::ChainEngine* device);

  // What the chains run on at the moment, for reports.
  void set_in_use(std::string names);
  std::string in_use() const;

 private:
  const std::vector<std::unique_ptr<game::ChainEngine>> devices_;
  mutable std::mutex mutex_;
  std::vector<bool> is_lost_;  // by device
  std::string in_use_;
};

class SharedChainEngine final : public game::ChainEngine {
 public:
  using Factory = std::function<std::unique_ptr<game::ChainEngine>()>;

  // `make_last` may be empty; then std::runtime_error is thrown when no device is left. The thread that uses the engine
  // calls `notice` for each device that fails.
  SharedChainEngine(std::shared_ptr<ChainDevices> devices, Factory make_last, EngineNotice notice);
  ~SharedChainEngine() override;

  const game::ChainCapabilities& capabilities() const override { return capabilities_; }
  std::string objection(const game::Position& board, const game::Scoring& scoring) const override;
  int most_members(const game::Position& board, int islands) const override;
  std::unique_ptr<game::ChainSet> make_chains(const game::Position& board, const game::Scoring& scoring,
                                              const game::ChainLayout& layout) override;

 private:
  friend class SharedChainSet;

  struct Share {
    game::ChainEngine* engine;
    int first_island, islands;
  };
  struct Loss {
    const game::ChainEngine* engine;
    std::string sentence;
  };

  std::vector<game::ChainEngine*> engines() const;
  // Divides islands among the engines by the chains that each advances at once.
  std::vector<Share> shares(int islands) const;
  // Leaves devices out from now on, and tells the user.
  void lose(const std::vector<Loss>& losses);
  void describe();

  const std::shared_ptr<ChainDevices> devices_;
  std::unique_ptr<game::ChainEngine> last_;
  const Factory make_last_;
  const EngineNotice notice_;
  game::ChainCapabilities capabilities_;
};

}  // namespace chainshot::host
