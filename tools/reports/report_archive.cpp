// Reads the boards, lines and runs of an archive into a report.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "host/archive/archive.hpp"
#include "tools/reports/report_data.hpp"

namespace chainshot::tools {
namespace {

// A run's command is a JSON array and its machine a JSON object; other programs may have written something else.
std::string command_text(const std::string& json) {
  const Json list = Json::parse(json, nullptr, false);
  if (!list.is_array()) return json;
  std::string text;
  for (const Json& word : list)
    if (word.is_string()) text += (text.empty() ? "" : " ") + word.get<std::string>();
  return text;
}

std::string text_field(const std::string& json, const char* key) {
  const Json object = Json::parse(json, nullptr, false);
  if (!object.is_object() || !object.contains(key) || !object[key].is_string()) return {};
  return object[key].get<std::string>();
}

// Adds up the rates of the turns under way, wherever a turn begins or ends: turns may overlap. A turn that was resumed
// counts as one stretch before its end.
std::vector<ReportRate> rates_of(const std::vector<host::ArchivedTurn>& turns) {
  struct Change {
    double playouts = 0, evaluations = 0;
    int turns = 0;
  };
  std::map<Milliseconds, Change> changes;
  for (const host::ArchivedTurn& turn : turns) {
    const auto ended = parse_time(turn.ended_at);
    const double seconds = turn.spent.seconds;
    if (!ended || !(seconds > 0) || seconds > static_cast<double>(*ended) / 1000) continue;
    const Milliseconds began = *ended - static_cast<Milliseconds>(seconds * 1000);
    const double playouts = static_cast<double>(turn.spent.playouts) / seconds;
    const double evaluations = static_cast<double>(turn.spent.evaluations) / seconds;
    changes[began].playouts += playouts;
    changes[began].evaluations += evaluations;
    ++changes[began].turns;
    changes[*ended].playouts -= playouts;
    changes[*ended].evaluations -= evaluations;
    --changes[*ended].turns;
  }
  std::vector<ReportRate> rates;
  double playouts = 0, evaluations = 0;
  int under_way = 0;
  for (const auto& [at, change] : changes) {
    if (under_way > 0)
      rates.push_back(
          {.at = at, .playouts_per_second = playouts, .evaluations_per_second = evaluations, .busy = std::nullopt});
    playouts += change.playouts;
    evaluations += change.evaluations;
    under_way += change.turns;
  }
  return rates;
}

}  // namespace

void ReportBuilder::add(const host::Archive& archive) {
  std::map<std::int64_t, std::size_t> run_places;
  for (const host::ArchivedRun& archived : archive.runs()) {
    run_places[archived.id] = report_.runs.size();
    report_.runs.push_back({.source = archive.path(),
                            .state = archived.state,
                            .started = parse_time(archived.started),
                            .seconds = archived.seconds,
                            .host = archived.host,
                            .processor = text_field(archived.machine, "processor"),
                            .preset = text_field(archived.plan, "preset"),
                            .version = archived.version,
                            .command = command_text(archived.command),
                            .rates = rates_of(archive.turns(archived.id))});
  }
  for (const host::ArchivedBoard& board : archive.boards()) {
    for (host::ArchivedLine& line : archive.lines({.board = board.id})) {
      const auto run = run_places.find(line.run);
      ReportLine found{.at = parse_time(line.origin.found),
                       .score = line.score,
                       .moves = std::move(line.moves),
                       .origin = std::move(line.origin),
                       .run = run == run_places.end() ? std::nullopt : std::optional(run->second)};
      board_of(board.name, line.scoring, board.position).lines.push_back(std::move(found));
    }
  }
}

std::string archive_report_text(const host::Archive& archive) {
  ReportBuilder builder;
  builder.add(archive);
  return report_json(std::move(builder).finished(now_in_milliseconds()))
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace chainshot::tools
