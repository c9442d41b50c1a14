// The options that change parts of a preset's tree search (host/tree/settings.hpp), one line each.
#include <fmt/format.h>

#include <limits>
#include <string_view>
#include <utility>

#include "host/tree/selection/selection.hpp"
#include "tools/options/input_error.hpp"
#include "tools/options/number_argument.hpp"
#include "tools/options/preset_argument.hpp"
#include "tools/options/suggest.hpp"

namespace chainshot::tools {
namespace {

using host::TreeSettings;

constexpr int kMostWhole = 1'000'000'000;
constexpr std::uint64_t kLeastMemoryKib = 256;  // for a few nodes of a wide board and the table of their positions

// Adds options to a command; what they change waits until the preset is known.
class TreeOptions {
 public:
  TreeOptions(CLI::App& command, PresetArguments& arguments) : command_(command), arguments_(arguments) {}

  void begin_group(const std::string& title) { command_.option_defaults()->group(title); }

  // The options that follow are heeded only where `holds`, which `condition` tells the user.
  void only_with(const char* condition, bool (*holds)(const TreeSettings&)) { need_ = {condition, holds}; }
  void always() { need_ = {}; }

  template <class Set>
  void real(const std::string& option, const std::string& description, Set set, double low = 0,
            double high = kMostReal) {
    add<double>(option, description, set)->type_name("X")->check(real_number(low, high));
  }
  template <class Set>
  void whole(const std::string& option, const std::string& description, Set set, int low = 0) {
    add<int>(option, description, set)
        ->type_name("N")
        ->check(whole_number(static_cast<std::uint64_t>(low), kMostWhole));
  }
  template <class Set>
  void flag(const std::string& name, const std::string& description, Set set) {
    command_.add_flag_function(
        "--" + name + ",!--no-" + name,
        [&a = arguments_, set, option = "--" + name, need = need_](std::int64_t count) {
          a.tree_changes.push_back([set, on = count > 0](TreeSettings& settings) { set(settings, on); });
          // What is not there may be left out all the same.
          if (count > 0) a.tree_checks.push_back([=](const TreeSettings& settings) { need.expect(option, settings); });
        },
        description);
  }
  // A part that has names: `last` is the last one that host::to_string knows.
  template <class Part, class Set>
  void named(const std::string& option, const std::string& what, const std::string& description, Part last, Set set) {
    const auto choose = [what, last, set](TreeSettings& settings, const std::string& name) {
      set(settings, part_named(what, name, last));
    };
    add<std::string>(option, description + ": " + listed(part_names(last)), choose)->type_name("NAME");
  }
  template <class Set>
  void memory(const std::string& option, const std::string& description, Set set) {
    add<std::uint64_t>(option, description, set)->type_name("SIZE")->transform(memory_size(kLeastMemoryKib));
  }
  template <class Set>
  void text(const std::string& option, const std::string& description, Set set) {
    add<std::string>(option, description, set)->type_name("NAME");
  }

 private:
  struct Need {
    const char* condition = nullptr;
    bool (*holds)(const TreeSettings&) = nullptr;

    void expect(const std::string& option, const TreeSettings& settings) const {
      if (holds != nullptr && !holds(settings))
        throw InputError(fmt::format("{} changes nothing in this search; expected it with {}", option, condition));
    }
  };

  template <class Value, class Set>
  CLI::Option* add(const std::string& option, const std::string& description, Set set) {
    return command_.add_option_function<Value>(
        option,
        [&a = arguments_, set, option, need = need_](const Value& value) {
          a.tree_changes.push_back([set, value](TreeSettings& settings) { set(settings, value); });
          a.tree_checks.push_back([=](const TreeSettings& settings) { need.expect(option, settings); });
        },
        description);
  }

  template <class Part>
  static std::vector<std::string> part_names(Part last) {
    std::vector<std::string> names;
    for (int i = 0; i <= static_cast<int>(last); ++i)
      names.emplace_back(to_string(static_cast<Part>(i)));
    return names;
  }

