// The interface between playouts and everything that uses them: batches of positions go in, statistics and the number
// of the best playout come out. No moves are sent back; `play` replays the best playout from its key. All calls may
// come from any thread.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "game/policy.hpp"
#include "game/position.hpp"
#include "game/random.hpp"
#include "game/scoring.hpp"
#include "game/scoring_bounds.hpp"

namespace chainshot::game {

struct Request {
  Position position{};
  int points = 0;  // earned before this position
  Policy policy{};
  std::uint32_t playouts = 1;
  std::uint64_t key = 0;            // the request's part of every playout's key
  std::uint32_t first_playout = 0;  // playouts are numbered from here
};

// Bins of equal width; scores outside them count in the first or the last bin.
struct HistogramSpec {
  int low = 0;
  int width = 1;
  int bins = 0;  // 0: no histogram

  constexpr int bin_of(int score) const {
    const int bin = score < low ? 0 : (score - low) / width;
    return bin < bins ? bin : bins - 1;
  }
};

struct Batch {
  std::uint64_t seed = 0;
  Scoring scoring = kStandardScoring;
  HistogramSpec histogram{};
  std::vector<Request> requests{};
};

// Many squares of scores of large boards do not fit into 64 bits.
__extension__ typedef unsigned __int128 WideSum;

struct Result {
  std::uint64_t count = 0;
  std::int64_t sum = 0;
  WideSum sum_of_squares = 0;
  std::uint64_t moves = 0;  // lengths of all playouts
  int best = 0;
  int worst = 0;
  std::uint32_t best_playout = 0;  // the lowest number among equal scores
  std::uint64_t digest = 0;        // sum of playout_digest
  std::vector<std::uint64_t> histogram;

  void add(const PlayoutKey& key, int score, int length);
  void add(const Result& other);
  bool operator==(const Result&) const = default;
};

struct Outcome {
  std::vector<Result> results;  // one per request, in order; empty if the batch failed
  std::string error;            // empty, or one sentence
};

struct Capabilities {
  std::string name;
  bool on_cpu = true;
  int lanes = 1;                          // games played at once
  std::uint64_t recommended_batch = 1;    // playouts
  int batches_in_flight = 2;              // enough to keep it busy
  std::int64_t most_points = kMostScore;  // it plays requests whose games stay within this, see stays_within below
};

// Whether no game of the request can have more points than that at any time, counting those earned before; nor fewer
// than as many below 0.
inline bool stays_within(std::int64_t most, const Scoring& scoring, const Request& request) {
  return stays_within(most - std::abs(std::int64_t{request.points}), scoring, request.position);
}

// Counts the work of an engine since it was made.
struct Usage {
  std::uint64_t batches = 0;   // completed
  std::uint64_t playouts = 0;  // of those
  double busy_seconds = 0;     // spent computing, as the mean over its threads or devices
};

using Ticket = std::uint64_t;

inline constexpr const char* kCancelled = "the batch was cancelled";  // the error of such a batch

class Engine {
 public:
  virtual ~Engine() = default;

  virtual const Capabilities& capabilities() const = 0;
  virtual Ticket submit(Batch batch) = 0;
  // True once `wait` would not block.
  virtual bool poll(Ticket ticket) = 0;
  // Blocks until the batch is done and returns its outcome. Each ticket can be waited for once.
  virtual Outcome wait(Ticket ticket) = 0;
  virtual Usage usage() const = 0;
  // Ends all batches under way as soon as possible; a batch that was not played to its end gets the error kCancelled.
  // An engine whose batches are short may ignore the call.
  virtual void cancel() {}

  Outcome run(Batch batch) { return wait(submit(std::move(batch))); }
};

}  // namespace chainshot::game
