// Population annealing on lines whose moves are named by blocks (Hukushima and Iba 2003): many chains of small changes
// to a line, cooled together; after each step of temperature the better lines are copied over the worse. For a budget
// of evaluations the result depends on the seed alone, and with `deterministic` or a number of islands not on what runs
// the chains either.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "game/chain_engine.hpp"
#include "host/anneal/elites.hpp"
#include "host/search/incumbent.hpp"
#include "host/search/search.hpp"

namespace chainshot::host {

// To which other process annealing passes its elites.
enum class Migration : std::uint8_t { kRing, kRandom, kNone };

struct AnnealSettings {
  int islands = 0;       // populations side by side; 0: one, or as many as fill a device
  int members = 0;       // of an island at the start; 0: chosen from the budget
  int last_members = 0;  // at the end; 0: 4, or on a device as many as at the start
  double hot = 0;        // temperatures, in points; 0: those that suit the scoring
  double cold = 0;
  int steps = 60;          // of temperature, geometric
  double soft_start = 10;  // blocks left over which the bonus for a cleared board is spread, at the start and the end
  double soft_end = 2;
  bool deterministic = false;      // islands and members do not depend on what runs the chains
  std::uint64_t memory_bytes = 0;  // cap of all chains together in the memory of the machine; 0: 1 GiB
  Migration migration = Migration::kRing;
  std::uint64_t longest_round = 0;  // evaluations; longer budgets are divided into equal rounds; 0: by the budget
};

struct Temperatures {
  double hot, cold;
  double elite;  // above it a line of an earlier round would melt
};

// Found by trials, for scorings by groups and for scorings where each block that is left costs one point.
inline constexpr Temperatures kOfPoints{40, 12, 20}, kOfBlocks{2, 0.3, 0.8};

// Under a scoring by formula those that were not given are scaled to its points for the largest colour of a board.
Temperatures temperatures_for(const AnnealSettings& settings, const game::Scoring& scoring, int largest_color = 45);
int largest_color_of(const game::Position& board);

// The colours that members keep for last: the two most frequent, and all that tie with the second.
std::vector<int> annealing_tabu_colors(const game::Position& board);

// `engine` and `incumbent` outlive the search. Lines of other searches that appear in the incumbent become members. The
// elites, which begin with the starts of the task, join every round when it has cooled; at first they would melt. Two
// searches that share them exchange lines; without any, the search has its own. `source` names the lines it finds.
struct AnnealParts {
  game::ChainEngine& engine;
  Incumbent& incumbent;
  std::shared_ptr<Elites> elites = nullptr;
  std::string_view source = "anneal";
};
std::unique_ptr<Search> make_annealing(const SearchTask& task, const AnnealSettings& settings, const Budget& budget,
                                       AnnealParts parts);

}  // namespace chainshot::host
