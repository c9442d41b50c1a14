#include "host/tree/moves/move_choice.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace chainshot::host {
namespace {

// The knowledge of all trees together about a move.
struct Tally {
  game::Cell cell;
  int points = 0;  // of the move itself
  double visits = 0;
  double sum = 0;
  int best = std::numeric_limits<int>::min();

  double worth(MoveChoice choice) const {
    switch (choice) {
      case MoveChoice::kAverage:
        return sum / visits;
      case MoveChoice::kVisits:
        return visits;
      case MoveChoice::kTopScore:
        return best;
      case MoveChoice::kTopScoreBelow:
        return best - points;
    }
    return 0;
  }
};

}  // namespace

std::optional<game::Cell> choose_move(std::span<const RootedTree* const> rooted_trees, std::size_t played,
                                      const game::Position& position, const game::Scoring& scoring, MoveChoice choice,
                                      std::optional<KnownLine> line) {
  std::vector<Tally> tallies;
  for (const game::Group& group : position.groups())
    tallies.push_back({.cell = group.cell, .points = scoring.group_points(group.size)});
  const auto count = [&](game::Cell cell, double visits, double average, int best) {
    const auto tally =
        std::find_if(tallies.begin(), tallies.end(), [&](const Tally& known) { return known.cell == cell; });
    if (tally == tallies.end() || visits == 0) return;
    tally->visits += visits;
    tally->sum += visits * average;
    tally->best = std::max(tally->best, best);
  };
  for (const RootedTree* rooted : rooted_trees) {
    const SearchTree& tree = *rooted->tree;
    if (rooted->way.size() > played) {
      count(rooted->way[played], static_cast<double>(tree.visits()), tree.average(), tree.best());
    } else {
      for (const RootMove& move : tree.root_moves())
        count(move.cell, static_cast<double>(move.visits), move.average, move.best);
    }
  }
  if (line) {
    const game::CellSet group = position.component(line->move);
    const auto of_line = std::find_if(tallies.begin(), tallies.end(), [&](const Tally& tally) {
      return (group[tally.cell.row] >> tally.cell.column & 1U) != 0;
    });
    if (of_line->visits == 0) count(of_line->cell, 1, line->score, line->score);
    of_line->best = std::max(of_line->best, line->score);
    std::rotate(tallies.begin(), of_line, of_line + 1);
  }
  std::erase_if(tallies, [](const Tally& tally) { return tally.visits == 0; });
  if (tallies.empty()) return std::nullopt;
  return std::max_element(tallies.begin(), tallies.end(),
                          [&](const Tally& a, const Tally& b) { return a.worth(choice) < b.worth(choice); })
      ->cell;
}

}  // namespace chainshot::host
