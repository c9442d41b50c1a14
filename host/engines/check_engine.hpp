// An engine that checks another: it plays a share of the requests again on a witness, and turns a batch into an error
// if any result differs by a bit. Both engines work at the same time; the witness sees only its share.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "game/engine.hpp"

namespace chainshot::host {

class CheckEngine : public game::Engine {
 public:
  // Checks `share` of the requests, 0 to 1, drawn by a hash of their running number.
  CheckEngine(std::unique_ptr<game::Engine> checked, std::unique_ptr<game::Engine> witness, double share);

  const game::Capabilities& capabilities() const override { return capabilities_; }
  game::Ticket submit(game::Batch batch) override;
  bool poll(game::Ticket ticket) override;
  game::Outcome wait(game::Ticket ticket) override;
  game::Usage usage() const override { return checked_->usage(); }
  void cancel() override {
    checked_->cancel();
    witness_->cancel();
  }

  struct Counts {
    std::uint64_t requests = 0;  // submitted
    std::uint64_t checked = 0;   // compared with the witness's
    std::uint64_t mismatches = 0;
  };
  Counts counts() const;

 private:
  // The requests of a batch that the witness plays, and their places in the batch.
  struct Sample {
    bool empty() const { return places.empty(); }
    game::Ticket ticket = 0;
    std::string error;  // not empty: the witness did not take them, and there is no ticket
    std::vector<std::size_t> places;
    std::vector<std::uint64_t> keys;
  };

  bool is_drawn(std::uint64_t running_number) const;
  Sample draw(const game::Batch& batch, game::Batch& drawn);
  game::Outcome compare(game::Outcome outcome, const Sample& sample);

  std::unique_ptr<game::Engine> checked_;
  std::unique_ptr<game::Engine> witness_;
  double share_;
  game::Capabilities capabilities_;
  mutable std::mutex mutex_;
  Counts counts_;
  std::unordered_map<game::Ticket, Sample> samples_;
};

// Names the first field in which two results differ, with both values; empty if they are equal.
std::string difference(const game::Result& checked, const game::Result& witness);

}  // namespace chainshot::host
