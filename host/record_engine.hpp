// An engine that keeps a log of its batches, one JSON object a line:
//
//   {"version":1,"event":"open","engine":...,"lanes":...,"recommended_batch":...}
//   {"event":"submit","ticket":...,"order":...,"at_us":...,"requests":...,"playouts":...,"in_flight":...}
//   {"event":"complete","ticket":...,"order":...,"at_us":...,"latency_us":...,"in_flight":...,"best":...,"error":...}
//
// `order` counts submissions and completions from 0, each for itself; `in_flight` is what is under way after the event.
// A batch is complete when a poll or a wait first sees it so. `best` is left out
// where nothing was played. A log that cannot be written never disturbs the engine.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <unordered_map>

#include "game/engine.hpp"

namespace chainshot::host {

class RecordEngine : public game::Engine {
 public:
  // The stream must outlive the engine.
  RecordEngine(std::unique_ptr<game::Engine> inner, std::ostream& log);

  const game::Capabilities& capabilities() const override { return inner_->capabilities(); }
  game::Ticket submit(game::Batch batch) override;
  bool poll(game::Ticket ticket) override;
  game::Outcome wait(game::Ticket ticket) override;
  game::Usage usage() const override { return inner_->usage(); }
  void cancel() override { inner_->cancel(); }

 private:
  struct Flight {
    std::int64_t submitted_us = 0;
    std::int64_t completed_us = -1;  // -1: nobody has seen it complete
  };

  std::int64_t now_us() const;
  void write(const nlohmann::ordered_json& line);

  std::unique_ptr<game::Engine> inner_;
  std::ostream& log_;
  std::chrono::steady_clock::time_point opened_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::unordered_map<game::Ticket, Flight> flights_;
  std::uint64_t submitted_ = 0;
  std::uint64_t completed_ = 0;
};

}  // namespace chainshot::host
