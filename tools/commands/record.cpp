// chainshot record: searches boards for hours and keeps every improvement in an archive.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "host/archive/archive_text.hpp"
#include "host/record/record_hook.hpp"
#include "host/record/record_run.hpp"
#include "host/record/run_lock.hpp"
#include "host/run/solution_collection.hpp"
#include "tools/commands.hpp"
#include "tools/measure/machine.hpp"
#include "tools/options/board_argument.hpp"
#include "tools/options/engine_argument.hpp"
#include "tools/options/input_error.hpp"
#include "tools/options/policy_argument.hpp"
#include "tools/options/record_options.hpp"
#include "tools/options/start_lines.hpp"
#include "tools/ranks.hpp"
#include "tools/reports/known_records.hpp"
#include "tools/reports/record_display.hpp"
#include "tools/reports/record_report.hpp"
#include "tools/reports/report_data.hpp"
#include "tools/reports/solve_report.hpp"
#include "tools/terminal/interrupt.hpp"
#include "tools/watch/status_json.hpp"
#include "tools/watch/watch_server.hpp"

namespace chainshot::tools {
namespace {

// Returns every board once, whatever its names.
std::vector<game::NamedBoard> boards_of(const RecordArguments& a) {
  std::vector<game::NamedBoard> boards;
  for (game::NamedBoard& board : boards_named(a.boards.empty() ? std::vector<std::string>{"standard"} : a.boards)) {
    const bool is_known =
        std::any_of(boards.begin(), boards.end(), [&](const auto& other) { return other.position == board.position; });
    if (!is_known) boards.push_back(std::move(board));
  }
  return boards;
}

// Returns the boards of a run that is resumed, from the archive.
std::vector<game::NamedBoard> boards_of_run(const host::Archive& archive, const Json& plan) {
  std::map<std::string, host::ArchivedBoard> by_hash;
  for (host::ArchivedBoard& board : archive.boards())
    by_hash.emplace(board.hash, std::move(board));
  std::vector<game::NamedBoard> boards;
  for (const Json& entry : plan.at("boards")) {
    const auto found = by_hash.find(entry.at("hash"));
    if (found == by_hash.end())
      throw InputError(fmt::format("archive {} is damaged: it lacks board {} of the run", archive.path(),
                                   entry.at("name").get<std::string>()));
    boards.push_back({entry.at("name"), found->second.position});
  }
  return boards;
}

void expect_same_boards(const std::vector<game::NamedBoard>& given, const std::vector<game::NamedBoard>& of_run) {
  const auto contains = [](const std::vector<game::NamedBoard>& boards, const game::NamedBoard& wanted) {
    return std::any_of(boards.begin(), boards.end(),
                       [&](const auto& board) { return board.position == wanted.position; });
  };
  for (const game::NamedBoard& board : given)
    if (!contains(of_run, board))
      throw InputError(
          fmt::format("--resume goes on with the boards of the run, and {} is not among them; expected it "
                      "without BOARDS, or with the same",
                      board.name));
  for (const game::NamedBoard& board : of_run)
    if (!contains(given, board))
      throw InputError(
          fmt::format("--resume goes on with the boards of the run, and {} is missing; expected it "
                      "without BOARDS, or with the same",
                      board.name));
}

// Opened for a run: the archive, and the run that goes on, which nobody else works on.
struct Opened {
  std::unique_ptr<host::Archive> archive;
  std::vector<game::NamedBoard> boards;
  std::optional<host::ArchivedRun> resumed;
  std::unique_ptr<host::RunLock> lock;  // of the run that goes on
};

// Finds the run to go on with: the last one that was broken off and that no other process works on; if all have
// finished, the last one, which may get more time.
void find_run(const RecordArguments& a, Opened& opened) {
  const std::vector<host::ArchivedRun> runs = opened.archive->runs();
  std::string problem;
  for (auto run = runs.rbegin(); run != runs.rend() && !opened.resumed; ++run) {
    if (run->state == "finished") continue;
    try {
      opened.lock = std::make_unique<host::RunLock>(a.archive, run->uid);
      opened.resumed = *run;
    } catch (const std::invalid_argument& error) {
      if (problem.empty()) problem = error.what();
    }
  }
  if (opened.resumed && !problem.empty())
    print_note(fmt::format("a later run of {} is still going on; this goes on with the run of {}", a.archive,
                           opened.resumed->started));
  if (opened.resumed) return;
  if (!problem.empty()) throw InputError(problem);
  if (runs.empty()) return;
  opened.lock = std::make_unique<host::RunLock>(a.archive, runs.back().uid);
  opened.resumed = runs.back();
}

host::RecordPlan record_plan(const RecordArguments& a, const std::vector<game::NamedBoard>& boards) {
  host::RecordPlan plan;
  SearchArguments search = a.search;
  search.budget.playouts = a.budgets.first_playouts;
  search.budget.seconds = a.budgets.is_counted() ? 0 : a.budgets.first_seconds;
  plan.search = plan_from(search, scoring_from(a.scoring));
  expect_scores_fit(plan.search.scoring, boards, plan.search.kind->most_score, "preset " + plan.search.preset);
  plan.search.choice = a.engine;
  plan.search.engines = CLI::detail::split(a.engine.name, ',');
  for (const std::string& name : plan.search.engines) {
    host::EngineChoice choice = a.engine;
    choice.name = name;
    check_engine(choice);
  }
  // Counted turns are there to be repeated.
  if (a.budgets.is_counted()) plan.search.common.deterministic = true;
  expect_deterministic_budget(plan.search);
  plan.budgets = a.budgets;
  plan.seconds = a.seconds;
  plan.until = a.until_moment;
  plan.rounds = a.rounds;
  plan.elites = a.elites;
  plan.distance = a.distance;
  plan.side_by_side = a.side_by_side;
  plan.seed = a.seed;
  plan.on_network = a.network;
  for (const game::NamedBoard& board : boards)
    plan.boards.push_back({board, known_score(board, plan.search.scoring)});
  return plan;
}

host::RecordIdentity identity_of(const Program& program) {
  const Json machine = machine_json();
  return {.uid = host::random_run_name(),
          .host = host_name(),
          .version = program_version(),
          .command = Json(program.command_line).dump(),
          .machine = machine.dump()};
}

// Never raises the priority.
void lower_priority(int nice) {
  errno = 0;
  const int now = ::getpriority(PRIO_PROCESS, 0);
  if ((now == -1 && errno != 0) || ::setpriority(PRIO_PROCESS, 0, std::max(now, nice)) != 0)
    print_note(fmt::format("cannot lower the priority: {}", std::strerror(errno)));
}

// Adds the lines of --from to the archive: turns then start from them.
void import_starts(host::Archive& archive, const RecordArguments& a, const std::vector<game::NamedBoard>& boards) {
  const game::Scoring scoring = scoring_from(a.scoring);
  const auto starts = start_lines(a.from, boards, scoring);
  std::vector<host::NewLine> lines;
  for (const game::NamedBoard& board : boards) {
    const auto of_board = starts.find(board.name);
    if (of_board == starts.end()) continue;
    for (const host::StartLine& start : of_board->second) {
      host::NewLine& line = lines.emplace_back();
      line.board = archive.board_id(board);
      line.scoring = scoring.name();
      line.score = start.score;
      line.moves = start.moves;
      line.origin.found = host::now_text();
      line.origin.imported = start.file;
    }
  }
  if (lines.empty() && !a.from.empty())
    print_note(fmt::format("--from {}: no line is for a board of this run", a.from.front()));
  archive.add(lines);
}

// Opens the archive and decides which run goes on. What is wrong with the command line is said before a new archive is
// made.
Opened open_archive(RecordArguments& a, const CLI::App& command) {
  using Access = host::ArchiveOptions::Access;
  // Writes are tried again, so that none of them waits long for another program.
  constexpr double kPatience = 2;
  Opened opened;
  if (!a.boards.empty() || !a.resume) {
    opened.boards = boards_of(a);
    record_plan(a, opened.boards);
  }
  opened.archive = std::make_unique<host::Archive>(
      a.archive, host::ArchiveOptions{.access = opened.boards.empty() ? Access::kWrite : Access::kCreate,
                                      .on_network = a.network,
                                      .patience_seconds = kPatience});
  opened.archive->expect_sound();  // before a night is trusted to it
  if (a.resume) find_run(a, opened);
  if (a.resume && !opened.resumed) {
    if (opened.boards.empty())
      throw InputError(fmt::format("{} has no run to go on with; expected one, or BOARDS for a new run", a.archive));
    print_note(fmt::format("{} has no run to go on with; this is a new one", a.archive));
  }
  if (!opened.resumed) return opened;
  try {
    const Json plan = Json::parse(opened.resumed->plan);
    std::vector<game::NamedBoard> boards = boards_of_run(*opened.archive, plan);
    if (!opened.boards.empty()) expect_same_boards(opened.boards, boards);
    opened.boards = std::move(boards);
    take_over(a, command, plan);
  } catch (const nlohmann::json::exception& error) {
    throw InputError(
        fmt::format("archive {} is damaged: the plan of its run cannot be read ({})", a.archive, error.what()));
  }
  return opened;
}

// The live page of --watch, if it was asked for. It reads the archive by a connection of its own.
class LivePage {
 public:
  LivePage(const RecordArguments& a, const host::RecordRun& run, const game::Scoring& scoring) {
    if (a.watch.empty()) return;
    archive_.emplace(a.archive,
                     host::ArchiveOptions{.access = host::ArchiveOptions::Access::kRead, .on_network = a.network});
    server_.emplace(parse_watch_address(a.watch),
                    WatchSources{.data = [this] { return archive_report_text(*archive_); },
                                 .status = [&run, scoring] { return status_json(run.status(), scoring.name()); }});
  }

