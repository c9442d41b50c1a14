#include "tools/reports/complexity_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string_view>

#include "tools/reports/number_text.hpp"
#include "tools/reports/published_analysis.hpp"

namespace chainshot::tools {
namespace {

using host::BoardComplexity;

// A figure of every board, and what a paper has for its mean.
struct BoardFigure {
  std::string_view key;    // in JSON
  std::string_view title;  // in tables
  bool by_games;           // it needs random games
  std::function<double(const BoardComplexity&)> of;
  std::optional<PublishedMean> published = {};
};

const std::vector<BoardFigure>& board_figures() {
  static const std::vector<BoardFigure> figures = {
      {"log10_game_tree", "log10 game tree", true, [](const auto& b) { return b.plain.log10_of_tree(); }, kKleinTree},
      {"log10_game_tree_vs_pruning", "  VS-pruning", true, [](const auto& b) { return b.pruned.whole.log10_of_tree(); },
       kKleinPrunedTree},
      {"log10_game_tree_until_all_pruned", "  until all pruned", true,
       [](const auto& b) { return b.pruned.until_all_pruned.log10_of_tree(); }, kKleinPrunedTree},
      {"log10_states", "log10 states", false, [](const auto& b) { return b.log10_states; }, kKleinStates},
      {"length", "moves of a game", true, [](const auto& b) { return b.plain.length(); }, {}},
      {"length_vs_pruning", "  VS-pruning", true, [](const auto& b) { return b.pruned.whole.length(); }, {}},
      {"branching", "choices", true, [](const auto& b) { return b.plain.branching(); }, {}},
      {"branching_vs_pruning", "  VS-pruning", true, [](const auto& b) { return b.pruned.whole.branching(); }, {}},
  };
  return figures;
}

host::Moments moments_of(const std::vector<BoardComplexity>& boards, const BoardFigure& figure) {
  host::Moments moments;
  for (const BoardComplexity& board : boards)
    moments.add(figure.of(board));
  return moments;
}

host::Comparison compared_mean(const host::Moments& ours, const PublishedMean& published) {
  return host::compare({ours.mean(), ours.standard_error()}, {published.mean, published.standard_error()},
                       published.rounding);
}

std::string means_text(const std::vector<BoardComplexity>& boards, const ComplexitySetting& setting,
                       const Terminal& terminal) {
  const std::string published = setting.has_published ? fmt::format("  {:<13}  verdict", "published") : "";
  std::string out = terminal.bold(fmt::format("{:<18} {:>6} {:>5} {:>5}{}", "", "mean", "se", "sd", published)) + '\n';
  for (const BoardFigure& figure : board_figures()) {
    if (figure.by_games && setting.games == 0) continue;
    const host::Moments moments = moments_of(boards, figure);
    std::string line = fmt::format("{:<18} {:>6.2f} {:>5.2f} {:>5.2f}", figure.title, moments.mean(),
                                   moments.standard_error(), moments.deviation());
    if (setting.has_published && figure.published)
      line += fmt::format("  {:.2f} +- {:.2f}  {}", figure.published->mean, figure.published->deviation,
                          verdict_text(compared_mean(moments, *figure.published), 2));
    out += line + '\n';
  }
  return out;
}

std::string boards_table(const std::vector<BoardComplexity>& boards, const ComplexitySetting& setting,
                         const Terminal& terminal) {
  std::size_t width = 5;
  for (const std::string& name : setting.names)
    width = std::clamp(name.size(), width, kWidestName);
  std::string out = terminal.bold(fmt::format("{:<{}} {:>9} {:>9} {:>9} {:>9} {:>9}", "board", width, "game tree",
                                              "pruned", "states", "moves", "choices")) +
                    '\n';
  for (std::size_t i = 0; i < boards.size(); ++i) {
    const BoardComplexity& board = boards[i];
    out += fmt::format("{:<{}}", shortened(setting.names[i], width), width);
    if (setting.games == 0)
      out += fmt::format(" {:>9} {:>9} {:>9.2f}\n", "", "", board.log10_states);
    else
      out += fmt::format(" {:>9.2f} {:>9.2f} {:>9.2f} {:>9.2f} {:>9.2f}\n", board.plain.log10_of_tree(),
                         board.pruned.whole.log10_of_tree(), board.log10_states, board.plain.length(),
                         board.plain.branching());
  }
  return out + '\n';
}

std::string boards_text(std::uint64_t measured, std::uint64_t asked, const std::string& boards) {
  return measured == asked ? fmt::format("{} {}", grouped(asked), boards)
                           : fmt::format("{} of {} {}, stopped early", grouped(measured), grouped(asked), boards);
}

Json moments_json(const host::Moments& moments) {
  return {{"mean", moments.mean()}, {"standard_error", moments.standard_error()}, {"sd", moments.deviation()}};
}

// A mean of random play over some boards, with its published value; the paper's samples get our deviation.
struct PlayFigure {
  std::string_view key;
  std::string_view title;
  double boards;
  host::Measured ours;
  PublishedMean published;

