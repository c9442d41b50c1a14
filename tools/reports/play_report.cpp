#include "tools/reports/play_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tools/pictures/svg.hpp"
#include "tools/reports/csv_text.hpp"
#include "tools/reports/number_text.hpp"

namespace chainshot::tools {
namespace {

constexpr std::string_view kStoppedEarly = ", stopped early";

double moves_mean(const game::Result& result) {
  return static_cast<double>(result.moves) / static_cast<double>(std::max<std::uint64_t>(result.count, 1));
}

std::string setting_text(const PlaySetting& setting) {
  return fmt::format("engine {}, scoring {}, seed {}\n", setting.engine, setting.scoring, setting.seed);
}

std::string speed_text(std::uint64_t playouts, double seconds) {
  return fmt::format("{} ({} playouts/s)", duration_text(seconds),
                     magnitude(static_cast<double>(playouts) / std::max(seconds, 1e-9)));
}

}  // namespace

std::string PlaySetting::boards_text(std::size_t played) const {
  return played == boards ? counted(played, "board") : fmt::format("{} of {} boards", played, boards);
}

bool is_complete(const std::vector<BoardReport>& reports, const PlaySetting& setting) {
  return reports.size() == setting.boards * setting.policies &&
         std::all_of(reports.begin(), reports.end(), [](const BoardReport& r) { return r.playouts.complete; });
}

std::string report_text(const BoardReport& report, const PlaySetting& setting, const Terminal& terminal) {
  const game::Result& result = report.playouts.result;
  std::string out = terminal.bold(fmt::format("{}: {} of {}{}", report.board.name, counted(result.count, "playout"),
                                              report.policy, report.playouts.complete ? "" : kStoppedEarly)) +
                    "\n";
  out += setting_text(setting);
  out += speed_text(result.count, report.playouts.seconds) + "\n\n";
  out += fmt::format("score  mean {:.1f}, deviation {:.1f}, best {}, worst {}\n", mean(result),
                     standard_deviation(result), result.best, result.worst);
  out += fmt::format("moves  mean {:.1f}\n\n", moves_mean(result));
  const Distribution distribution = report.playouts.distribution();
  const std::string title = "playouts";
  for (const std::string& line : histogram_lines({&distribution, 1}, {&title, 1}, kChartLines, terminal.width() - 1))
    out += line + "\n";
  out += "\n";
  out += terminal.bold(
      fmt::format("best line: {} points in {}", report.best.score, counted(report.best.moves.size(), "move")));
  out += fmt::format("\nkey {}, replayed by the reference rules\n", to_string(report.best.key));
  return out + moves_text(report.best.moves, terminal.width(), "  ");
}

namespace {

std::string row_text(const BoardReport& r, const PlaySetting& setting, std::size_t name_width,
                     std::size_t policy_width) {
  const game::Result& result = r.playouts.result;
  const bool names_policy = setting.policies > 1;
  const std::string policy = names_policy ? fmt::format(" {:{}}", shortened(r.policy, policy_width), policy_width) : "";
  return fmt::format("{:{}}{}  {:>10.1f} {:>9.1f} {:>8} {:>8} {:>7.1f}{}\n", shortened(r.board.name, name_width),
                     name_width, policy, mean(result), standard_deviation(result), result.worst, result.best,
                     moves_mean(result), names_policy ? "" : "  " + to_string(r.best.key));
}

// Over all boards with one policy.
struct PlaySums {
  double means = 0;
  long best = 0;
};

std::string sum_text(const std::string& policy, const PlaySums& sums, std::size_t name_width,
                     std::size_t policy_width) {
  const std::string of = policy_width > 0 ? fmt::format(" {:{}}", shortened(policy, policy_width), policy_width) : "";
  return fmt::format("{:{}}{}  {:>10.1f} {:>9} {:>8} {:>8}\n", "sum", name_width, of, sums.means, "", "", sums.best);
}

}  // namespace

// The table of several policies has no keys: an answer in JSON and the CSV have them.
std::string table_text(const std::vector<BoardReport>& reports, const PlaySetting& setting, const Terminal& terminal) {
  constexpr std::size_t kWidestPolicy = 20;
  std::uint64_t playouts = 0;
  double seconds = 0;
  std::size_t name_width = 5, policy_width = 0;
  std::vector<std::pair<std::string, PlaySums>> sums;
  for (const BoardReport& r : reports) {
    name_width = std::clamp(r.board.name.size(), name_width, kWidestName);
    if (setting.policies > 1)
      policy_width = std::clamp(r.policy.size(), std::max<std::size_t>(policy_width, 6), kWidestPolicy);
  }
  std::string rows;
  for (const BoardReport& r : reports) {
    rows += row_text(r, setting, name_width, policy_width);
    playouts += r.playouts.result.count;
    seconds += r.playouts.seconds;
    const auto known = std::find_if(sums.begin(), sums.end(), [&](const auto& sum) { return sum.first == r.policy; });
    PlaySums& sum = known == sums.end() ? sums.emplace_back(r.policy, PlaySums()).second : known->second;
    sum.means += mean(r.playouts.result);
    sum.best += r.playouts.result.best;
  }
  std::string out =
      terminal.bold(fmt::format(
          "{}: {} of {}{}", setting.boards_text((reports.size() + setting.policies - 1) / setting.policies),
          counted(playouts, "playout"), setting.policy, is_complete(reports, setting) ? "" : kStoppedEarly)) +
      "\n";
  out += setting_text(setting) + speed_text(playouts, seconds) + "\n\n";
  const std::string policy = policy_width > 0 ? fmt::format(" {:{}}", "policy", policy_width) : "";
  out +=
      terminal.bold(fmt::format("{:{}}{}  {:>10} {:>9} {:>8} {:>8} {:>7}{}", "board", name_width, policy, "mean",
                                "deviation", "worst", "best", "moves", policy_width > 0 ? "" : "  key of the best")) +
      "\n";
  out += rows;
  if (setting.boards == 1) return out;
  for (const auto& [name, sum] : sums)
    out += sum_text(name, sum, name_width, policy_width);
  return out;
}

std::string report_csv(const std::vector<BoardReport>& reports, const PlaySetting& setting) {
  CsvRow head;
  for (const char* const name : {"board", "policy", "scoring", "seed", "playouts", "complete", "mean", "deviation",
                                 "worst", "best", "moves", "best_key", "seconds"})
    head.add(name);
  std::string out = head.text();
  for (const BoardReport& r : reports) {
    const game::Result& result = r.playouts.result;
    CsvRow row;
    row.add(r.board.name).add(r.policy).add(setting.scoring).add(setting.seed).add(result.count);
    row.add(r.playouts.complete).add(mean(result)).add(standard_deviation(result)).add(result.worst).add(result.best);
    row.add(moves_mean(result)).add(to_string(r.best.key)).add(r.playouts.seconds);
    out += row.text();
  }
  return out;
}

Json moves_json(const std::vector<game::Cell>& moves) {
  Json list = Json::array();
  for (const game::Cell cell : moves)
    list.push_back({int{cell.column}, int{cell.row}});
  return list;
}

Json histogram_json(const Distribution& distribution) {
  const Distribution filled = distribution.trimmed();
  return {{"low", filled.bins.low}, {"width", filled.bins.width}, {"counts", filled.counts}};
}

Json report_json(const BoardReport& report, const PlaySetting& setting) {
  const game::Result& result = report.playouts.result;
  return {
      {"board", report.board.name},
      {"policy", report.policy},
      {"scoring", setting.scoring},
      {"engine", setting.engine},
      {"seed", setting.seed},
      {"playouts", result.count},
      {"complete", report.playouts.complete},
      {"score",
       {{"mean", mean(result)}, {"sd", standard_deviation(result)}, {"best", result.best}, {"worst", result.worst}}},
      {"moves", {{"mean", moves_mean(result)}}},
      {"best",
       {{"score", report.best.score}, {"key", to_string(report.best.key)}, {"moves", moves_json(report.best.moves)}}},
      {"histogram", histogram_json(report.playouts.distribution())},
      {"seconds", report.playouts.seconds}};
}

std::string report_svg(const std::vector<BoardReport>& reports, const PlaySetting& setting) {
  std::vector<const BoardReport*> drawn;
  for (const BoardReport& report : reports)
    drawn.push_back(&report);
  if (drawn.size() > 4) {
    const auto lower = [](const BoardReport& a, const BoardReport& b) {
      return mean(a.playouts.result) < mean(b.playouts.result);
    };
    const auto [low, high] = std::minmax_element(reports.begin(), reports.end(), lower);
    drawn = {&*low, &*high};
  }
  std::vector<Distribution> distributions;
  for (const BoardReport* report : drawn)
    distributions.push_back(report->playouts.distribution());
  const game::HistogramSpec bins = shown_bins(distributions, kPictureBins);
  HistogramPicture picture{
      .title = setting.boards == 1 ? reports[0].board.name : counted(setting.boards, "board"),
      .subtitle = fmt::format("{} playouts of {}", grouped(reports[0].playouts.result.count), setting.policy),
      .axis = "score",
      .low = bins.low,
      .bin_width = bins.width,
      .series = {}};
  for (std::size_t i = 0; i < drawn.size(); ++i)
    picture.series.push_back({.name = setting.policies == 1 ? drawn[i]->board.name
                                      : setting.boards == 1 ? drawn[i]->policy
                                                            : drawn[i]->board.name + ", " + drawn[i]->policy,
                              .counts = distributions[i].rebinned(bins),
                              .mean = mean(drawn[i]->playouts.result)});
  return histogram_svg(picture);
}

}  // namespace chainshot::tools
