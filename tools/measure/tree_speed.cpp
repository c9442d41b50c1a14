// Prints the cost of a visit of a tree in nanoseconds, by phase and by size of the tree.
//   tree_speed [LARGEST_TREE] [RULE] [C] [WALKS_IN_FLIGHT] [one]
//   tree_speed soak [SECONDS] [MIB] [none|naive|dynamic|consistent]   memory of a tree at its cap, on a wide board
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "game/board_text.hpp"
#include "game/random.hpp"
#include "host/engines/engines.hpp"
#include "host/tree/core/tree.hpp"

namespace chainshot::host {
namespace {

using Clock = std::chrono::steady_clock;

// Batches one by one: the median leaves out those in which another program ran.
class Phase {
 public:
  void add(Clock::time_point from, Clock::time_point to) {
    taken_.push_back(std::chrono::duration<double, std::nano>(to - from).count());
  }
  double median() {
    std::nth_element(taken_.begin(), taken_.begin() + static_cast<std::ptrdiff_t>(taken_.size() / 2), taken_.end());
    return taken_[taken_.size() / 2];
  }

 private:
  std::vector<double> taken_;
};

// The shape of a tree follows its results, so real playouts are played; they are not timed.
std::vector<game::Result> play(game::Engine& engine, std::span<const Walk* const> walks, std::uint64_t& key) {
  game::Batch batch;
  for (const Walk* walk : walks)
    batch.requests.push_back({.position = walk->position, .points = walk->points, .policy = {}, .key = ++key});
  return engine.run(std::move(batch)).results;
}

void measure(const TreeSettings& settings, std::uint64_t largest, int batch, bool together) {
  const game::Position board = game::standard_boards().front().position;
  NodePool pool(std::size_t{16} << 30);
  Tree tree(pool, board, 0, settings, game::kStandardScoring, 1);
  const auto engine = make_engine({.name = "cpu", .threads = 1});
  std::vector<Walk> walks(static_cast<std::size_t>(batch));
  std::vector<Descent> descents(walks.size());
  std::vector<const Walk*> flying;
  std::uint64_t key = 0;
  fmt::print("rule {}, C {}, {} walks in flight\n", settings.selection.rule, settings.selection.c, batch);
  fmt::print("{:>9} {:>6} {:>8} {:>9} {:>9} {:>8} {:>9} {:>10}\n", "nodes", "depth", "blocks", "descend", "complete",
             "visit", "visits/s", "bytes/node");
  for (std::uint64_t size = 10000; size <= largest; size *= 10) {
    Phase descend, complete;
    std::uint64_t steps = 0, visits = 0;
    // The last tenth of the way is measured.
    while (tree.counts().nodes < size) {
      const bool is_measured = tree.counts().nodes >= size - size / 10;
      const Clock::time_point start = Clock::now();
      if (together) {
        tree.descend(walks, descents);
      } else {
        for (std::size_t i = 0; i < walks.size(); ++i)
          descents[i] = tree.descend(walks[i]);
      }
      if (is_measured) descend.add(start, Clock::now());
      flying.clear();
      for (std::size_t i = 0; i < walks.size(); ++i) {
        if (descents[i] == Descent::kLeaf) flying.push_back(&walks[i]);
        if (is_measured) steps += static_cast<std::uint64_t>(walks[i].length() - 1);
      }
      visits += is_measured ? walks.size() : 0;
      const auto results = play(*engine, flying, key);
      const Clock::time_point back = Clock::now();
      if (together) {
        tree.complete(flying, results);
      } else {
        for (std::size_t i = 0; i < results.size(); ++i)
          tree.complete(*flying[i], results[i]);
      }
      if (is_measured) complete.add(back, Clock::now());
    }
    const double per_walk = 1.0 / static_cast<double>(batch);
    const double down = descend.median() * per_walk, up = complete.median() * per_walk;
    fmt::print("{:>9} {:>6.1f} {:>8.3f} {:>9.0f} {:>9.0f} {:>8.0f} {:>9.0f} {:>10.0f}\n", size,
               static_cast<double>(steps) / static_cast<double>(visits),
               static_cast<double>(tree.counts().expanded) / static_cast<double>(tree.counts().nodes), down, up,
               down + up, 1e9 / (down + up),
               static_cast<double>(tree.counts().bytes) / static_cast<double>(tree.counts().nodes));
  }
}

long resident_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == "VmRSS:" && status >> word) return std::atol(word.c_str());
  return 0;
}

Duplicates duplicates_named(std::string_view name) {
  return name == "naive"        ? Duplicates::kNaive
         : name == "dynamic"    ? Duplicates::kDynamic
         : name == "consistent" ? Duplicates::kConsistent
                                : Duplicates::kIgnore;
}

// A tree of 31 x 32 blocks in 15 colours. Scores are drawn: games on such boards would take most of the time.
void soak(double seconds, std::size_t mebibytes, Duplicates duplicates) {
  game::Position board(31, 32);
  std::uint64_t draws = 0;
  for (int c = 0; c < 31; ++c)
    for (int r = 0; r < 32; ++r)
      board.set(c, r, static_cast<int>(game::mix64(++draws) % 15));
  TreeSettings settings;
  settings.selection = {.rule = "uct", .c = 0.02, .w = 0, .t = 0, .normalisation = Normalisation::kStatic};
  settings.duplicates = duplicates;
  NodePool pool(mebibytes << 20);
  Tree tree(pool, board, 0, settings, game::kStandardScoring, 1);
  std::vector<Walk> walks(256);
  std::vector<Descent> descents(walks.size());
  fmt::print("{:>8} {:>12} {:>12} {:>12} {:>10} {:>12}\n", "seconds", "walks", "nodes made", "in memory", "pool KiB",
             "resident KiB");
  const Clock::time_point start = Clock::now();
  for (double next = 0;;) {
    tree.descend(walks, descents);
    for (std::size_t i = 0; i < walks.size(); ++i) {
      if (descents[i] != Descent::kLeaf) continue;
      game::Result result;
      result.add({}, walks[i].points + static_cast<int>(game::mix64(++draws) % 1000), 1);
      tree.complete(walks[i], result);
    }
    const double elapsed = std::chrono::duration<double>(Clock::now() - start).count();
    if (elapsed < next && elapsed < seconds) continue;
    next += seconds / 20;
    const TreeCounts& counts = tree.counts();
    fmt::print("{:>8.0f} {:>12} {:>12} {:>12} {:>10} {:>12}\n", elapsed, counts.walks, counts.nodes_visited,
               counts.nodes, pool.bytes() >> 10, resident_kib());
    std::fflush(stdout);
    if (elapsed >= seconds) return;
  }
}

}  // namespace
}  // namespace chainshot::host

int main(int argc, char** argv) {
  using namespace chainshot::host;
  if (argc > 1 && std::string_view(argv[1]) == "soak") {
    soak(argc > 2 ? std::atof(argv[2]) : 600, argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 64,
         duplicates_named(argc > 4 ? argv[4] : "none"));
    return 0;
  }
  TreeSettings settings;
  settings.selection.rule = argc > 2 ? argv[2] : "sp-mcts";
  settings.selection.c = argc > 3 ? std::atof(argv[3]) : 0.5;
  settings.selection.d = 10000;
  settings.selection.t = 0;
  measure(settings, argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1000000, argc > 4 ? std::atoi(argv[4]) : 256,
          argc <= 5);
}
