// The graph with statistics of its edges: UCD's formulas by hand, and random operations against brute force.
#include "host/tree/graph/graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "game/reference.hpp"
#include "host/tree/graph/adapted_statistics.hpp"
#include "tests/support/brute_force.hpp"
#include "tests/support/random_boards.hpp"
#include "tests/support/scorings.hpp"
#include "tests/support/test_scale.hpp"
#include "tests/support/tree_play.hpp"

namespace chainshot::host {
namespace {

using tests::Dice;

TreeSettings settings_of(const GraphDepths& depths) {
  TreeSettings settings;
  settings.selection = {.rule = "uct", .c = 0.05, .w = 0, .t = 0, .normalisation = Normalisation::kStatic};
  settings.policy = {.kind = game::PolicyKind::kRandom};
  settings.duplicates = Duplicates::kGraph;
  settings.graph = depths;
  return settings;
}

// R has the moves e to X and g to Y; X has f to U, Y has h to U, and U has k to V. The positions do not matter.
class SmallGraph {
 public:
  SmallGraph() {
    for (Link* node : {&r, &x, &y, &u, &v})
      *node = store.make_node(board_, 0, false);
    // The own playouts, then those that went on; each sum counts from the node or from the edge's origin.
    e = add_edge(r, x, 2, 0, 10, {.visits = 3, .sum = 90, .own_visits = 1, .own_sum = 20});
    g = add_edge(r, y, 2, 1, 4, {.visits = 2, .sum = 12, .own_visits = 1, .own_sum = 4});
    f = add_edge(x, u, 1, 0, 5, {.visits = 2, .sum = 50, .own_visits = 1, .own_sum = 10});
    h = add_edge(y, u, 1, 0, 0, {.visits = 1, .sum = 0, .own_visits = 0, .own_sum = 0});
    k = add_edge(u, v, 1, 0, 30, {.visits = 2, .sum = 30, .own_visits = 2, .own_sum = -30});
    set_passed(r, 5, 102);
    set_passed(x, 2, 50);
    set_passed(y, 1, 0);
    set_passed(u, 2, 30);
  }

  Link add_edge(Link from, Link to, int moves, int index, int gain, Edge edge) {
    GraphNode& node = store.node(from);
    if (index == 0) {
      EXPECT_TRUE(store.make_moves(node, moves));
    }
    const Link link = store.make_edge();
    edge.to = to;
    edge.gain = gain;
    store.edge(link) = edge;
    store.moves_of(node).edge(index) = link;
    ++node.opened;
    return link;
  }
  void set_passed(Link link, std::uint64_t visits, std::int64_t sum) {
    store.node(link).passed = visits;
    store.node(link).passed_sum = sum;
  }
  const Edge& edge(Link link) const { return store.edge(link); }

 private:
  const game::Position board_ = tests::board_of({"00"});
  NodePool pool_{std::size_t{1} << 20};

