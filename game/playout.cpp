#include "game/playout.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <span>

namespace chainshot::game {
namespace {

// The candidates that may be drawn now: at least one candidate for every eligible group.
CellSet drawable(const Position& position, const Links& links, std::uint32_t colors) {
  CellSet out{};
  for (int r = 0, top = position.height(); r < top; ++r) {
    const Scalar32 right{links.right[r]}, above{links.above[r]}, below{r > 0 ? links.above[r - 1] : 0u};
    std::uint32_t found = candidates(~shl<1>(right), ~right, ~below, ~above).bits;
    found &= occupied(position.row(r)).bits;
    for (std::uint32_t rest = found; rest != 0; rest &= rest - 1) {
      const int column = std::countr_zero(rest);
      if ((colors >> position.color_at(column, r) & 1u) == 0) found &= ~(1u << column);
    }
    out[r] = found;
  }
  return out;
}

struct Pick {
  Cell cell;
  CellSet later;  // candidates that come after it in the order of the draw
};

Pick pick_kth(const CellSet& from, int k) {
  Pick pick{};
  bool found = false;
  for (int i = 0; i < kMaxRows; ++i) {
    const int r = row_in_draw_order(i);
    std::uint32_t row = from[r];
    if (!found && k < std::popcount(row)) {
      for (; k > 0; --k)
        row &= row - 1;
      pick.cell = {static_cast<std::uint8_t>(std::countr_zero(row)), static_cast<std::uint8_t>(r)};
      pick.later[r] = row & (row - 1);
      found = true;
    } else if (found) {
      pick.later[r] = row;
    } else {
      k -= std::popcount(row);
    }
  }
  return pick;
}

bool overlap(const CellSet& a, const CellSet& b) {
  for (int r = 0; r < kMaxRows; ++r)
    if ((a[r] & b[r]) != 0) return true;
  return false;
}

// Draws a colour by roulette wheel among the `available` ones (a bit each). The weight of a colour is the sum of all
// colours' powers without its own, plus one unit of the fixed point, so that a lone colour can be drawn.
int roulette_color(const Position& position, const RouletteTable& table, std::uint32_t available,
                   std::uint32_t random) {
  const auto counts = position.color_counts();
  const int left = position.blocks();
  std::uint32_t sum = 1;
  for (int n : counts)
    sum += table.weight(left, n);
  std::uint32_t total = 0;
  for (int c = 0; c < kMaxColors; ++c)
    if (available >> c & 1u) total += sum - table.weight(left, counts[c]);
  std::uint32_t ball = scale_draw(random, total);
  for (int c = 0;; ++c) {
    if ((available >> c & 1u) == 0) continue;
    const std::uint32_t weight = sum - table.weight(left, counts[c]);
    if (ball < weight) return c;
    ball -= weight;
  }
}

// The colours (a bit each) that may be played, out of those that have a group.
std::uint32_t eligible_colors(const Position& position, const PlayoutRules& rules, int tabu, std::uint32_t available,
                              std::uint32_t second_word) {
  const Policy& policy = rules.policy();
  if (policy.kind == PolicyKind::kRoulette)
    return 1u << roulette_color(position, rules.roulette(), available, second_word);
  if (tabu < 0 || position.blocks() <= policy.random_below) return available;
  if (policy.epsilon != 0 && second_word < policy.epsilon) return available;
  const std::uint32_t others = available & ~(1u << tabu);
  return others != 0 ? others : available;
}

std::uint32_t colors_of(std::span<const Group> groups) {
  std::uint32_t colors = 0;
  for (const Group& g : groups)
    colors |= 1u << g.color;
  return colors;
}

// Plays the policies of lanes. They number candidates, not groups, and repeat a pick whose group holds a later
// candidate, which makes the draw uniform over groups. The second word of a rejected pick stays in force: only the
// choice within the eligible colours is repeated.
class CandidateDraw {
 public:
  CandidateDraw(const PlayoutRules& rules, const DrawSequence& draws, int tabu)
      : rules_(rules), draws_(draws), tabu_(tabu) {}

  bool next(const Position& position, CellSet& group, Cell& cell) {
    const Links links = position.links();
    const CellSet all = drawable(position, links, ~0u);
    std::uint32_t available = 0;
    for (int r = 0; r < kMaxRows; ++r)
      for (std::uint32_t rest = all[r]; rest != 0; rest &= rest - 1)
        available |= 1u << position.color_at(std::countr_zero(rest), r);
    if (available == 0) return false;
    std::uint32_t second_word = 0;
    for (bool rejected = false;; rejected = true) {
      const std::uint32_t first_word = draws_.next();
      if (rules_.policy().draws_per_pick() == 2) {
        const std::uint32_t word = draws_.next();
        if (!rejected) second_word = word;
      }
      const CellSet from = drawable(position, links, eligible_colors(position, rules_, tabu_, available, second_word));
      const Pick pick =
          pick_kth(from, static_cast<int>(scale_draw(first_word, static_cast<std::uint32_t>(count(from)))));
      group = position.component(pick.cell, links);
      cell = pick.cell;
      if (!overlap(group, pick.later)) return true;
    }
  }
  const DrawSequence& draws() const { return draws_; }

