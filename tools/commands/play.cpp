// chainshot play: plays boards many times and reports the scores and the best line.
#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "host/run/solution_file.hpp"
#include "tools/commands.hpp"
#include "tools/commands/playout_runner.hpp"
#include "tools/options/board_argument.hpp"
#include "tools/options/engine_argument.hpp"
#include "tools/options/input_error.hpp"
#include "tools/options/list_argument.hpp"
#include "tools/options/number_argument.hpp"
#include "tools/options/output_option.hpp"
#include "tools/options/policy_argument.hpp"
#include "tools/options/solution_argument.hpp"
#include "tools/reports/number_text.hpp"
#include "tools/reports/play_report.hpp"
#include "tools/reports/rules_report.hpp"
#include "tools/terminal/interrupt.hpp"

namespace chainshot::tools {
namespace {

struct PlayArguments {
  std::vector<std::string> boards;
  PolicyArguments policy;
  host::EngineChoice engine;
  std::uint32_t playouts = 100'000;
  std::uint64_t seed = 0;
  bool playouts_given = false;
  bool seed_given = false;
  std::string engine_options;  // the first that was given
  std::string key;
  std::string svg;
  std::string out;
  std::string csv;
  bool json = false;
  bool explain = false;
};

PlayoutTask task_of(const PlayArguments& a, const game::NamedBoard& board, const game::Policy& policy) {
  return playout_task(board, policy, scoring_from(a.policy.scoring), a.playouts, a.seed);
}

// Throws std::runtime_error if the reference rules could not replay the line.
host::Line checked_line(host::Line line) {
  if (!line.error.empty()) throw std::runtime_error(line.error);
  return line;
}

// The best line of every board, whichever policy found it.
std::string solutions_text(const std::vector<BoardReport>& reports, const game::Scoring& scoring) {
  std::vector<const BoardReport*> best;
  for (const BoardReport& report : reports) {
    const auto known = std::find_if(best.begin(), best.end(),
                                    [&](const BoardReport* other) { return other->board.name == report.board.name; });
    if (known == best.end())
      best.push_back(&report);
    else if (report.best.score > (*known)->best.score)
      *known = &report;
  }
  std::string text;
  for (const BoardReport* r : best)
    text += host::saved_line(r->board, scoring, r->best.score, r->best.moves);
  return text;
}

// The policies of --policy, each with the parameters that were given.
std::vector<PolicyArguments> policies_of(const PlayArguments& a) {
  const std::vector<std::string> names = list_items(a.policy.policy);
  expect_distinct_items("--policy", names);
  std::vector<PolicyArguments> policies;
  for (const std::string& name : names) {
    policies.push_back(a.policy);
    policies.back().policy = name;
    policy_from(policies.back());  // reports a mistyped name before files are read
  }
  return policies;
}

void print_reports(const PlayArguments& a, const std::vector<BoardReport>& reports, const PlaySetting& setting,
                   bool several, const Terminal& terminal) {
  if (!a.json) {
    fmt::print("{}", several ? table_text(reports, setting, terminal) : report_text(reports[0], setting, terminal));
    return;
  }
  Json answer = {{"version", kJsonVersion}};
  if (several) {
    answer["complete"] = is_complete(reports, setting);
    answer["boards"] = Json::array();
    for (const BoardReport& report : reports)
      answer["boards"].push_back(report_json(report, setting));
  } else {
    answer.update(report_json(reports[0], setting));
  }
  print_json(answer);
}

// Every board with every policy, until Ctrl-C.
std::vector<BoardReport> play_all(const PlayArguments& a, const std::vector<game::NamedBoard>& boards,
                                  const std::vector<PolicyArguments>& policies, game::Engine& engine) {
  std::vector<BoardReport> reports;
  PlayoutRunner runner(engine, boards.size() * policies.size());
  for (const game::NamedBoard& board : boards)
    for (const PolicyArguments& policy : policies) {
      const PlayoutTask task = task_of(a, board, policy_from(policy));
      PlayoutReport playouts = runner.run(task, policies.size() > 1 ? board.name + ", " + policy.policy : board.name);
      if (playouts.result.count == 0) return reports;
      host::Line best = checked_line(host::replay_best(task.request, task.seed, task.scoring, playouts.result));
      reports.push_back({board, policy_text(policy), std::move(playouts), std::move(best)});
      if (interrupted()) return reports;
    }
  return reports;
}

void play_boards(const PlayArguments& a, const std::vector<game::NamedBoard>& boards,
                 const std::vector<PolicyArguments>& policies, game::Engine& engine, PlaySetting setting,
                 const Terminal& terminal) {
  const std::vector<BoardReport> reports = play_all(a, boards, policies, engine);
  if (reports.empty()) return tell_nothing_is_done();
  setting.engine = engine.capabilities().name;  // a fallback engine may have taken over
  const std::string lost_line = try_write_file(a.out, solutions_text(reports, scoring_from(a.policy.scoring)));
  const std::string lost_picture = try_write_file(a.svg, report_svg(reports, setting));
  const std::string lost_table = try_write_file(a.csv, report_csv(reports, setting));
  print_reports(a, reports, setting, boards.size() * policies.size() > 1, terminal);
  for (const std::string& lost : {lost_line, lost_picture, lost_table})
    expect_saved(lost);
}

game::PlayoutKey key_from(const PlayArguments& a) {
  if (const auto key = game::parse_playout_key(a.key)) {
    if (a.seed_given && key->seed != a.seed)
      throw InputError(
          fmt::format("--key {} has seed {}, but --seed is {}; expected only one of them", a.key, key->seed, a.seed));
    return *key;
  }
  const auto playout = count_in(a.key);
  if (!playout || *playout > std::numeric_limits<std::uint32_t>::max())
    throw InputError(fmt::format("--key {}: expected seed:request:playout, or the number of a playout", a.key));
  return {.seed = a.seed, .request = 0, .playout = static_cast<std::uint32_t>(*playout)};
}

void replay_key(const PlayArguments& a, const Terminal& terminal) {
  const game::PlayoutKey key = key_from(a);
  if (a.boards.size() > 1) throw InputError("--key replays one playout; expected one board");
  if (list_items(a.policy.policy).size() > 1) throw InputError("--key replays one playout; expected one --policy");
  const game::NamedBoard board = board_named(a.boards.front());
  if (a.policy.tabu_color) expect_tabu_color(*a.policy.tabu_color, {board});
  expect_scores_fit(scoring_from(a.policy.scoring), {board});
  PlayoutTask task = task_of(a, board, policy_from(a.policy));
  task.request.key = key.request;
  const host::Line line = checked_line(host::replay_playout(task.request, key.seed, task.scoring, key.playout));
  if (!a.out.empty()) write_file(a.out, host::saved_line(board, task.scoring, line.score, line.moves));
  if (a.json) {
    print_json({{"version", kJsonVersion},
                {"board", board.name},
                {"policy", policy_text(a.policy)},
                {"scoring", task.scoring.name()},
                {"key", to_string(key)},
                {"score", line.score},
                {"moves", moves_json(line.moves)}});
    return;
  }
  const std::string title =
      fmt::format("{}: {} points in {}", board.name, line.score, counted(line.moves.size(), "move"));
  fmt::print("{}\n{}, key {}, replayed by the reference rules\n{}", terminal.bold(title), policy_text(a.policy),
             to_string(key), moves_text(line.moves, terminal.width(), "  "));
}

void print_explanation(const PlayArguments& a, const Terminal& terminal) {
  const PolicyInForce policy{a.policy.policy, policy_from(a.policy)};
  const game::Scoring scoring = scoring_from(a.policy.scoring);
  if (!a.json) {
    fmt::print("{}\n{}", policy_rules_text(policy, terminal), scoring_rules_text(scoring, terminal));
    return;
  }
  Json answer = {{"version", kJsonVersion}};
  answer.update(policy_rules_json(policy));
  answer["scoring"] = scoring_rules_json(scoring);
  print_json(answer);
}

void check_options(const PlayArguments& a) {
  if (!a.key.empty() && !a.svg.empty())
    throw InputError("--key replays one playout; expected no --svg, which shows a distribution");
  if (!a.key.empty() && !a.engine_options.empty())
    throw InputError("--key replays one playout without an engine; expected no " + a.engine_options);
  if (!a.key.empty() && !a.csv.empty())
    throw InputError("--key replays one playout; expected no --csv, which has means");
  if (!a.key.empty() && a.playouts_given) throw InputError("--key replays one playout; expected no --playouts");
}

void run_play(const PlayArguments& a, Program& program) {
  if (a.explain) return print_explanation(a, program.terminal);
  if (a.boards.empty())
    throw InputError("play needs a BOARD; expected standard-01 to standard-20, standard, FILE, FILE:NAME or -");
  check_options(a);
  const std::vector<OutputOption> outputs = {{"--out", a.out}, {"--svg", a.svg}, {"--csv", a.csv}};
  std::vector<std::string> inputs;
  for (const std::string& board : a.boards)
    inputs.push_back(file_of_board(board));
  if (std::count(inputs.begin(), inputs.end(), "-") > 1)
    throw InputError("the standard input (-) is given twice; expected it once");
  check_outputs(outputs, inputs);
  if (a.json) expect_apart_from_standard_output(outputs, "--json prints its answer");
  if (!a.key.empty()) return replay_key(a, program.terminal);
  const std::vector<PolicyArguments> policies = policies_of(a);
  const std::vector<game::NamedBoard> boards = boards_named(a.boards);
  if (a.policy.tabu_color) expect_tabu_color(*a.policy.tabu_color, boards);
  expect_scores_fit(scoring_from(a.policy.scoring), boards);
  const std::unique_ptr<game::Engine> engine = open_engine(a.engine);
  const PlaySetting setting{
      .policy = policies.size() > 1 ? fmt::format("{} policies", policies.size()) : policy_text(policies[0]),
      .scoring = scoring_from(a.policy.scoring).name(),
      .engine = engine->capabilities().name,
      .seed = a.seed,
      .boards = boards.size(),
      .policies = policies.size()};
  watch_interrupts();
  play_boards(a, boards, policies, *engine, setting, program.terminal);
  if (interrupted()) program.exit_code = interrupted_exit();
}

}  // namespace

void add_play(CLI::App& app, Program& program) {
  auto a = std::make_shared<PlayArguments>();
  CLI::App* command = app.add_subcommand("play", "play boards many times at random; show scores and best line");
  add_boards_argument(*command, a->boards)->required(false);  // --explain needs none
  CLI::Option* playouts = add_playouts_argument(*command, a->playouts);
  CLI::Option* seed = add_playout_seed_argument(*command, a->seed);
  add_policy_arguments(*command, a->policy);
  command->get_option("--policy")->type_name("NAME,...");
  add_engine_arguments(*command, a->engine);
  command->add_option("--key", a->key, "replay one playout: seed:request:playout, or its number with --seed")
      ->type_name("K")
      ->check(not_empty("seed:request:playout, or the number of a playout"));
  add_output_option(*command, "--out", a->out, "write the best lines to FILE as solutions");
  add_output_option(*command, "--svg", a->svg, "draw the histogram to FILE as SVG");
  command->add_flag("--explain", a->explain, "show how the policy draws and what the scoring counts, and play nothing");
  add_output_option(*command, "--csv", a->csv, "write the scores to FILE as a table: a row per board and policy");
  command->add_flag("--json", a->json, "print the result as JSON");
  command->footer(
      "Examples:\n"
      "  chainshot play standard-01\n"
      "  chainshot play standard-01 --policy tabu48 --playouts 10000000 --out best.txt\n"
      "  chainshot play standard boards.txt --policy random,tabu48 --csv scores.csv\n"
      "  chainshot play standard-01 --engine cuda --devices 0,2 --gpu-memory 4G\n"
      "  chainshot play standard-01 --key 0:0:1234");
  command->callback([a, command, playouts, seed, &program] {
    a->playouts_given = playouts->count() > 0;
    a->seed_given = seed->count() > 0;
    for (const char* const option : {"--gpu-memory", "--devices", "--isa", "--threads", "--engine"})
      if (command->get_option(option)->count() > 0) a->engine_options = option;
    run_play(*a, program);
  });
}

}  // namespace chainshot::tools