 public:
  GraphStore store{pool_, board_, false};
  Link r = 0, x = 0, y = 0, u = 0, v = 0;
  Link e = 0, g = 0, f = 0, h = 0, k = 0;
};

TEST(AdaptedStatistics, AreThoseOfTheEdgeAtDepthZero) {
  const SmallGraph graph;
  EXPECT_DOUBLE_EQ(adapted_mean(graph.store, graph.edge(graph.e), 0), 30);  // 90 / 3
  EXPECT_DOUBLE_EQ(adapted_mean(graph.store, graph.edge(graph.g), 0), 6);   // 12 / 2
  EXPECT_DOUBLE_EQ(adapted_visits(graph.store, graph.edge(graph.e), 0), 3);
  EXPECT_DOUBLE_EQ(adapted_parent_visits(graph.store, graph.store.node(graph.r), 0), 5);
}

TEST(AdaptedStatistics, LookAsManyLevelsBelowTheEdgeAsTheyAreTold) {
  const SmallGraph graph;
  const auto mean = [&](Link edge, int depth) { return adapted_mean(graph.store, graph.edge(edge), depth); };
  const auto visits = [&](Link edge, int depth) { return adapted_visits(graph.store, graph.edge(edge), depth); };
  // avg_1(e) = 10 + (20 + 2 x 25) / (1 + 2), and avg_1(g) = 4 + (4 + 1 x 0) / (1 + 1).
  EXPECT_DOUBLE_EQ(mean(graph.e, 1), 10 + 70.0 / 3);
  EXPECT_DOUBLE_EQ(mean(graph.g, 1), 6);
  // Below f and h: avg_1(f) = 5 + (10 + 2 x 15) / (1 + 2), and avg_1(h) = 0 + (0 + 2 x 15) / (0 + 2).
  EXPECT_DOUBLE_EQ(mean(graph.f, 1), 5 + 40.0 / 3);
  EXPECT_DOUBLE_EQ(mean(graph.h, 1), 15);
  // avg_2(e) = 10 + (20 + 2 avg_1(f)) / 3, and avg_2(g) = 4 + (4 + 1 x 15) / 2: g hears of what was played below U.
  EXPECT_DOUBLE_EQ(mean(graph.e, 2), 10 + (20 + 2 * (5 + 40.0 / 3)) / 3);
  EXPECT_DOUBLE_EQ(mean(graph.g, 2), 4 + 19.0 / 2);
  // n_1(h) = 0 + 2, n_2(g) = 1 + n_1(h), and p_2 of R = n_2(e) + n_2(g) = (1 + n_1(f)) + 3 = (1 + 1 + 2) + 3.
  EXPECT_DOUBLE_EQ(visits(graph.h, 1), 2);
  EXPECT_DOUBLE_EQ(visits(graph.g, 1), 2);
  EXPECT_DOUBLE_EQ(visits(graph.g, 2), 3);
  EXPECT_DOUBLE_EQ(adapted_parent_visits(graph.store, graph.store.node(graph.r), 2), 7);
}

TEST(AdaptedStatistics, CountForgottenEdgesAsTheyWere) {
  SmallGraph graph;
  graph.store.node(graph.u).moves = 0;
  graph.store.node(graph.u).opened = 0;
  EXPECT_DOUBLE_EQ(adapted_mean(graph.store, graph.edge(graph.h), 3), 15);
  EXPECT_DOUBLE_EQ(adapted_visits(graph.store, graph.edge(graph.h), 3), 2);
}

// Random traffic on a graph, as several engines would cause it. Afterwards, and now and then, everything is compared.
class Traffic {
 public:
  Traffic(std::uint64_t seed, const tests::Shape& least, const tests::Shape& most, int chunks)
      : dice_(seed),
        board_(
            tests::full_board(dice_, {dice_.between(least.columns, most.columns), dice_.between(least.rows, most.rows),
                                      dice_.between(least.colors, most.colors)})),
        scoring_(tests::scoring_case(dice_.below(100))),
        settings_(random_settings()),
        brute_(scoring_),
        rules_(settings_.policy, scoring_, board_),
        pool_(static_cast<std::size_t>(chunks) * kChunkBytes),
        graph_(pool_, board_, dice_.below(50), settings_, scoring_, seed),
        told_(graph_.best()) {
    find_optimum();
  }

  void run(int steps, bool moves_on) {
    for (int i = 0; i < steps && graph_.root_position().has_moves() && !::testing::Test::HasFailure(); ++i) {
      const int step = dice_.below(200);
      if (step == 0 && moves_on)
        make_move();
      else if (step < 3)
        hear_of_a_line();
      else
        walk();
      check_bounds();
      if (i % 97 == 0) check_nodes();
    }
    while (!flying_.empty())
      land();
    check_bounds();
    check_nodes();
  }
  Descent finish(int walks) { return tests_search(walks); }

  std::string name() const { return tests::drawing(board_) + scoring_.name(); }
  bool is_proven() const { return graph_.is_proven(); }
  bool leaves_moves_out() const { return settings_.vs_pruning; }
  std::uint64_t most_nodes() const { return most_nodes_; }
  std::uint64_t nodes_made() const { return graph_.counts().nodes_visited; }

 private:
  TreeSettings random_settings() {
    TreeSettings settings = settings_of({dice_.below(4), dice_.below(4), dice_.below(4)});
    const char* const rules[] = {"uct", "sp-mcts", "ucb1-tuned", "third-average", "top-score"};
    settings.selection.rule = rules[dice_.below(5)];
    settings.selection.normalisation = static_cast<Normalisation>(dice_.below(4));
    settings.merges_symmetric = dice_.one_in(4);
    settings.vs_pruning = settings.policy.vs_pruning = dice_.one_in(5);
    return settings;
  }
  void find_optimum() { optimum_ = graph_.root_points() + brute_.best(game::ReferenceBoard(graph_.root_position())); }

