// Beam Monte-Carlo tree search (Klein 2015, A.5): what pruning keeps, when it comes due, and that proofs still hold.
#include "host/tree/core/beam_pruning.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "game/board_text.hpp"
#include "host/engines/engines.hpp"
#include "host/search/search_runner.hpp"
#include "host/tree/tree_kind.hpp"
#include "host/tree/tree_search.hpp"
#include "tests/support/brute_force.hpp"
#include "tests/support/random_boards.hpp"
#include "tests/support/test_scale.hpp"
#include "tests/support/tree_inspector.hpp"
#include "tests/support/tree_play.hpp"

namespace chainshot::host {
namespace {

using tests::Dice;

constexpr std::size_t kPoolBytes = std::size_t{64} << 20;

TreeSettings beam_settings(int width, double c = 0.05) {
  TreeSettings settings;
  settings.selection = {.rule = "uct", .c = c, .w = 0, .t = 0, .normalisation = Normalisation::kStatic};
  settings.policy = {.kind = game::PolicyKind::kRandom};
  settings.beam.width = width;
  return settings;
}

// The nodes of a depth; only those that walks could still visit, if `open` is true.
std::vector<const Node*> nodes_at(const TreeInspector& inspect, int depth, bool open = false) {
  std::vector<const Node*> level;
  const auto add = [&](const Node& of) {
    if (!open || !is_done(inspect.state, of, inspect.state.points_before(of))) level.push_back(&of);
  };
  add(inspect.root());
  for (int d = 0; d < depth; ++d)
    for (const Node* of : std::exchange(level, {}))
      inspect.for_each_child(*of, add);
  return level;
}

// A result of `score` points for the whole game.
game::Result result_of(int score) {
  game::Result result;
  result.add({}, score, 1);
  return result;
}

// Six groups in columns of their own, which leave each other alone: each removal is a move whatever came before. Walks
// score by their first move: 100 in column 0, 90 in column 1, less in the others.
TEST(BeamPruning, KeepsTheMostVisitedNodesOfADepth) {
  const game::Position board = tests::board_of({"012345", "012345"});
  for (const bool keeps_below : {false, true}) {
    TreeSettings settings = beam_settings(2, 0);  // no exploration: after one visit of each the best average is taken
    settings.beam.keeps_below = keeps_below;
    settings.state_pruning = false;
    NodePool pool(kPoolBytes);
    Tree tree(pool, board, 0, settings, game::kStandardScoring, 1);
    tree.set_simulation_limit(9);
    const int scores[] = {100, 90, 20, 10, 10, 10};
    Walk walk;
    // The first walk ends at the root, so it does not pass through depth 1. The next six open the six moves; three more
    // take column 0, which has the best average: 1 + 3 visits, the others 1. That is 9 walks through depth 1.
    for (int i = 0; i < 10; ++i) {
      ASSERT_FALSE(tree.is_pruning_due()) << i;
      ASSERT_EQ(tree.walks_before_pruning(), static_cast<std::uint64_t>(i == 0 ? 9 : 10 - i));
      ASSERT_EQ(tree.descend(walk), Descent::kLeaf);
      tree.complete(walk, result_of(walk.steps.size() > 1 ? scores[walk.steps[1].move.column] : 50));
    }
    EXPECT_TRUE(tree.is_pruning_due());
    EXPECT_EQ(tree.walks_before_pruning(), 0U);
    tree.prune();
    // Column 0 has most visits. The others have one each, and of these column 1 has the best line.
    const TreeInspector inspect(tree);
    const std::vector<const Node*> kept = nodes_at(inspect, 1);
    ASSERT_EQ(kept.size(), 2U);
    std::map<std::uint64_t, int> best_by_visits;
    for (const Node* node : kept)
      best_by_visits[node->visits] = node->best;
    EXPECT_EQ(best_by_visits, (std::map<std::uint64_t, int>{{1, 90}, {4, 100}}));
    // Below column 0 there were nodes: its second visit expanded it.
    EXPECT_EQ(nodes_at(inspect, 2).empty(), !keeps_below);
    EXPECT_EQ(tree.counts().beam_depth, 1);
    EXPECT_EQ(tree.root_moves().size(), 6U);
    // From here on walks pass through these two only, and depth 2 is due after nine of them.
    for (int i = 0; i < 9; ++i) {
      ASSERT_FALSE(tree.is_pruning_due()) << i;
      ASSERT_EQ(tree.descend(walk), Descent::kLeaf);
      EXPECT_LE(walk.steps.at(1).move.column, 1);
      EXPECT_GE(walk.steps.size(), 3U);  // the node was visited before, so that a walk goes on below it
      tree.complete(walk, result_of(scores[walk.steps[1].move.column]));
    }
    EXPECT_TRUE(tree.is_pruning_due());
  }
}

// The links of the moves from the root name a node for as long as it lives.
using Way = std::vector<std::pair<int, int>>;

void add_ways(const TreeInspector& inspect, const Node& of, int depth, const Way& way, std::set<Way>& ways) {
  if (depth == 0) {
    ways.insert(way);
    return;
  }
  inspect.for_each_child(of, [&](const Node& child) {
    const game::Cell cell = inspect.nodes.moves_of(of).move(child.move_index).cell;
    Way longer = way;
    longer.emplace_back(cell.column, cell.row);
    add_ways(inspect, child, depth - 1, longer, ways);
  });
}

std::set<Way> ways_to(const TreeInspector& inspect, int depth) {
  std::set<Way> ways;
  add_ways(inspect, inspect.root(), depth, {}, ways);
  return ways;
}

// Visits of the nodes of a depth that have something left to visit, in falling order.
std::vector<std::uint64_t> open_visits(const TreeInspector& inspect, int depth) {
  std::vector<std::uint64_t> visits;
  for (const Node* node : nodes_at(inspect, depth, true))
    visits.push_back(node->visits);
  std::sort(visits.rbegin(), visits.rend());
  return visits;
}

// Walks go out in groups of any size and come back in any order, one in eight without a result.
class BeamTraffic {
 public:
  BeamTraffic(Tree& tree, const game::PlayoutRules& rules, Dice& dice) : tree_(tree), rules_(rules), dice_(dice) {}

