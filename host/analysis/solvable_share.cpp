#include "host/analysis/solvable_share.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "game/generate.hpp"
#include "host/analysis/clearing_search.hpp"

namespace chainshot::host {
namespace {

constexpr std::size_t kPieces = 512;  // of work in a count

// The counts of one thread.
struct Tally {
  std::unique_ptr<ClearingSearch> search;
  ShareResult found;

  void decide(const game::Position& board, std::uint64_t weight, const ClearingLimit& limit) {
    const ClearingAnswer answer = search->decide(board, limit);
    if (answer.clearable == Clearable::kUnknown && limit.stop.stop_requested()) return;
    found.boards += weight;
    found.searched += 1;
    found.nodes += answer.nodes;
    if (answer.clearable == Clearable::kYes) found.solvable += weight;
    if (answer.clearable == Clearable::kUnknown) found.undecided += weight;
  }
};

std::vector<Tally> make_tallies(const ShareTask& task) {
  std::vector<Tally> tallies(static_cast<std::size_t>(std::max(task.threads, 1)));
  for (Tally& tally : tallies)
    tally.search = make_clearing_search(task.columns, task.rows, task.colors);
  return tallies;
}

ShareResult sum_of(const std::vector<Tally>& tallies) {
  ShareResult sum;
  for (const Tally& tally : tallies) {
    sum.boards += tally.found.boards;
    sum.solvable += tally.found.solvable;
    sum.undecided += tally.found.undecided;
    sum.searched += tally.found.searched;
    sum.nodes += tally.found.nodes;
  }
  return sum;
}

// Colours of cells, column by column. Colours are numbered in the order in which they appear, so that boards that
// differ by a permutation of colours have one list.
using Coloring = std::vector<std::uint8_t>;

// Which boards a list stands for, itself and its mirror image included, in all colours: 0 if the mirror image comes
// first in the order of lists and stands for both.
std::uint64_t boards_of(const Coloring& coloring, int columns, int rows,
                        const std::vector<std::uint64_t>& recolorings) {
  std::uint8_t used = 0;
  for (const std::uint8_t color : coloring)
    used = std::max(used, color);
  std::array<int, game::kMaxColors> renamed;
  renamed.fill(-1);
  int names = 0, order = 0;
  for (int c = 0; c < columns && order == 0; ++c) {
    for (int r = 0; r < rows && order == 0; ++r) {
      int& name = renamed[coloring[static_cast<std::size_t>((columns - 1 - c) * rows + r)]];
      if (name < 0) name = names++;
      order = name - coloring[static_cast<std::size_t>(c * rows + r)];
    }
  }
  return order < 0 ? 0 : recolorings[used] * (order == 0 ? 1 : 2);
}

// Counts all boards whose colouring begins in a given way.
class BoardCounter {
 public:
  BoardCounter(const ShareTask& task, Tally& tally) : task_(task), tally_(tally), board_(task.columns, task.rows) {
    // colors (colors - 1) ... : ways to choose the colours of a list that uses 1, 2, ... of them.
    std::uint64_t ways = 1;
    for (int used = 0; used < task.colors; ++used)
      recolorings_.push_back(ways *= static_cast<std::uint64_t>(task.colors - used));
  }

  void count(const Coloring& start) {
    coloring_ = start;
    int next_color = 0;
    for (std::size_t i = 0; i < start.size(); ++i) {
      paint(i, start[i]);
      next_color = std::max(next_color, start[i] + 1);
    }
    extend(next_color);
  }

 private:
  void paint(std::size_t i, int color) {
    const auto rows = static_cast<std::size_t>(task_.rows);
    board_.set(static_cast<int>(i / rows), static_cast<int>(i % rows), color);
  }

  void extend(int next_color) {
    const std::size_t i = coloring_.size();
    if (i == static_cast<std::size_t>(task_.columns * task_.rows)) {
      const std::uint64_t boards = boards_of(coloring_, task_.columns, task_.rows, recolorings_);
      if (boards > 0) tally_.decide(board_, boards, {.stop = task_.stop});
      return;
    }
    for (int color = 0; color <= std::min(next_color, task_.colors - 1) && !task_.stop.stop_requested(); ++color) {
      paint(i, color);
      coloring_.push_back(static_cast<std::uint8_t>(color));
      extend(std::max(next_color, color + 1));
      coloring_.pop_back();
    }
  }

  const ShareTask& task_;
  Tally& tally_;
  game::Position board_;
  Coloring coloring_;
  std::vector<std::uint64_t> recolorings_;  // boards of a list that uses 1, 2, ... colours
};

// Beginnings of all lists, as pieces of work of similar size.
std::vector<Coloring> beginnings(const ShareTask& task) {
  std::vector<Coloring> level = {{}};
  for (int i = 0; i < task.columns * task.rows && level.size() < kPieces; ++i) {
    std::vector<Coloring> longer;
    for (const Coloring& start : level) {
      int colors = 0;
      for (const std::uint8_t color : start)
        colors = std::max(colors, color + 1);
      for (int color = 0; color <= std::min(colors, task.colors - 1); ++color) {
        longer.push_back(start);
        longer.back().push_back(static_cast<std::uint8_t>(color));
      }
    }
    level = std::move(longer);
  }
  return level;
}

ShareResult count_boards(const ShareTask& task) {
  std::vector<Tally> tallies = make_tallies(task);
  const std::vector<Coloring> pieces = beginnings(task);
  const bool complete =
      share_work(task.threads, pieces.size(), task.stop, task.watcher, [&](int worker, std::uint64_t piece) {
        BoardCounter(task, tallies[static_cast<std::size_t>(worker)]).count(pieces[piece]);
      });
  ShareResult result = sum_of(tallies);
  result.counted = true;
  result.complete = complete && !task.stop.stop_requested();
  return result;
}

ShareResult sample_boards(const ShareTask& task) {
  std::vector<Tally> tallies = make_tallies(task);
  const game::BoardRecipe recipe{.columns = task.columns, .rows = task.rows, .colors = task.colors, .inverted = {}};
  const ClearingLimit limit{.nodes = task.nodes, .stop = task.stop};
  share_items(task.threads, task.samples, task.stop, task.watcher, [&](int worker, std::uint64_t i) {
    tallies[static_cast<std::size_t>(worker)].decide(game::generate_board(recipe, task.seed, i), 1, limit);
  });
  ShareResult result = sum_of(tallies);
  result.complete = result.boards == task.samples;
  return result;
}

}  // namespace

Interval ShareResult::interval() const {
  if (counted) return {share(), share()};
  return {wilson_interval(solvable, boards).low, wilson_interval(solvable + undecided, boards).high};
}

std::optional<std::uint64_t> number_of_boards(int columns, int rows, int colors) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 63;
  std::uint64_t boards = 1;
  for (int i = 0; i < columns * rows; ++i) {
    if (boards > (kMost - 1) / static_cast<std::uint64_t>(colors)) return std::nullopt;
    boards *= static_cast<std::uint64_t>(colors);
  }
  return boards;
}

ShareResult solvable_share(const ShareTask& task) {
  const auto boards = number_of_boards(task.columns, task.rows, task.colors);
  return boards && *boards <= task.count_up_to ? count_boards(task) : sample_boards(task);
}

}  // namespace chainshot::host
