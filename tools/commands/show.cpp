// chainshot show: draws boards and solutions in the terminal, as SVG pictures or as a web page.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>

#include "tools/commands.hpp"
#include "tools/options/board_argument.hpp"
#include "tools/options/input_error.hpp"
#include "tools/options/number_argument.hpp"
#include "tools/options/output_option.hpp"
#include "tools/options/policy_argument.hpp"
#include "tools/options/solution_argument.hpp"
#include "tools/pictures/board_drawing.hpp"
#include "tools/pictures/page.hpp"
#include "tools/pictures/svg.hpp"
#include "tools/reports/json_text.hpp"
#include "tools/reports/line_of_play.hpp"
#include "tools/reports/number_text.hpp"

namespace chainshot::tools {
namespace {

struct ShowArguments {
  SolutionArguments solution;
  std::optional<int> step;
  bool all = false;
  std::string svg;
  std::string html;
  bool json = false;

  // With --svg, --html or --json, that output is the whole answer.
  bool draws() const { return svg.empty() && html.empty() && !json; }
};

// A board and, if the user gave a solution, its line.
struct ShownBoard {
  game::NamedBoard board;
  std::optional<game::Solution> solution;
  LineOfPlay line;
};

struct ShownBoards {
  game::Scoring scoring;
  std::vector<ShownBoard> boards;
};

ShownBoards shown_boards(const ShowArguments& options) {
  std::vector<ShownBoard> shown;
  const auto boards = boards_named(options.solution.board);
  if (options.solution.path.empty()) {
    for (const game::NamedBoard& board : boards)
      shown.push_back({board, {}, {}});
    const game::Scoring scoring = scoring_of(options.solution, {});
    expect_scores_fit(scoring, boards);
    return {scoring, std::move(shown)};
  }
  const auto all = solved_boards(options.solution, boards);
  const game::Scoring scoring = scoring_of(options.solution, all);
  for (const SolvedBoard& solved : all) {
    shown.push_back({solved.board, solved.solution, play_out(solved, scoring)});
    const auto steps = shown.back().line.steps.size();
    if (options.step && (*options.step < 1 || static_cast<std::size_t>(*options.step) > steps))
      throw InputError(fmt::format("--step {}: the solution of {} has {}; expected 1 to {}", *options.step,
                                   solved.board.name, counted(steps, "move"), steps));
  }
  return {scoring, std::move(shown)};
}

// Notes every solution whose stated score is wrong; it is shown all the same.
void note_wrong_scores(const ShownBoards& all) {
  for (const ShownBoard& shown : all.boards) {
    const auto stated = shown.solution ? shown.solution->score_by(all.scoring) : std::nullopt;
    if (stated.value_or(shown.line.score) != shown.line.score)
      print_note(fmt::format("board {}: the moves score {}, but the solution states {}", shown.board.name,
                             shown.line.score, *stated));
  }
}

std::size_t largest_step(const LineOfPlay& line) {
  const auto smaller = [](const Step& a, const Step& b) { return a.size < b.size; };
  return static_cast<std::size_t>(std::max_element(line.steps.begin(), line.steps.end(), smaller) - line.steps.begin());
}

// Draws boards and lines of play as text and as pictures, as the options ask.
class Drawer {
 public:
  Drawer(const ShowArguments& options, const game::Scoring& scoring, const Terminal& terminal, bool is_alone)
      : options_(options),
        scoring_(scoring),
        terminal_(terminal),
        notation_(options.solution.parsed_notation()),
        is_alone_(is_alone) {}

  std::string text(const ShownBoard& shown) const {
    std::string out = terminal_.bold(shown.board.name) + '\n';
    const LineOfPlay& line = shown.line;
    if (shown.solution && prints_moves_alone()) return moves_alone(shown);
    if (!shown.solution) return out + board(shown.board.position) + describe(shown.board.position);
    if (options_.step) return out + step_text(line, static_cast<std::size_t>(*options_.step) - 1);
    if (options_.all) {
      for (std::size_t i = 0; i < line.steps.size(); ++i)
        out += step_text(line, i) + '\n';
    } else {
      out += table(line) + '\n';
    }
    return out + board(line.last) + end_text(line);
  }

