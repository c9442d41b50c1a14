// The presets of the tree search: algorithms of the papers, each a choice of settings with the paper's parameters.
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

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
// to its figures (docs/lab/reproduction.md).
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

std::vector<Preset> make_presets() {
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
      {"static", "UCT, averages divided by 5,000", "Klein 2015, 6.1", klein("uct", 0.020)},
      {"static-sp-mcts", "the third term with static normalisation", "Klein 2015, 6.2", klein("sp-mcts", 0.010)},
      {"third-average", "3rdAvg", "Klein 2015, 6.3", klein("third-average", 0.041)},
      {"ucb1-tuned", "UCB1-Tuned", "Klein 2015, 6.5", klein("ucb1-tuned", 0.038)},
      {"top-score", "TopScore", "Klein 2015, 6.5", klein("top-score", 0.195)},
      {"base", "Base: Consistent, CNode and late urgency", "Klein 2015, 7", base("uct", 0.020)},
      {"base-3rdavg", "Base3rdAvg", "Klein 2015, 7.0.3", base("third-average", 0.041)},
      {"base-3rdavg-exp+", "Base3rdAvgExp+", "Klein 2015, 7.0.4", exponential_plus(base("third-average", 0.041))},
      {"base-exp+tabu", "BaseExp+Tabu", "Klein 2015, 7.0.5", exponential_plus(base("uct", 0.021, "tabu-color-random"))},
      {"base-exp+tabu48", "BaseExp+Tabu48", "Klein 2015, 7.0.6", exponential_plus(base("uct", 0.021, "tabu48"))},
      {"set", "set-based parallel UCT with look-ahead and merging of symmetric positions",
       "Edelkamp 2010, by Klein 2015, A.6", set_based()},
      {"hgsts", "set-based parallel UCT with playouts that prefer groups of many points",
       "Edelkamp 2010, by Klein 2015, A.6", hgsts()},
  };
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
