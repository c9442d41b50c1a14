#include "tools/reports/difficulty.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tools/pictures/svg.hpp"
#include "tools/reports/csv_text.hpp"
#include "tools/reports/number_text.hpp"

namespace chainshot::tools {
namespace {

double peak_of(const PlayoutReport& report) {
  return report.distribution().peak(standard_deviation(report.result));
}

// Returns the only board, or the hardest and the easiest one.
std::vector<const Difficulty*> extremes(const std::vector<Difficulty>& boards) {
  if (boards.size() == 1) return {&boards.front()};
  return {&boards.front(), &boards.back()};
}

std::vector<Distribution> distributions_of(const std::vector<const Difficulty*>& boards) {
  std::vector<Distribution> out;
  for (const Difficulty* board : boards) {
    out.push_back(board->random.distribution());
    out.push_back(board->biased.distribution());
  }
  return out;
}

std::string figures_of(const PlayoutReport& report) {
  return fmt::format("{:>9.0f} {:>9.1f} {:>8.1f}", peak_of(report), mean(report.result),
                     standard_deviation(report.result));
}

bool is_complete(const std::vector<Difficulty>& boards, const PlaySetting& setting) {
  return boards.size() == setting.boards && std::all_of(boards.begin(), boards.end(), [](const Difficulty& d) {
           return d.random.complete && d.biased.complete;
         });
}

std::string playouts_text(const std::vector<Difficulty>& boards, const PlaySetting& setting) {
  std::uint64_t most = 0;
  for (const Difficulty& d : boards)
    most = std::max(most, d.random.result.count);
  return counted(most, "playout") + (is_complete(boards, setting) ? "" : " at most");
}

Json figures_json(const PlayoutReport& report) {
  return {{"playouts", report.result.count},
          {"complete", report.complete},
          {"score",
           {{"mean", mean(report.result)},
            {"sd", standard_deviation(report.result)},
            {"peak", peak_of(report)},
            {"best", report.result.best}}},
          {"histogram", histogram_json(report.distribution())},
          {"seconds", report.seconds}};
}

}  // namespace

std::string difficulty_text(const std::vector<Difficulty>& boards, const PlaySetting& setting,
                            const Terminal& terminal) {
  std::size_t name_width = 5;
  for (const Difficulty& d : boards)
    name_width = std::clamp(d.board.name.size(), name_width, std::size_t{20});
  const bool single = boards.size() == 1;
  const std::string title =
      fmt::format("Difficulty of {}{} (Takes 2009, section 2.4)",
                  single ? boards[0].board.name : setting.boards_text(boards.size()), single ? "" : ", hardest first");
  std::string out = terminal.bold(title) + "\n";
  out +=
      fmt::format("{} each of random and of {} (biased){}\nengine {}, scoring {}, seed {}\n\n",
                  playouts_text(boards, setting), setting.policy, is_complete(boards, setting) ? "" : ", stopped early",
                  setting.engine, setting.scoring, setting.seed);
  out += fmt::format("{:{}}  {:^28}  {:^28}\n", "", name_width, "---------- random ----------",
                     "---------- biased ----------");
  const std::string columns = fmt::format("{:>9} {:>9} {:>8}", "peak", "mean", "sd");
  out += terminal.bold(fmt::format("{:{}}  {}  {}", "board", name_width, columns, columns)) + "\n";
  for (const Difficulty& d : boards)
    out += fmt::format("{:{}}  {}  {}\n", d.board.name, name_width, figures_of(d.random), figures_of(d.biased));
  const std::vector<std::string> titles =
      single ? std::vector<std::string>{"random", "biased"}
             : std::vector<std::string>{"hardest random", "hardest biased", "easiest random", "easiest biased"};
  out += "\n";
  for (const std::string& line :
       histogram_lines(distributions_of(extremes(boards)), titles, kChartLines, terminal.width() - 1))
    out += line + "\n";
  return out;
}

std::string difficulty_csv(const std::vector<Difficulty>& boards, const PlaySetting& setting) {
  CsvRow head;
  head.add("board").add("scoring").add("seed").add("biased_policy");
  for (const char* const policy : {"random", "biased"})
    for (const char* const figure : {"playouts", "complete", "peak", "mean", "deviation", "best"})
      head.add(fmt::format("{}_{}", policy, figure));
  std::string out = head.text();
  for (const Difficulty& d : boards) {
    CsvRow row;
    row.add(d.board.name).add(setting.scoring).add(setting.seed).add(setting.policy);
    for (const PlayoutReport* report : {&d.random, &d.biased}) {
      row.add(report->result.count).add(report->complete).add(peak_of(*report));
      row.add(mean(report->result)).add(standard_deviation(report->result)).add(report->result.best);
    }
    out += row.text();
  }
  return out;
}

Json difficulty_json(const std::vector<Difficulty>& boards, const PlaySetting& setting) {
  Json list = Json::array();
  for (const Difficulty& d : boards)
    list.push_back({{"board", d.board.name}, {"random", figures_json(d.random)}, {"biased", figures_json(d.biased)}});
  return {{"complete", is_complete(boards, setting)},
          {"policies", {"random", setting.policy}},
          {"scoring", setting.scoring},
          {"engine", setting.engine},
          {"seed", setting.seed},
          {"boards", std::move(list)}};
}

std::string difficulty_svg(const std::vector<Difficulty>& boards, const PlaySetting& setting) {
  const std::vector<const Difficulty*> drawn = extremes(boards);
  const std::vector<Distribution> distributions = distributions_of(drawn);
  const game::HistogramSpec bins = shown_bins(distributions, kPictureBins);
  HistogramPicture picture{
      .title = boards.size() == 1 ? fmt::format("How hard is {}?", boards[0].board.name)
                                  : fmt::format("The hardest and the easiest of {} boards", boards.size()),
      .subtitle = fmt::format("scores of {} each; biased: {}", playouts_text(boards, setting), setting.policy),
      .axis = "score",
      .low = bins.low,
      .bin_width = bins.width,
      .series = {}};
  for (std::size_t i = 0; i < distributions.size(); ++i) {
    const Difficulty& board = *drawn[i / 2];
    const bool biased = i % 2 == 1;
    picture.series.push_back({.name = fmt::format("{}, {}", board.board.name, biased ? "biased" : "random"),
                              .counts = distributions[i].rebinned(bins),
                              .mean = mean(biased ? board.biased.result : board.random.result)});
  }
  return histogram_svg(picture);
}

}  // namespace chainshot::tools
