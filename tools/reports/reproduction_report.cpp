#include "tools/reports/reproduction_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tools/measure/machine.hpp"
#include "tools/reports/number_text.hpp"
#include "tools/terminal/terminal.hpp"

namespace chainshot::tools {
namespace {

constexpr std::size_t kWidestRowName = 42;  // letters beside the picture

constexpr std::array<std::string_view, 3> kExtents = {"minutes", "hour", "full"};

std::string number_text(double value, int decimals) {
  if (decimals > 0) return fmt::format("{:.{}f}", value, decimals);
  const std::string digits = grouped(static_cast<std::uint64_t>(std::llround(std::abs(value))));
  return value < 0 ? "-" + digits : digits;
}

std::string measured_text(const ReproducedRow& row, int decimals) {
  const host::MeasuredRow& measured = row.measured;
  if (measured.samples == 0) return "-";
  std::string text = number_text(measured.value, decimals);
  if (measured.error > 0) text += " ± " + number_text(measured.error, decimals > 0 ? decimals + 1 : 0);
  return text;
}

std::string range_text(const ReproducedRow& row, int decimals) {
  if (row.measured.samples < 2) return "-";
  return fmt::format("{} to {}", number_text(row.measured.lowest, decimals),
                     number_text(row.measured.highest, decimals));
}

// Returns the part of a budget as people say it: `1/100`.
std::string budget_part(double share) {
  return share >= 1 ? "all" : fmt::format("1/{:.0f}", 1 / share);
}

std::string row_verdict(const ReproducedRow& row) {
  const host::Judgement& judgement = row.judgement;
  const std::string less = row.effort.budget_share < 1 && !row.row->has_less_in_full
                               ? fmt::format(" with {} of the budget", budget_part(row.effort.budget_share))
                               : " with less time";
  std::string text;
  switch (judgement.verdict) {
    case host::Verdict::kAgrees:
      text = "agrees";
      break;
    case host::Verdict::kBetter:
      text = "better";
      break;
    case host::Verdict::kBelowLess:
      text = "below,";
      break;
    case host::Verdict::kDiffers:
      text = "differs";
      break;
    case host::Verdict::kListed:
      return "not measured: " + row.row->remark;
    case host::Verdict::kUnknown:
      return "too few samples";
  }
  if (judgement.has_less) text += less;
  const bool needs_remark =
      judgement.verdict == host::Verdict::kDiffers || judgement.verdict == host::Verdict::kBelowLess;
  if (needs_remark && !row.row->remark.empty()) text += ": " + row.row->remark;
  return text;
}

std::string table_markdown(const ReproducedTable& reproduced) {
  const host::PublishedTable& table = *reproduced.table;
  std::string text = fmt::format("\n## {}\n\n`{}`: {}.\n\n", table.title, table.name, table.source);
  text += "| row | published | measured | samples | range | verdict | published with |\n";
  text += "| --- | --- | --- | --- | --- | --- | --- |\n";
  for (const ReproducedRow& row : reproduced.rows)
    text +=
        fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", row.row->name,
                    number_text(row.row->published, table.decimals), measured_text(row, table.decimals),
                    row.measured.samples, range_text(row, table.decimals), row_verdict(row), row.row->published_budget);
  return text;
}

// Lists what was run: one line for each row that was measured.
std::string experiments_markdown(const ReproducedTable& reproduced) {
  std::string text;
  for (const ReproducedRow& row : reproduced.rows) {
    const std::string experiment = host::experiment_text(row.row->experiment);
    if (!experiment.empty() && std::holds_alternative<host::SearchExperiment>(row.row->experiment))
      text += fmt::format(
          "    {}: {}{}\n", row.row->name, experiment,
          row.effort.budget_share < 1 ? fmt::format(" (here {})", budget_part(row.effort.budget_share)) : "");
  }
  return text.empty() ? text : "\nThe searches, one thread each:\n\n" + text;
}

std::string summary_markdown(const Reproduction& reproduction) {
  std::string text = "\n| table | agrees | better | below, with less | differs | not measured | seconds |\n";
  text += "| --- | --- | --- | --- | --- | --- | --- |\n";
  for (const ReproducedTable& table : reproduction.tables) {
    std::array<int, 6> counts{};
    double seconds = 0;
    for (const ReproducedRow& row : table.rows) {
      ++counts[static_cast<std::size_t>(row.judgement.verdict)];
      seconds += row.measured.seconds;
    }
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {:.0f} |\n", table.table->title, counts[0], counts[1],
                        counts[2], counts[3], counts[4] + counts[5], seconds);
  }
  return text;
}

// Quotes a field of a table of comma-separated values if it has to be.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text)
    quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

}  // namespace

