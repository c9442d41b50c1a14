#include "host/tree/tree_kind.hpp"

#include "host/search/policy_settings.hpp"
#include "host/tree/selection/selection.hpp"
#include "host/tree/tree_search.hpp"

namespace chainshot::host {
namespace {

using Table = SettingTable<TreeSettings>;

bool moves_on(const TreeSettings& s) {
  return s.allocation != Allocation::kPerGame;
}
bool is_tree(const TreeSettings& s) {
  return s.duplicates != Duplicates::kGraph;
}
bool is_graph(const TreeSettings& s) {
  return !is_tree(s);
}
bool is_root_parallel(const TreeSettings& s) {
  return s.mode == ParallelMode::kRoot;
}
bool is_set_based(const TreeSettings& s) {
  return s.mode == ParallelMode::kSet;
}
bool has_beam(const TreeSettings& s) {
  return s.beam.width > 0;
}
bool is_nested(const TreeSettings& s) {
  return s.nested.level > 1;
}

bool has_factors_of_nodes(const TreeSettings& s) {
  return s.node_exploration.enabled && is_tree(s);
}
bool is_shared_block(const TreeSettings& s, bool is_on) {
  return is_on && !s.node_exploration.enabled && is_tree(s);
}

std::vector<std::string> rule_names() {
  std::vector<std::string> names;
  for (const SelectionRule& rule : selection_rules())
    names.emplace_back(rule.name);
  return names;
}

void add_selection(Table& table) {
  const auto is_sp_mcts = [](const TreeSettings& s) { return s.selection.rule == "sp-mcts"; };
  const auto uses_average = [](const TreeSettings& s) {
    return !s.selection.rule.starts_with("top-") && s.selection.rule != "third-top";
  };
  const auto is_static = [](const TreeSettings& s) { return s.selection.normalisation == Normalisation::kStatic; };
  table.begin_group("Tree search: selection");
  table.name_by(
      "selection", "selection rule", "how a walk chooses a move", "Klein 2015, figure C.2", rule_names(),
      [](const TreeSettings& s) { return s.selection.rule; },
      [](TreeSettings& s, const std::string& name) { s.selection.rule = name; });
  table.real(
      "c", "exploration", "Schadd 2012, 4.2; Klein 2015, 6.1", [](auto& s) -> auto& { return s.selection.c; });
  table.only_with("--selection sp-mcts", is_sp_mcts);
  table.real(
      "d", "sp-mcts: deviation of a move seldom visited", "Schadd 2012, 4.2",
      [](auto& s) -> auto& { return s.selection.d; });
  table.only_with("another --selection", uses_average);
  table.real(
      "w", "weight of the best score, added to the average", "Schadd 2012, 4.2",
      [](auto& s) -> auto& { return s.selection.w; });
  table.only_with("another --duplicates than graph", is_tree);
  table.real(
      "t", "visits below which the playout policy chooses", "Schadd 2012, 4.2",
      [](auto& s) -> auto& { return s.selection.t; });
  table.always();
  table.choice(
      "normalisation", "normalisation", "what averages are divided by", "Klein 2015, 6.1",
      {"none", "static", "local", "global"}, [](auto& s) -> auto& { return s.selection.normalisation; });
  table.only_with("--normalisation static", is_static);
  table.real(
      "range", "points that static normalisation divides by", "Klein 2015, 6.1",
      [](auto& s) -> auto& { return s.selection.range; }, 1e-6);
  table.always();
}

void add_tree_shape(Table& table) {
  const auto merges = [](const TreeSettings& s) { return s.duplicates != Duplicates::kIgnore || is_set_based(s); };
  table.begin_group("Tree search: the tree");
  table.only_with("--duplicates ignore, --t above 0 and no --beam-width", [](const TreeSettings& s) {
    return s.duplicates == Duplicates::kIgnore && s.selection.t > 0 && !has_beam(s);
  });
  table.flag(
      "solver", "let the playout policy choose proven moves, whose scores then count as games", "Winands 2008, 4.2",
      [](auto& s) -> auto& { return s.solver; });
  table.only_with("another --duplicates than graph", is_tree);
  table.flag(
      "state-pruning", "leave out positions that cannot beat the best score", "Klein 2015, 2.4.1",
      [](auto& s) -> auto& { return s.state_pruning; });
  table.always();
  Setting& pruning = table.flag(
      "vs-pruning", "leave out vertical segments that nothing rests on, in the tree and in playouts",
      "Klein 2015, 2.4.2 and 5.1", [](auto& s) -> auto& { return s.vs_pruning; });
  pruning.set = [](Settings& s, const SettingValue& value) {
    auto& tree = std::any_cast<TreeSettings&>(s);
    tree.vs_pruning = tree.policy.vs_pruning = std::get<bool>(value);
  };
  table.only_with("--allocation per-game", [](const TreeSettings& s) { return !moves_on(s); });
  table.real(
      "bonus-share", "share of the bonus for a cleared board that counts in the tree", "Klein 2015, 6.4 and 6.10.2",
      [](auto& s) -> auto& { return s.bonus_share; }, 0, 1);
  table.always();
  table.choice(
      "duplicates", "treatment of duplicates", "positions reached by several ways", "Klein 2015, 6.7",
      {"ignore", "naive", "dynamic", "consistent", "graph"}, [](auto& s) -> auto& { return s.duplicates; });
  table.only_with("--duplicates", merges);
  table.flag(
      "merge-symmetric", "treat positions that differ by a permutation of colours as one", "Klein 2015, A.6",
      [](auto& s) -> auto& { return s.merges_symmetric; });
  table.always();
}

void add_moves(Table& table) {
  table.begin_group("Tree search: the budget and the moves of the game");
  table.choice(
      "allocation", "allocation", "how the budget is divided among moves", "Schadd 2012, 4.6; Klein 2015, 6.8",
      {"per-game", "uniform", "linear", "exponential", "every-move"}, [](auto& s) -> auto& { return s.allocation; });
  table.only_with("an --allocation among moves", moves_on);
  table.choice(
      "move-choice", "choice of a move", "how the final move is chosen", "Schadd 2012, 4.6; Klein 2015, 6.8",
      {"average", "visits", "top-score", "top-score-below"}, [](auto& s) -> auto& { return s.move_choice; });
  table.only_with("an --allocation among moves, and not --parallel set",
                  [](const TreeSettings& s) { return moves_on(s) && !is_set_based(s); });
  table.flag(
      "keep-tree", "after a move, keep what was searched below it", "", [](auto& s) -> auto& { return s.keeps_tree; });
  table.always();
  table.whole(
      "restarts", "searches the budget is split into", "Schadd 2012, 4.7", [](auto& s) -> auto& { return s.restarts; },
      1);
  table
      .whole(
          "second-restarts", "searches that half of the budget is split into, beside the --restarts of the other half",
          "Klein 2015, 8.1.2", [](auto& s) -> auto& { return s.second_restarts; })
      .zero = "none";
}

void add_beam(Table& table) {
  const std::string paper = "Klein 2015, A.5";
  table.begin_group("Tree search: a beam (BMCTS)");
  table.only_with("another --duplicates than graph", is_tree);
  table
      .whole(
          "beam-width", "nodes that stay where a depth is pruned (W); 0: no depth is", paper,
          [](auto& s) -> auto& { return s.beam.width; }, 0, 1e6)
      .zero = "no depth is pruned";
  table.only_with("--beam-width", has_beam);
  table
      .whole(
          "simulation-limit", "walks through a depth before it is pruned (L); 0: from the budget", paper,
          [](auto& s) -> auto& { return s.beam.simulation_limit; })
      .zero = "from the budget";
  table.flag(
      "keep-below", "keep what lies below the nodes that stay", paper,
      [](auto& s) -> auto& { return s.beam.keeps_below; });
  table.always();
}

void add_nesting(Table& table) {
  const std::string paper = "Klein 2015, A.3";
  table.begin_group("Tree search: nested (NMCTS)");
  table.only_with("another --duplicates than graph", is_tree);
  table.whole(
      "nesting", "level: 1 plays leaves, 2 searches them by trees of their own, 3 also the leaves of these", paper,
      [](auto& s) -> auto& { return s.nested.level; }, 1, kMostNesting);
  table.only_with("--nesting 2 or more", is_nested);
  table
      .whole(
          "inner-playouts", "walks of each inner search; 0: from the budget", paper,
          [](auto& s) -> auto& { return s.nested.inner_playouts; })
      .zero = "from the budget";
  table
      .real(
          "outer-c", "exploration above the innermost trees; 0: as there", paper,
          [](auto& s) -> auto& { return s.nested.outer_c; })
      .zero = "as in the innermost trees";
  table.always();
}

void add_node_exploration(Table& table) {
  const auto has_urgency = [](const TreeSettings& s) {
    return has_factors_of_nodes(s) ? s.node_exploration.late_urgency : s.global_exploration.has_urgency();
  };
  const std::string paper = "Klein 2015, 6.9.2";
  table.begin_group("Tree search: an exploration factor for each node (CNode)");
  table.only_with("another --duplicates than graph", is_tree);
  table.flag(
      "node-exploration", "give each node an exploration factor", paper,
      [](auto& s) -> auto& { return s.node_exploration.enabled; });
  table.only_with("--node-exploration", has_factors_of_nodes);
  table.real(
      "growth", "growth of the factor next to the end (P)", paper,
      [](auto& s) -> auto& { return s.node_exploration.growth; });
  table.real(
      "fading", "factor of the growth at each step up (f)", paper,
      [](auto& s) -> auto& { return s.node_exploration.fading; });
  table.real(
      "least-growth", "the least growth (L)", paper, [](auto& s) -> auto& { return s.node_exploration.least; });
  table.flag(
      "late-urgency", "late in a search, shrink factors where no end of a game was reached", paper,
      [](auto& s) -> auto& { return s.node_exploration.late_urgency; });
  table.only_with("--late-urgency or --global-urgency", has_urgency);
  table.real(
      "urgency", "late urgency: factor of each visit", paper,
      [](auto& s) -> auto& { return s.node_exploration.urgency; }, 0, 1);
  table.real(
      "urgency-share", "late urgency: share of the budget left when it begins", paper,
      [](auto& s) -> auto& { return s.node_exploration.urgency_share; }, 0, 1);
  table.always();
}

void add_graph(Table& table) {
  table.begin_group("Tree search: a graph with statistics of its edges (UCT1, UCT2, UCD)");
  table.only_with("--duplicates graph", is_graph);
  table.whole(
      "score-depth", "levels below a move that its average looks (d1)", "Klein 2015, A.1",
      [](auto& s) -> auto& { return s.graph.score; }, 0, kMostGraphDepth);
  table.whole(
      "parent-depth", "levels below a position's moves that its visits look (d2)", "Klein 2015, A.1",
      [](auto& s) -> auto& { return s.graph.parent; }, 0, kMostGraphDepth);
  table.whole(
      "visit-depth", "levels below a move that its visits look (d3)", "Klein 2015, A.1",
      [](auto& s) -> auto& { return s.graph.visits; }, 0, kMostGraphDepth);
  table.always();
}

void add_cooling(Table& table) {
  const auto is_exponential = [](const TreeSettings& s) {
    return s.global_exploration.cooling == Cooling::kExponential && is_tree(s);
  };
  table.begin_group("Tree search: exploration that falls with the budget (SA-UCT)");
  table.only_with("another --duplicates than graph", is_tree);
  table.choice(
      "cooling", "cooling", "how the exploration factor falls as the budget is spent", "Klein 2015, 3.7.2 and 6.9.2",
      {"none", "linear", "exponential"}, [](auto& s) -> auto& { return s.global_exploration.cooling; });
  table.only_with("--cooling exponential", is_exponential);
  table.real(
      "cooling-rate", "exponential: C falls by e to this over the whole budget", "Klein 2015, 6.9.2",
      [](auto& s) -> auto& { return s.global_exploration.cooling_rate; });
  table.real(
      "coolest", "exponential: the least factor", "Klein 2015, 6.9.2",
      [](auto& s) -> auto& { return s.global_exploration.coolest; });
  table.always();
}

void add_global_exploration(Table& table) {
  const auto is_shared = [](const TreeSettings& s) { return is_shared_block(s, true); };
  const auto blocks_depth = [](const TreeSettings& s) { return is_shared_block(s, s.global_exploration.depth_block); };
  const auto blocks_ends = [](const TreeSettings& s) { return is_shared_block(s, s.global_exploration.leaf_block); };
  const auto uses_depth = [](const TreeSettings& s) { return is_shared_block(s, s.global_exploration.uses_depth()); };
  table.begin_group("Tree search: one exploration factor that follows the tree");
  table.only_with("--no-node-exploration, and not --duplicates graph", is_shared);
  table.flag(
      "depth-block", "let exploration grow while nodes lie too deep", "Klein 2015, 6.9.1",
      [](auto& s) -> auto& { return s.global_exploration.depth_block; });
  table.flag(
      "leaf-block", "let exploration grow after each end of a game", "Klein 2015, 6.9.2",
      [](auto& s) -> auto& { return s.global_exploration.leaf_block; });
  table.choice(
      "global-urgency", "late urgency",
      "late in a search, let exploration shrink while nodes are shallow, or without an end",
      "Klein 2015, 6.9.1 and 6.9.2", {"none", "shallow", "no-end"},
      [](auto& s) -> auto& { return s.global_exploration.urgency; });
  table.only_with("--depth-block", blocks_depth);
  table.real(
      "depth-growth", "DepthBlock: factor of each walk (f1)", "Klein 2015, 6.9.1",
      [](auto& s) -> auto& { return s.global_exploration.depth_growth; }, 1);
  table.only_with("--leaf-block", blocks_ends);
  table.real(
      "end-growth", "LeafBlock: factor of each end (f1)", "Klein 2015, 6.9.2",
      [](auto& s) -> auto& { return s.global_exploration.end_growth; }, 1);
  table.only_with("--depth-block or --global-urgency shallow", uses_depth);
  table
      .real(
          "ideal-depth", "mean depth that nodes should have; 0: a share of the length of a game", "Klein 2015, 6.9.1",
          [](auto& s) -> auto& { return s.global_exploration.ideal_depth; })
      .zero = "a share of the length of a game";
  table.real(
      "ideal-share", "that share of the mean length of games", "Klein 2015, 6.9.1",
      [](auto& s) -> auto& { return s.global_exploration.ideal_share; });
  table.always();
}

void add_parallel(Table& table) {
  table.begin_group("Tree search: in parallel");
  table.choice(
      "parallel", "parallel search", "how threads and batches share the tree", "Klein 2015, A.6",
      {"tree", "root", "set"}, [](auto& s) -> auto& { return s.mode; });
  table
      .whole(
          "leaf-playouts", "playouts per leaf; 0: from the speeds of tree and engine", "",
          [](auto& s) -> auto& { return s.leaf_playouts; })
      .zero = "from the speeds of tree and engine";
  table
      .whole(
          "in-flight",
          "walks in flight at most; 1: one after the other, as in the papers; 0: as many as keep the engine busy", "",
          [](auto& s) -> auto& { return s.in_flight; })
      .zero = "as many as keep the engine busy";
  table
      .whole(
          "look-ahead", "at every N-th leaf, the positions after its moves share the playouts; 0: never",
          "Klein 2015, A.6", [](auto& s) -> auto& { return s.look_ahead; })
      .zero = "never";
  table.only_with("--parallel set", is_set_based);
  table
      .whole(
          "set-size", "set: positions in the set, at least, if the budget allows; 0: 64", "Klein 2015, A.6",
          [](auto& s) -> auto& { return s.set_size; })
      .zero = std::to_string(kDefaultSetSize);
  table.only_with("--parallel root", is_root_parallel);
  table
      .whole(
          "trees", "root: independent trees; 0: one per thread, with --deterministic eight", "",
          [](auto& s) -> auto& { return s.trees; })
      .zero = "one per thread, with --deterministic eight";
  table.only_with("--parallel root and an --allocation among moves",
                  [](const TreeSettings& s) { return moves_on(s) && is_root_parallel(s); });
  table.flag(
      "merge-trees", "root: all trees choose a move together, not the best one alone", "",
      [](auto& s) -> auto& { return s.merges_trees; });
  table.always();
}

std::vector<Setting> make_table() {
  Table table;
  add_selection(table);
  add_tree_shape(table);
  table.begin_group("Playouts");
  add_policy_settings(table);
  add_moves(table);
  add_graph(table);
  add_cooling(table);
  add_global_exploration(table);
  add_node_exploration(table);
  add_beam(table);
  add_nesting(table);
  add_parallel(table);
  return table.take();
}

std::vector<NamedSearch> make(const SearchTask& task, const Settings& settings, const Resources& resources,
                              Incumbent& incumbent) {
  const TreeSettings tree = with_common(std::any_cast<const TreeSettings&>(settings), resources.common);
  std::vector<NamedSearch> searches;
  searches.push_back({"tree", std::string(kTreeKind.title),
                      make_tree_search(task, tree, resources.budget, resources.engines, resources.threads, incumbent)});
  return searches;
}

}  // namespace

std::span<const Setting> tree_settings() {
  static const std::vector<Setting> kTable = make_table();
  return kTable;
}

std::string tree_objection(const TreeSettings& s) {
  const bool cuts = s.duplicates == Duplicates::kDynamic || s.duplicates == Duplicates::kConsistent;
  const bool is_graph = s.duplicates == Duplicates::kGraph;
  if (is_graph && (has_beam(s) || is_nested(s)))
    return "--duplicates graph works neither with --beam-width nor with --nesting; expected another --duplicates";
  if (is_graph && (s.node_exploration.enabled || s.global_exploration.changes() || s.state_pruning))
    return "--duplicates graph has no --state-pruning and no exploration factors that change; expected another "
           "--duplicates";
  if (is_set_based(s) && (has_beam(s) || is_nested(s)))
    return "--parallel set works neither with --beam-width nor with --nesting; expected --parallel tree or root";
  if (has_beam(s) && moves_on(s)) return "--beam-width needs --allocation per-game";
  if (has_beam(s) && cuts) return "--beam-width needs --duplicates ignore or naive, where a node keeps its depth";
  if (has_beam(s) && is_nested(s)) return "--beam-width and --nesting exclude each other";
  return {};
}

TreeSettings with_common(TreeSettings settings, const CommonSettings& common) {
  settings.deterministic = common.deterministic;
  settings.memory_bytes = common.memory_bytes;
  return settings;
}

const SearchKind kTreeKind = {
    .name = "tree",
    .title = "tree search",
    .summary = "grows a tree of positions towards the moves whose playouts score best",
    .paper = "Schadd 2012; Klein 2015; Winands 2008",
    .engines = EngineNeed::kAny,
    .counters = {.playouts = true, .nodes = true, .resource_units = true},
    .settings = tree_settings,
    .presets = tree_presets,
    .make = make,
    .default_memory = "a quarter of the machine's memory, with --deterministic 1G",
    .waiting_threads =
        [](const Settings& s, const CommonSettings& common, int threads) {
          return threads_with_trees(with_common(std::any_cast<const TreeSettings&>(s), common), threads);
        },
    .objection = [](const Settings& s,
                    const game::Scoring&) { return tree_objection(std::any_cast<const TreeSettings&>(s)); },
};

}  // namespace chainshot::host
