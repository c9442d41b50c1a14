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

  // A file asked for is the whole answer, or the drawing would bury it.
  bool draws() const { return svg.empty() && html.empty() && !json; }
};

// A board and, if there is a solution, its line.
struct Exhibit {
  game::NamedBoard board;
  std::optional<game::Solution> solution;
  LineOfPlay line;
};

struct Exhibition {
  game::Scoring scoring;
  std::vector<Exhibit> exhibits;
};

Exhibition exhibition_of(const ShowArguments& options) {
  std::vector<Exhibit> exhibits;
  const auto boards = boards_named(options.solution.board);
  if (options.solution.path.empty()) {
    for (const game::NamedBoard& board : boards)
      exhibits.push_back({board, {}, {}});
    return {scoring_of(options.solution, {}), std::move(exhibits)};
  }
  const auto all = solved_boards(options.solution, boards);
  const game::Scoring scoring = scoring_of(options.solution, all);
  for (const SolvedBoard& solved : all) {
    exhibits.push_back({solved.board, solved.solution, play_out(solved, scoring)});
    const auto steps = exhibits.back().line.steps.size();
    if (options.step && (*options.step < 1 || static_cast<std::size_t>(*options.step) > steps))
      throw InputError(
          fmt::format("--step {}; expected 1 to {}, the moves of {}", *options.step, steps, solved.board.name));
  }
  return {scoring, std::move(exhibits)};
}

// A solution that says something else about itself is shown as it is, but not in silence.
void note_wrong_scores(const Exhibition& exhibition) {
  for (const Exhibit& exhibit : exhibition.exhibits) {
    const auto stated = exhibit.solution ? exhibit.solution->score_by(exhibition.scoring) : std::nullopt;
    if (stated.value_or(exhibit.line.score) != exhibit.line.score)
      print_note(fmt::format("board {}: the moves score {}, not {} as the solution says", exhibit.board.name,
                             exhibit.line.score, *stated));
  }
}

std::size_t largest_step(const LineOfPlay& line) {
  const auto smaller = [](const Step& a, const Step& b) { return a.size < b.size; };
  return static_cast<std::size_t>(std::max_element(line.steps.begin(), line.steps.end(), smaller) - line.steps.begin());
}

// The look of the answer: what to draw it with.
class Drawer {
 public:
  Drawer(const ShowArguments& options, const game::Scoring& scoring, const Terminal& terminal)
      : options_(options), scoring_(scoring), terminal_(terminal), notation_(options.solution.parsed_notation()) {}

  std::string text(const Exhibit& exhibit) const {
    std::string out = terminal_.bold(exhibit.board.name) + '\n';
    const LineOfPlay& line = exhibit.line;
    if (!exhibit.solution) return out + board(exhibit.board.position) + describe(exhibit.board.position);
    if (options_.step) return out + step_text(line, static_cast<std::size_t>(*options_.step) - 1);
    if (options_.all) {
      for (std::size_t i = 0; i < line.steps.size(); ++i)
        out += step_text(line, i) + '\n';
    } else {
      out += table(line) + '\n';
    }
    return out + board(line.last) + end_text(line);
  }

  std::vector<BoardPicture> pictures(const Exhibit& exhibit) const {
    const LineOfPlay& line = exhibit.line;
    if (!exhibit.solution) return {{exhibit.board.position, exhibit.board.name, {}, {}}};
    if (options_.step) return {picture(exhibit, static_cast<std::size_t>(*options_.step) - 1)};
    std::vector<BoardPicture> pictures;
    if (options_.all) {
      for (std::size_t i = 0; i < line.steps.size(); ++i)
        pictures.push_back(picture(exhibit, i));
    } else {
      pictures.push_back({exhibit.board.position, exhibit.board.name, {}, {}});
      if (!line.steps.empty()) pictures.push_back(picture(exhibit, largest_step(line)));
    }
    pictures.push_back({line.last, exhibit.board.name, end_sentence(line), {}});
    return pictures;
  }

 private:
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

  BoardPicture picture(const Exhibit& exhibit, std::size_t i) const {
    const Step& step = exhibit.line.steps[i];
    return {step.before, fmt::format("{}, move {}", exhibit.board.name, i + 1),
            fmt::format("{} takes {}: {:+}, score {}", move_text(step), step.size, step.points, step.score),
            step.removed};
  }

  const ShowArguments& options_;
  const game::Scoring& scoring_;
  const Terminal& terminal_;
  game::Notation notation_;
};

