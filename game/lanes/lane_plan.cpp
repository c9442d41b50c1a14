#include "game/lanes/lane_plan.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "game/scoring_bounds.hpp"

namespace chainshot::lanes {
namespace {

constexpr std::size_t kRulesKept = 32;
constexpr std::int64_t kSmallLane = 1 << 16;  // values that a lane of the small geometry tells apart

static_assert(std::size(LaneProgram{}.points) == game::Polynomial::kMaxDegree + 1);

bool is_rules_of(const game::PlayoutRules& rules, const game::Request& request, const game::Scoring& scoring) {
  return rules.policy() == request.policy && rules.scoring() == scoring &&
         rules.full_cells() == request.policy.full_cells_of(request.position);
}

}  // namespace

int colors_of(const std::array<int, game::kMaxColors>& counts) {
  int colors = game::kMaxColors;
  while (colors > 0 && counts[static_cast<std::size_t>(colors - 1)] == 0)
    --colors;
  return colors;
}

void encode(const game::Position& position, int colors, int tabu, int planes, std::uint32_t* cells) {
  const int tabu_code = 1 << (planes - 1);
  const int other_code = tabu < 0 ? tabu_code : std::min(tabu, colors) + 1;
  const int flips = tabu_code ^ other_code;
  for (int r = 0, top = position.height(); r < top; ++r) {
    const auto& row = position.row(r);
    const auto of_code = [&](int code) {
      std::uint32_t found = ~0u;
      for (int p = 0; p < planes; ++p)
        found &= code >> p & 1 ? row.plane[p].bits : ~row.plane[p].bits;
      return found;
    };
    const std::uint32_t swapped = of_code(tabu_code) | of_code(other_code);
    for (int p = 0; p < planes; ++p)
      cells[r * planes + p] = row.plane[p].bits ^ (flips >> p & 1 ? swapped : 0u);
  }
}

int tabu_of(const game::Policy& policy, const std::array<int, game::kMaxColors>& counts) {
  if (!policy.has_tabu()) return -1;
  if (policy.tabu_color >= 0) return policy.tabu_color;
  return game::most_frequent(counts);
}

PreparedRequest prepare(const game::Batch& batch, const game::Request& request,
                        std::shared_ptr<const game::PlayoutRules> rules, bool wide_only, bool narrow_points) {
  const game::Position& position = request.position;
  const game::Policy& policy = request.policy;
  PreparedRequest prepared;
  prepared.in_lanes = policy.plays_in_lanes();
  prepared.color_counts = position.color_counts();
  const int colors = colors_of(prepared.color_counts);
  // A tabu colour that is not on the board takes a code too.
  const bool spare_code = policy.kind == game::PolicyKind::kTabuColorRandom && policy.tabu_color >= colors;
  const int codes = colors + (spare_code ? 1 : 0);
  LaneProgram& program = prepared.program;
  const game::PointRange earned = game::earned_range(batch.scoring, position);
  prepared.least_points = earned.least;
  program.wide = wide_only || !game::fits_small(position.columns(), position.rows(), codes) ||
                 (narrow_points && earned.width() >= kSmallLane);
  program.planes = codes <= 7 ? 3 : 4;
  program.rows = program.wide ? game::kMaxRows : position.rows() <= 15 ? 15 : 16;
  // Fields that do not matter keep their defaults: lanes go on from one request to the next while the program is equal.
  program.seed = batch.seed;
  program.draws_per_pick = policy.draws_per_pick();
  if (policy.kind == game::PolicyKind::kRoulette) {
    program.roulette = rules->roulette().data();
    program.colors = colors <= 5 ? 5 : colors <= 7 ? 7 : game::kMaxColors;
  }
  if (policy.has_tabu()) {
    program.tabu = true;
    program.epsilon = policy.epsilon;
    program.random_below = std::clamp(policy.random_below, 0, game::kMaxCells);
  }
  if (batch.scoring.scores_groups()) {
    program.degree = batch.scoring.points.degree();
    for (int power = 0; power <= program.degree; ++power)
      program.points[power] = batch.scoring.points.coefficient(power);
  }
  prepared.rules = std::move(rules);
  return prepared;
}

bool runs_before(const PreparedRequest& a, const PreparedRequest& b) {
  const auto rank = [](const PreparedRequest& r) {
    const LaneProgram& p = r.program;
    return std::tuple(r.in_lanes, p.wide, p.rows, p.planes, p.colors, p.tabu, p.epsilon, p.random_below, p.roulette);
  };
  return rank(a) < rank(b);
}

std::shared_ptr<const game::PlayoutRules> RulesCache::rules_for(const game::Request& request,
                                                                const game::Scoring& scoring) {
  {
    const std::lock_guard lock(mutex_);
    for (const auto& rules : rules_)
      if (is_rules_of(*rules, request, scoring)) return rules;
  }
  auto made = std::make_shared<const game::PlayoutRules>(request.policy, scoring, request.position);
  const std::lock_guard lock(mutex_);
  if (rules_.size() == kRulesKept) rules_.pop_back();
  return rules_.emplace_front(std::move(made));
}

}  // namespace chainshot::lanes
