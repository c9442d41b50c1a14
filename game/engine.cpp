#include "game/engine.hpp"

#include "game/playout.hpp"

namespace chainshot::game {

void Result::add(const PlayoutKey& key, int score, int length) {
  if (count == 0 || score > best || (score == best && key.playout < best_playout)) {
    best = score;
    best_playout = key.playout;
  }
  if (count == 0 || score < worst) worst = score;
  ++count;
  sum += score;
  sum_of_squares += static_cast<WideSum>(std::int64_t{score} * score);
  moves += static_cast<std::uint64_t>(length);
  digest += playout_digest(key, score, length);
}

void Result::add(const Result& other) {
  if (other.count == 0) return;
  const bool better = count == 0 || other.best > best || (other.best == best && other.best_playout < best_playout);
  if (better) {
    best = other.best;
    best_playout = other.best_playout;
  }
  worst = count == 0 || other.worst < worst ? other.worst : worst;
  count += other.count;
  sum += other.sum;
  sum_of_squares += other.sum_of_squares;
  moves += other.moves;
  digest += other.digest;
  if (histogram.size() < other.histogram.size()) histogram.resize(other.histogram.size());
  for (std::size_t i = 0; i < other.histogram.size(); ++i)
    histogram[i] += other.histogram[i];
}

}  // namespace chainshot::game
