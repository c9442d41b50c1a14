#include "host/reproduce/published_table.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace chainshot::host {
namespace {

std::string value_text(const SettingValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{:g}", *number);
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  return std::get<std::string>(value);
}

std::string text_of(const SearchExperiment& experiment) {
  return experiment.command() + (experiment.takes_played_game ? ", the game played" : "");
}
std::string text_of(const PlayoutExperiment& experiment) {
  return fmt::format("play standard --policy {} --playouts {}, the best", experiment.policy, experiment.playouts);
}
std::string text_of(const FigureExperiment& experiment) {
  constexpr std::array<std::string_view, 5> kNames = {
      "mean length", "mean branching", "log10 of the game tree",
      "log10 of the game tree with VS-pruning, until all moves are pruned", "log10 of the bound of the state space"};
  const std::string_view name = kNames[static_cast<std::size_t>(experiment.figure)];
  if (experiment.figure == BoardFigure::kStateSpace) return std::string(name);
  return fmt::format("{}, {} random games per board", name, experiment.games);
}
std::string text_of(const SolvableExperiment& experiment) {
  return fmt::format("percentage of boards of {} rows and {} columns that can be cleared", experiment.rows,
                     experiment.columns);
}
std::string text_of(const ChessExperiment& experiment) {
  return fmt::format("percentage of boards of {0}x{0}: {1}", experiment.size, experiment.claim.text);
}
std::string text_of(const NotMeasured&) {
  return "";
}

}  // namespace

std::string SearchExperiment::command() const {
  std::string text = fmt::format("solve {} --preset {}", on_standard_set ? "standard" : "boards.txt", preset);
  for (const auto& [name, value] : settings) {
    if (const auto* flag = std::get_if<bool>(&value))
      text += (*flag ? " --" : " --no-") + name;
    else
      text += fmt::format(" --{} {}", name, value_text(value));
  }
  if (budget.nodes > 0) text += fmt::format(" --nodes {}", budget.nodes);
  if (budget.playouts > 0) text += fmt::format(" --playouts {}", budget.playouts);
  if (budget.resource_units > 0) text += fmt::format(" --ru {}", budget.resource_units);
  if (budget.seconds > 0) text += fmt::format(" --time {:g}", budget.seconds);
  return text;
}

std::string experiment_text(const Experiment& experiment) {
  return std::visit([](const auto& e) { return text_of(e); }, experiment);
}

}  // namespace chainshot::host