 private:
  const PlayoutRules& rules_;
  DrawSequence draws_;
  int tabu_;
};

// The group at floor(random * sum of weights / 2^32) of the line on which each group takes up its weight.
const Group& draw_by_points(std::span<const Group> groups, std::uint32_t random) {
  std::uint32_t total = 0;
  for (const Group& g : groups)
    total += draw_weight(g.size);
  std::uint32_t ball = scale_draw(random, total);
  const Group* g = groups.data();
  for (; ball >= draw_weight(g->size); ++g)
    ball -= draw_weight(g->size);
  return *g;
}

// Plays the policies that must see every group: they draw from a list, without rejections.
class GroupDraw {
 public:
  GroupDraw(const PlayoutRules& rules, const DrawSequence& draws, int tabu)
      : rules_(rules), draws_(draws), tabu_(tabu) {}

  bool next(const Position& position, CellSet& group, Cell& cell) {
    std::span<Group> groups(room_.data(), static_cast<std::size_t>(position.groups(room_)));
    if (groups.empty()) return false;
    const auto keep = [&](auto&& is_kept) {
      const auto end = std::remove_if(groups.begin(), groups.end(), std::not_fn(is_kept));
      groups = groups.first(static_cast<std::size_t>(end - groups.begin()));
    };
    const Policy& policy = rules_.policy();
    if (policy.vs_pruning) {
      const auto stays = [&](const Group& g) { return !is_pruned_segment(position, g); };
      if (std::any_of(groups.begin(), groups.end(), stays)) keep(stays);
    }
    const std::uint32_t first_word = draws_.next();
    const std::uint32_t second_word = policy.draws_per_pick() == 2 ? draws_.next() : 0;
    if (policy.kind == PolicyKind::kLargestFirst) {
      const auto smaller = [](const Group& a, const Group& b) { return a.size < b.size; };
      const int largest = std::max_element(groups.begin(), groups.end(), smaller)->size;
      keep([&](const Group& g) { return g.size == largest; });
    } else {
      const std::uint32_t colors = eligible_colors(position, rules_, tabu_, colors_of(groups), second_word);
      keep([&](const Group& g) { return (colors >> g.color & 1u) != 0; });
    }
    cell = policy.by_points ? draw_by_points(groups, first_word).cell
                            : groups[scale_draw(first_word, static_cast<std::uint32_t>(groups.size()))].cell;
    group = position.component(cell);
    return true;
  }
  const DrawSequence& draws() const { return draws_; }

 private:
  const PlayoutRules& rules_;
  DrawSequence draws_;
  int tabu_;
  GroupRoom room_;
};

template <class Draw>
Playout play_by(Draw draw, Position& position, const Scoring& scoring, int points, std::vector<Cell>* moves) {
  Playout out{.score = points};
  CellSet group;
  for (Cell cell; draw.next(position, group, cell); ++out.length) {
    out.score += scoring.group_points(count(group));
    position.remove(group);
    if (moves != nullptr) moves->push_back(cell);
  }
  out.score += position.final_points(scoring);
  return out;
}

template <class Draw>
std::optional<Cell> next_by(Draw draw, const Position& position, DrawSequence& draws) {
  CellSet group;
  Cell cell;
  if (!draw.next(position, group, cell)) return std::nullopt;
  draws = draw.draws();
  return cell;
}

}  // namespace

bool is_pruned_segment(const Position& position, const Group& group) {
  const int top = group.cell.row + group.size;
  for (int r = group.cell.row; r < top; ++r)
    if (r >= position.rows() || position.color_at(group.cell.column, r) != group.color) return false;
  return group.cell.row > 0 && (top == position.rows() || position.color_at(group.cell.column, top) == kEmpty);
}

int tabu_color(const Position& position, const Policy& policy, const PlayoutKey& key) {
  if (policy.kind == PolicyKind::kTabuColorRandom)
    return policy.tabu_color >= 0 ? policy.tabu_color : position.most_frequent_color();
  if (policy.kind != PolicyKind::kTabuRandom) return -1;
  const auto counts = position.color_counts();
  const auto present = std::count_if(counts.begin(), counts.end(), [](int n) { return n > 0; });
  int skip = static_cast<int>(scale_draw(random_block(key, kSetupBlock)[0], static_cast<std::uint32_t>(present)));
  for (int c = 0; c < kMaxColors; ++c)
    if (counts[c] > 0 && skip-- == 0) return c;
  return -1;
}

PlayoutRules::PlayoutRules(const Policy& policy, const Scoring& scoring, int full_cells)
    : policy_(policy),
      scoring_(scoring),
      full_cells_(full_cells),
      roulette_(policy.kind == PolicyKind::kRoulette ? full_cells : 0, policy.beta, policy.theta) {}

Playout play(Position position, const PlayoutRules& rules, const PlayoutKey& key, int points,
             std::vector<Cell>* moves) {
  const int tabu = tabu_color(position, rules.policy(), key);
  if (rules.policy().plays_in_lanes())
    return play_by(CandidateDraw(rules, DrawSequence(key), tabu), position, rules.scoring(), points, moves);
  return play_by(GroupDraw(rules, DrawSequence(key), tabu), position, rules.scoring(), points, moves);
}

PlayoutSteps::PlayoutSteps(const Position& position, const PlayoutRules& rules, const PlayoutKey& key)
    : rules_(&rules), draws_(key), tabu_(tabu_color(position, rules.policy(), key)) {}

std::optional<Cell> PlayoutSteps::next(const Position& position) {
  if (rules_->policy().plays_in_lanes()) return next_by(CandidateDraw(*rules_, draws_, tabu_), position, draws_);
  return next_by(GroupDraw(*rules_, draws_, tabu_), position, draws_);
}

}  // namespace chainshot::game
