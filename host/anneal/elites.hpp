// The lines that rounds of annealing go on from: starts that were given, and the best lines of the islands of earlier
// rounds. Searches that run side by side may share them. All lines in a list are kept apart by a distance, so that the
// list does not fill up with variations of one line.
#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

#include "game/chain.hpp"
#include "game/position.hpp"
#include "host/anneal/population.hpp"
#include "host/search/line_distance.hpp"
#include "host/search/neighbours.hpp"
#include "host/search/search.hpp"

namespace chainshot::host {

// Where the elites of other processes come from and where those of this one go.
struct ElitePaths {
  Neighbours* neighbours = nullptr;  // null: there is no other process
  bool is_ring = true;               // to the next process; else to any
};

class Elites {
 public:
  // The smallest distance between two lines of a list. Most variations of one line are closer, and hardly any lines
  // that were found independently (docs/lab/annealing.md).
  static constexpr double kApart = 0.3;

  // Begins with the starts of the task, which must be legal.
  explicit Elites(const SearchTask& task, const ElitePaths& paths = {});

  // For a round that has cooled. Takes what other processes have sent, without waiting for more. Keeps the best line of
  // each island, before any of them descends from another round. Then up to a quarter of the members of each island
  // give their places to `best`, the best line of all, and to the lines that were kept before, which take turns.
  void exchange(Population& population, const std::vector<game::Cell>& best, const game::AcceptanceTable& table);
  // For a round that has ended. Its best line is among those found, but later rounds meet it only as the best of all.
  void finish_round(const Population& population);
  // Lines of a round that was lost with its device, for later rounds.
  void rescue(const std::vector<ScoredLine>& lines);

  // Copies: the lines for later rounds, and those that the rounds found, without the starts; the best first.
  std::vector<ScoredLine> lines() const;
  std::vector<ScoredLine> found() const;

 private:
  static constexpr std::size_t kMost = 16;
  static constexpr std::size_t kMigrants = 4;  // that go to another process at a time

  void send(const std::vector<ScoredLine>& own);
  void keep(std::vector<ScoredLine>& lines, const std::vector<ScoredLine>& more) const;

  const game::Position board_;
  const ElitePaths paths_;
  mutable std::mutex mutex_;       // guards what follows
  std::vector<ScoredLine> lines_;  // for later rounds
  std::vector<ScoredLine> found_;
  std::size_t next_ = 0;    // to be admitted
  std::uint64_t sent_ = 0;  // times that lines were sent
};

// The best lines of the best islands of a population, the best first; no more than `most`.
std::vector<ScoredLine> best_lines_of(const Population& population, std::size_t most);

}  // namespace chainshot::host
