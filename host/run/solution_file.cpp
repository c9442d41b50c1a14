#include "host/run/solution_file.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "host/files/output_file.hpp"
#include "host/files/shared_file.hpp"

namespace chainshot::host {
namespace {

using namespace std::chrono_literals;

// A program holds the lock for some milliseconds. One that is stopped or hangs must not stop the others.
constexpr auto kPatience = 10s;
constexpr auto kBriefPatience = 50ms;  // while the search goes on and the next attempt is near

std::string busy(const std::string& path) {
  return "cannot write " + path + ": another program holds its lock";
}

}  // namespace

void expect_solutions_fit(const std::string& path, const std::vector<game::NamedBoard>& boards,
                          const game::Scoring& scoring) {
  if (path.empty() || is_appended_to(path)) return;
  const std::string text = content_of(path);
  const SolutionCollection collection(text, path);
  for (const game::NamedBoard& board : boards)
    collection.expect_replays(board, scoring);
  if (!SharedFile::lock(path, kPatience)) throw std::runtime_error(busy(path));
}

SolutionFile::SolutionFile(std::string path, const game::Scoring& scoring, Notice notice)
    : path_(std::move(path)),
      scoring_(scoring),
      appends_(!path_.empty() && is_appended_to(path_)),
      notice_(std::move(notice)) {}

void SolutionFile::add(const game::NamedBoard& board, const BestLine& best) {
  kept_ = 0;
  if (path_.empty()) return;
  if (appends_) return report(try_write_file(path_, saved_line(board, scoring_, best.score, best.moves)));
  remember(board, best);
  try {
    report(merge(kPatience) ? "" : busy(path_));
  } catch (const std::runtime_error& error) {
    report(error.what());
  }
}

void SolutionFile::keep(const game::NamedBoard& board, const BestLine& best) {
  if (path_.empty() || appends_ || best.version == kept_ || Clock::now() < next_) return;
  remember(board, best);
  try {
    if (!merge(kBriefPatience)) return;
    report("");
  } catch (const std::runtime_error& error) {
    report(error.what());
  }
  kept_ = best.version;
  next_ = Clock::now() + 1s;
}

void SolutionFile::remember(const game::NamedBoard& board, const BestLine& best) {
  const auto known =
      std::find_if(lines_.begin(), lines_.end(), [&](const Line& line) { return line.board.name == board.name; });
  if (known == lines_.end())
    lines_.push_back({board, best});
  else if (best.score > known->best.score)
    known->best = best;
}

bool SolutionFile::merge(std::chrono::milliseconds patience) const {
  const std::optional<SharedFile> file = SharedFile::lock(path_, patience);
  if (!file) return false;
  const std::string text = content_of(path_);
  SolutionCollection collection(text, path_);
  bool is_better = false;
  for (const auto& [board, best] : lines_) {
    collection.expect_replays(board, scoring_);
    is_better |= collection.improve(board, scoring_, best.score, best.moves);
  }
  if (is_better) file->replace(collection.text());
  return true;
}

// A failed write to an appended file loses the text for good. Any other file is complete again after the next write, so
// its problem is forgotten then.
void SolutionFile::report(const std::string& problem) {
  if (!problem.empty() && problem_.empty() && notice_) notice_(problem + "; the search goes on");
  if (!appends_ || problem_.empty()) problem_ = problem;
}

}  // namespace chainshot::host
