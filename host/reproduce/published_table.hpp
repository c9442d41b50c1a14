// A published table, and how each of its rows is measured again. A row is measured by samples: the scores of
// searches on single boards, or what an analysis finds on a few boards. A sample is known by its number alone, so that
// a measurement can be broken off and go on.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "host/analysis/chessboards.hpp"
#include "host/search/search.hpp"
#include "host/search/setting.hpp"

namespace chainshot::host {

// How much work a measurement may take: minutes or about an hour for all tables together, or as much as was published.
enum class Extent : std::uint8_t { kMinutes, kHour, kFull };

// Boards that stand for the 250 boards of Schadd 2012, which are no longer public: `chainshot generate --seed 2012`.
inline constexpr std::uint64_t kRandomBoardSeed = 2012;
inline constexpr std::size_t kStandardBoards = 20;

// The score of a search. Sample i has board i of its set, the standard set over and over with other seeds.
struct SearchExperiment {
  std::string preset;
  std::vector<std::pair<std::string, SettingValue>> settings = {};  // that differ from the preset's
  Budget budget = {};
  bool on_standard_set = false;
  bool takes_played_game = false;  // the score of the game that was played move by move, not of the best line

  // Returns the command that runs it: `solve BOARDS --preset ...`.
  std::string command() const;
};

// The best of random games of a board of the standard set.
struct PlayoutExperiment {
  std::string policy;
  std::uint32_t playouts = 0;
};

// Figures of random games and of random boards of 15x15 with five colours; a sample is one board.
enum class BoardFigure : std::uint8_t { kGameLength, kBranching, kTreeComplexity, kPrunedTreeComplexity, kStateSpace };
struct FigureExperiment {
  BoardFigure figure = BoardFigure::kGameLength;
  std::uint64_t games = 100;  // random games of a board
};

// The percentage of boards with two colours that can be cleared: of all boards if they are few, else of 500 per sample.
struct SolvableExperiment {
  int rows = 1;
  int columns = 1;
};

// The percentage of boards of a claim about chessboards for which it holds; at most 4,096 boards.
struct ChessExperiment {
  NamedChessClaim claim;
  int size = 4;  // rows and columns
};

// A row that is listed and not measured.
struct NotMeasured {};

using Experiment = std::variant<NotMeasured, SearchExperiment, PlayoutExperiment, FigureExperiment, SolvableExperiment,
                                ChessExperiment>;

// Returns the experiment in words: the command that runs it, or what it computes; empty if there is nothing to measure.
std::string experiment_text(const Experiment& experiment);

// How many samples a row gets, and the share of its budget for each.
struct Effort {
  std::size_t samples = 1;
  double budget_share = 1;
};

struct PublishedRow {
  std::string name;  // unique in its table
  double published = 0;
  double published_error = 0;         // the standard error of the published figure; 0 if it is unknown or exact
  double rounding = 0;                // how far the published figure may be off because it was rounded
  std::string published_budget = {};  // as the paper names it: `10 million nodes`
  Experiment experiment = {};
  std::array<Effort, 3> effort = {};  // by extent
  bool has_less_in_full = false;      // even in full, our budget is less than the published one
  std::string remark = {};            // why the figures differ, as far as we know

  Effort effort_of(Extent extent) const { return effort[static_cast<std::size_t>(extent)]; }
};

enum class Total : std::uint8_t {
  kMean,          // over boards that stand for all boards; their scatter is the error
  kStandardMean,  // over the standard set; only the scatter of several searches of a board is an error
  kStandardSum,
};

struct PublishedTable {
  std::string name = {};    // on the command line
  std::string title = {};   // for people
  std::string source = {};  // paper and table
  Total total = Total::kMean;
  bool more_is_better = true;  // the figures are scores
  int decimals = 0;            // of the figures
  std::vector<PublishedRow> rows = {};
};

}  // namespace chainshot::host
