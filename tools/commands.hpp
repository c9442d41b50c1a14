// The subcommands of `chainshot`, one function and one file each. A function adds its command to the program; the
// command's callback leaves what the process returns in Program::exit_code:
//   0 done, 1 the work failed or the answer is no, 2 the input was wrong, 130 ended by Ctrl-C.
// Wrong input is thrown as InputError or game::ParseError; main prints its sentence once.
#pragma once

#include <CLI/CLI.hpp>
#include <set>
#include <string>

#include "tools/terminal/terminal.hpp"

namespace chainshot::tools {

inline constexpr int kJsonVersion = 1;  // the `version` field of every JSON answer

// What the commands share; complete once the command line has been read.
struct Program {
  Terminal terminal;
  int exit_code = 0;
  std::set<std::string> advanced_groups;  // headings of options that only --help-all shows
};

void add_solve(CLI::App& app, Program& program);
void add_play(CLI::App& app, Program& program);
void add_verify(CLI::App& app, Program& program);
void add_show(CLI::App& app, Program& program);
void add_plot(CLI::App& app, Program& program);
void add_generate(CLI::App& app, Program& program);
void add_devices(CLI::App& app, Program& program);
void add_bench(CLI::App& app, Program& program);
void add_speedtest(CLI::App& app, Program& program);

}  // namespace chainshot::tools
