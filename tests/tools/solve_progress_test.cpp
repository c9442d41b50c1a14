#include "tools/reports/solve_progress.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace chainshot::tools {
namespace {

constexpr int kColumns = 79;  // usable in a terminal of 80

// The state of a board after `seconds` of search; the default values make a long line.
struct Scene {
  std::string board = "standard-20";
  std::size_t place = 20, boards = 20;
  int best = 4321;
  double seconds = 120;
  double budget_seconds = 120 + 12 * 3600 + 2 * 60 + 38;
  double playouts_per_second = 204e3;
  double evaluations_per_second = 0;
  std::uint64_t nodes = 409'000;
  int depth = 45;
  double busy_share = 1;
  double temperature = 40;

  std::string line(int width) const {
    using host::FigureStyle;
    const host::SearchStatus tree{.playouts = static_cast<std::uint64_t>(playouts_per_second * seconds),
                                  .figures = {{"busy_share", busy_share, FigureStyle::kPercent, "engine busy", "busy"},
                                              {"nodes", static_cast<double>(nodes), FigureStyle::kCount, "nodes"},
                                              {"depth", static_cast<double>(depth), FigureStyle::kNumber, "depth"},
                                              {"mean_depth", 3.5}}};
    const host::SearchStatus anneal{.evaluations = static_cast<std::uint64_t>(evaluations_per_second * seconds),
                                    .figures = {{"temperature", temperature, FigureStyle::kNumber, "temperature"}}};
    host::SolveSample sample{.seconds = seconds, .searches = {}};
    if (playouts_per_second > 0) sample.searches.push_back({"tree", "tree search", tree});
    if (evaluations_per_second > 0) sample.searches.push_back({"anneal", "annealing", anneal});
    return progress_line({.board = board, .place = place, .boards = boards, .best = best, .sample = sample},
                         {.seconds = budget_seconds}, width);
  }
};

TEST(SolveProgress, HasAllItsPartsIn80Columns) {
  EXPECT_EQ(Scene{}.line(kColumns), "standard-20 20/20: best 4321 12:02:38 left 204k/s busy 100% 409k nodes depth 45");
  for (const double rate : {7.0, 950.0, 9'960.0, 99'900.0, 999'400.0, 1.94e6, 999e6})
    for (const std::uint64_t nodes : {1, 999, 1'000, 99'960, 999'499, 999'500, 9'940'000, 999'000'000}) {
      const std::string line = Scene{.playouts_per_second = rate, .nodes = nodes}.line(kColumns);
      EXPECT_LE(line.size(), 79u) << line;
      EXPECT_NE(line.find("depth 45"), std::string::npos) << line;
    }
}

TEST(SolveProgress, HasAllPartsOfAnnealingIn80Columns) {
  const Scene anneal{.playouts_per_second = 0, .evaluations_per_second = 1.24e6};
  EXPECT_EQ(anneal.line(kColumns), "standard-20 20/20: best 4321, 12:02:38 left, 1.2M eval/s, temperature 40");
}

TEST(SolveProgress, ShowsTemperaturesBelowOne) {
  const Scene cold{.playouts_per_second = 0, .evaluations_per_second = 1e6, .temperature = 0.3};
  EXPECT_TRUE(cold.line(kColumns).ends_with("temperature 0.3"));
}

TEST(SolveProgress, LeavesOutTheFiguresOfAnnealingFirst) {
  const Scene both{.evaluations_per_second = 1.24e6};
  EXPECT_EQ(both.line(kColumns), Scene{}.line(kColumns));
  EXPECT_EQ(
      both.line(106),
      "standard-20 20/20: best 4321 12:02:38 left 204k/s busy 100% 409k nodes depth 45 1.2M eval/s temperature 40");
}

// The examples of docs/searches.md. The time left is 3 s for this board and 10 s for each of 17 further boards.
TEST(SolveProgress, ShortensOnlyAsMuchAsNeeded) {
  const Scene scene{.board = "standard-07",
                    .place = 3,
                    .best = 2931,
                    .seconds = 7,
                    .budget_seconds = 10,
                    .playouts_per_second = 1.93e6,
                    .nodes = 412'000,
                    .depth = 23,
                    .busy_share = 0.97};
  EXPECT_EQ(scene.line(120),
            "standard-07, 3 of 20: best 2931, 2 min 53 s left, 1.93 M playouts/s, engine busy 97 %, 412 k nodes, "
            "depth 23");
  EXPECT_EQ(scene.line(kColumns), "standard-07 3/20: best 2931, 2:53 left, 1.9M/s, busy 97%, 412k nodes, depth 23");
  EXPECT_EQ(scene.line(74), "standard-07 3/20: best 2931 2:53 left 1.9M/s busy 97% 412k nodes depth 23");
  EXPECT_EQ(scene.line(46), "standard-07 3/20: best 2931, 2:53 left, 1.9M/s");
  EXPECT_EQ(scene.line(10), "standard-07 3/20: best 2931");
}

TEST(SolveProgress, WritesTheTimeLeftAsAClock) {
  const auto left = [](double seconds) {
    return Scene{.seconds = 1, .budget_seconds = 1 + seconds, .playouts_per_second = 0, .evaluations_per_second = 9}
        .line(52);
  };
  EXPECT_EQ(left(5), "standard-20 20/20: best 4321, 0:05 left, 9 eval/s");
  EXPECT_EQ(left(59.6), "standard-20 20/20: best 4321, 1:00 left, 9 eval/s");
  EXPECT_EQ(left(3599), "standard-20 20/20: best 4321, 59:59 left, 9 eval/s");
  EXPECT_EQ(left(3600), "standard-20 20/20: best 4321, 1:00:00 left, 9 eval/s");
}

}  // namespace
}  // namespace chainshot::tools
