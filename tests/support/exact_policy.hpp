// Computes the exact probability of every first move under a policy, and of every final score by going through all
// games. The formulas follow the papers; nothing here draws random numbers or uses candidates.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "game/policy.hpp"
#include "game/reference.hpp"
#include "game/scoring.hpp"

namespace chainshot::tests {

using Groups = std::vector<std::vector<game::Cell>>;
using Chances = std::vector<long double>;  // one per group
using Wanted = std::vector<bool>;

inline int color_of(const game::ReferenceBoard& board, const std::vector<game::Cell>& group) {
  return board.color_at(group.front().column, group.front().row);
}

// Divides the probability among the wanted groups: equally, or by points, where n blocks weigh (n - 2)^2 + 1.
inline Chances shares(const Groups& groups, const Wanted& wanted, const game::Policy& policy) {
  Chances chances(groups.size());
  long double total = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const long double beyond_pair = groups[i].size() - 2.0L;
    if (wanted[i]) chances[i] = policy.by_points ? beyond_pair * beyond_pair + 1 : 1;
    total += chances[i];
  }
  for (long double& chance : chances)
    chance /= total;
  return chances;
}

inline bool any(const Wanted& wanted) {
  return std::find(wanted.begin(), wanted.end(), true) != wanted.end();
}

// Klein 2015, 2.4.2, prunes a vertical segment that has no block above it and one below it.
inline bool is_vertical_segment_on_top(const game::ReferenceBoard& board, const std::vector<game::Cell>& group) {
  int low = game::kMaxRows, high = -1;
  for (game::Cell c : group) {
    if (c.column != group.front().column) return false;
    low = std::min<int>(low, c.row);
    high = std::max<int>(high, c.row);
  }
  return low > 0 && board.color_at(group.front().column, high + 1) == game::kEmpty;
}

// Takes 2009, section 4: among the colours that have a group, P(c) is proportional to 1 - (f(c) - theta)^alpha / sum.
inline Chances roulette_chances(const game::ReferenceBoard& board, const Groups& groups, const Wanted& allowed,
                                const game::Policy& policy) {
  const std::vector<int> counts = board.color_counts();
  long double left = 0, sum = 0;
  for (int f : counts)
    left += f;
  const int full = policy.full_cells > 0 ? policy.full_cells : board.columns() * board.rows();
  const long double alpha = 1 + policy.beta / full * left;
  const auto power = [&](int f) {
    return f > policy.theta ? std::pow(f - static_cast<long double>(policy.theta), alpha) : 0.0L;
  };
  for (int f : counts)
    sum += power(f);
  std::vector<int> groups_of(game::kMaxColors);
  for (std::size_t i = 0; i < groups.size(); ++i)
    if (allowed[i]) ++groups_of[color_of(board, groups[i])];
  long double total = 0;
  const auto colors = std::count_if(groups_of.begin(), groups_of.end(), [](int n) { return n > 0; });
  const auto place = [&](int c) { return colors == 1 ? 1 : 1 - power(counts[c]) / sum; };
  for (int c = 0; c < game::kMaxColors; ++c)
    if (groups_of[c] > 0) total += place(c);
  Chances chances(groups.size());
  for (int c = 0; c < game::kMaxColors; ++c) {
    if (groups_of[c] == 0) continue;
    Wanted of_color = allowed;
    for (std::size_t i = 0; i < groups.size(); ++i)
      if (color_of(board, groups[i]) != c) of_color[i] = false;
    const Chances within = shares(groups, of_color, policy);
    for (std::size_t i = 0; i < groups.size(); ++i)
      chances[i] += place(c) / total * within[i];
  }
  return chances;
}

