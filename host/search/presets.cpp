#include "host/search/presets.hpp"

#include <fmt/format.h>

#include <utility>

#include "game/board_text.hpp"
#include "game/policy.hpp"

namespace chainshot::host {
namespace {

game::Policy policy(std::string_view name, double epsilon = 0) {
  game::Policy policy = game::policy_named(name).value();
  policy.epsilon = game::epsilon_from(epsilon);
  return policy;
}

// Schadd 2012 does not name the unit of its C. In points, its settings would all search alike; these units were fitted
// to its figures (docs/reproduction.md).
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
      {"auto",
       "annealing on the processors, with a search for a proof of small boards, and, where there is a device, the "
       "set-based tree search on it",
       "", Method::kAuto, set_based()},
      {"anneal", "population annealing on lines whose moves are named by blocks", "", Method::kAnneal, {}},
      {"uct", "UCT with static normalisation and tabu playouts", "Kocsis 2006; Klein 2015, 6.1", Method::kTree,
       plain_uct()},
      {"sp-mcts", "SP-MCTS with the parameters found by the cross-entropy method", "Schadd 2012, table 5, per game",
       Method::kTree, schadd(5.96 * kTunedUnit, 67.98, 13, 0.49, 0.00007)},
      {"sp-mcts-exploitation", "SP-MCTS (0.1; 32)", "Schadd 2012, table 2", Method::kTree, schadd_exploitation()},
      {"sp-mcts-balanced", "SP-MCTS (0.5; 10,000)", "Schadd 2012, table 2", Method::kTree,
       schadd(0.5 * kManualUnit, 10000, 10, 0.02, 0.003)},
      {"sp-mcts-exploration", "SP-MCTS (1; 20,000)", "Schadd 2012, table 2", Method::kTree,
       schadd(1 * kManualUnit, 20000, 10, 0.02, 0.003)},
      {"sp-mcts-restarts", "SP-MCTS (0.1; 32), the budget split into ten searches", "Schadd 2012, 4.7 and 6.3",
       Method::kTree, schadd_restarts()},
      {"sp-mcts-per-move", "SP-MCTS with a budget for every move", "Schadd 2012, table 5, per move", Method::kTree,
       schadd_per_move()},
      {"static", "UCT, averages divided by 5,000", "Klein 2015, 6.1", Method::kTree, klein("uct", 0.020)},
      {"static-sp-mcts", "the third term with static normalisation", "Klein 2015, 6.2", Method::kTree,
       klein("sp-mcts", 0.010)},
      {"third-average", "3rdAvg", "Klein 2015, 6.3", Method::kTree, klein("third-average", 0.041)},
      {"ucb1-tuned", "UCB1-Tuned", "Klein 2015, 6.5", Method::kTree, klein("ucb1-tuned", 0.038)},
      {"top-score", "TopScore", "Klein 2015, 6.5", Method::kTree, klein("top-score", 0.195)},
      {"base", "Base: Consistent, CNode and late urgency", "Klein 2015, 7", Method::kTree, base("uct", 0.020)},
      {"base-3rdavg", "Base3rdAvg", "Klein 2015, 7.0.3", Method::kTree, base("third-average", 0.041)},
      {"base-3rdavg-exp+", "Base3rdAvgExp+", "Klein 2015, 7.0.4", Method::kTree,
       exponential_plus(base("third-average", 0.041))},
      {"base-exp+tabu", "BaseExp+Tabu", "Klein 2015, 7.0.5", Method::kTree,
       exponential_plus(base("uct", 0.021, "tabu-color-random"))},
      {"base-exp+tabu48", "BaseExp+Tabu48", "Klein 2015, 7.0.6", Method::kTree,
       exponential_plus(base("uct", 0.021, "tabu48"))},
      {"set", "set-based parallel UCT with look-ahead and merging of symmetric positions",
       "Edelkamp 2010, by Klein 2015, A.6", Method::kTree, set_based()},
      {"hgsts", "set-based parallel UCT with playouts that prefer groups of many points",
       "Edelkamp 2010, by Klein 2015, A.6", Method::kTree, hgsts()},
  };
}

