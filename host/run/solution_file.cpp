#include "host/run/solution_file.hpp"

#include <utility>

#include "game/solution_text.hpp"
#include "host/files/output_file.hpp"

namespace chainshot::host {

std::string saved_line(const game::NamedBoard& board, const game::Scoring& scoring, int score,
                       const std::vector<game::Cell>& moves) {
  return to_text(game::Solution{.board = board.name, .scoring = scoring, .score = score, .moves = moves},
                 game::Notation::kColumnRow, board.position.rows());
}

SolutionFile::SolutionFile(std::string path, const game::Scoring& scoring, Notice notice)
    : path_(std::move(path)),
      scoring_(scoring),
      appends_(!path_.empty() && is_appended_to(path_)),
      notice_(std::move(notice)) {}

void SolutionFile::add(const game::NamedBoard& board, const BestLine& best) {
  const std::string text = saved_line(board, scoring_, best.score, best.moves);
  done_ += text;
  kept_ = 0;
  save(appends_ ? text : done_);
}

void SolutionFile::keep(const game::NamedBoard& board, const BestLine& best) {
  if (path_.empty() || appends_ || best.version == kept_ || Clock::now() < next_) return;
  save(done_ + saved_line(board, scoring_, best.score, best.moves));
  kept_ = best.version;
  next_ = Clock::now() + std::chrono::seconds(1);
}

// A failed write to an appended file loses the text for good. Any other file is complete again after the next write, so
// its problem is forgotten then.
void SolutionFile::save(const std::string& text) {
  const std::string problem = try_write_file(path_, text);
  if (!problem.empty() && problem_.empty() && notice_) notice_(problem + "; the search goes on");
  if (!appends_ || problem_.empty()) problem_ = problem;
}

}  // namespace chainshot::host