  std::vector<BoardPicture> pictures(const ShownBoard& shown) const {
    const LineOfPlay& line = shown.line;
    if (!shown.solution) return {{shown.board.position, shown.board.name, {}, {}}};
    if (options_.step) return {picture(shown, static_cast<std::size_t>(*options_.step) - 1)};
    std::vector<BoardPicture> pictures;
    if (options_.all) {
      for (std::size_t i = 0; i < line.steps.size(); ++i)
        pictures.push_back(picture(shown, i));
    } else {
      pictures.push_back({shown.board.position, shown.board.name, {}, {}});
      if (!line.steps.empty()) pictures.push_back(picture(shown, largest_step(line)));
    }
    pictures.push_back({line.last, shown.board.name, end_sentence(line), {}});
    return pictures;
  }

 private:
  // In CodinGame's notation the moves are the whole answer, to be pasted there.
  bool prints_moves_alone() const { return notation_ == game::Notation::kCodingame && !options_.step && !options_.all; }
  std::string moves_alone(const ShownBoard& shown) const {
    game::Solution solution = *shown.solution;
    if (is_alone_) solution = {.board = {}, .scoring = {}, .score = {}, .moves = solution.moves};
    return to_text(solution, notation_, shown.board.position.rows());
  }

  std::string board(const game::Position& position, const game::CellSet& marked = {}) const {
    return draw_board({position, marked, notation_}, terminal_);
  }

  std::string describe(const game::Position& position) const { return describe_board(position, scoring_, terminal_); }

  std::string move_text(const Step& step) const { return to_text(step.cell, notation_, step.before.rows()); }

  std::string step_sentence(const LineOfPlay& line, std::size_t i) const {
    const Step& step = line.steps[i];
    return fmt::format("move {} of {}: {} takes {} of colour {}, {:+} points, score {}", i + 1, line.steps.size(),
                       move_text(step), step.size, game::color_letter(step.color), step.points, step.score);
  }

  std::string step_text(const LineOfPlay& line, std::size_t i) const {
    return board(line.steps[i].before, line.steps[i].removed) + step_sentence(line, i) + '\n';
  }

  std::string end_sentence(const LineOfPlay& line) const {
    const int before = line.steps.empty() ? 0 : line.steps.back().score;
    const int left = line.last.blocks();
    std::string what = left == 0 ? "cleared" : counted(static_cast<std::uint64_t>(left), "block") + " left";
    if (left > 0 && line.last.has_moves()) what += ", game not over";
    return fmt::format("{}: {:+} points, score {}{} after {}", what, line.score - before, line.score,
                       by_scoring(scoring_), counted(line.steps.size(), "move"));
  }

  std::string end_text(const LineOfPlay& line) const { return terminal_.bold(end_sentence(line)) + '\n'; }

  std::string table(const LineOfPlay& line) const {
    std::string out = terminal_.dim("move   cell  colour  size  points  score") + '\n';
    for (std::size_t i = 0; i < line.steps.size(); ++i) {
      const Step& step = line.steps[i];
      out += fmt::format("{:>4}  {:>5}     {}  {:>4}  {:>6}  {:>5}\n", i + 1, move_text(step),
                         terminal_.block(step.color, fmt::format(" {} ", game::color_letter(step.color))), step.size,
                         step.points, step.score);
    }
    return out;
  }

  BoardPicture picture(const ShownBoard& shown, std::size_t i) const {
    const Step& step = shown.line.steps[i];
    return {step.before, fmt::format("{}, move {}", shown.board.name, i + 1),
            fmt::format("{} takes {}: {:+}, score {}", move_text(step), step.size, step.points, step.score),
            step.removed};
  }

