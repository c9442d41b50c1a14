#include "host/greedy/greedy_search.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <string_view>
#include <vector>

namespace chainshot::host {
namespace {

constexpr std::string_view kSource = "greedy";
constexpr int kNoScore = std::numeric_limits<int>::min();

class GreedySearch final : public Search {
 public:
  GreedySearch(const SearchTask& task, const GreedySettings& settings, Incumbent& incumbent)
      : task_(task), incumbent_(incumbent) {
    if (settings.keep_tabu)
      tabu_color_ = settings.tabu_color >= 0 ? settings.tabu_color : task.board.most_frequent_color();
  }

  void run(const SearchClock&, std::stop_token stop) override {
    game::Position position = task_.board;
    std::vector<game::Cell> moves;
    int points = 0;
    for (std::vector<game::Group> groups = position.groups(); !groups.empty(); groups = position.groups()) {
      if (stop.stop_requested()) return;
      moves.push_back(largest(groups).cell);
      points += task_.scoring.group_points(position.apply(moves.back()));
    }
    const int score = points + position.final_points(task_.scoring);
    played_score_ = score;
    incumbent_.offer(score, moves, kSource);
  }

  SearchStatus status() const override {
    SearchStatus status{.proven = incumbent_.score() >= task_.board.upper_bound(task_.scoring)};
    if (const int played = played_score_; played != kNoScore) status.played_score = played;
    return status;
  }

 private:
  // The first of the largest groups. Any group of another colour goes before the largest of the tabu colour.
  const game::Group& largest(const std::vector<game::Group>& groups) const {
    return *std::max_element(groups.begin(), groups.end(), [this](const game::Group& a, const game::Group& b) {
      const bool a_waits = a.color == tabu_color_, b_waits = b.color == tabu_color_;
      return a_waits != b_waits ? a_waits : a.size < b.size;
    });
  }

  const SearchTask task_;
  Incumbent& incumbent_;
  int tabu_color_ = -1;
  std::atomic<int> played_score_ = kNoScore;
};

}  // namespace

std::unique_ptr<Search> make_greedy_search(const SearchTask& task, const GreedySettings& settings,
                                           Incumbent& incumbent) {
  return std::make_unique<GreedySearch>(task, settings, incumbent);
}

}  // namespace chainshot::host