  static std::string listed(const std::vector<std::string>& names) {
    std::string out;
    for (std::size_t i = 0; i < names.size(); ++i)
      out += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
    return out;
  }

  template <class Part>
  static Part part_named(std::string_view what, const std::string& name, Part last) {
    const std::vector<std::string> names = part_names(last);
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i] == name) return static_cast<Part>(i);
    throw InputError(unknown_name(what, name, names));
  }

  CLI::App& command_;
  PresetArguments& arguments_;
  Need need_;
};

bool moves_on(const TreeSettings& s) {
  return s.allocation != host::Allocation::kPerGame;
}

bool has_node_exploration(const TreeSettings& s) {
  return s.node_exploration.enabled;
}

void set_rule(TreeSettings& s, const std::string& name) {
  std::vector<std::string> names;
  for (const host::SelectionRule& rule : host::selection_rules())
    names.emplace_back(rule.name);
  if (host::selection_rule_named(name) == nullptr) throw InputError(unknown_name("selection rule", name, names));
  s.selection.rule = name;
}

void add_selection(TreeOptions& options) {
  options.text("--selection", "how a walk chooses: " + host::selection_rule_names(), set_rule);
  options.real("--c", "exploration", [](TreeSettings& s, double x) { s.selection.c = x; });
  options.only_with("--selection sp-mcts", [](const TreeSettings& s) { return s.selection.rule == "sp-mcts"; });
  options.real("--d", "sp-mcts: deviation of a move seldom visited",
               [](TreeSettings& s, double x) { s.selection.d = x; });
  options.only_with("another --selection", [](const TreeSettings& s) { return s.selection.rule != "top-score"; });
  options.real("--w", "weight of the best score, added to the average",
               [](TreeSettings& s, double x) { s.selection.w = x; });
  options.always();
  options.real("--t", "visits below which the playout policy chooses",
               [](TreeSettings& s, double x) { s.selection.t = x; });
  options.named("--normalisation", "normalisation", "what averages are divided by", host::Normalisation::kGlobal,
                [](TreeSettings& s, host::Normalisation n) { s.selection.normalisation = n; });
  options.only_with("--normalisation static",
                    [](const TreeSettings& s) { return s.selection.normalisation == host::Normalisation::kStatic; });
  options.real(
      "--range", "points that static normalisation divides by",
      [](TreeSettings& s, double x) { s.selection.range = x; }, 1e-6);
  options.always();
}

void add_node_exploration(TreeOptions& options) {
  options.flag("node-exploration", "an exploration factor for each node (CNode)",
               [](TreeSettings& s, bool on) { s.node_exploration.enabled = on; });
  options.only_with("--node-exploration", has_node_exploration);
  options.real("--growth", "CNode: of the factor next to the end (P)",
               [](TreeSettings& s, double x) { s.node_exploration.growth = x; });
  options.real("--fading", "CNode: of the growth at each step up (f)",
               [](TreeSettings& s, double x) { s.node_exploration.fading = x; });
  options.real("--least-growth", "CNode: the growth is at least this (L)",
               [](TreeSettings& s, double x) { s.node_exploration.least = x; });
  options.flag("late-urgency", "CNode: factors shrink late in a search where no end of a game was reached",
               [](TreeSettings& s, bool on) { s.node_exploration.late_urgency = on; });
  options.only_with("--late-urgency",
                    [](const TreeSettings& s) { return has_node_exploration(s) && s.node_exploration.late_urgency; });
  options.real(
      "--urgency", "late urgency: factor of each visit",
      [](TreeSettings& s, double x) { s.node_exploration.urgency = x; }, 0, 1);
  options.real(
      "--urgency-share", "late urgency: share of the budget left when it begins",
      [](TreeSettings& s, double x) { s.node_exploration.urgency_share = x; }, 0, 1);
  options.always();
}

