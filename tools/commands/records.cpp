// chainshot records: the best lines known for the standard boards, compared with what others published.
#include <fmt/format.h>

#include <memory>

#include "tools/commands.hpp"
#include "tools/options/board_argument.hpp"
#include "tools/options/input_error.hpp"
#include "tools/reports/archive_report.hpp"
#include "tools/reports/known_records.hpp"
#include "tools/reports/published.hpp"

namespace chainshot::tools {
namespace {

struct RecordsArguments {
  std::string board;
  bool json = false;
};

// The record of a standard board, under the name that the user gave the board.
struct BoardRecord {
  game::Solution line;
  int rows = 0;
  PublishedScore published;  // the best of others
};

std::vector<BoardRecord> records_of(const std::vector<game::NamedBoard>& boards) {
  std::vector<BoardRecord> records;
  for (const game::NamedBoard& board : boards) {
    const std::optional<std::size_t> number = standard_number(board.position);
    const game::Solution* const line = known_record(board.position, game::kStandardScoring);
    if (!number || line == nullptr)
      throw InputError(
          fmt::format("{} is not a standard board, and only those have records; expected standard-01 to "
                      "standard-20",
                      board.name));
    records.push_back({*line, board.position.rows(), kPublishedBests[*number]});
    records.back().line.board = board.name;
  }
  return records;
}

int sum_of(const std::vector<BoardRecord>& records) {
  int sum = 0;
  for (const BoardRecord& record : records)
    sum += *record.line.score;
  return sum;
}

std::string difference(int ours, int theirs) {
  return ours == theirs ? "0" : fmt::format("{:+}", ours - theirs);
}

std::string table_text(const std::vector<BoardRecord>& records) {
  TextTable boards({"board", "record", "published", "difference", "by"});
  for (const BoardRecord& record : records)
    boards.add({record.line.board, std::to_string(*record.line.score), std::to_string(record.published.score),
                difference(*record.line.score, record.published.score), std::string(record.published.system)});
  const int sum = sum_of(records);
  TextTable systems({"sum of", "points", "difference"});
  systems.add({"these records", std::to_string(sum), ""});
  for (const PublishedScore& system : kPublishedSums)
    systems.add({std::string(system.system), std::to_string(system.score), difference(sum, system.score)});
  return boards.text() + '\n' + systems.text();
}

std::string solutions_text(const std::vector<BoardRecord>& records) {
  std::string text;
  for (const BoardRecord& record : records)
    text += (text.empty() ? "" : "\n") + to_text(record.line, game::Notation::kColumnRow, record.rows);
  return text;
}

Json records_json(const std::vector<BoardRecord>& records) {
  Json boards = Json::array(), systems = Json::array();
  for (const BoardRecord& record : records) {
    Json board = to_json(record.line);
    board["published"] = record.published.score;
    board["system"] = record.published.system;
    boards.push_back(std::move(board));
  }
  for (const PublishedScore& system : kPublishedSums)
    systems.push_back({{"name", system.system}, {"sum", system.score}});
  return {{"version", kJsonVersion},
          {"sum", sum_of(records)},
          {"boards", std::move(boards)},
          {"systems", std::move(systems)}};
}

void run_records(const RecordsArguments& a) {
  const std::vector<BoardRecord> records =
      records_of(a.board.empty() ? game::standard_boards() : boards_named(a.board));
  if (a.json)
    print_json(records_json(records));
  else
    fmt::print("{}", a.board.empty() ? table_text(records) : solutions_text(records));
}

}  // namespace

void add_records(CLI::App& app, Program&) {
  auto a = std::make_shared<RecordsArguments>();
  CLI::App* command = app.add_subcommand("records", "compare the best lines known with published scores");
  command->add_option("BOARD", a->board, "print the record of this board as a solution; standard: of all 20")
      ->type_name("");
  command->add_flag("--json", a->json, "print the result as JSON");
  command->footer(
      "The records are lines that chainshot found for the 20 standard boards. They are\n"
      "built in. `published` is the best score of a board in the papers; most lists on\n"
      "the web give sums only. The leader at CodinGame has 178016 points over these\n"
      "boards and the same boards in other colours, so half of that for these.\n\n"
      "Examples:\n"
      "  chainshot records\n"
      "  chainshot records standard-07 | chainshot verify standard-07 -\n"
      "  chainshot records standard > records.txt");
  command->callback([a] { run_records(*a); });
}

}  // namespace chainshot::tools
