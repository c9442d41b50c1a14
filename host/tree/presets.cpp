// The presets of the tree search: algorithms of the papers, each a choice of settings with the paper's parameters.
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "game/policy.hpp"
#include "host/tree/tree_kind.hpp"

namespace chainshot::host {
namespace {

game::Policy policy(std::string_view name, double epsilon = 0) {
  game::Policy policy = game::policy_named(name).value();
  policy.epsilon = game::epsilon_from(epsilon);
  return policy;
}

// Schadd 2012 does not name the unit of its C. In points, its settings would all search alike; these units were fitted
// to its figures (docs/lab/papers.md).
constexpr double kManualUnit = 2000;  // to depths and scores of table 2
constexpr double kTunedUnit = 250;    // of the parameters found by the cross-entropy method, to one score of table 6

// Schadd 2012: points as they are; below T visits the playout policy chooses.
TreeSettings schadd(double c, double d, double t, double w, double epsilon) {
  TreeSettings settings;
  settings.selection = {.rule = "sp-mcts", .c = c, .d = d, .w = w, .t = t};
  settings.policy = policy("tabu-color-random", epsilon);
  return settings;
}

TreeSettings schadd_exploitation() {
  return schadd(0.1 * kManualUnit, 32, 10, 0.02, 0.003);
}

TreeSettings schadd_restarts() {
  TreeSettings settings = schadd_exploitation();
  settings.restarts = 10;
  return settings;
}

TreeSettings schadd_per_move() {
  TreeSettings settings = schadd(4.31 * kTunedUnit, 96.67, 11, 0.28, 0.00007);
  settings.allocation = Allocation::kEveryMove;
  return settings;
}

// Klein 2015, 6.1: averages divided by 5,000, VS-pruning in the tree and in the playouts (5.1).
TreeSettings klein(std::string rule, double c, std::string_view playouts = "random") {
  TreeSettings settings;
  settings.selection = {
      .rule = std::move(rule), .c = c, .d = 0.01, .w = 0, .t = 0, .normalisation = Normalisation::kStatic};
  settings.policy = policy(playouts);
  settings.policy.vs_pruning = true;
  settings.vs_pruning = true;
  return settings;
}

// Klein 2015, 7: Consistent duplicate detection and CNode with late urgency.
TreeSettings base(std::string rule, double c, std::string_view playouts = "random") {
  TreeSettings settings = klein(std::move(rule), c, playouts);
  settings.duplicates = Duplicates::kConsistent;
  settings.node_exploration = {.enabled = true, .late_urgency = true};
  return settings;
}

// Klein 2015, 6.1: by the best score below the parent, or by that of the search.
TreeSettings normalised(Normalisation normalisation, double c) {
  TreeSettings settings = klein("uct", c);
  settings.selection.normalisation = normalisation;
  return settings;
}

// Klein 2015, 6.4 and 6.10.2.
TreeSettings with_bonus(double share, double c, std::string rule = "uct") {
  TreeSettings settings = klein(std::move(rule), c);
  settings.bonus_share = share;
  return settings;
}

// Klein 2015, 6.5.
TreeSettings no_pruning() {
  TreeSettings settings = klein("uct", 0.017);
  settings.policy.vs_pruning = settings.vs_pruning = false;
  return settings;
}

TreeSettings state_pruning() {
  TreeSettings settings = klein("uct", 0.020);
  settings.state_pruning = true;
  return settings;
}

// Klein 2015, 6.7.
TreeSettings merging(Duplicates duplicates) {
  TreeSettings settings = klein("uct", 0.020);
  settings.duplicates = duplicates;
  return settings;
}

// Klein 2015, 3.5.4, 3.5.5 and A.1, with the C of Static.
TreeSettings graph(const GraphDepths& depths) {
  TreeSettings settings = merging(Duplicates::kGraph);
  settings.graph = depths;
  return settings;
}

// Klein 2015, 6.8. The presets with a '+' leave the move's own points out of its worth.
TreeSettings allocated(Allocation allocation, double c, MoveChoice choice = MoveChoice::kTopScore) {
  TreeSettings settings = klein("uct", c);
  settings.allocation = allocation;
  settings.move_choice = choice;
  return settings;
}

// Klein 2015, 6.9.1 and 6.9.2: f1 for each, C = 100 points of 5,000.
TreeSettings depth_block(GlobalUrgency urgency) {
  TreeSettings settings = klein("uct", 0.020);
  settings.global_exploration = {.depth_block = true, .urgency = urgency};
  return settings;
}

TreeSettings leaf_block(GlobalUrgency urgency) {
  TreeSettings settings = klein("uct", 0.020);
  settings.global_exploration = {.leaf_block = true, .urgency = urgency};
  return settings;
}

// Klein 2015, 6.9.2. `least` is L, which was 1.0 only for CNode itself.
TreeSettings cnode(double c, double least = 1.001, bool late_urgency = false) {
  TreeSettings settings = klein("uct", c);
  settings.node_exploration = {.enabled = true, .least = least, .late_urgency = late_urgency};
  return settings;
}

TreeSettings consistent_cnode() {
  TreeSettings settings = cnode(0.020);
  settings.duplicates = Duplicates::kConsistent;
  return settings;
}

// C is that of the start, in points of 5,000.
TreeSettings cooling(TreeSettings settings, Cooling cooling, double start) {
  settings.selection.c = start / settings.selection.range;
  settings.global_exploration.cooling = cooling;
  return settings;
}

// Winands 2008, 4.2: its selection differs from the tree's own only where the playout policy chooses in the tree.
TreeSettings mcts_solver() {
  TreeSettings settings = schadd_exploitation();
  settings.solver = true;
  return settings;
}

TreeSettings exponential_plus(TreeSettings settings) {
  settings.allocation = Allocation::kExponential;
  settings.move_choice = MoveChoice::kTopScoreBelow;
  return settings;
}

TreeSettings plain_uct() {
  TreeSettings settings = klein("uct", 0.021, "tabu-color-random");
  settings.policy.vs_pruning = settings.vs_pruning = false;
  settings.state_pruning = true;
  return settings;
}

// Klein 2015, 7.0.6 and B.5: tabu playouts that turn random when so many blocks are left.
TreeSettings tabu_until(int blocks) {
  TreeSettings settings = exponential_plus(base("uct", 0.021, "tabu-color-random"));
  settings.policy.random_below = blocks;
  return settings;
}

// The scheduler of HGSTS; its playouts run in lanes.
TreeSettings set_based() {
  TreeSettings settings = plain_uct();
  settings.mode = ParallelMode::kSet;
  settings.leaf_playouts = 0;
  settings.look_ahead = 10;
  settings.duplicates = Duplicates::kNaive;
  settings.merges_symmetric = true;
  return settings;
}

TreeSettings hgsts() {
  TreeSettings settings = set_based();
  settings.policy = policy("tabu-color-weighted");
  return settings;
}

// The table has all we know of Baier and Winands 2012: W and L from measurements (docs/lab/papers.md).
TreeSettings beam_mcts() {
  TreeSettings settings = plain_uct();
  settings.beam = {.width = 64};
  return settings;
}

TreeSettings nested_mcts() {
  TreeSettings settings = plain_uct();
  settings.nested = {.level = 2};
  return settings;
}

// Klein 2015, 8.1.2: BaseExp+Tabu48 with another C, several times over.
TreeSettings klein_meta(int restarts, int second_restarts = 0) {
  TreeSettings settings = exponential_plus(base("uct", 0.022, "tabu48"));
  settings.restarts = restarts;
  settings.second_restarts = second_restarts;
  return settings;
}

TreeSettings meta_5(TreeSettings settings) {
  settings.restarts = 5;
  return settings;
}

std::vector<Preset> schadd_presets() {
  return {
      {"uct", "UCT with static normalisation and tabu playouts", "Kocsis 2006; Klein 2015, 6.1", plain_uct()},
      {"sp-mcts", "SP-MCTS with the parameters found by the cross-entropy method", "Schadd 2012, table 5, per game",
       schadd(5.96 * kTunedUnit, 67.98, 13, 0.49, 0.00007)},
      {"sp-mcts-exploitation", "SP-MCTS (0.1; 32)", "Schadd 2012, table 2", schadd_exploitation()},
      {"sp-mcts-balanced", "SP-MCTS (0.5; 10,000)", "Schadd 2012, table 2",
       schadd(0.5 * kManualUnit, 10000, 10, 0.02, 0.003)},
      {"sp-mcts-exploration", "SP-MCTS (1; 20,000)", "Schadd 2012, table 2",
       schadd(1 * kManualUnit, 20000, 10, 0.02, 0.003)},
      {"sp-mcts-restarts", "SP-MCTS (0.1; 32), the budget split into ten searches", "Schadd 2012, 4.7 and 6.3",
       schadd_restarts()},
      {"sp-mcts-per-move", "SP-MCTS with a budget for every move", "Schadd 2012, table 5, per move", schadd_per_move()},
      {"mcts-solver", "SP-MCTS (0.1; 32) where the playout policy may choose proven moves", "Winands 2008, 4.2",
       mcts_solver()},
  };
}

// Chapter 6 but for 6.9: normalisation, selection, bonus, pruning, duplicates, budgets per move.
std::vector<Preset> klein_presets() {
  return {
      {"static", "UCT, averages divided by 5,000", "Klein 2015, 6.1", klein("uct", 0.020)},
      {"local", "UCT, averages divided by the best score below the node", "Klein 2015, 6.1",
       normalised(Normalisation::kLocal, 0.066)},
      {"global", "UCT, averages divided by the best score of the search", "Klein 2015, 6.1",
       normalised(Normalisation::kGlobal, 0.053)},
      {"static-sp-mcts", "the third term with static normalisation", "Klein 2015, 6.2", klein("sp-mcts", 0.010)},
      {"third-average", "3rdAvg", "Klein 2015, 6.3", klein("third-average", 0.041)},
      {"third-average+", "3rdAvg+", "Klein 2015, 6.10.1", klein("third-average+", 0.042)},
      {"ucb1-tuned", "UCB1-Tuned", "Klein 2015, 6.5", klein("ucb1-tuned", 0.038)},
      {"top-score", "TopScore", "Klein 2015, 6.5", klein("top-score", 0.195)},
      {"top-score+", "StaticTop+: TopScore without the bonus for a cleared board", "Klein 2015, 6.10.2",
       with_bonus(0, 0.120, "top-score")},
      {"third-top", "3rdTop", "Klein 2015, 6.10.2", with_bonus(0, 0.210, "third-top")},
      {"bonus-0.0", "Bonus-0.0: static without the bonus for a cleared board", "Klein 2015, 6.4", with_bonus(0, 0.016)},
      {"bonus-0.5", "Bonus-0.5: static with half of it", "Klein 2015, 6.4", with_bonus(0.5, 0.018)},
      {"bonus-0.8", "Bonus-0.8: static with 80 % of it", "Klein 2015, 6.4", with_bonus(0.8, 0.0194)},
      {"no-pruning", "NoPruning: static without VS-pruning", "Klein 2015, 6.5", no_pruning()},
      {"state-pruning", "StatePruning", "Klein 2015, 6.5", state_pruning()},
      {"naive", "Naive duplicate detection", "Klein 2015, 6.7", merging(Duplicates::kNaive)},
      {"dynamic", "Dynamic duplicate detection", "Klein 2015, 6.7", merging(Duplicates::kDynamic)},
      {"consistent", "Consistent duplicate detection", "Klein 2015, 6.7", merging(Duplicates::kConsistent)},
      {"uct1", "UCT on a graph, statistics of edges", "Childs 2008, by Klein 2015, 3.5.4",
       graph({.score = 0, .parent = 0, .visits = 0})},
      {"uct2", "the same with the averages of positions", "Childs 2008, by Klein 2015, 3.5.4",
       graph({.score = 1, .parent = 0, .visits = 0})},
      {"ucd", "UCD: averages that look two levels below a move", "Saffidine 2012, by Klein 2015, A.1",
       graph({.score = 2, .parent = 0, .visits = 0})},
      {"uniform", "Uniform: equal budgets for 30 moves", "Klein 2015, 6.8", allocated(Allocation::kUniform, 0.033)},
      {"uniform+", "Uniform+", "Klein 2015, 6.8", allocated(Allocation::kUniform, 0.032, MoveChoice::kTopScoreBelow)},
      {"linear", "Linear: budgets that fall linearly", "Klein 2015, 6.8", allocated(Allocation::kLinear, 0.020)},
      {"linear+", "Linear+", "Klein 2015, 6.8", allocated(Allocation::kLinear, 0.020, MoveChoice::kTopScoreBelow)},
      {"exponential", "Exponential: budgets that fall exponentially", "Klein 2015, 6.8",
       allocated(Allocation::kExponential, 0.020)},
      {"exponential+", "Exponential+", "Klein 2015, 6.8", exponential_plus(klein("uct", 0.020))},
  };
}

// 6.9, the dynamic explorative factor.
std::vector<Preset> klein_exploration_presets() {
  return {
      {"depth-block", "DepthBlock: more exploration while nodes lie too deep", "Klein 2015, 6.9.1",
       depth_block(GlobalUrgency::kNone)},
      {"depth-block-lu", "DepthBlock with late urgency", "Klein 2015, 6.9.1", depth_block(GlobalUrgency::kShallow)},
      {"leaf-block", "LeafBlock: more exploration after each end of a game", "Klein 2015, 6.9.2",
       leaf_block(GlobalUrgency::kNone)},
      {"leaf-block-lu", "LeafBlock with late urgency", "Klein 2015, 6.9.2", leaf_block(GlobalUrgency::kShallow)},
      {"leaf-block-luntn", "LeafBlock with late urgency while there is no end", "Klein 2015, 6.9.2",
       leaf_block(GlobalUrgency::kNoEnd)},
      {"cnode", "CNode: an exploration factor for each node", "Klein 2015, 6.9.2", cnode(0.020, 1.0)},
      {"cnode-lu", "CNodeLU: with late urgency", "Klein 2015, 6.9.2", cnode(0.020, 1.001, true)},
      {"rapid-start", "Rapid: CNode that starts with little exploration", "Klein 2015, 6.9.2", cnode(0.0008)},
      {"consistent-cnode", "ConsistentCNode", "Klein 2015, 6.9.2", consistent_cnode()},
      {"sa-uct", "SA-UCT: exploration falls linearly with the budget", "Ruijl 2013, by Klein 2015, 3.7.2",
       cooling(klein("uct", 0), Cooling::kLinear, 200)},
      {"sa-uct-exponential", "SA-UCT: exploration falls exponentially", "Klein 2015, 6.9.2",
       cooling(klein("uct", 0), Cooling::kExponential, 256)},
      {"cnode-linear", "CNode and SA-UCT, linear", "Klein 2015, 6.9.2 and B.2",
       cooling(cnode(0), Cooling::kLinear, 180)},
      {"cnode-exponential", "CNode and SA-UCT, exponential", "Klein 2015, 6.9.2 and B.2",
       cooling(cnode(0), Cooling::kExponential, 256)},
  };
}

// Chapter 7.
std::vector<Preset> klein_base_presets() {
  return {
      {"base", "Base: Consistent, CNode and late urgency", "Klein 2015, 7", base("uct", 0.020)},
      {"base-3rdavg", "Base3rdAvg", "Klein 2015, 7.0.3", base("third-average", 0.041)},
      {"base-3rdavg-exp+", "Base3rdAvgExp+", "Klein 2015, 7.0.4", exponential_plus(base("third-average", 0.041))},
      {"base-3rdavg-exp+tabu", "Base3rdAvgExp+Tabu", "Klein 2015, 7.0.5 and B.4",
       exponential_plus(base("third-average", 0.041, "tabu-color-random"))},
      {"base-exp+tabu", "BaseExp+Tabu", "Klein 2015, 7.0.5", exponential_plus(base("uct", 0.021, "tabu-color-random"))},
      {"base-exp+tabu32", "BaseExp+Tabu32", "Klein 2015, B.5", tabu_until(32)},
      {"base-exp+tabu48", "BaseExp+Tabu48", "Klein 2015, 7.0.6", exponential_plus(base("uct", 0.021, "tabu48"))},
      {"base-exp+tabu64", "BaseExp+Tabu64", "Klein 2015, B.5", tabu_until(64)},
      {"448/16", "BaseExp+Tabu48 with C = 0.022, the budget split into 16 searches", "Klein 2015, 8.1.2",
       klein_meta(16)},
      {"448/14", "the same, 14 searches", "Klein 2015, 8.1.2", klein_meta(14)},
      {"448-max", "half of the budget each for 448/16 and 448/14", "Klein 2015, 8.1.2, Max", klein_meta(16, 14)},
      {"consistent-cnode-meta5", "ConsistentCNode (Meta 5): the budget split into five searches", "Klein 2015, 8.1.1",
       meta_5(consistent_cnode())},
      {"base-3rdavg-exp+-meta5", "Base3rdAvgExp+ (Meta 5): the budget split into five searches", "Klein 2015, 8.1.1",
       meta_5(exponential_plus(base("third-average", 0.041)))},
      {"base-exp+tabu48-meta5", "BaseExp+Tabu48 (Meta 5): the budget split into five searches", "Klein 2015, 8.1.1",
       meta_5(exponential_plus(base("uct", 0.021, "tabu48")))},
  };
}

std::vector<Preset> set_presets() {
  return {
      {"nmcts", "NMCTS of level 2: each leaf of UCT is searched by a tree of its own", "Baier 2012, by Klein 2015, A.3",
       nested_mcts()},
      {"bmcts", "BMCTS: UCT that prunes its tree to a beam, depth by depth", "Baier 2012, by Klein 2015, A.5",
       beam_mcts()},
      {"set", "set-based parallel UCT with look-ahead and merging of symmetric positions",
       "Edelkamp 2010, by Klein 2015, A.6", set_based()},
      {"hgsts", "set-based parallel UCT with playouts that prefer groups of many points",
       "Edelkamp 2010, by Klein 2015, A.6", hgsts()},
  };
}

std::vector<Preset> make_presets() {
  std::vector<Preset> all;
  for (std::vector<Preset> presets :
       {schadd_presets(), klein_presets(), klein_exploration_presets(), klein_base_presets(), set_presets()})
    all.insert(all.end(), std::make_move_iterator(presets.begin()), std::make_move_iterator(presets.end()));
  return all;
}

}  // namespace

std::span<const Preset> tree_presets() {
  static const std::vector<Preset> kPresets = make_presets();
  return kPresets;
}

const TreeSettings& tree_preset(std::string_view name) {
  for (const Preset& preset : tree_presets())
    if (preset.name == name) return std::any_cast<const TreeSettings&>(preset.settings);
  throw std::logic_error("the tree search has no preset " + std::string(name));
}

}  // namespace chainshot::host
