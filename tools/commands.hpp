// The commands of `chainshot`, with one function and one file each. A function adds its command to the program; the
// command's callback stores the exit code of the process in Program::exit_code:
//   0 success, 1 the work failed or the answer is no, 2 the input was wrong, 130 ended by Ctrl-C.
// A command throws InputError or game::ParseError for wrong input; main prints the sentence once.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "host/cluster/cluster.hpp"
#include "tools/terminal/terminal.hpp"

namespace chainshot::tools {

inline constexpr int kJsonVersion = 1;  // the `version` field of every JSON answer

// The state that all commands share. It is complete once the command line has been read.
struct Program {
  std::vector<std::string> command_line;  // as it was given, with the name of the program
  Terminal terminal;
  int exit_code = 0;
  host::Cluster* cluster = nullptr;                 // the ranks of mpirun; null: this process runs alone
  std::unique_ptr<host::Cluster> shares = nullptr;  // of a process that runs alone, for --shares
  std::set<std::string> advanced_groups;            // headings of options that only --help-all shows
};

void add_solve(CLI::App& app, Program& program);
void add_record(CLI::App& app, Program& program);
void add_records(CLI::App& app, Program& program);
void add_play(CLI::App& app, Program& program);
void add_verify(CLI::App& app, Program& program);
void add_show(CLI::App& app, Program& program);
void add_plot(CLI::App& app, Program& program);
void add_archive(CLI::App& app, Program& program);
void add_analyse(CLI::App& app, Program& program);
void add_report(CLI::App& app, Program& program);
void add_reproduce(CLI::App& app, Program& program);
void add_tune(CLI::App& app, Program& program);
void add_generate(CLI::App& app, Program& program);
void add_devices(CLI::App& app, Program& program);
void add_bench(CLI::App& app, Program& program);
void add_speedtest(CLI::App& app, Program& program);

}  // namespace chainshot::tools