  Descent tests_search(int walks) {
    Descent descent = Descent::kLeaf;
    for (int i = 0; i < walks; ++i) {
      Walk walk;
      descent = graph_.descend(walk);
      if (descent == Descent::kFinished) check_line(walk);
      if (descent == Descent::kProven || descent == Descent::kBlocked) break;
      if (descent == Descent::kLeaf) complete(walk);
    }
    check_bounds();
    return descent;
  }
  void walk() {
    const bool none_in_flight = flying_.empty();
    std::vector<Walk> walks(static_cast<std::size_t>(dice_.between(1, 6)));
    std::vector<Descent> descents(walks.size());
    graph_.descend(walks, descents);
    for (std::size_t i = 0; i < walks.size(); ++i) {
      if (descents[i] == Descent::kFinished) check_line(walks[i]);
      if (descents[i] == Descent::kLeaf) flying_.push_back(std::make_unique<Walk>(walks[i]));
    }
    if (none_in_flight && !leaves_moves_out()) {
      EXPECT_NE(descents[0], Descent::kBlocked) << "nothing is left to visit, nor proven";
    }
    while (!flying_.empty() && (flying_.size() > 12 || dice_.one_in(3)))
      land();
  }
  void complete(const Walk& walk) {
    const game::Result result = tests::play_leaf(walk, rules_, ++key_, dice_.between(1, 3));
    told_ = std::max(told_, result.best);
    graph_.complete(walk, result);
  }
  void land() {
    std::swap(flying_.back(), flying_[static_cast<std::size_t>(dice_.below(static_cast<int>(flying_.size())))]);
    if (dice_.one_in(8))
      graph_.abandon(*flying_.back());
    else
      complete(*flying_.back());
    flying_.pop_back();
  }
  void hear_of_a_line() {
    const game::PlayoutRules random({.kind = game::PolicyKind::kRandom}, scoring_, board_);
    std::vector<game::Cell> line;
    told_ =
        std::max(told_, game::play(graph_.root_position(), random, {2, ++key_, 0}, graph_.root_points(), &line).score);
    graph_.add_line(line);
  }
  void make_move() {
    while (!flying_.empty())
      land();
    const auto groups = graph_.root_position().groups();
    graph_.advance_root(groups[static_cast<std::size_t>(dice_.below(static_cast<int>(groups.size())))].cell);
    told_ = graph_.best();
    find_optimum();
  }
  void check_line(const Walk& walk) {
    std::vector<game::Cell> moves;
    graph_.moves_of(walk, moves);
    const game::ReplayResult replayed = game::replay(graph_.root_position(), moves, scoring_, graph_.root_points());
    EXPECT_EQ(replayed.error, "");
    EXPECT_TRUE(replayed.over);
    EXPECT_EQ(replayed.score, walk.points);
    told_ = std::max(told_, walk.points);
  }
  void check_bounds() const {
    if (graph_.best() > GraphNode::kNothing / 2) {
      EXPECT_LE(graph_.best(), told_) << "a score that nobody was told";
    }
    EXPECT_GE(graph_.upper(), optimum_);
    if (graph_.is_proven()) {
      EXPECT_EQ(told_, optimum_) << "a false proof";
    }
  }

  struct InEdges {
    std::uint64_t visits = 0, own_visits = 0;
    std::uint32_t virtual_visits = 0;
  };
  void check_nodes() {
    const GraphStore& store = graph_.store();
    std::map<const GraphNode*, InEdges> in;
    std::vector<const GraphNode*> all{&graph_.root()};
    std::set<const GraphNode*> seen{&graph_.root()};
    for (std::size_t n = 0; n < all.size(); ++n) {
      const GraphNode& node = *all[n];
      std::uint64_t passed = 0;
      std::int64_t sum = 0;
      for (int i = 0; i < node.opened; ++i) {
        const Edge& edge = store.edge(store.moves_of(node).edge(i));
        const GraphNode& to = store.node(edge.to);
        passed += edge.visits;
        sum += edge.sum;
        in[&to].visits += edge.visits;
        in[&to].own_visits += edge.own_visits;
        in[&to].virtual_visits += edge.virtual_visits;
        if (seen.insert(&to).second) all.push_back(&to);
      }
      // Moves that were forgotten leave their sums.
      EXPECT_LE(passed, node.passed);
      if (passed == node.passed) {
        EXPECT_EQ(sum, node.passed_sum);
      }
      if (node.is_done && !node.is_end && !leaves_moves_out()) {
        EXPECT_EQ(node.held, node.upper);
      }
    }
    EXPECT_EQ(all.size(), graph_.counts().nodes);
    most_nodes_ = std::max<std::uint64_t>(most_nodes_, all.size());
    for (const auto& [node, edges] : in) {
      EXPECT_LE(edges.visits, node->visits());
      EXPECT_LE(edges.own_visits, node->own_visits);
      EXPECT_EQ(edges.virtual_visits, node->virtual_visits);
    }
    EXPECT_EQ(graph_.in_flight(), static_cast<int>(flying_.size()));
    EXPECT_LE(pool_.bytes(), pool_.cap());
  }