std::string_view extent_name(host::Extent extent) {
  return kExtents[static_cast<std::size_t>(extent)];
}

std::string reproduction_markdown(const Reproduction& reproduction) {
  std::string text = fmt::format(
      "# The published tables, measured again\n\n"
      "Written by `chainshot reproduce --budget {}`, version {}, on {}.\n\n"
      "A verdict compares the measured figure with the published one. *agrees*: they differ by at most two standard\n"
      "errors of their difference, plus rounding. *better*: our score is higher. *below*: our score is lower, and our\n"
      "budget was smaller.\n"
      "*differs*: none of these. Means have their standard error over the boards; sums over the standard set have one\n"
      "only if every board was searched several times. `boards.txt` is `chainshot generate --count 250 --seed 2012`.\n",
      extent_name(reproduction.extent), program_version(), processor_name());
  if (!reproduction.complete) text += "\nThe measurement was broken off; some rows have fewer samples than planned.\n";
  text += summary_markdown(reproduction);
  for (const ReproducedTable& table : reproduction.tables)
    text += table_markdown(table) + experiments_markdown(table);
  return text;
}

std::string reproduction_csv(const Reproduction& reproduction) {
  std::string text =
      "table,row,published,published_error,measured,error,samples,lowest,highest,seconds,budget_share,verdict\n";
  for (const ReproducedTable& table : reproduction.tables) {
    for (const ReproducedRow& row : table.rows) {
      const host::MeasuredRow& measured = row.measured;
      const auto field = [](bool is_known, double value) { return is_known ? fmt::format("{:.6g}", value) : ""; };
      const bool is_measured = measured.samples > 0;
      text += fmt::format(
          "{},{},{},{:.4g},{},{},{},{},{},{},{:.4g},{}\n", csv_field(table.table->name), csv_field(row.row->name),
          row.row->published, row.row->published_error, field(is_measured, measured.value),
          field(is_measured && measured.error_is_known, measured.error), measured.samples,
          field(is_measured, measured.lowest), field(is_measured, measured.highest),
          field(is_measured, measured.seconds), row.effort.budget_share, host::name_of(row.judgement.verdict));
    }
  }
  return text;
}

Json reproduction_json(const Reproduction& reproduction) {
  Json tables = Json::array();
  for (const ReproducedTable& table : reproduction.tables) {
    Json rows = Json::array();
    for (const ReproducedRow& row : table.rows) {
      Json entry = {{"name", row.row->name},
                    {"published", row.row->published},
                    {"published_error", row.row->published_error},
                    {"published_budget", row.row->published_budget},
                    {"experiment", host::experiment_text(row.row->experiment)},
                    {"budget_share", row.effort.budget_share},
                    {"samples", row.measured.samples},
                    {"verdict", host::name_of(row.judgement.verdict)},
                    {"smaller_budget", row.judgement.has_less},
                    {"remark", row.row->remark}};
      if (row.measured.samples > 0) {
        entry["measured"] = row.measured.value;
        if (row.measured.error_is_known) entry["error"] = row.measured.error;
        entry["lowest"] = row.measured.lowest;
        entry["highest"] = row.measured.highest;
        entry["seconds"] = row.measured.seconds;
      }
      rows.push_back(std::move(entry));
    }
    tables.push_back({{"name", table.table->name},
                      {"title", table.table->title},
                      {"source", table.table->source},
                      {"rows", std::move(rows)}});
  }
  return {{"budget", extent_name(reproduction.extent)},
          {"complete", reproduction.complete},
          {"program", program_version()},
          {"processor", processor_name()},
          {"tables", std::move(tables)}};
}

RatioPicture reproduction_picture(const Reproduction& reproduction) {
  RatioPicture picture{.title = "Measured figures relative to published ones",
                       .subtitle = fmt::format("chainshot reproduce --budget {}; bars are two standard errors",
                                               extent_name(reproduction.extent)),
                       .groups = {}};
  for (const ReproducedTable& table : reproduction.tables) {
    RatioGroup group{table.table->title, {}};
    for (const ReproducedRow& row : table.rows) {
      if (row.measured.samples == 0 || row.row->published <= 0) continue;
      const bool is_good =
          row.judgement.verdict == host::Verdict::kAgrees || row.judgement.verdict == host::Verdict::kBetter;
      group.ratios.push_back({shortened(row.row->name, kWidestRowName), row.measured.value / row.row->published,
                              2 * row.judgement.error / row.row->published, is_good});
    }
    if (!group.ratios.empty()) picture.groups.push_back(std::move(group));
  }
  return picture;
}

}  // namespace chainshot::tools
