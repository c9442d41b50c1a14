// Writes the data of a report as JSON; docs/formats.md lists the fields.
#include <algorithm>
#include <cmath>

#include "game/board_text.hpp"
#include "game/scoring.hpp"
#include "game/scoring_text.hpp"
#include "tools/commands.hpp"
#include "tools/pictures/page_text.hpp"
#include "tools/reports/published.hpp"
#include "tools/reports/report_data.hpp"

namespace chainshot::tools {
namespace {

template <typename T>
Json value_or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json moves_json(const std::vector<game::Cell>& moves) {
  Json list = Json::array();
  for (const game::Cell cell : moves)
    list.push_back({int{cell.column}, int{cell.row}});
  return list;
}

// Rounds to whole units; a fraction of a playout would only look precise.
Json rounded_rate(double rate) {
  return static_cast<std::int64_t>(std::clamp(std::round(rate), 0.0, 9e15));
}

Json board_json(const ReportBoard& board) {
  Json out = {{"name", board.name}, {"scoring", board.scoring}};
  if (board.lines.empty()) {
    out["best"] = nullptr;
  } else {
    const ReportLine& best = board.lines.back();
    out.update({{"best", best.score},
                {"gain", board.gain},
                {"found", value_or_null(best.at)},
                {"search", best.origin.search},
                {"preset", best.origin.preset},
                {"seed", best.origin.seed},
                {"engine", best.origin.engine},
                {"device", best.origin.device},
                {"host", best.origin.host},
                {"program", best.origin.version},
                {"imported", best.origin.imported},
                {"run", value_or_null(best.run)}});
  }
  const auto number = board.position ? standard_number(*board.position) : std::nullopt;
  if (number && board.scoring == game::kStandardScoring.name()) {
    out["known"] = kPublishedBests[*number].score;
    out["known_by"] = kPublishedBests[*number].system;
  }
  if (board.position) {
    out["columns"] = board.position->columns();
    out["rows"] = board.position->rows();
    out["cells"] = game::letter_rows(*board.position);
    if (!board.lines.empty()) out["moves"] = moves_json(board.lines.back().moves);
  }
  out["history"] = Json::array();
  for (const ReportLine& line : board.lines)
    if (line.at) out["history"].push_back({*line.at, line.score});
  return out;
}

Json run_json(const ReportRun& run) {
  Json out = {{"source", run.source},
              {"state", run.state},
              {"started", value_or_null(run.started)},
              {"seconds", std::round(run.seconds * 10) / 10},
              {"host", run.host},
              {"processor", run.processor},
              {"preset", run.preset},
              {"program", run.version},
              {"command", run.command},
              {"improvements", run.improvements},
              {"gain", run.gain},
              {"rates", Json::array()}};
  for (const ReportRate& rate : run.rates)
    out["rates"].push_back({rate.at, rounded_rate(rate.playouts_per_second), rounded_rate(rate.evaluations_per_second),
                            rate.busy ? Json(std::round(*rate.busy * 1000) / 1000) : Json(nullptr)});
  return out;
}

// The sum of published systems can be compared only with the best lines of all 20 standard boards.
Json published_json(const Report& report) {
  std::size_t boards = 0;
  std::int64_t sum = 0;
  for (const ReportBoard& board : report.boards)
    if (board.position && !board.lines.empty() && board.scoring == game::kStandardScoring.name() &&
        standard_number(*board.position)) {
      ++boards;
      sum += board.lines.back().score;
    }
  if (boards != game::standard_boards().size()) return nullptr;
  Json out = {{"sum", sum}, {"systems", Json::array()}};
  for (const PublishedScore& system : kPublishedSums)
    out["systems"].push_back({{"name", system.system}, {"sum", system.score}});
  return out;
}

}  // namespace

Json report_json(const Report& report) {
  Json out = {{"version", kJsonVersion},    {"made", report.made},    {"scoring", report.scoring},
              {"sum", report.sum()},        {"gain", report.gain()},  {"last_run", value_or_null(report.last_run)},
              {"boards", Json::array()},    {"runs", Json::array()},  {"published", published_json(report)},
              {"scorings", Json::object()}, {"colors", colors_json()}};
  for (const ReportBoard& board : report.boards) {
    out["boards"].push_back(board_json(board));
    if (const auto scoring = game::scoring_from_text(board.scoring))
      out["scorings"][board.scoring] = scoring_json(*scoring);
  }
  for (const ReportRun& run : report.runs)
    out["runs"].push_back(run_json(run));
  return out;
}

}  // namespace chainshot::tools
