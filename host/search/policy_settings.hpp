// The settings of the playout policy and its parameters. Every search that plays adds these rows to its table.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "game/board_text.hpp"
#include "game/policy.hpp"
#include "host/search/setting.hpp"

namespace chainshot::host {

// Returns the name of the policy, whatever its parameters.
std::string_view policy_name(const game::Policy& policy);
std::vector<std::string> policy_names();
std::vector<std::string> color_names();
// Returns -1 if there is no such colour.
int color_named(std::string_view name);

// Adds the rows for settings S, whose member `policy` is the playout policy.
template <class S>
void add_policy_settings(SettingTable<S>& table) {
  const auto has_tabu = [](const S& s) { return s.policy.has_tabu(); };
  const auto keeps_color = [](const S& s) { return s.policy.kind == game::PolicyKind::kTabuColorRandom; };
  const auto is_roulette = [](const S& s) { return s.policy.kind == game::PolicyKind::kRoulette; };
  table.name_by(
      "policy", "policy", "how playouts pick a move", "Schadd 2012, 4.3; Takes 2009, 4; Klein 2015, 7.0.6",
      policy_names(), [](const S& s) { return std::string(policy_name(s.policy)); },
      [](S& s, const std::string& name) {
        const bool pruned = s.policy.vs_pruning;
        s.policy = game::policy_named(name).value();
        s.policy.vs_pruning = pruned;
      });
  table.only_with("a --policy that begins with tabu", has_tabu);
  table.real_by(
      "epsilon", "probability that a move ignores the tabu", "Schadd 2012, 4.3", 0, 1,
      [](const S& s) { return std::round(s.policy.epsilon / 4294967296.0 * 1e9) / 1e9; },
      [](S& s, double p) { s.policy.epsilon = game::epsilon_from(p); });
  table.whole(
      "random-below", "lift the tabu once this many blocks or fewer are left", "Klein 2015, 7.0.6",
      [](auto& s) -> auto& { return s.policy.random_below; }, 0, game::kMaxCells);
  table.only_with("--policy tabu-color-random, tabu-color-weighted or tabu48", keeps_color);
  table
      .name_by(
          "tabu-color", "colour", "colour to keep for last instead of the most frequent one", "Schadd 2012, 4.3",
          color_names(),
          [](const S& s) {
            return s.policy.tabu_color < 0 ? std::string() : std::string(1, game::color_letter(s.policy.tabu_color));
          },
          [](S& s, const std::string& name) { s.policy.tabu_color = color_named(name); })
      .zero = "the most frequent";
  table.only_with("--policy roulette", is_roulette);
  table.real(
      "beta", "roulette: alpha = 1 + beta x blocks left / blocks at the start", "Takes 2009, 4",
      [](auto& s) -> auto& { return s.policy.beta; }, 0, game::RouletteTable::kMostBeta);
  table.real(
      "theta", "roulette: subtracted from every colour's count", "Takes 2009, 4",
      [](auto& s) -> auto& { return s.policy.theta; }, 0, game::kMaxCells);
  table.always();
}

}  // namespace chainshot::host
