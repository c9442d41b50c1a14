#include "tools/reports/solvable_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "tools/reports/number_text.hpp"
#include "tools/reports/published_analysis.hpp"

namespace chainshot::tools {
namespace {

// The share that table 1 of the paper has for the size, in percent.
std::optional<double> published_share(const SolvableSize& size, const SolvableSetting& setting) {
  if (setting.colors != 2 || size.rows > 10 || size.columns > 10) return std::nullopt;
  return kTakesSolvable[static_cast<std::size_t>(size.rows - 1)][static_cast<std::size_t>(size.columns - 1)];
}

// In percent. Boards that were not decided could make up the difference, so the middle of what is possible is compared,
// and half the difference counts as rounding.
host::Comparison compared_share(const SolvableSize& size, double published) {
  const host::ShareResult& found = size.result;
  const auto boards = static_cast<double>(found.boards);
  const double open = static_cast<double>(found.undecided) / boards, middle = found.share() + open / 2;
  const host::Measured ours{100 * middle, found.counted ? 0 : 100 * host::share_error(middle, boards)};
  const host::Measured theirs{published, 100 * host::share_error(published / 100, kTakesSamples)};
  return host::compare(ours, theirs, 0.1 + 50 * open);
}

std::string share_text(const SolvableSize& size) {
  if (!size.has_share()) return "-";
  return fmt::format("{}{:.1f}{}", size.result.counted ? "" : "~", 100 * size.result.share(),
                     size.result.undecided > 0 ? "+" : "");
}

bool is_complete(const std::vector<SolvableSize>& sizes, const SolvableSetting& setting) {
  return sizes.size() == setting.sizes &&
         std::all_of(sizes.begin(), sizes.end(), [](const SolvableSize& s) { return s.result.complete; });
}

const SolvableSize* size_at(const std::vector<SolvableSize>& sizes, int rows, int columns) {
  const auto found = std::find_if(sizes.begin(), sizes.end(), [&](const SolvableSize& size) {
    return size.rows == rows && size.columns == columns;
  });
  return found == sizes.end() ? nullptr : &*found;
}

// Heights by widths, as in the paper; several tables below each other if one is too wide.
std::string table_of_shares(const std::vector<SolvableSize>& sizes, const Terminal& terminal) {
  std::set<int> rows, columns;
  for (const SolvableSize& size : sizes) {
    rows.insert(size.rows);
    columns.insert(size.columns);
  }
  constexpr int kHead = 6, kCell = 7;
  const auto fitting = static_cast<std::size_t>(std::max(1, (terminal.width() - kHead) / kCell));
  std::string out;
  for (auto first = columns.begin(); first != columns.end();) {
    const auto last = static_cast<std::size_t>(std::distance(first, columns.end())) > fitting
                          ? std::next(first, static_cast<std::ptrdiff_t>(fitting))
                          : columns.end();
    std::string head = fmt::format("{:>{}}", "", kHead);
    for (auto c = first; c != last; ++c)
      head += fmt::format("{:>{}}", fmt::format("W={}", *c), kCell);
    out += terminal.bold(head) + '\n';
    for (const int r : rows) {
      out += fmt::format("{:<{}}", fmt::format("H={}", r), kHead);
      for (auto c = first; c != last; ++c) {
        const SolvableSize* size = size_at(sizes, r, *c);
        out += fmt::format("{:>{}}", size == nullptr ? "-" : share_text(*size), kCell);
      }
      out += '\n';
    }
    first = last;
    if (first != columns.end()) out += '\n';
  }
  return out;
}

std::string list_head() {
  return fmt::format("{:>4} {:>7} {:>9} {:>17} {:>9}  {}\n", "rows", "columns", "percent", "95 % interval", "published",
                     "verdict");
}

std::string list_line(const SolvableSize& size, const SolvableSetting& setting) {
  const auto published = published_share(size, setting);
  std::string interval, verdict;
  if (size.has_share() && !size.result.counted) {
    const host::Interval interval95 = size.result.interval();
    interval = fmt::format("{:.2f} to {:.2f}", 100 * interval95.low, 100 * interval95.high);
  }
  if (size.has_share() && published) verdict = verdict_text(compared_share(size, *published), 2);
  const std::string share = size.has_share() ? fmt::format("{:.2f}", 100 * size.result.share()) : "-";
  return fmt::format("{:>4} {:>7} {:>9} {:>17} {:>9}  {}\n", size.rows, size.columns, share,
                     size.result.counted ? "counted" : interval, published ? fmt::format("{:.1f}", *published) : "",
                     verdict);
}

std::string widest_interval(const std::vector<SolvableSize>& sizes) {
  const SolvableSize* widest = nullptr;
  double width = 0;
  for (const SolvableSize& size : sizes) {
    if (!size.has_share() || size.result.counted) continue;
    const host::Interval interval = size.result.interval();
    if (widest != nullptr && interval.high - interval.low <= width) continue;
    widest = &size;
    width = interval.high - interval.low;
  }
  if (widest == nullptr) return {};
  const host::Interval interval = widest->result.interval();
  return fmt::format("The widest 95 % interval is that of H={} W={}: {:.2f} to {:.2f}.\n", widest->rows,
                     widest->columns, 100 * interval.low, 100 * interval.high);
}

std::string undecided_text(const std::vector<SolvableSize>& sizes, const SolvableSetting& setting) {
  std::uint64_t undecided = 0;
  for (const SolvableSize& size : sizes)
    undecided += size.result.undecided;
  if (undecided == 0) return {};
  return fmt::format("{} were not decided within {} positions (+).\n", counted(undecided, "board"),
                     grouped(setting.nodes));
}

std::string published_text(const std::vector<SolvableSize>& sizes, const SolvableSetting& setting) {
  std::size_t compared = 0;
  std::string differing;
  for (const SolvableSize& size : sizes) {
    const auto published = published_share(size, setting);
    if (!published || !size.has_share()) continue;
    ++compared;
    if (!compared_share(size, *published).agrees()) differing += list_line(size, setting);
  }
  if (compared == 0) return {};
  const auto differ = static_cast<std::size_t>(std::count(differing.begin(), differing.end(), '\n'));
  std::string out = fmt::format(
      "\nTakes 2009, table 1, agrees with {} of {} within two standard errors, if\n"
      "each published one is a sample of 100,000 boards, and rounding adds up to 0.1.\n",
      compared - differ, counted(compared, "share"));
  return differing.empty() ? out : out + list_head() + differing;
}

}  // namespace

std::string solvable_text(const std::vector<SolvableSize>& sizes, const SolvableSetting& setting, bool list,
                          const Terminal& terminal) {
  std::string out = terminal.bold(fmt::format("Percent of boards of {} that can be cleared{}",
                                              counted(static_cast<std::uint64_t>(setting.colors), "colour"),
                                              is_complete(sizes, setting) ? "" : ", stopped early")) +
                    '\n';
  out += fmt::format("every board if there are at most {}, else {} random ones (~), seed {}\n\n",
                     grouped(setting.count_up_to), grouped(setting.samples), setting.seed);
  if (list) {
    out += terminal.bold(list_head());
    for (const SolvableSize& size : sizes)
      out += list_line(size, setting);
    return out + undecided_text(sizes, setting);
  }
  out += table_of_shares(sizes, terminal);
  const std::string notes = widest_interval(sizes) + undecided_text(sizes, setting);
  return out + (notes.empty() ? "" : '\n' + notes) + published_text(sizes, setting);
}

Json solvable_json(const std::vector<SolvableSize>& sizes, const SolvableSetting& setting) {
  Json list = Json::array();
  for (const SolvableSize& size : sizes) {
    const host::ShareResult& found = size.result;
    Json entry = {{"rows", size.rows},
                  {"columns", size.columns},
                  {"counted", found.counted},
                  {"complete", found.complete},
                  {"boards", found.boards},
                  {"solvable", found.solvable},
                  {"undecided", found.undecided},
                  {"searched", found.searched},
                  {"nodes", found.nodes}};
    if (size.has_share()) {
      const host::Interval interval = found.interval();
      entry.update({{"share", found.share()}, {"low", interval.low}, {"high", interval.high}});
      if (const auto published = published_share(size, setting))
        entry["percent"] = comparison_json(*published, compared_share(size, *published));
    }
    list.push_back(std::move(entry));
  }
  return {{"colors", setting.colors},   {"complete", is_complete(sizes, setting)}, {"count_up_to", setting.count_up_to},
          {"samples", setting.samples}, {"nodes_per_board", setting.nodes},        {"seed", setting.seed},
          {"sizes", std::move(list)}};
}

}  // namespace chainshot::tools