void add_tree_parts(TreeOptions& options) {
  options.flag("state-pruning", "leave out positions that cannot beat the best score",
               [](TreeSettings& s, bool on) { s.state_pruning = on; });
  options.flag("vs-pruning", "leave out vertical segments that nothing rests on, in the tree and in playouts",
               [](TreeSettings& s, bool on) { s.vs_pruning = s.policy.vs_pruning = on; });
  options.named("--duplicates", "treatment of duplicates", "positions reached by several ways",
                host::Duplicates::kConsistent, [](TreeSettings& s, host::Duplicates d) { s.duplicates = d; });
  options.only_with("--duplicates", [](const TreeSettings& s) {
    return s.duplicates != host::Duplicates::kIgnore || s.mode == host::ParallelMode::kSet;
  });
  options.flag("merge-symmetric", "positions that differ by a permutation of colours are one",
               [](TreeSettings& s, bool on) { s.merges_symmetric = on; });
  options.always();
  options.named("--allocation", "allocation", "how the budget is divided among moves", host::Allocation::kEveryMove,
                [](TreeSettings& s, host::Allocation a) { s.allocation = a; });
  options.only_with("an --allocation among moves", moves_on);
  options.named("--move-choice", "choice of a move", "how the final move is chosen", host::MoveChoice::kTopScoreBelow,
                [](TreeSettings& s, host::MoveChoice m) { s.move_choice = m; });
  options.only_with("an --allocation among moves, and not --parallel set",
                    [](const TreeSettings& s) { return moves_on(s) && s.mode != host::ParallelMode::kSet; });
  options.flag("keep-tree", "after a move what was searched below it is kept",
               [](TreeSettings& s, bool on) { s.keeps_tree = on; });
  options.always();
  options.whole(
      "--restarts", "searches the budget is split into", [](TreeSettings& s, int n) { s.restarts = n; }, 1);
  options.memory("--memory",
                 "memory of the tree: 512M, 4G (default a quarter of the machine's, with --deterministic 1G)",
                 [](TreeSettings& s, std::uint64_t bytes) { s.memory_bytes = bytes; });
}

void add_parallel(TreeOptions& options) {
  options.named("--parallel", "parallel search", "how threads and batches share the tree", host::ParallelMode::kSet,
                [](TreeSettings& s, host::ParallelMode m) { s.mode = m; });
  options.whole("--leaf-playouts", "playouts a leaf; 0: from the speeds of tree and engine",
                [](TreeSettings& s, int n) { s.leaf_playouts = n; });
  options.whole("--in-flight", "walks in flight at most; 1: one after the other, as in the papers; 0: by the engine",
                [](TreeSettings& s, int n) { s.in_flight = n; });
  options.whole("--look-ahead", "every so many iterations the moves of the leaf share its playouts; 0: never",
                [](TreeSettings& s, int n) { s.look_ahead = n; });
  options.only_with("--parallel set", [](const TreeSettings& s) { return s.mode == host::ParallelMode::kSet; });
  options.whole("--set-size", "set: positions in the set, at least, if the budget allows; 0: 64",
                [](TreeSettings& s, int n) { s.set_size = n; });
  options.only_with("--parallel root", [](const TreeSettings& s) { return s.mode == host::ParallelMode::kRoot; });
  options.whole("--trees", "root: independent trees; 0: one a thread, with --deterministic eight",
                [](TreeSettings& s, int n) { s.trees = n; });
  options.only_with("--parallel root and an --allocation among moves",
                    [](const TreeSettings& s) { return moves_on(s) && s.mode == host::ParallelMode::kRoot; });
  options.flag("merge-trees", "root: all trees choose a move together, not the best one alone",
               [](TreeSettings& s, bool on) { s.merges_trees = on; });
  options.always();
  options.flag("deterministic", "the result depends on the seed alone, not on threads and latency",
               [](TreeSettings& s, bool on) { s.deterministic = on; });
}

}  // namespace

void add_tree_arguments(CLI::App& command, PresetArguments& a) {
  TreeOptions options(command, a);
  options.begin_group(kTreeGroup);
  add_selection(options);
  add_tree_parts(options);
  add_node_exploration(options);
  options.begin_group(kPlayoutGroup);
  add_policy_parameters(command, a.policy);
  options.begin_group(kParallelGroup);
  add_parallel(options);
  options.begin_group("Options");
}

}  // namespace chainshot::tools
