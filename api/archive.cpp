// Archives as plain rows.
#include "api/translation.hpp"

#include <map>
#include <utility>

namespace chainshot {

struct Archive::State {
  explicit State(const std::string& path) : archive(path, {.access = host::ArchiveOptions::Access::kRead}) {}

  host::Archive archive;
};

Archive::Archive(const std::string& path) : state_(translated([&] { return std::make_unique<State>(path); })) {}
Archive::Archive(Archive&& other) noexcept = default;
Archive& Archive::operator=(Archive&& other) noexcept = default;
Archive::~Archive() = default;

std::vector<ArchivedBoard> Archive::boards() const {
  return translated([&] {
    std::vector<ArchivedBoard> boards;
    for (const host::ArchivedBoard& board : state_->archive.boards())
      boards.push_back({board.id, board.hash, {board.name, position_of(board.position)}});
    return boards;
  });
}

std::vector<ArchivedLine> Archive::lines(const LineFilter& filter) const {
  return translated([&] {
    std::map<std::int64_t, std::string> names;
    for (const host::ArchivedBoard& board : state_->archive.boards())
      names[board.id] = board.name;
    // Archives have a scoring as its name or in one spelling of its formula.
    const auto scoring = filter.scoring ? std::optional(scoring_of(*filter.scoring).name()) : std::nullopt;
    std::vector<ArchivedLine> lines;
    for (host::ArchivedLine& line : state_->archive.lines({.board = filter.board_id,
                                    .scoring = scoring,
                                    .run = filter.run,
                                    .since = filter.since,
                                    .only_improvements = filter.only_improvements,
                                    .only_best = filter.only_best})) {
      host::LineOrigin& origin = line.origin;
      lines.push_back({.id = line.id,
                       .board_id = line.board,
                       .board = names[line.board],
                       .scoring = std::move(line.scoring),
                       .score = line.score,
                       .moves = moves_of(line.moves),
                       .is_improvement = line.improved,
                       .found = std::move(origin.found),
                       .search = std::move(origin.search),
                       .preset = std::move(origin.preset),
                       .parameters = std::move(origin.parameters),
                       .seed = std::move(origin.seed),
                       .engine = std::move(origin.engine),
                       .device = std::move(origin.device),
                       .host = std::move(origin.host),
                       .version = std::move(origin.version),
                       .imported = std::move(origin.imported),
                       .run = line.run,
                       .turn = line.turn});
    }
    return lines;
  });
}

std::vector<ArchivedRun> Archive::runs() const {
  return translated([&] {
    std::vector<ArchivedRun> runs;
    for (host::ArchivedRun& run : state_->archive.runs())
      runs.push_back({.id = run.id,
                      .started = std::move(run.started),
                      .ended = std::move(run.ended),
                      .state = std::move(run.state),
                      .seconds = run.seconds,
                      .host = std::move(run.host),
                      .version = std::move(run.version),
                      .command = std::move(run.command),
                      .machine = std::move(run.machine),
                      .plan = std::move(run.plan)});
    return runs;
  });
}

}  // namespace chainshot
