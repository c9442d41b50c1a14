// The interface of every search: a task, a budget, a stop, and a status while it runs. A search offers its lines to the
// incumbent (incumbent.hpp), which all searches of a board share.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "game/position.hpp"
#include "game/scoring.hpp"
#include "host/search/search_clock.hpp"

namespace chainshot::host {

struct SearchTask {
  game::Position board;
  game::Scoring scoring = game::kStandardScoring;
  std::uint64_t seed = 0;
  std::vector<std::vector<game::Cell>> starts = {};  // known lines, best first, that a search may start from
};

struct ScoredLine {
  int score = std::numeric_limits<int>::min();  // less than any line's: no line yet
  std::vector<game::Cell> moves;
};

// Limits of a search; 0 means no limit. The first limit reached ends the search.
struct Budget {
  double seconds = 0;
  std::uint64_t playouts = 0;  // also limits the evaluations of a search that changes lines
  std::uint64_t nodes = 0;     // visited for the first time
  // Klein 2015, 5.2: listing the moves of a position costs one unit, a step down the tree 1/8.
  std::uint64_t resource_units = 0;

  bool is_counted() const { return playouts > 0 || nodes > 0 || resource_units > 0; }
};

// How reports write a figure.
enum class FigureStyle : std::uint8_t {
  kHidden,   // only the log and JSON have it
  kNumber,   // `depth 23`
  kCount,    // `412 k nodes`
  kPercent,  // `engine busy 97 %`; the value is a share
};

// How the figures of several searches become one.
enum class FigureTotal : std::uint8_t { kFirst, kSum, kLargest };

// A number that only some searches have. The log and JSON call it `name`.
struct Figure {
  std::string_view name;
  double value = 0;
  FigureStyle style = FigureStyle::kHidden;
  std::string_view label = {};
  std::string_view brief = {};  // a shorter label for narrow terminals; empty: the same label
  bool in_report = false;       // the final report shows it too
  FigureTotal total = FigureTotal::kFirst;
};

// Counters since the start of the search. A counter that a search does not have stays 0.
struct SearchStatus {
  std::uint64_t playouts = 0;
  std::uint64_t evaluations = 0;  // lines that were changed and scored
  std::uint64_t nodes_visited = 0;
  std::uint64_t resource_units = 0;
  bool proven = false;                   // no line scores more than the best one found
  std::optional<int> played_score = {};  // the score of the game, if the search plays one move by move
  std::vector<Figure> figures = {};      // in the order of the report

  // Returns 0 if the search has no such figure.
  double figure(std::string_view name) const {
    for (const Figure& figure : figures)
      if (figure.name == name) return figure.value;
    return 0;
  }
};

class Search {
 public:
  virtual ~Search() = default;

  // Returns when the budget is spent, the best score is proven, or a stop is requested. The search plans by the clock;
  // the caller requests a stop when it has run down. Lines go to the incumbent the search was made with. Throws
  // std::runtime_error with one sentence if an engine fails.
  virtual void run(const SearchClock& clock, std::stop_token stop) = 0;
  // Called from any thread some time after a stop was requested, and again until `run` returns: the search should not
  // wait for work under way.
  virtual void cancel_pending() {}
  // May be called from any thread while the search runs.
  virtual SearchStatus status() const = 0;
  // Returns lines worth starting from again, besides the incumbent's. Called after `run` has returned.
  virtual std::vector<ScoredLine> elites() const { return {}; }
};

struct NamedSearch {
  std::string name;   // in the log, and as the source of its lines
  std::string title;  // for people
  std::unique_ptr<Search> search;
};

}  // namespace chainshot::host