  std::string url() const { return server_ ? server_->url() : std::string(); }

 private:
  std::optional<host::Archive> archive_;
  std::optional<WatchServer> server_;
};

// Prints the result, and the lines that the archive did not take, which would be lost otherwise.
void print_result(const RecordArguments& a, const host::RecordRun& run, const game::Scoring& scoring,
                  const Terminal& terminal) {
  const auto unwritten = run.unwritten();
  if (a.json) {
    Json answer = {{"version", kJsonVersion}, {"archive", a.archive}};
    answer.update(record_json(run.status()));
    for (const auto& [board, line] : unwritten)
      answer["unwritten"].push_back(game::to_json(game::Solution{board.name, scoring, line.score, line.moves}));
    return print_json(answer);
  }
  fmt::print("{}", record_result(run.status(), terminal));
  for (const auto& [board, line] : unwritten)
    fmt::print("\n{}", host::saved_line(board, scoring, line.score, line.moves));
}

// Says so if a run that is resumed has nothing left to do.
void note_end(const RecordArguments& a, const host::RecordStatus& before, const host::RecordStatus& after) {
  if (after.state != "finished" || before.round != after.round ||
      before.turns_done_of_round != after.turns_done_of_round)
    return;
  print_note(
      fmt::format("the run has had its {}; --for, --until or --rounds with a later end gives it more (they count from "
                  "its beginning)",
                  a.rounds > 0 ? "rounds" : "time"));
}

// Runs until the end; prints and saves what there is.
void record(const RecordArguments& a, Opened opened, Program& program) {
  host::RecordPlan plan = record_plan(a, opened.boards);
  plan.search.spread = spread_for(plan.search, program);
  import_starts(*opened.archive, a, opened.boards);
  RecordDisplay display;
  const auto notice = [&](const std::string& sentence) { display.note(sentence); };
  std::optional<host::RecordHook> hook;
  if (!a.on_record.empty()) hook.emplace(a.on_record, notice);
  const auto recorded = [&](const game::NamedBoard& board, const host::FoundLine& line) {
    if (hook) hook->push(board.name, line.score, host::saved_line(board, plan.search.scoring, line.score, line.moves));
  };
  std::optional<std::int64_t> resumed;
  if (opened.resumed) resumed = opened.resumed->id;
  const host::RecordIdentity identity = identity_of(program);
  if (!opened.lock) opened.lock = std::make_unique<host::RunLock>(a.archive, identity.uid);
  host::RecordRun run(plan, identity, plan_json(a, opened.boards).dump(), *opened.archive, resumed, notice, recorded);
  const LivePage page(a, run, plan.search.scoring);
  const host::RecordStatus before = run.status();
  display.begin(a.archive, before, resumed.has_value());
  if (!page.url().empty()) display.note("the live page is at " + page.url());
  const std::string error = run.run([&] { display.update(run.status()); }, interrupt_token());
  display.update(run.status());
  display.erase();
  hook.reset();
  if (resumed) note_end(a, before, run.status());
  print_result(a, run, plan.search.scoring, program.terminal);
  if (!run.problem().empty())
    throw std::runtime_error(run.problem() +
                             (run.unwritten().empty() ? "" : "; the lines that it lacks are printed above"));
  if (!error.empty()) throw std::runtime_error(error);
  if (interrupted()) program.exit_code = interrupted_exit();
}

void run_record(RecordArguments& a, const CLI::App& command, Program& program) {
  watch_interrupts();
  if (!a.until.empty()) a.until_moment = moment_to_come(a.until);
  if (!a.watch.empty()) parse_watch_address(a.watch);  // a mistake is said before any work
  if (a.nice) lower_priority(*a.nice);
  try {
    record(a, open_archive(a, command), program);
  } catch (const std::invalid_argument& error) {
    throw InputError(error.what());
  }
}

}  // namespace

void add_record(CLI::App& app, Program& program) {
  const auto a = std::make_shared<RecordArguments>();
  CLI::App* command = app.add_subcommand("record", "search boards for hours and keep every improvement in an archive");
  add_record_options(*command, *a, program.advanced_groups);
  command->footer(
      "Works through the boards in rounds that grow; every turn starts from the lines\n"
      "of the archive and adds what it improves. Every improvement is committed within\n"
      "a second: a run that is killed loses nothing else, and --resume goes on with it.\n"
      "SIGUSR1 prints a status line.\n\n"
      "Examples:\n"
      "  chainshot record standard --archive night.db --for 8h\n"
      "  chainshot record boards.txt --archive night.db --until 07:00 --nice\n"
      "  chainshot record --archive night.db --resume\n"
      "  chainshot archive diff night.db --since yesterday");
  command->callback([a, command, &program] { run_record(*a, *command, program); });
}

}  // namespace chainshot::tools