// The name of the policy that differs from this one by parameters alone.
std::string_view base_name(const game::Policy& used, bool whatever_random_below) {
  for (const game::NamedPolicy& named : game::kPolicies) {
    game::Policy alike = used;
    alike.kind = named.policy.kind;
    alike.by_points = named.policy.by_points;
    if (!whatever_random_below) alike.random_below = named.policy.random_below;
    if (alike == used) return named.name;
  }
  return {};
}

std::string policy_text(const game::Policy& used) {
  const std::string_view exact = base_name(used, false);
  std::string text(exact.empty() ? base_name(used, true) : exact);
  if (exact.empty()) text += fmt::format(", random below {}", used.random_below);
  if (used.tabu_color >= 0) text += fmt::format(", tabu colour {}", game::color_letter(used.tabu_color));
  if (used.epsilon != 0) text += fmt::format(", epsilon {:.4g}", used.epsilon / 4294967296.0);
  if (used.kind == game::PolicyKind::kRoulette) text += fmt::format(", beta {}, theta {}", used.beta, used.theta);
  if (used.vs_pruning) text += ", VS-pruning";
  return text;
}

// As --memory spells it where it is a whole number of units: 512M.
std::string memory_text(std::uint64_t bytes) {
  for (const auto& [letter, unit] :
       {std::pair('T', 1ULL << 40), {'G', 1ULL << 30}, {'M', 1ULL << 20}, {'K', 1ULL << 10}})
    if (bytes % unit == 0) return fmt::format("{}{}", bytes / unit, letter);
  return fmt::format("{} bytes", bytes);
}

std::string leaf_playouts_text(const TreeSettings& s) {
  if (s.leaf_playouts > 0) return fmt::format("{}", s.leaf_playouts);
  return s.deterministic ? fmt::format("{}", kDeterministicPlayouts) : "by the speed of the engine";
}

void explain_annealing(const AnnealSettings& s, std::vector<PresetPart>& parts) {
  const std::string members = s.members == 0 ? "from the budget" : fmt::format("{}", s.members);
  parts.push_back({"annealing", "a population of lines, resampled", "docs/search.md"});
  parts.push_back({"members", fmt::format("{}, {} at the end", members, s.last_members), ""});
  const Temperatures t = temperatures_for(s, game::kStandardScoring);
  parts.push_back({"temperature", fmt::format("{} to {} points in {} steps", t.hot, t.cold, s.steps), ""});
  parts.push_back({"soft bonus", fmt::format("{} to {} blocks left", s.soft_start, s.soft_end), ""});
}

