#include "host/analysis/complexity.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <span>

#include "game/playout.hpp"
#include "game/random.hpp"

namespace chainshot::host {
namespace {

std::span<game::Group> list_groups(const game::Position& position, game::GroupRoom& room) {
  return {room.data(), static_cast<std::size_t>(position.groups(room))};
}

// Moves the groups that VS-pruning keeps to the front, in their order, and returns them. If there is none, the list
// stays as it was.
std::span<game::Group> without_pruned(const game::Position& position, std::span<game::Group> groups) {
  std::size_t kept = 0;
  for (const game::Group& group : groups)
    if (!game::is_pruned_segment(position, group)) groups[kept++] = group;
  return groups.first(kept);
}

// The draws of game number `game` of a board.
game::DrawSequence draws_of(std::uint64_t seed, std::uint64_t board, std::uint64_t game) {
  return game::DrawSequence({.seed = seed, .request = board, .playout = static_cast<std::uint32_t>(game)});
}

void play_one(game::Position& position, std::span<const game::Group> moves, game::DrawSequence& draws, GameSums& sums) {
  ++sums.moves;
  sums.branches += moves.size();
  position.apply(moves[game::scale_draw(draws.next(), static_cast<std::uint32_t>(moves.size()))].cell);
}

// Counts the words that can be made of a column's segments, some left out, without listing them. A reader of such a
// word is at a set of cells: those that the last letter may have been. Inside a segment the next cell must follow; at
// the end of one, any later segment may. Words that lead to the same set continue alike, so each set is counted once.
class ColumnWords {
 public:
  explicit ColumnWords(const std::vector<int>& colors) {
    for (std::size_t r = 0; r < colors.size(); ++r) {
      const std::uint32_t cell = 1u << r;
      of_color_[static_cast<std::size_t>(colors[r])] |= cell;
      if (r == 0 || colors[r - 1] != colors[r]) starts_ |= cell;
      if (r + 1 == colors.size() || colors[r + 1] != colors[r]) ends_ |= cell;
    }
  }

  std::uint64_t count() {
    std::uint64_t words = 1;  // the empty one
    for (const std::uint32_t cells : of_color_)
      words += count_from(starts_ & cells);
    return words;
  }

 private:
  std::uint64_t count_from(std::uint32_t at) {
    if (at == 0) return 0;
    if (const auto known = known_.find(at); known != known_.end()) return known->second;
    const std::uint32_t done = at & ends_;
    const std::uint32_t later = done == 0 ? 0 : ~((done & (~done + 1)) * 2 - 1);
    const std::uint32_t next = (at & ~ends_) << 1 | (starts_ & later);
    std::uint64_t words = done != 0 ? 1 : 0;
    for (const std::uint32_t cells : of_color_)
      words += count_from(next & cells);
    known_.emplace(at, words);
    return words;
  }

  std::array<std::uint32_t, game::kMaxColors> of_color_{};
  std::uint32_t starts_ = 0, ends_ = 0;  // lowest and highest cells of segments
  std::map<std::uint32_t, std::uint64_t> known_;
};

}  // namespace

double GameSums::log10_of_tree() const {
  return moves == 0 ? 0 : length() * std::log10(branching());
}

GameSums play_random_games(const game::Position& position, std::uint64_t games, std::uint64_t seed, std::uint64_t board,
                           const std::stop_token& stop) {
  GameSums sums;
  game::GroupRoom room;
  for (; sums.games < games && !stop.stop_requested(); ++sums.games) {
    game::Position at = position;
    game::DrawSequence draws = draws_of(seed, board, sums.games);
    for (auto moves = list_groups(at, room); !moves.empty(); moves = list_groups(at, room))
      play_one(at, moves, draws, sums);
  }
  return sums;
}

PrunedGameSums play_pruned_games(const game::Position& position, std::uint64_t games, std::uint64_t seed,
                                 std::uint64_t board, const std::stop_token& stop) {
  PrunedGameSums sums;
  game::GroupRoom room;
  for (; sums.whole.games < games && !stop.stop_requested(); ++sums.whole.games) {
    game::Position at = position;
    game::DrawSequence draws = draws_of(seed, board, sums.whole.games);
    for (auto groups = list_groups(at, room); !groups.empty(); groups = list_groups(at, room)) {
      const auto kept = without_pruned(at, groups);
      if (!kept.empty()) {
        ++sums.until_all_pruned.moves;
        sums.until_all_pruned.branches += kept.size();
      }
      play_one(at, kept.empty() ? groups : kept, draws, sums.whole);
    }
  }
  sums.until_all_pruned.games = sums.whole.games;
  return sums;
}

std::uint64_t column_configurations(const game::Position& position, int column) {
  std::vector<int> colors;
  for (int r = 0; r < position.rows() && position.color_at(column, r) != game::kEmpty; ++r)
    colors.push_back(position.color_at(column, r));
  return ColumnWords(colors).count();
}

double log10_of_states(const game::Position& position) {
  double sum = 0;
  for (int c = 0; c < position.columns(); ++c)
    sum += std::log10(static_cast<double>(column_configurations(position, c)));
  return sum;
}

std::vector<BoardComplexity> measure_complexity(const ComplexityTask& task) {
  std::vector<BoardComplexity> found(task.boards);
  std::vector<char> done(task.boards, 0);
  share_items(task.threads, task.boards, task.stop, task.watcher, [&](int, std::uint64_t i) {
    const game::Position board = task.board(i);
    found[i] = {play_random_games(board, task.games, task.seed, i, task.stop),
                play_pruned_games(board, task.games, task.seed, i, task.stop), log10_of_states(board)};
    done[i] = found[i].plain.games == task.games && found[i].pruned.whole.games == task.games ? 1 : 0;
  });
  found.resize(static_cast<std::size_t>(std::find(done.begin(), done.end(), 0) - done.begin()));
  return found;
}

}  // namespace chainshot::host
