#include "tools/reports/known_records.hpp"

#include <vector>

#include "tools/reports/known_records_text.hpp"

namespace chainshot::tools {
namespace {

const std::vector<game::Solution>& known_records() {
  static const std::vector<game::Solution> kRecords = game::parse_solutions(
      kKnownRecordsText, "data/records/standard20.txt", game::Notation::kColumnRow, game::kMaxRows);
  return kRecords;
}

}  // namespace

const game::Solution* known_record(const game::Position& position, const game::Scoring& scoring) {
  for (const game::NamedBoard& standard : game::standard_boards())
    if (standard.position == position)
      for (const game::Solution& record : known_records())
        if (record.board == standard.name && record.score_by(scoring)) return &record;
  return nullptr;
}

std::optional<int> known_score(const game::NamedBoard& board, const game::Scoring& scoring) {
  const game::Solution* const record = known_record(board.position, scoring);
  return record == nullptr ? std::nullopt : record->score;
}

}  // namespace chainshot::tools
