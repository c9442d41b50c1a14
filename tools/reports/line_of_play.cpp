#include "tools/reports/line_of_play.hpp"

#include <stdexcept>

#include "game/reference.hpp"

namespace chainshot::tools {

LineOfPlay play_out(const SolvedBoard& solved, const game::Scoring& scoring) {
  const game::ReplayResult replayed = game::replay(solved.board.position, solved.solution.moves, scoring);
  if (!replayed.error.empty()) throw std::runtime_error("board " + solved.board.name + ": " + replayed.error);
  LineOfPlay line{{}, solved.board.position, replayed.score};
  int score = 0;
  for (game::Cell cell : solved.solution.moves) {
    Step step;
    step.before = line.last;
    step.removed = line.last.component(cell);
    step.cell = cell;
    step.color = line.last.color_at(cell.column, cell.row);
    step.size = line.last.apply(cell);
    step.points = scoring.group_points(step.size);
    step.score = score += step.points;
    line.steps.push_back(step);
  }
  return line;
}

}  // namespace chainshot::tools
