#include "host/tree/parallel/leaf_batch.hpp"

#include <algorithm>
#include <cassert>
#include <stdexcept>
#include <utility>

#include "host/dispatch/replay.hpp"

namespace chainshot::host {

void LeafBatch::begin(std::size_t walks, std::uint64_t most_playouts) {
  if (walks_.size() < walks) walks_.resize(walks);
  most_walks_ = walks;
  most_playouts_ = most_playouts;
  used_ = 0;
  leaves_.clear();
  plays_.clear();
  sent_.clear();
  results_.clear();
  request_of_.clear();
  batch_ = {.seed = terms_.seed, .scoring = terms_.scoring, .histogram = {}, .requests = {}};
  batch_.requests.reserve(walks);
  playouts_ = merged_ = 0;
}

std::span<Walk> LeafBatch::room(std::size_t most) {
  const std::size_t count = std::min(most, walks_.size() - used_);
  const std::span<Walk> walks(walks_.data() + used_, count);
  used_ += count;
  return walks;
}

std::uint64_t LeafBatch::add(Walk& walk, int tree_index, std::uint32_t playouts, bool look_ahead, std::uint64_t key) {
  const std::size_t first = plays_.size();
  if (!look_ahead || !ask_ahead(walk, playouts, key)) {
    ask(walk.position, walk.points, playouts, key,
        {.request = 0, .points = walk.points, .move = {}, .is_ahead = false});
  }
  leaves_.push_back({&walk, tree_index, first, plays_.size() - first});
  return key;
}

bool LeafBatch::ask_ahead(const Walk& walk, std::uint32_t playouts, std::uint64_t& key) {
  game::GroupRoom groups;
  const auto count = static_cast<std::uint32_t>(walk.position.groups(groups));
  const std::uint32_t each = (playouts + count - 1) / count;
  const std::uint64_t to_come = (most_walks_ - std::min(most_walks_, leaves_.size() + 1)) * std::uint64_t{playouts};
  if (playouts_ + std::uint64_t{each} * count + to_come > most_playouts_) return false;
  for (const game::Group& group : std::span(groups).first(count)) {
    game::Position after = walk.position;
    const int points = walk.points + terms_.scoring.group_points(after.apply(group.cell));
    ask(after, points, each, key, {.request = 0, .points = points, .move = group.cell, .is_ahead = true});
  }
  return true;
}

void LeafBatch::ask(const game::Position& position, int points, std::uint32_t playouts, std::uint64_t& key,
                    const Play& play) {
  plays_.push_back(play);
  plays_.back().request = sent_.size();
  // The request is built where it stays, because positions are large.
  game::Request& request = batch_.requests.emplace_back();
  if (terms_.merges_symmetric)
    request.position = position.canonical();
  else
    request.position = position;
  if (terms_.merges_equal) {
    const auto [found, is_new] = request_of_.try_emplace(request.position.hash(), sent_.size());
    if (!is_new && batch_.requests[found->second].position == request.position &&
        batch_.requests[found->second].playouts == playouts) {
      plays_.back().request = found->second;
      batch_.requests.pop_back();
      ++merged_;
      return;
    }
  }
  request.points = points;
  request.policy = terms_.policy;
  request.playouts = playouts;
  request.key = key;
  sent_.push_back({key++, points, playouts});
  playouts_ += playouts;
}

game::Batch LeafBatch::take_batch() {
  return std::move(batch_);
}

void LeafBatch::answer(std::vector<game::Result> results) {
  assert(results.size() == sent_.size() && "one result for each request");
  results_ = std::move(results);
}

// The result of the request as if it had started with the points of this play.
game::Result LeafBatch::result_of(const Play& play) const {
  game::Result result = results_[play.request];
  const std::int64_t shift = play.points - sent_[play.request].points;
  const auto count = static_cast<std::int64_t>(result.count);
  result.sum_of_squares += static_cast<game::WideSum>(2 * shift * result.sum + count * shift * shift);
  result.sum += count * shift;
  result.best += static_cast<int>(shift);
  result.worst += static_cast<int>(shift);
  return result;
}

game::Result LeafBatch::result_of(const Leaf& leaf) const {
  game::Result result = result_of(plays_[leaf.first_play]);
  for (std::size_t i = 1; i < leaf.plays; ++i)
    result.add(result_of(plays_[leaf.first_play + i]));
  return result;
}

std::vector<game::Cell> LeafBatch::best_line_of(const Leaf& leaf) const {
  const auto plays = std::span(plays_).subspan(leaf.first_play, leaf.plays);
  const Play& best = *std::max_element(
      plays.begin(), plays.end(), [&](const Play& a, const Play& b) { return result_of(a).best < result_of(b).best; });
  std::vector<game::Cell> moves;
  game::Position position = leaf.walk->position;
  if (best.is_ahead) {
    moves.push_back(best.move);
    position.apply(best.move);
  }
  const Sent& sent = sent_[best.request];
  const Line line = replay_best({.position = terms_.merges_symmetric ? position.canonical() : position,
                                 .points = sent.points,
                                 .policy = terms_.policy,
                                 .playouts = sent.playouts,
                                 .key = sent.key},
                                terms_.seed, terms_.scoring, results_[best.request]);
  if (!line.error.empty()) throw std::runtime_error(line.error);
  moves.insert(moves.end(), line.moves.begin(), line.moves.end());
  return moves;
}

}  // namespace chainshot::host