void explain_tree(const TreeSettings& s, std::vector<PresetPart>& parts) {
  const auto add = [&](std::string part, std::string value, std::string_view source) {
    parts.push_back({std::move(part), std::move(value), source});
  };
  const SelectionSettings& selection = s.selection;
  add("selection", selection.rule, "Klein 2015, figure C.2");
  add("C", fmt::format("{}", selection.c), "Schadd 2012, 4.2; Klein 2015, 6.1");
  if (selection.rule == "sp-mcts") add("D", fmt::format("{}", selection.d), "Schadd 2012, 4.2");
  if (selection.w != 0) add("W", fmt::format("{}", selection.w), "Schadd 2012, 4.2");
  if (selection.t != 0) add("T", fmt::format("{} visits", selection.t), "Schadd 2012, 4.2");
  add("normalisation",
      selection.normalisation == Normalisation::kStatic ? fmt::format("static, {}", selection.range)
                                                        : std::string(to_string(selection.normalisation)),
      "Klein 2015, 6.1");
  const NodeExploration& cnode = s.node_exploration;
  if (cnode.enabled) {
    add("node exploration", fmt::format("P {}, f {}, L {}", cnode.growth, cnode.fading, cnode.least),
        "Klein 2015, 6.9.2");
  }
  if (cnode.enabled && cnode.late_urgency) {
    add("late urgency", fmt::format("{} in the last {:.4g} % of the budget", cnode.urgency, 100 * cnode.urgency_share),
        "Klein 2015, 6.9.2");
  }
  add("playouts", policy_text(s.policy), "Schadd 2012, 4.3; Klein 2015, 7.0.6");
  if (s.vs_pruning) add("moves", "VS-pruning with quick finish", "Klein 2015, 2.4.2 and 5.1");
  if (s.state_pruning) add("states", "pruned by the over-estimator", "Klein 2015, 2.4.1");
  add("duplicates", std::string(to_string(s.duplicates)), "Klein 2015, 6.7");
  if (s.merges_symmetric) add("symmetry", "colours permuted are one position", "Klein 2015, A.6");
  add("allocation", std::string(to_string(s.allocation)), "Schadd 2012, 4.6; Klein 2015, 6.8");
  if (s.allocation != Allocation::kPerGame) {
    add("final move", std::string(to_string(s.move_choice)), "Schadd 2012, 4.6; Klein 2015, 6.8");
    add("after a move", s.keeps_tree_below_move() ? "the tree below it is kept" : "a new tree", "");
  }
  if (s.restarts > 1) add("restarts", fmt::format("{}", s.restarts), "Schadd 2012, 4.7");
  add("parallel", std::string(to_string(s.mode)), "Klein 2015, A.6");
  if (s.mode == ParallelMode::kRoot) {
    const int trees = s.trees == 0 && s.deterministic ? kDeterministicTreeGroups : s.trees;
    add("trees", trees == 0 ? "one a thread" : fmt::format("{}", trees), "");
    if (s.allocation != Allocation::kPerGame)
      add("who chooses", s.merges_trees ? "all trees together" : "the best tree alone", "");
  }
  if (s.mode == ParallelMode::kSet)
    add("set",
        fmt::format("at least {} positions, if the budget allows", s.set_size == 0 ? kDefaultSetSize : s.set_size),
        "Klein 2015, A.6");
  add("playouts a leaf", leaf_playouts_text(s), "");
  if (s.in_flight > 0) add("walks in flight", fmt::format("{}", s.in_flight), "");
  if (s.look_ahead > 0) add("look-ahead", fmt::format("every {} iterations", s.look_ahead), "Klein 2015, A.6");
  if (s.deterministic) add("deterministic", "the result depends on the seed alone", "");
  const std::uint64_t bytes = s.memory_bytes == 0 && s.deterministic ? kDeterministicBytes : s.memory_bytes;
  add("memory", bytes == 0 ? "a quarter of the machine's" : memory_text(bytes), "");
}

}  // namespace

std::span<const Preset> presets() {
  static const std::vector<Preset> kAll = make_presets();
  return kAll;
}

const Preset* preset_named(std::string_view name) {
  for (const Preset& preset : presets())
    if (preset.name == name) return &preset;
  return nullptr;
}

std::vector<PresetPart> explain(Method method, const TreeSettings& tree, const AnnealSettings& anneal) {
  std::vector<PresetPart> parts;
  if (method != Method::kTree) explain_annealing(anneal, parts);
  if (method == Method::kAuto) {
    parts.push_back(
        {"proof",
         fmt::format("boards of up to {} blocks, with no budget but time: uct, dynamic duplicates", kMostProvenBlocks),
         ""});
    parts.push_back({"tree search", "on a device, if there is one", ""});
  }
  if (method != Method::kAnneal) explain_tree(tree, parts);
  return parts;
}

std::string_view to_string(Normalisation normalisation) {
  constexpr std::string_view kNames[] = {"none", "static", "local", "global"};
  return kNames[static_cast<std::size_t>(normalisation)];
}

std::string_view to_string(Duplicates duplicates) {
  constexpr std::string_view kNames[] = {"ignore", "naive", "dynamic", "consistent"};
  return kNames[static_cast<std::size_t>(duplicates)];
}

std::string_view to_string(Allocation allocation) {
  constexpr std::string_view kNames[] = {"per-game", "uniform", "linear", "exponential", "every-move"};
  return kNames[static_cast<std::size_t>(allocation)];
}

std::string_view to_string(MoveChoice choice) {
  constexpr std::string_view kNames[] = {"average", "visits", "top-score", "top-score-below"};
  return kNames[static_cast<std::size_t>(choice)];
}

std::string_view to_string(ParallelMode mode) {
  constexpr std::string_view kNames[] = {"tree", "root", "set"};
  return kNames[static_cast<std::size_t>(mode)];
}

}  // namespace chainshot::host