  // Sends walks until the next pruning is due and all have come back. Returns false if the tree has none left.
  bool until_due() {
    for (;;) {
      if (tree_.is_pruning_due() && flying_.empty()) return true;
      const int most = static_cast<int>(std::min<std::uint64_t>(tree_.walks_before_pruning(), 12));
      const bool has_walks = most > 0 && send(1 + dice_.below(most));
      if (!has_walks && flying_.empty()) return false;
      while (!flying_.empty() && (!has_walks || dice_.one_in(2)))
        land();
    }
  }

 private:
  bool send(int count) {
    std::vector<Walk> walks(static_cast<std::size_t>(count));
    std::vector<Descent> descents(walks.size());
    tree_.descend(walks, descents);
    for (std::size_t i = 0; i < walks.size(); ++i)
      if (descents[i] == Descent::kLeaf) flying_.push_back(walks[i]);
    return descents[0] == Descent::kLeaf || descents[0] == Descent::kFinished;
  }
  void land() {
    std::swap(flying_.back(), flying_[static_cast<std::size_t>(dice_.below(static_cast<int>(flying_.size())))]);
    if (dice_.one_in(8))
      tree_.abandon(flying_.back());
    else
      tree_.complete(flying_.back(), tests::play_leaf(flying_.back(), rules_, key_++));
    flying_.pop_back();
  }

