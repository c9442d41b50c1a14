#include "host/beam/beam_pass.hpp"

#include <algorithm>
#include <utility>

namespace chainshot::host {
namespace {

// Plays the largest group of any colour but the target while there is one, then the target's.
int finish_game(game::Position& position, const game::BeamTables& tables, std::vector<game::Cell>& moves) {
  int points = 0;
  for (auto groups = position.groups(); !groups.empty(); groups = position.groups()) {
    const auto rank = [&](const game::Group& g) { return std::pair(g.color != tables.target, g.size); };
    const auto best =
        std::max_element(groups.begin(), groups.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
    moves.push_back(best->cell);
    points += tables.scoring.group_points(position.apply(best->cell));
  }
  return points + position.final_points(tables.scoring);
}

}  // namespace

PassResult BeamPass::run(const PassRequest& request, const Progress& progress) {
  open_seeds(request);
  history_.clear();
  PassResult result;
  game::BeamFinish best;
  int width = request.width;
  while (const int blocks = step_.open_blocks()) {
    game::BeamLimit limit = request.limit;
    limit.width = width;
    limit.states = std::min(limit.states - result.states, game::kMostBeamStates - history_.size());
    limit.children -= result.children;
    const game::BeamExpansion bucket = step_.expand(limit);
    last_bucket_ = history_.size();
    history_.insert(history_.end(), bucket.selected.begin(), bucket.selected.end());
    result.states += bucket.expanded;
    result.children += bucket.children;
    result.complete = bucket.complete;
    if (bucket.best.score > best.score) {
      best = bucket.best;
      result.score = best.score;
      result.moves = line_to(request, best.parent);
      result.moves.push_back(best.move);
    }
    if (progress) width = progress(blocks, result);
    if (!bucket.complete) break;
  }
  result.width = step_.width();
  result.peak_memory = step_.peak_memory();
  if (!result.complete) finish_greedily(request, result);
  return result;
}

void BeamPass::open_seeds(const PassRequest& request) {
  game::BeamPlan plan{.tables = request.tables, .width = request.width, .memory_bytes = request.memory_bytes};
  game::BeamSeed seed{request.root, request.points};
  plan.seeds.push_back(seed);
  for (const game::Cell move : request.line) {
    seed.points += request.tables.scoring.group_points(seed.position.apply(move));
    plan.seeds.push_back(seed);
  }
  step_.begin(plan);
}

std::vector<game::Cell> BeamPass::line_to(const PassRequest& request, std::uint32_t state) const {
  std::vector<game::Cell> moves;
  while (history_[state].parent < game::kBeamSeed) {
    moves.push_back(history_[state].move);
    state = history_[state].parent;
  }
  const auto seed = static_cast<std::ptrdiff_t>(history_[state].parent - game::kBeamSeed);
  std::vector<game::Cell> line(request.line.begin(), request.line.begin() + seed);
  line.insert(line.end(), moves.rbegin(), moves.rend());
  return line;
}

void BeamPass::finish_greedily(const PassRequest& request, PassResult& result) const {
  std::vector<game::Cell> moves;
  if (last_bucket_ < history_.size()) moves = line_to(request, static_cast<std::uint32_t>(last_bucket_));
  game::Position position = request.root;
  int points = request.points;
  for (const game::Cell move : moves)
    points += request.tables.scoring.group_points(position.apply(move));
  points += finish_game(position, request.tables, moves);
  if (points <= result.score) return;
  result.score = points;
  result.moves = std::move(moves);
}

}  // namespace chainshot::host
