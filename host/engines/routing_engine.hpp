// An engine that plays each request where it can be played: requests whose policy runs in lanes, and whose points
// it can count, go to one engine, all others to a second engine that plays every policy. A batch keeps one ticket and
// one outcome, with its results in the order of the requests. The second engine is made when the first such request
// arrives.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "game/engine.hpp"

namespace chainshot::host {

class RoutingEngine : public game::Engine {
 public:
  using Factory = std::function<std::unique_ptr<game::Engine>()>;

  // Where `make_scalar` throws, the batch fails with its sentence, and the next batch that needs it calls it again.
  RoutingEngine(std::unique_ptr<game::Engine> lanes, Factory make_scalar);

  const game::Capabilities& capabilities() const override { return lanes_->capabilities(); }
  game::Ticket submit(game::Batch batch) override;
  bool poll(game::Ticket ticket) override;
  game::Outcome wait(game::Ticket ticket) override;
  // Batches are counted once, playouts of both engines are added up, and the busier engine gives the busy time.
  game::Usage usage() const override;
  void cancel() override;

 private:
  // The requests of a batch that the scalar engine plays.
  struct ScalarPart {
    std::vector<std::size_t> places;  // in the batch
    game::Ticket ticket = 0;
    std::string error;  // not empty: the scalar engine did not take them, and there is no ticket
  };

  game::Batch take_scalar_requests(game::Batch& batch, ScalarPart& part) const;
  void send(game::Batch scalar, ScalarPart& part);
  game::Engine& scalar_engine();
  static void merge(game::Outcome& outcome, game::Outcome scalar, const std::vector<std::size_t>& places);

  const std::unique_ptr<game::Engine> lanes_;
  const Factory make_scalar_;
  mutable std::mutex mutex_;                            // guards what follows; not held while an engine is waited for
  std::unique_ptr<game::Engine> scalar_;                // stays what it is once it is there
  std::unordered_map<game::Ticket, ScalarPart> parts_;  // of batches that have one, by the ticket of the lane engine
};

}  // namespace chainshot::host