  host::Comparison compared() const {
    const double error = ours.error * std::sqrt(boards / published.boards);
    return host::compare(ours, {published.mean, error}, published.rounding);
  }
};

// Without those that an interrupt came before.
std::vector<PlayFigure> play_figures(const host::RandomPlayResult& result) {
  const host::Moments &on_engine = result.length, &by_position = result.length_by_position;
  const host::RatioMoments &each = result.branching, &with_end = result.branching_with_end;
  const auto played = static_cast<double>(on_engine.count()), listed = static_cast<double>(by_position.count());
  std::vector<PlayFigure> figures = {
      {"length", "moves of a game", played, {on_engine.mean(), on_engine.standard_error()}, kSchaddLength},
      {"length_by_position",
       "  on single positions",
       listed,
       {by_position.mean(), by_position.standard_error()},
       kSchaddLength},
      {"branching", "choices", listed, {each.ratio(), each.standard_error()}, kSchaddBranching},
      {"branching_with_end",
       "  counting the end",
       listed,
       {with_end.ratio(), with_end.standard_error()},
       kSchaddBranching},
  };
  std::erase_if(figures, [](const PlayFigure& figure) { return figure.boards == 0; });
  return figures;
}

}  // namespace

std::string complexity_text(const std::vector<BoardComplexity>& boards, const ComplexitySetting& setting,
                            const Terminal& terminal) {
  std::string out = terminal.bold("Complexity of " + boards_text(boards.size(), setting.asked, setting.boards)) + '\n';
  out += setting.games == 0 ? "state space only, without random games"
                            : fmt::format("{} of each kind and board", counted(setting.games, "random game"));
  out += fmt::format(", seed {} (Klein 2015, section 4)\n", setting.seed);
  out += "se: standard error over boards; states: at most; choices: moves per position\n\n";
  if (!setting.names.empty()) out += boards_table(boards, setting, terminal);
  return boards.size() < 2 && !setting.names.empty() ? out.substr(0, out.size() - 1)
                                                     : out + means_text(boards, setting, terminal);
}

Json complexity_json(const std::vector<BoardComplexity>& boards, const ComplexitySetting& setting) {
  Json out = {{"boards", setting.boards},
              {"measured", boards.size()},
              {"complete", boards.size() == setting.asked},
              {"games", setting.games},
              {"seed", setting.seed}};
  for (const BoardFigure& figure : board_figures()) {
    if (figure.by_games && setting.games == 0) continue;
    const host::Moments moments = moments_of(boards, figure);
    Json entry = moments_json(moments);
    if (setting.has_published && figure.published) {
      entry.update(comparison_json(figure.published->mean, compared_mean(moments, *figure.published)));
      entry["published_sd"] = figure.published->deviation;
    }
    out[std::string(figure.key)] = std::move(entry);
  }
  if (setting.names.empty()) return out;
  Json list = Json::array();
  for (std::size_t i = 0; i < boards.size(); ++i) {
    Json entry = {{"board", setting.names[i]}};
    for (const BoardFigure& figure : board_figures())
      if (!figure.by_games || setting.games > 0) entry[std::string(figure.key)] = figure.of(boards[i]);
    list.push_back(std::move(entry));
  }
  out["by_board"] = std::move(list);
  return out;
}

std::string random_play_text(const host::RandomPlayResult& result, const RandomPlaySetting& setting,
                             const Terminal& terminal) {
  const auto boards = result.length.count();
  std::string out = terminal.bold("Random play of " + boards_text(boards, setting.asked, setting.boards)) + '\n';
  out += fmt::format("{} of each board, engine {}, seed {}\n\n", counted(setting.games, "game"), setting.engine,
                     setting.seed);
  const std::string published = setting.has_published ? "  published  verdict" : "";
  out += terminal.bold(fmt::format("{:<21} {:>8} {:>8}{}", "", "mean", "se", published)) + '\n';
  for (const PlayFigure& figure : play_figures(result)) {
    out += fmt::format("{:<21} {:>8.3f} {:>8.3f}", figure.title, figure.ours.value, figure.ours.error);
    if (setting.has_published)
      out += fmt::format("  {:>9.1f}  {}", figure.published.mean, verdict_text(figure.compared(), 3));
    out += '\n';
  }
  return out;
}

Json random_play_json(const host::RandomPlayResult& result, const RandomPlaySetting& setting) {
  Json out = {{"boards", setting.boards}, {"measured", result.length.count()}, {"complete", result.complete},
              {"games", setting.games},   {"engine", setting.engine},          {"seed", setting.seed}};
  for (const PlayFigure& figure : play_figures(result)) {
    Json entry = {{"mean", figure.ours.value}, {"standard_error", figure.ours.error}};
    if (setting.has_published) entry.update(comparison_json(figure.published.mean, figure.compared()));
    out[std::string(figure.key)] = std::move(entry);
  }
  return out;
}

}  // namespace chainshot::tools