// Schadd 2012, 4.3: with probability epsilon the policy ignores the tabu; otherwise it plays the tabu colour only when
// no other colour has a group.
inline Chances tabu_chances(const game::ReferenceBoard& board, const Groups& groups, const Wanted& allowed,
                            const game::Policy& policy, int tabu) {
  Wanted others = allowed;
  for (std::size_t i = 0; i < groups.size(); ++i)
    if (color_of(board, groups[i]) == tabu) others[i] = false;
  Chances free = shares(groups, allowed, policy);
  int blocks = 0;
  for (int n : board.color_counts())
    blocks += n;
  if (!any(others) || blocks <= policy.random_below) return free;
  const long double epsilon = policy.epsilon / 0x1p32L;
  Chances chances = shares(groups, others, policy);
  for (std::size_t i = 0; i < groups.size(); ++i)
    chances[i] = (1 - epsilon) * chances[i] + epsilon * free[i];
  return chances;
}

// Returns the probability of every group to be the next move; `tabu` is the colour kept for last, or -1.
inline Chances move_chances(const game::ReferenceBoard& board, const Groups& groups, const game::Policy& policy,
                            int tabu) {
  Wanted allowed(groups.size(), true);
  if (policy.vs_pruning) {
    for (std::size_t i = 0; i < groups.size(); ++i)
      allowed[i] = !is_vertical_segment_on_top(board, groups[i]);
    if (!any(allowed)) allowed.assign(groups.size(), true);
  }
  if (policy.kind == game::PolicyKind::kRoulette) return roulette_chances(board, groups, allowed, policy);
  if (policy.kind == game::PolicyKind::kLargestFirst) {
    std::size_t largest = 0;
    for (std::size_t i = 0; i < groups.size(); ++i)
      if (allowed[i]) largest = std::max(largest, groups[i].size());
    for (std::size_t i = 0; i < groups.size(); ++i)
      allowed[i] = allowed[i] && groups[i].size() == largest;
  }
  return tabu_chances(board, groups, allowed, policy, tabu);
}

// Returns the colours that may be tabu in a playout, each with the same probability: one colour, or for TabuRandom
// every colour on the board. -1 stands for no tabu.
inline std::vector<int> tabu_colors(const game::ReferenceBoard& board, const game::Policy& policy) {
  const std::vector<int> counts = board.color_counts();
  if (policy.kind == game::PolicyKind::kTabuColorRandom)
    return {policy.tabu_color >= 0 ? policy.tabu_color
                                   : static_cast<int>(std::max_element(counts.begin(), counts.end()) - counts.begin())};
  std::vector<int> colors;
  for (int c = 0; c < game::kMaxColors; ++c)
    if (policy.kind == game::PolicyKind::kTabuRandom && counts[c] > 0) colors.push_back(c);
  return colors.empty() ? std::vector<int>{-1} : colors;
}

inline Chances first_move_chances(const game::ReferenceBoard& board, const Groups& groups, const game::Policy& policy) {
  Chances chances(groups.size());
  const std::vector<int> tabus = tabu_colors(board, policy);
  for (int tabu : tabus) {
    const Chances given = move_chances(board, groups, policy, tabu);
    for (std::size_t i = 0; i < groups.size(); ++i)
      chances[i] += given[i] / tabus.size();
  }
  return chances;
}

using ScoreChances = std::map<int, long double>;

inline void add_score_chances(const game::ReferenceBoard& board, const game::Policy& policy,
                              const game::Scoring& scoring, int tabu, int points, long double chance,
                              ScoreChances& out) {
  const Groups groups = board.groups();
  if (groups.empty()) {
    const std::vector<int> left = board.color_counts();
    out[points + scoring.final_points(left)] += chance;
    return;
  }
  const Chances chances = move_chances(board, groups, policy, tabu);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (chances[i] == 0) continue;
    game::ReferenceBoard next = board;
    const int size = next.apply(groups[i].front());
    add_score_chances(next, policy, scoring, tabu, points + scoring.group_points(size), chance * chances[i], out);
  }
}

inline ScoreChances score_chances(const game::ReferenceBoard& board, const game::Policy& policy,
                                  const game::Scoring& scoring) {
  ScoreChances out;
  const std::vector<int> tabus = tabu_colors(board, policy);
  for (int tabu : tabus)
    add_score_chances(board, policy, scoring, tabu, 0, 1.0L / tabus.size(), out);
  return out;
}

}  // namespace chainshot::tests
