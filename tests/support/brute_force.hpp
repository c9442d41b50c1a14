// Finds the best score of a small board by exhaustive search with the reference rules. It remembers the positions it
// has solved.
#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <unordered_map>

#include "game/reference.hpp"
#include "game/scoring.hpp"

namespace chainshot::tests {

class BruteForce {
 public:
  explicit BruteForce(const game::Scoring& scoring) : scoring_(scoring) {}

  int best(const game::ReferenceBoard& board) {
    std::string key;
    for (int c = 0; c < board.columns(); ++c)
      for (int r = 0; r < board.rows(); ++r)
        key += static_cast<char>('a' + board.color_at(c, r));
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    const auto groups = board.groups();
    int top = groups.empty() ? scoring_.final_points(board.color_counts()) : std::numeric_limits<int>::min();
    for (const auto& group : groups) {
      game::ReferenceBoard after = board;
      after.apply(group.front());
      top = std::max(top, scoring_.group_points(static_cast<int>(group.size())) + best(after));
    }
    known_.emplace(key, top);
    return top;
  }

 private:
  const game::Scoring scoring_;
  std::unordered_map<std::string, int> known_;
};

}  // namespace chainshot::tests
