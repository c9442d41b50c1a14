// Depth-budgeted search (DBS), the first program for SameGame: Billings 2007, unpublished. Two sentences describe it.
// "The Banker's Algorithm assigns a certain budget to each child of the root node with which that node is allowed to
// explore the part of the tree below it. When the search reaches a depth where its budget has been spent, a greedy
// simulation can be performed" (Takes 2009, 4; Schadd 2012, 2.3).
//
//   search(position, budget in games):
//     if the position has more moves than the budget has games: return         the budget is spent at this depth
//     play a greedy game after each move, and rank the moves by its score
//     for each move, best first: search(position after it, a share of what is left)
//
// A move returns to the bank what it does not spend, for the moves after it. All else is our choice:
//
//   - The best move gets so much of what is left that every depth of the best line has the same budget
//     (budget_share.hpp). Equal shares for all moves spend it a few moves below the root, where greedy games say
//     little.
//   - The search is repeated with a budget that doubles from pass to pass. A table remembers the best game met below
//     each position (known_games.hpp): it costs nothing again, and ranks the moves better than the first game did.
//   - A position that the pass has reached with as many points is left out, and so is one whose upper bound does not
//     exceed the best score (Takes 2009, 4, suggests that).
//   - Greedy games keep the most frequent colour of the board for last, and play small groups first (game/greedy.hpp).
//
// A pass that no budget cut short has seen all lines that matter, so the best one is proven. There is no chance in it:
// the seed changes nothing. It runs on one thread. docs/lab/trials.md has what other choices scored.
#pragma once

#include <cstdint>
#include <memory>

#include "host/search/incumbent.hpp"
#include "host/search/search.hpp"

namespace chainshot::host {

struct DbsSettings {
  double moves_per_block = 0.28;  // how long a game is expected to be
  int first_budget = 1000;        // games of the first pass
  double budget_growth = 2;

  std::uint64_t memory_bytes = 0;  // of the table; 0: kDefaultDbsMemory
};

inline constexpr std::uint64_t kDefaultDbsMemory = std::uint64_t{256} << 20;

// The incumbent outlives the search.
std::unique_ptr<Search> make_dbs_search(const SearchTask& task, const DbsSettings& settings, const Budget& budget,
                                        Incumbent& incumbent);

}  // namespace chainshot::host