  const ShowArguments& options_;
  const game::Scoring& scoring_;
  const Terminal& terminal_;
  game::Notation notation_;
  bool is_alone_;  // only one board is shown
};

Json to_json(const ShownBoard& shown, const game::Scoring& scoring) {
  const game::Position& position = shown.board.position;
  Json out = game::to_json(shown.board);
  const auto counts = position.color_counts();
  out["blocks"] = position.blocks();
  out["color_counts"] = std::vector<int>(counts.begin(), counts.begin() + position.colors());
  out["groups"] = position.groups().size();
  out["upper_bound"] = position.upper_bound(scoring);
  if (!shown.solution) return out;
  out["score"] = shown.line.score;
  out["steps"] = Json::array();
  for (const Step& step : shown.line.steps)
    out["steps"].push_back({{"move", {step.cell.column, step.cell.row}},
                            {"color", step.color},
                            {"size", step.size},
                            {"points", step.points},
                            {"score", step.score}});
  out["last"] = game::letter_rows(shown.line.last);
  return out;
}

void print_boards_json(const std::vector<ShownBoard>& boards, const game::Scoring& scoring) {
  Json out = {{"version", kJsonVersion}, {"scoring", scoring.name()}};
  if (boards.size() == 1) {
    out.update(to_json(boards.front(), scoring));
  } else {
    out["boards"] = Json::array();
    for (const ShownBoard& shown : boards)
      out["boards"].push_back(to_json(shown, scoring));
  }
  print_json(out);
}

void write_files(const ShowArguments& options, const std::vector<ShownBoard>& boards, const Drawer& drawer,
                 const game::Scoring& scoring) {
  if (!options.svg.empty()) {
    std::vector<BoardPicture> pictures;
    for (const ShownBoard& shown : boards)
      for (BoardPicture& picture : drawer.pictures(shown))
        pictures.push_back(std::move(picture));
    write_file(options.svg, boards_svg(pictures));
  }
  if (!options.html.empty()) {
    std::vector<PageBoard> page_boards;
    for (const ShownBoard& shown : boards)
      page_boards.push_back({shown.board, shown.solution});
    write_file(options.html, page_html(page_boards, scoring, options.solution.parsed_notation()));
  }
}

int run(const ShowArguments& options, const Terminal& terminal) {
  if (options.solution.path.empty() && (options.step || options.all))
    throw InputError("--step and --all show the moves of a solution; expected a SOLUTION");
  options.solution.parsed_scoring();  // reports a mistyped name before files are read
  const std::vector<OutputOption> outputs = {{"--svg", options.svg}, {"--html", options.html}};
  check_outputs(outputs, {file_of_board(options.solution.board), options.solution.path});
  if (options.json) expect_apart_from_standard_output(outputs, "--json prints its answer");
  const ShownBoards all = shown_boards(options);
  const auto& [scoring, boards] = all;
  note_wrong_scores(all);
  const Drawer drawer(options, scoring, terminal, boards.size() == 1);
  write_files(options, boards, drawer, scoring);
  if (options.json) print_boards_json(boards, scoring);
  for (std::size_t i = 0; options.draws() && i < boards.size(); ++i)
    write_file("-", (i == 0 ? "" : "\n") + drawer.text(boards[i]));
  return 0;
}

}  // namespace

void add_show(CLI::App& app, Program& program) {
  auto options = std::make_shared<ShowArguments>();
  CLI::App* command = app.add_subcommand("show", "draw boards and solutions: terminal, SVG, web page");
  add_solution_arguments(*command, options->solution, false);
  CLI::Option* step = command->add_option("--step", options->step, "show the board at move K with its group marked")
                          ->type_name("K")
                          ->transform(whole_number(1, game::kMaxCells / 2));
  command->add_flag("--all", options->all, "show the board at every move")->excludes(step);
  add_output_option(*command, "--svg", options->svg,
                    "draw to FILE as SVG; of a solution the start, the largest move and the end");
  add_output_option(*command, "--html", options->html,
                    "write a web page to FILE that replays the solution or lets you play the board");
  command->add_flag("--json", options->json, "print boards and moves as JSON");
  command->footer(
      "Examples:\n"
      "  chainshot show standard-09\n"
      "  chainshot show standard-09 data/takes2009-board09.txt --notation paper\n"
      "  chainshot show standard-09 record.txt --html replay.html\n"
      "  chainshot show standard-09 record.txt --notation codingame\n"
      "  chainshot show boards.txt:mine --svg mine.svg");
  command->callback([options, &program] { program.exit_code = run(*options, program.terminal); });
}

}  // namespace chainshot::tools