  Dice dice_;
  const game::Position board_;
  const game::Scoring scoring_;
  const TreeSettings settings_;
  tests::BruteForce brute_;
  const game::PlayoutRules rules_;
  NodePool pool_;
  Graph graph_;
  int told_, optimum_ = 0;
  std::uint64_t key_ = 0, most_nodes_ = 0;
  std::vector<std::unique_ptr<Walk>> flying_;
};

TEST(Graph, KeepsItsInvariantsAfterEveryOperation) {
  const int runs = tests::scaled(120);
  for (int seed = 1; seed <= runs && !HasFailure(); ++seed) {
    Traffic traffic(static_cast<std::uint64_t>(seed), {2, 2, 2}, {5, 4, 4}, 64);
    SCOPED_TRACE("seed " + std::to_string(seed) + ":\n" + traffic.name());
    traffic.run(300, seed % 3 == 0);
  }
}

TEST(Graph, KeepsThemWhereItHasToForget) {
  int forgetful = 0;
  const int runs = std::max(12, tests::scaled(12));  // not every run forgets enough
  for (int seed = 1; seed <= runs && !HasFailure(); ++seed) {
    Traffic traffic(static_cast<std::uint64_t>(seed), {6, 5, 3}, {7, 5, 4}, 3);
    SCOPED_TRACE("seed " + std::to_string(seed) + ":\n" + traffic.name());
    traffic.run(1500, false);
    forgetful += traffic.nodes_made() > 2 * traffic.most_nodes();
  }
  EXPECT_GT(forgetful, runs / 4);
}

TEST(Graph, ProvesTheBestScoreOfSmallBoards) {
  const int runs = tests::scaled(40);
  int proven = 0;
  for (int seed = 1; seed <= runs && !HasFailure(); ++seed) {
    Traffic traffic(static_cast<std::uint64_t>(seed), {3, 3, 2}, {5, 4, 3}, 512);
    SCOPED_TRACE("seed " + std::to_string(seed) + ":\n" + traffic.name());
    const Descent end = traffic.finish(200'000);
    if (traffic.leaves_moves_out()) {
      EXPECT_TRUE(end == Descent::kProven || end == Descent::kBlocked);
    } else {
      EXPECT_EQ(end, Descent::kProven);
    }
    proven += traffic.is_proven();
  }
  EXPECT_GT(proven, runs / 2);
}

// A row of three pairs, kept apart by single blocks: the eight sets of pairs that may be left are the positions, and
// 3 x 4 moves lead from one to another. All lines earn nothing and end with two single blocks, for -2 points.
TEST(Graph, GivesEveryPositionOneNodeAndEveryMoveAnEdge) {
  const game::Position board = tests::board_of({"00211344"});
  NodePool pool(std::size_t{1} << 20);
  Graph graph(pool, board, 0, settings_of({}), game::kStandardScoring, 1);
  Walk walk;
  Descent descent = graph.descend(walk);
  for (; descent == Descent::kLeaf || descent == Descent::kFinished; descent = graph.descend(walk)) {
    game::Result result;
    result.add({}, -1000, 1);  // worse than any line, so that nothing is closed by it
    if (descent == Descent::kLeaf) graph.complete(walk, result);
  }
  EXPECT_EQ(descent, Descent::kProven);
  EXPECT_EQ(graph.best(), -2);
  EXPECT_EQ(graph.counts().nodes, 8U);
  int edges = 0;
  std::set<Link> seen;
  const std::function<void(const GraphNode&)> look = [&](const GraphNode& node) {
    for (int i = 0; i < node.opened; ++i, ++edges) {
      const Link to = graph.store().edge(graph.store().moves_of(node).edge(i)).to;
      if (seen.insert(to).second) look(graph.store().node(to));
    }
  };
  look(graph.root());
  EXPECT_EQ(seen.size(), 7U);
  EXPECT_EQ(edges, 12);
}

}  // namespace
}  // namespace chainshot::host
