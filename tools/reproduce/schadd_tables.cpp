// The tables of Schadd 2012, on random boards that stand for its 250 boards.
#include <cmath>

#include "tools/reproduce/published_tables.hpp"

namespace chainshot::tools {
namespace {

using Settings = std::vector<std::pair<std::string, host::SettingValue>>;

constexpr double kBoards = 250;

// Nodes count as the paper's program does, so walks must know of each other's results: few are in flight.
host::PublishedRow row(std::string name, double published, double deviation, std::string preset, std::uint64_t nodes,
                       std::array<host::Effort, 3> effort, Settings settings = {{"in-flight", std::int64_t{8}}}) {
  return {.name = std::move(name),
          .published = published,
          .published_error = deviation / std::sqrt(kBoards),
          .rounding = 0.5,
          .experiment =
              host::SearchExperiment{
                  .preset = std::move(preset), .settings = std::move(settings), .budget = {.nodes = nodes}},
          .effort = effort};
}

host::PublishedTable policies() {
  host::PublishedTable table{.name = "schadd-1",
                             .title = "Playout policies, 10 million nodes",
                             .source = "Schadd 2012, table 1; 250 random boards"};
  const auto policy_row = [](const std::string& policy, double published, double deviation) {
    host::PublishedRow made =
        row(policy, published, deviation, "sp-mcts-balanced", 10'000'000, {{{10, 0.01}, {20, 0.1}, {250, 1}}},
            {{"policy", policy}, {"in-flight", std::int64_t{8}}});
    made.published_budget = "10 M nodes";
    return made;
  };
  table.rows = {policy_row("random", 2069, 322), policy_row("tabu-random", 2737, 445),
                policy_row("tabu-color-random", 3038, 479)};
  return table;
}

host::PublishedTable settings_of_c_and_d() {
  struct Published {
    std::uint64_t nodes;
    const char* budget;
    std::array<double, 3> score, deviation;
    std::array<host::Effort, 3> effort;
  };
  const std::array<Published, 3> published = {{
      {100'000, "100,000 nodes", {2552, 2388, 2197}, {572, 501, 450}, {{{10, 1}, {50, 1}, {250, 1}}}},
      {1'000'000, "1 M nodes", {2674, 2858, 2579}, {607, 560, 492}, {{{5, 0.1}, {12, 1}, {250, 1}}}},
      {5'000'000, "5 M nodes", {2806, 3008, 2901}, {576, 524, 518}, {{{5, 0.02}, {5, 1}, {250, 1}}}},
  }};
  const std::array<std::string, 3> names = {"exploitation", "balanced", "exploration"};
  host::PublishedTable table{
      .name = "schadd-2", .title = "Exploitation and exploration", .source = "Schadd 2012, table 2; 250 random boards"};
  for (const Published& column : published) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      table.rows.push_back(row(names[i] + ", " + column.budget, column.score[i], column.deviation[i],
                               "sp-mcts-" + names[i], column.nodes, column.effort));
      table.rows.back().published_budget = column.budget;
    }
  }
  return table;
}

// The other points of the figure have no numbers in the text.
host::PublishedTable restarts() {
  host::PublishedTable table{.name = "schadd-figure-2",
                             .title = "500,000 nodes split into ten searches",
                             .source = "Schadd 2012, figure 2; 250 random boards"};
  table.rows = {row("10 searches", 2970, 0, "sp-mcts-restarts", 500'000, {{{8, 1}, {40, 1}, {250, 1}}})};
  table.rows.back().published_budget = "500,000 nodes";
  return table;
}

// The paper's program made some 5,000 nodes per second (table 2).
host::PublishedTable time_control() {
  struct Published {
    int seconds;
    double per_game, per_move;
  };
  constexpr std::array<Published, 5> kPublished = {
      {{5, 2223, 2588}, {10, 2342, 2644}, {20, 2493, 2742}, {30, 2555, 2822}, {60, 2750, 2880}}};
  host::PublishedTable table{.name = "schadd-3",
                             .title = "A budget per game and per move",
                             .source = "Schadd 2012, table 3; 250 random boards"};
  for (const bool is_per_move : {false, true}) {
    for (const Published& p : kPublished) {
      Settings settings = {{"in-flight", std::int64_t{1}}};
      if (is_per_move) settings.emplace_back("allocation", std::string("every-move"));
      const std::string name =
          std::string(is_per_move ? "per move, " : "per game, ") + std::to_string(p.seconds) + " s";
      host::PublishedRow made =
          row(name, is_per_move ? p.per_move : p.per_game, 0, "sp-mcts-exploitation",
              static_cast<std::uint64_t>(p.seconds) * 5000, {{{4, 1}, {20, 1}, {250, 1}}}, settings);
      std::get<host::SearchExperiment>(made.experiment).takes_played_game = is_per_move;
      made.published_budget = std::to_string(p.seconds) + " s, about " + std::to_string(p.seconds * 5) + ",000 nodes";
      made.remark = is_per_move ? "" : "small budgets per game do better here";
      table.rows.push_back(std::move(made));
    }
  }
  return table;
}

host::PublishedTable final_move() {
  host::PublishedTable table{.name = "schadd-4",
                             .title = "The final move, with a budget per move",
                             .source = "Schadd 2012, table 4; 250 random boards"};
  for (const auto& [name, published] : {std::pair{"average", 784.0}, {"visits", 1458.0}, {"top-score", 2644.0}}) {
    host::PublishedRow made = row(name, published, 0, "sp-mcts-exploitation", 50'000, {{{6, 1}, {30, 1}, {250, 1}}},
                                  {{"in-flight", std::int64_t{1}},
                                   {"allocation", std::string("every-move")},
                                   {"move-choice", std::string(name)}});
    std::get<host::SearchExperiment>(made.experiment).takes_played_game = true;
    made.published_budget = "10 s, about 50,000 nodes";
    if (published < 2000) {
      made.experiment = host::NotMeasured{};
      made.remark = "some ninety readings of the paper do not give it";
    }
    table.rows.push_back(std::move(made));
  }
  return table;
}

}  // namespace

std::vector<host::PublishedTable> schadd_tables() {
  return {policies(), settings_of_c_and_d(), restarts(), time_control(), final_move()};
}

}  // namespace chainshot::tools
