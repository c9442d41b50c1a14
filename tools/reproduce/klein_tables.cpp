// The tables of Klein 2015 and of the works that it quotes for the size of the game.
#include "tools/reports/published_analysis.hpp"
#include "tools/reproduce/published_tables.hpp"

namespace chainshot::tools {
namespace {

using Settings = std::vector<std::pair<std::string, host::SettingValue>>;

constexpr std::uint64_t kUnits = 640'000;  // resource units of a run

host::PublishedRow row(std::string name, double published, std::string preset, Settings settings = {}) {
  settings.emplace_back("in-flight", std::int64_t{1});
  return {.name = std::move(name),
          .published = published,
          .rounding = 0.5,
          .published_budget = "640,000 ru",
          .experiment =
              host::SearchExperiment{
                  .preset = std::move(preset), .settings = std::move(settings), .budget = {.resource_units = kUnits}},
          .effort = {{{10, 1}, {50, 1}, {250, 1}}}};
}

const Settings kGlobal = {{"normalisation", std::string("global")}, {"c", 0.053}};

// The paper's figures are means over the boards of five runs each.
host::PublishedTable on_standard_set() {
  host::PublishedTable table{.name = "klein-standard",
                             .title = "Selection rules on the standard set, mean score",
                             .source = "Klein 2015, figures 6.5 and 6.6",
                             .total = host::Total::kStandardMean};
  table.rows = {row("Static", 1357, "static"), row("Global", 1614, "static", kGlobal),
                row("SP-MCTS", 1355, "static-sp-mcts"), row("3rdAvg", 1446, "third-average")};
  std::vector<host::PublishedRow> large = {
      row("Static, 6.4 M ru", 1979, "static"), row("Global, 6.4 M ru", 1915, "static", kGlobal),
      row("SP-MCTS, 6.4 M ru", 2240, "static-sp-mcts"), row("3rdAvg, 6.4 M ru", 2290, "third-average")};
  for (host::PublishedRow& made : table.rows)
    made.effort = {{{40, 1}, {100, 1}, {100, 1}}};
  for (host::PublishedRow& made : large) {
    made.published_budget = "6.4 M ru";
    std::get<host::SearchExperiment>(made.experiment).budget.resource_units = 10 * kUnits;
    made.effort = {{{40, 0.1}, {40, 1}, {100, 1}}};
    table.rows.push_back(std::move(made));
  }
  for (host::PublishedRow& made : table.rows)
    std::get<host::SearchExperiment>(made.experiment).on_standard_set = true;
  return table;
}

Settings duplicates(const std::string& kind) {
  return {{"duplicates", kind}};
}

host::PublishedTable on_random_boards() {
  const Settings node = {{"node-exploration", true}};
  const Settings node_and_urgency = {{"node-exploration", true}, {"late-urgency", true}};
  const Settings exponential = {{"allocation", std::string("exponential")},
                                {"move-choice", std::string("top-score-below")}};
  host::PublishedTable table{.name = "klein-schadd",
                             .title = "Klein's variants, on random boards in place of Schadd's",
                             .source = "Klein 2015, 6.1 to 6.9, 7, B.1, B.4 and B.5"};
  table.rows = {row("Static", 2653, "static"),
                row("SP-MCTS", 2766, "static-sp-mcts"),
                row("3rdAvg", 2843, "third-average"),
                row("Naive", 2698, "static", duplicates("naive")),
                row("Dynamic", 2714, "static", duplicates("dynamic")),
                row("Consistent", 2700, "static", duplicates("consistent")),
                row("Exponential+", 2751, "static", exponential),
                row("CNode", 2767, "static", node),
                row("CNodeLU", 2774, "static", node_and_urgency),
                row("ConsistentCNode (Base)", 2842, "base"),
                row("Base3rdAvg", 3003, "base-3rdavg"),
                row("Base3rdAvgExp+", 3026, "base-3rdavg-exp+"),
                row("BaseExp+Tabu", 3322, "base-exp+tabu"),
                row("BaseExp+Tabu48", 3351, "base-exp+tabu48")};
  for (host::PublishedRow& made : table.rows)
    made.remark = "Schadd's boards are not public, and uniform boards have another level; compare the gains";
  return table;
}

host::PublishedRow figure_row(std::string name, const PublishedMean& published, host::BoardFigure figure,
                              std::uint64_t games, std::array<host::Effort, 3> effort) {
  return {.name = std::move(name),
          .published = published.mean,
          .published_error = published.standard_error(),
          .rounding = published.rounding,
          .published_budget = fmt::format("{:.0f} boards", published.boards),
          .experiment = host::FigureExperiment{.figure = figure, .games = games},
          .effort = effort};
}

host::PublishedTable size_of_the_game() {
  using host::BoardFigure;
  host::PublishedTable table{.name = "complexity",
                             .title = "The size of the game (complexity as log10)",
                             .source = "Klein 2015, 4.1 and 4.2; Schadd 2008 by Klein 2015, 2.5.1",
                             .more_is_better = false,
                             .decimals = 2};
  constexpr std::array<host::Effort, 3> kGames = {{{500, 1}, {4000, 1}, {8192, 1}}};
  table.rows = {figure_row("length of a random game", kSchaddLength, BoardFigure::kGameLength, 20, kGames),
                figure_row("moves to choose from", kSchaddBranching, BoardFigure::kBranching, 20, kGames),
                figure_row("game tree", kKleinTree, BoardFigure::kTreeComplexity, 100, kGames),
                figure_row("game tree, VS-pruned until all moves are", kKleinPrunedTree,
                           BoardFigure::kPrunedTreeComplexity, 100, kGames),
                figure_row("bound of the state space", kKleinStates, BoardFigure::kStateSpace, 0, kGames)};
  return table;
}

}  // namespace

std::vector<host::PublishedTable> klein_tables() {
  return {on_standard_set(), on_random_boards(), size_of_the_game()};
}

}  // namespace chainshot::tools
