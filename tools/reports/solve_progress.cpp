#include "tools/reports/solve_progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include "tools/reports/number_text.hpp"

namespace chainshot::tools {
namespace {

// A part of the line, in a long and a short form.
struct Part {
  std::string text;
  std::string brief;
};

// Returns at most four characters: 204k, 1.9M.
std::string brief_magnitude(double x) {
  constexpr std::array<const char*, 5> kLetters = {"", "k", "M", "G", "T"};
  std::size_t letter = 0;
  for (; x >= 999.5 && letter + 1 < kLetters.size(); ++letter)
    x /= 1000;
  return fmt::format("{:.{}f}{}", x, letter > 0 && x < 9.95 ? 1 : 0, kLetters[letter]);
}

// Returns 2:53 or 12:02:38.
std::string clock_text(double seconds) {
  const long long whole = std::llround(seconds), hours = whole / 3600, minutes = whole % 3600 / 60;
  return hours > 0 ? fmt::format("{}:{:02}:{:02}", hours, minutes, whole % 60)
                   : fmt::format("{}:{:02}", minutes, whole % 60);
}

Part part_of(const host::Figure& figure) {
  const std::string_view brief = figure.brief.empty() ? figure.label : figure.brief;
  switch (figure.style) {
    case host::FigureStyle::kCount:
      return {fmt::format("{} {}", magnitude(figure.value), figure.label),
              fmt::format("{} {}", brief_magnitude(figure.value), brief)};
    case host::FigureStyle::kPercent:
      return {fmt::format("{} {:.0f} %", figure.label, 100 * figure.value),
              fmt::format("{} {:.0f}%", brief, 100 * figure.value)};
    default:
      return {fmt::format("{} {}", figure.label, plain_number(figure.value)),
              fmt::format("{} {}", brief, plain_number(figure.value))};
  }
}

// Lists the rate and the figures of each search. If room is short, parts at the end of the list are dropped first.
std::vector<Part> work_parts(const host::SolveSample& sample) {
  std::vector<Part> parts;
  const auto rate = [&](std::uint64_t count) { return static_cast<double>(count) / std::max(sample.seconds, 1e-9); };
  for (const host::NamedStatus& search : sample.searches) {
    const host::SearchStatus& work = search.status;
    if (work.playouts > 0)
      parts.push_back({magnitude(rate(work.playouts)) + " playouts/s", brief_magnitude(rate(work.playouts)) + "/s"});
    if (work.evaluations > 0)
      parts.push_back(
          {magnitude(rate(work.evaluations)) + " evaluations/s", brief_magnitude(rate(work.evaluations)) + " eval/s"});
    if (work.playouts == 0 && work.evaluations == 0) continue;
    for (const host::Figure& figure : work.figures)
      if (figure.style != host::FigureStyle::kHidden) parts.push_back(part_of(figure));
  }
  return parts;
}

std::string joined(const std::vector<Part>& parts, std::string Part::*form, std::size_t count,
                   std::string_view separator) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) {
    out += i == 0 ? "" : i == 1 ? ": " : separator;
    out += parts[i].*form;
  }
  return out;
}

}  // namespace

double share_spent(const host::SolveSample& sample, const host::Budget& budget) {
  double least = 1;
  for (const auto& [name, title, status] : sample.searches) {
    double share = budget.seconds > 0 ? sample.seconds / budget.seconds : 0;
    const auto count = [&share](std::uint64_t done, std::uint64_t limit) {
      if (limit > 0) share = std::max(share, static_cast<double>(done) / static_cast<double>(limit));
    };
    count(std::max(status.playouts, status.evaluations), budget.playouts);
    count(status.nodes_visited, budget.nodes);
    count(status.resource_units, budget.resource_units);
    least = std::min(least, share);
  }
  return least;
}

std::string progress_line(const SolveMoment& moment, const host::Budget& budget, int width) {
  const double seconds = moment.sample.seconds, share = share_spent(moment.sample, budget);
  std::vector<Part> parts;
  parts.push_back({moment.board, moment.board});
  if (moment.boards > 1) {
    parts[0].text += fmt::format(", {} of {}", moment.place, moment.boards);
    parts[0].brief += fmt::format(" {}/{}", moment.place, moment.boards);
  }
  const std::string best = moment.best ? fmt::format("best {}", *moment.best) : "no line yet";
  parts.push_back({best, best});
  if (share > 0) {
    const auto boards_left = static_cast<double>(moment.boards - moment.place);
    const double left = seconds / share * (1 - share + boards_left);
    parts.push_back({duration_text(left) + " left", clock_text(left) + " left"});
  }
  for (Part& part : work_parts(moment.sample))
    parts.push_back(std::move(part));
  const auto fits = [width](const std::string& line) { return static_cast<int>(line.size()) <= width; };
  if (std::string line = joined(parts, &Part::text, parts.size(), ", "); fits(line)) return line;
  // Drop the commas before dropping a part.
  for (std::size_t count = parts.size(); count > 2; --count)
    for (const std::string_view separator : {", ", " "})
      if (std::string line = joined(parts, &Part::brief, count, separator); fits(line)) return line;
  return joined(parts, &Part::brief, 2, ", ");
}

void SolveProgress::update(const SolveMoment& moment) {
  if (line_.due()) line_.show(progress_line(moment, budget_, line_.width()));
}

}  // namespace chainshot::tools