Json to_json(const Exhibit& exhibit, const game::Scoring& scoring) {
  const game::Position& position = exhibit.board.position;
  Json out = game::to_json(exhibit.board);
  const auto counts = position.color_counts();
  out["blocks"] = position.blocks();
  out["color_counts"] = std::vector<int>(counts.begin(), counts.begin() + position.colors());
  out["groups"] = position.groups().size();
  out["upper_bound"] = position.upper_bound(scoring);
  if (!exhibit.solution) return out;
  out["score"] = exhibit.line.score;
  out["steps"] = Json::array();
  for (const Step& step : exhibit.line.steps)
    out["steps"].push_back({{"move", {step.cell.column, step.cell.row}},
                            {"color", step.color},
                            {"size", step.size},
                            {"points", step.points},
                            {"score", step.score}});
  out["last"] = game::letter_rows(exhibit.line.last);
  return out;
}

void print_exhibits_json(const std::vector<Exhibit>& exhibits, const game::Scoring& scoring) {
  Json out = {{"version", kJsonVersion}, {"scoring", scoring.name}};
  if (exhibits.size() == 1) {
    out.update(to_json(exhibits.front(), scoring));
  } else {
    out["boards"] = Json::array();
    for (const Exhibit& exhibit : exhibits)
      out["boards"].push_back(to_json(exhibit, scoring));
  }
  print_json(out);
}

void write_files(const ShowArguments& options, const std::vector<Exhibit>& exhibits, const Drawer& drawer,
                 const game::Scoring& scoring) {
  if (!options.svg.empty()) {
    std::vector<BoardPicture> pictures;
    for (const Exhibit& exhibit : exhibits)
      for (BoardPicture& picture : drawer.pictures(exhibit))
        pictures.push_back(std::move(picture));
    write_file(options.svg, boards_svg(pictures));
  }
  if (!options.html.empty()) {
    std::vector<PageBoard> boards;
    for (const Exhibit& exhibit : exhibits)
      boards.push_back({exhibit.board, exhibit.solution});
    write_file(options.html, page_html(boards, scoring, options.solution.parsed_notation()));
  }
}

int run(const ShowArguments& options, const Terminal& terminal) {
  if (options.solution.path.empty() && (options.step || options.all))
    throw InputError("--step and --all are about moves; expected a SOLUTION too");
  options.solution.parsed_scoring();  // a mistyped name is told before files are read
  const std::vector<OutputOption> outputs = {{"--svg", options.svg}, {"--html", options.html}};
  check_outputs(outputs, {file_of_board(options.solution.board), options.solution.path});
  if (options.json) expect_apart_from_standard_output(outputs, "the answer of --json goes");
  const Exhibition exhibition = exhibition_of(options);
  const auto& [scoring, exhibits] = exhibition;
  note_wrong_scores(exhibition);
  const Drawer drawer(options, scoring, terminal);
  write_files(options, exhibits, drawer, scoring);
  if (options.json) print_exhibits_json(exhibits, scoring);
  for (std::size_t i = 0; options.draws() && i < exhibits.size(); ++i)
    write_file("-", (i == 0 ? "" : "\n") + drawer.text(exhibits[i]));
  return 0;
}

}  // namespace

void add_show(CLI::App& app, Program& program) {
  auto options = std::make_shared<ShowArguments>();
  CLI::App* command = app.add_subcommand("show", "draw boards and solutions: terminal, SVG, web page");
  add_solution_arguments(*command, options->solution, false);
  CLI::Option* step = command->add_option("--step", options->step, "the board at move K, its group marked")
                          ->type_name("K")
                          ->check(whole_number(1, game::kMaxCells / 2));
  command->add_flag("--all", options->all, "the board at every move")->excludes(step);
  add_output_option(*command, "--svg", options->svg,
                    "draw to FILE instead; of a solution the start, the largest move and the end");
  add_output_option(*command, "--html", options->html,
                    "write a page to FILE that replays the solution, or lets the board be played by hand");
  command->add_flag("--json", options->json, "print boards and moves as JSON");
  command->footer(
      "Examples:\n"
      "  chainshot show standard-09\n"
      "  chainshot show standard-09 data/takes2009-board09.txt --notation paper\n"
      "  chainshot show standard-09 record.txt --html replay.html\n"
      "  chainshot show boards.txt:mine --svg mine.svg");
  command->callback([options, &program] { program.exit_code = run(*options, program.terminal); });
}

}  // namespace chainshot::tools
