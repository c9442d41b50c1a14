// Sums over the 20 standard boards: Schadd 2012, table 7; Takes 2009, table 2; Klein 2015, figure 8.3; Negrevergne
// 2017, table 1.
#include "tools/reproduce/published_tables.hpp"

namespace chainshot::tools {
namespace {

using Settings = std::vector<std::pair<std::string, host::SettingValue>>;

constexpr double kCoreHour = 180;  // seconds per board

// In full, a row takes one hour of one core for all boards, which is less than any paper names.
host::PublishedRow row(std::string name, double published, std::string published_budget, std::string preset,
                       Settings settings = {}) {
  return {.name = std::move(name),
          .published = published,
          .published_budget = std::move(published_budget),
          .experiment = host::SearchExperiment{.preset = std::move(preset),
                                               .settings = std::move(settings),
                                               .budget = {.seconds = kCoreHour},
                                               .on_standard_set = true},
          .effort = {{{20, 1 / kCoreHour}, {20, 10 / kCoreHour}, {20, 1}}},
          .has_less_in_full = true};
}

host::PublishedRow best_of_playouts() {
  host::PublishedRow best = row("best random game", 17610, "1 M games", "");
  best.experiment = host::PlayoutExperiment{.policy = "random", .playouts = 1'000'000};
  best.effort = {{{20, 1}, {100, 1}, {200, 1}}};
  best.has_less_in_full = false;
  return best;
}

}  // namespace

host::PublishedTable standard_set_table() {
  host::PublishedTable table{.name = "standard-set",
                             .title = "Sums over the 20 standard boards",
                             .source =
                                 "Schadd 2012, table 7; Takes 2009, table 2; Klein 2015, figure 8.3; Negrevergne "
                                 "2017, table 1; lists on the web",
                             .total = host::Total::kStandardSum};
  table.rows = {
      best_of_playouts(),
      row("IDA*", 22354, "2 h per board", "ida-star"),
      row("MC-Biggest", 37656, "up to 2 h, 4 cores", "mc-biggest"),
      row("MC-Avg", 58952, "up to 2 h, 4 cores", "mc-avg"),
      row("MC-Avg-Bias", 71322, "up to 2 h, 4 cores", "mc-avg-bias"),
      row("MC-RWS", 76764, "up to 2 h, 4 cores", "mc-rws"),
      row("DBS", 72816, "2 to 3 h per board", "dbs"),
      row("SP-MCTS (1)", 73998, "2 h per board", "sp-mcts-restarts"),
      row("SP-MCTS (2)", 76352, "2 h per board", "sp-mcts-exploitation", {{"allocation", std::string("every-move")}}),
      row("SP-MCTS (3)", 78012, "2 h per board", "sp-mcts-per-move"),
      row("BaseExp+Tabu48", 78936, "4.48e9 resource units", "base-exp+tabu48"),
      row("NMCS(4)", 77934, "not given", "nmcs"),
      row("NRPA(4)", 80030, "not given", "nrpa"),
      row("Diversity-NRPA(4)", 81706, "over half a day", "diversity-nrpa"),
      row("SPURIOUS AI, 2010 (beam search)", 84414, "not given", "beam"),
      row("HGSTS (claimed)", 84718, "not given, GPU", "hgsts"),
      row("Dist-NRPA(5), beside annealing", 83050, "2 h on 160 cores", "anneal"),
      row("SPURIOUS AI, 2015, beside annealing", 87140, "not given", "anneal"),
  };
  for (host::PublishedRow& measured : table.rows)
    if (measured.name == "HGSTS (claimed)")
      measured.remark = "claimed and never verified; its scores by board contradict every other system";
  return table;
}

}  // namespace chainshot::tools
