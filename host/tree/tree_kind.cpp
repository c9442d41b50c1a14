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
bool is_root_parallel(const TreeSettings& s) {
  return s.mode == ParallelMode::kRoot;
}
bool is_set_based(const TreeSettings& s) {
  return s.mode == ParallelMode::kSet;
}

std::vector<std::string> rule_names() {
  std::vector<std::string> names;
  for (const SelectionRule& rule : selection_rules())
    names.emplace_back(rule.name);
  return names;
}

void add_selection(Table& table) {
  const auto is_sp_mcts = [](const TreeSettings& s) { return s.selection.rule == "sp-mcts"; };
  const auto uses_average = [](const TreeSettings& s) { return s.selection.rule != "top-score"; };
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
  table.always();
  table.real(
      "t", "visits below which the playout policy chooses", "Schadd 2012, 4.2",
      [](auto& s) -> auto& { return s.selection.t; });
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
  table.flag(
      "state-pruning", "leave out positions that cannot beat the best score", "Klein 2015, 2.4.1",
      [](auto& s) -> auto& { return s.state_pruning; });
  Setting& pruning = table.flag(
      "vs-pruning", "leave out vertical segments that nothing rests on, in the tree and in playouts",
      "Klein 2015, 2.4.2 and 5.1", [](auto& s) -> auto& { return s.vs_pruning; });
  pruning.set = [](Settings& s, const SettingValue& value) {
    auto& tree = std::any_cast<TreeSettings&>(s);
    tree.vs_pruning = tree.policy.vs_pruning = std::get<bool>(value);
  };
  table.choice(
      "duplicates", "treatment of duplicates", "positions reached by several ways", "Klein 2015, 6.7",
      {"ignore", "naive", "dynamic", "consistent"}, [](auto& s) -> auto& { return s.duplicates; });
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
}

void add_node_exploration(Table& table) {
  const auto has_factors = [](const TreeSettings& s) { return s.node_exploration.enabled; };
  const auto has_urgency = [](const TreeSettings& s) {
    return s.node_exploration.enabled && s.node_exploration.late_urgency;
  };
  const std::string paper = "Klein 2015, 6.9.2";
  table.begin_group("Tree search: an exploration factor for each node (CNode)");
  table.flag(
      "node-exploration", "give each node an exploration factor", paper,
      [](auto& s) -> auto& { return s.node_exploration.enabled; });
  table.only_with("--node-exploration", has_factors);
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
  table.only_with("--late-urgency", has_urgency);
  table.real(
      "urgency", "late urgency: factor of each visit", paper,
      [](auto& s) -> auto& { return s.node_exploration.urgency; }, 0, 1);
  table.real(
      "urgency-share", "late urgency: share of the budget left when it begins", paper,
      [](auto& s) -> auto& { return s.node_exploration.urgency_share; }, 0, 1);
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
  add_node_exploration(table);
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
};

}  // namespace chainshot::host
