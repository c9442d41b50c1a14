#include "tools/solve_progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "tools/figures.hpp"

namespace chainshot::tools {
namespace {

// A part of the line, and how it reads where there is little room.
struct Part {
  std::string text;
  std::string brief;
};

std::vector<Part> work_parts(const host::SearchStatus& work, double seconds) {
  std::vector<Part> parts;
  const auto per_second = [seconds](std::uint64_t count) {
    return magnitude(static_cast<double>(count) / std::max(seconds, 1e-9));
  };
  if (work.playouts > 0) parts.push_back({per_second(work.playouts) + " playouts/s", per_second(work.playouts) + "/s"});
  if (work.evaluations > 0)
    parts.push_back({per_second(work.evaluations) + " evaluations/s", per_second(work.evaluations) + " eval/s"});
  if (work.playouts > 0) {
    const std::string busy = fmt::format("busy {:.0f} %", 100 * work.busy_share);
    const std::string nodes = magnitude(static_cast<double>(work.nodes)) + " nodes";
    const std::string depth = fmt::format("depth {}", work.depth);
    parts.push_back({"engine " + busy, busy});
    parts.push_back({nodes, nodes});
    parts.push_back({depth, depth});
  }
  if (work.temperature > 0) {
    const std::string temperature = fmt::format("temperature {:.0f}", work.temperature);
    parts.push_back({temperature, temperature});
  }
  return parts;
}

std::string joined(const std::vector<Part>& parts, std::string Part::*form, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i)
    out += (i == 0 ? "" : i == 1 ? ": " : ", ") + parts[i].*form;
  return out;
}

}  // namespace

double share_spent(const host::SolveSample& sample, const host::Budget& budget) {
  double least = 1;
  for (const auto& [name, status] : sample.searches) {
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
  const std::string best = fmt::format("best {}", moment.best);
  parts.push_back({best, best});
  if (share > 0) {
    const auto boards_left = static_cast<double>(moment.boards - moment.place);
    const std::string left = duration_text(seconds / share * (1 - share + boards_left)) + " left";
    parts.push_back({left, left});
  }
  for (Part& part : work_parts(moment.sample.total(), seconds))
    parts.push_back(std::move(part));
  const auto fits = [width](const std::string& line) { return static_cast<int>(line.size()) <= width; };
  if (std::string line = joined(parts, &Part::text, parts.size()); fits(line)) return line;
  std::size_t count = parts.size();
  while (count > 2 && !fits(joined(parts, &Part::brief, count)))
    --count;
  return joined(parts, &Part::brief, count);
}

void SolveProgress::update(const SolveMoment& moment) {
  if (line_.due()) line_.show(progress_line(moment, budget_, line_.width()));
}

}  // namespace chainshot::tools