  Tree& tree_;
  const game::PlayoutRules& rules_;
  Dice& dice_;
  std::vector<Walk> flying_;
  std::uint64_t key_ = 0;
};

// Returns how many depths were pruned.
int expect_beam_holds(const game::Position& board, const TreeSettings& settings, Dice& dice) {
  NodePool pool(kPoolBytes);
  Tree tree(pool, board, 5, settings, game::kStandardScoring, dice.word());
  const TreeInspector inspect(tree);
  const game::PlayoutRules rules(settings.policy, game::kStandardScoring, board);
  const auto limit = static_cast<std::uint64_t>(dice.between(1, 60));
  const auto width = static_cast<std::size_t>(settings.beam.width);
  tree.set_simulation_limit(limit);
  // These leave moves out whose bounds keep a node open that has nothing to visit.
  const bool leaves_more_out =
      settings.state_pruning || settings.vs_pruning || settings.duplicates != Duplicates::kIgnore;
  BeamTraffic traffic(tree, rules, dice);
  std::vector<std::set<Way>> kept{{{}}};  // by depth
  while (traffic.until_due()) {
    EXPECT_EQ(tree.state().beam.walks, limit);  // no walk more than L passes before the pruning
    const int depth = tree.state().beam.depth + 1;
    std::vector<std::uint64_t> visits = open_visits(inspect, depth);
    tree.prune();
    if (visits.empty()) {
      EXPECT_EQ(tree.state().beam.depth, depth - 1);
    } else {
      EXPECT_EQ(tree.state().beam.depth, depth);
      visits.resize(std::min(visits.size(), width));
      EXPECT_EQ(open_visits(inspect, depth), visits) << tests::drawing(board);
      EXPECT_EQ(nodes_at(inspect, depth).size(), visits.size());  // nothing else stays
      kept.push_back(ways_to(inspect, depth));
    }
    // Each depth that was pruned has no node but those it kept, now and later.
    for (std::size_t d = 0; d < kept.size(); ++d) {
      const std::set<Way> now = ways_to(inspect, static_cast<int>(d));
      EXPECT_TRUE(std::includes(kept[d].begin(), kept[d].end(), now.begin(), now.end())) << d;
      EXPECT_LE(now.size(), std::max<std::size_t>(1, width));
    }
    inspect.for_each(inspect.root(), [&](const Node& of) {
      EXPECT_TRUE(inspect.is_linked_well(of));
      EXPECT_FALSE(!leaves_more_out && inspect.is_forgotten(of));
    });
  }
  EXPECT_EQ(tree.in_flight(), 0);
  return tree.state().beam.depth;
}

TEST(BeamPruning, NeverGoesOnWithMoreThanWNodesOfADepth) {
  Dice dice(41);
  int pruned = 0;
  for (int i = 0; i < tests::scaled(200); ++i) {
    TreeSettings settings = beam_settings(dice.between(1, 6));
    settings.state_pruning = dice.one_in(2);
    settings.vs_pruning = dice.one_in(3);
    settings.beam.keeps_below = dice.one_in(3);
    if (dice.one_in(3)) settings.duplicates = Duplicates::kNaive;
    if (dice.one_in(4)) settings.selection.t = 5;
    const tests::Shape shape{dice.between(3, 7), dice.between(3, 7), dice.between(2, 4)};
    pruned += expect_beam_holds(tests::random_board(dice, shape), settings, dice);
  }
  EXPECT_GT(pruned, tests::scaled(100));
}

// A tree that has forgotten nodes does not make them again where the beam was.
TEST(BeamPruning, HoldsAtTheCapOfMemory) {
  Dice dice(43);
  for (int i = 0; i < 3; ++i) {
    TreeSettings settings = beam_settings(4, 0.2);
    settings.beam.keeps_below = true;
    const game::Position board = tests::full_board(dice, {10, 10, 4});
    NodePool pool(2 * kChunkBytes);
    Tree tree(pool, board, 0, settings, game::kStandardScoring, 1);
    const TreeInspector inspect(tree);
    const game::PlayoutRules rules(settings.policy, game::kStandardScoring, board);
    tree.set_simulation_limit(400);
    for (int prunings = 0; prunings < 4; ++prunings) {
      while (!tree.is_pruning_due())
        tests::search(tree, rules, 1, static_cast<std::uint64_t>(i));
      tree.prune();
      for (int d = 1; d <= tree.state().beam.depth; ++d)
        EXPECT_LE(nodes_at(inspect, d).size(), 4U);
    }
    EXPECT_TRUE(inspect.has_recycled());
    tests::search(tree, rules, 399);
    for (int d = 1; d <= 4; ++d)
      EXPECT_LE(nodes_at(inspect, d).size(), 4U);
  }
}

struct Searched {
  BestLine best;
  SearchStatus status;
};

Searched search(const SearchTask& task, const TreeSettings& settings, const Budget& budget, int threads = 1,
                std::string_view isa = "auto") {
  const auto engine = make_engine({.name = "cpu", .threads = threads, .isa = std::string(isa)});
  Incumbent incumbent(task);
  const auto searching = make_tree_search(task, settings, budget, {engine.get()}, threads, incumbent);
  run_alone(*searching, budget.seconds);
  return {incumbent.best(), searching->status()};
}

TEST(BeamSearch, ClaimsNoProofThatBruteForceRefutes) {
  Dice dice(47);
  int proven = 0, open = 0;
  for (int i = 0; i < tests::scaled(120); ++i) {
    const SearchTask task{.board = tests::full_board(dice, {dice.between(2, 5), 4, 3}), .seed = dice.word()};
    if (!task.board.has_moves()) continue;
    TreeSettings settings = tree_preset("bmcts");
    settings.beam.width = dice.between(1, 5);
    settings.beam.simulation_limit = dice.between(1, 40);
    settings.beam.keeps_below = dice.one_in(2);
    settings.state_pruning = dice.one_in(2);
    settings.vs_pruning = dice.one_in(3);
    if (dice.one_in(2)) settings.duplicates = Duplicates::kNaive;
    const Searched searched = search(task, settings, {.playouts = 400});
    const int optimum = tests::BruteForce(task.scoring).best(game::ReferenceBoard(task.board));
    EXPECT_LE(searched.best.score, optimum);
    if (searched.status.proven) {
      EXPECT_EQ(searched.best.score, optimum) << tests::drawing(task.board);
    }
    ++(searched.status.proven ? proven : open);
  }
  EXPECT_GT(proven, 0);
  EXPECT_GT(open, 0);
}

TEST(BeamSearch, SpendsItsBudgetOnFurtherBeamsAndIsTheSameForASeed) {
  const SearchTask task{.board = game::standard_boards().front().position, .seed = 1};
  for (const ParallelMode mode : {ParallelMode::kTree, ParallelMode::kRoot}) {
    TreeSettings settings = tree_preset("bmcts");
    settings.mode = mode;
    settings.deterministic = true;
    settings.beam.simulation_limit = 5;  // some 60 depths need 300 walks, and each of eight trees has 500
    const std::uint64_t playouts = 4000;
    const Searched once = search(task, settings, {.playouts = playouts});
    EXPECT_LE(once.status.playouts, playouts);
    EXPECT_GE(once.status.playouts, playouts - 8);  // each of eight trees may be left with less than a walk
    EXPECT_GT(once.status.figure("beams"), 1);
    EXPECT_GT(once.status.figure("beam_depth"), 20);
    const Searched again = search(task, settings, {.playouts = playouts}, 3, "portable");
    EXPECT_EQ(again.best.moves, once.best.moves);
    EXPECT_EQ(again.status.nodes_visited, once.status.nodes_visited);
    EXPECT_EQ(again.status.resource_units, once.status.resource_units);
  }
}

TEST(BeamSearch, ObjectsToSettingsInWhichNodesHaveNoDepthOfTheirOwn) {
  TreeSettings settings = tree_preset("bmcts");
  EXPECT_EQ(tree_objection(settings), "");
  settings.duplicates = Duplicates::kNaive;
  EXPECT_EQ(tree_objection(settings), "");
  settings.duplicates = Duplicates::kConsistent;
  EXPECT_NE(tree_objection(settings), "");
  settings = tree_preset("bmcts");
  settings.allocation = Allocation::kUniform;
  EXPECT_NE(tree_objection(settings), "");
  settings = tree_preset("bmcts");
  settings.mode = ParallelMode::kSet;
  EXPECT_NE(tree_objection(settings), "");
}

}  // namespace
}  // namespace chainshot::host
