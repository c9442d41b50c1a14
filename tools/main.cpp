// The program `chainshot`: it reads the command line, runs one command and prints the error if the command fails.
#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "game/parse_error.hpp"
#include "host/archive/archive.hpp"
#include "tools/commands.hpp"
#include "tools/options/help_formatter.hpp"
#include "tools/options/input_error.hpp"
#include "tools/options/suggest.hpp"
#include "tools/ranks.hpp"
#include "tools/reports/number_text.hpp"

namespace chainshot::tools {
namespace {

constexpr int kFailed = 1;
constexpr int kWrongInput = 2;

ColorMode color_mode_named(const std::string& name) {
  const std::vector<std::string> names = {"auto", "always", "never"};
  if (name == "auto") return ColorMode::kAuto;
  if (name == "always") return ColorMode::kAlways;
  if (name == "never") return ColorMode::kNever;
  throw InputError(unknown_name("value of --color", name, names));
}

// Adds the options that every command takes, before or after its name, to a command and the commands in it.
void add_common_options(CLI::App& app, Program& program) {
  app.set_help_flag("-h,--help", "show this help");
  app.add_option_function<std::string>(
         "--color", [&program](const std::string& name) { program.terminal = Terminal(color_mode_named(name)); },
         "colour the output: auto, always or never")
      ->type_name("WHEN");
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; }))
    add_common_options(*command, program);
}

void add_commands(CLI::App& app, Program& program) {
  add_solve(app, program);
  add_record(app, program);
  add_records(app, program);
  add_play(app, program);
  add_verify(app, program);
  add_show(app, program);
  add_plot(app, program);
  add_archive(app, program);
  add_analyse(app, program);
  add_report(app, program);
  add_reproduce(app, program);
  add_tune(app, program);
  add_generate(app, program);
  add_devices(app, program);
  add_bench(app, program);
  add_speedtest(app, program);
}

std::vector<std::string> command_names(CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

std::vector<std::string> option_names(CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames())
      names.push_back("--" + name);
  return names;
}

// Returns an option that stands before the command's name but belongs after it; empty if there is none.
std::string misplaced_option(CLI::App& app) {
  const std::vector<std::string> before = app.remaining(false);
  if (app.get_subcommands().empty() || before.empty() || !before.front().starts_with('-')) return {};
  const std::string name = before.front().substr(0, before.front().find('='));
  const std::vector<std::string> names = option_names(*app.get_subcommands().front());
  return std::find(names.begin(), names.end(), name) == names.end() ? std::string() : name;
}

// Returns the option of the command that a user means who knows other programs; empty if there is none.
std::string option_meant(const std::string& written, const std::vector<std::string>& names) {
  constexpr std::pair<std::string_view, std::string_view> kOtherNames[] = {
      {"-o", "--out"},         {"--output", "--out"},  {"-t", "--time"},       {"--seconds", "--time"},
      {"--timeout", "--time"}, {"--gpu", "--engine"},  {"--cuda", "--engine"}, {"--cpu", "--engine"},
      {"-j", "--threads"},     {"--jobs", "--threads"}};
  for (const auto& [other, ours] : kOtherNames)
    if (written == other && std::find(names.begin(), names.end(), ours) != names.end()) return std::string(ours);
  constexpr std::size_t kShortest = 4;  // two letters: any other letter is as close as the one that was meant
  return written.size() < kShortest ? std::string() : closest_name(written, names);
}

// Turns the error of CLI11 into one sentence.
std::string usage_sentence(CLI::App& app, const CLI::ParseError& error) {
  // The innermost command that was given, such as `list` of `archive list`.
  CLI::App* innermost = &app;
  std::string path = app.get_name();
  while (!innermost->get_subcommands().empty()) {
    innermost = innermost->get_subcommands().front();
    path += ' ' + innermost->get_name();
  }
  CLI::App& command = *innermost;
  const std::vector<std::string> extras = app.remaining(true), names = command_names(command);
  if (&command == &app && !extras.empty() && extras.front() == "help")
    return "no command is called 'help'; expected " + path + " --help, or --help after a command";
  if (!names.empty() && !extras.empty() && !extras.front().starts_with('-'))
    return unknown_name(&command == &app ? "command" : "command of " + command.get_name(), extras.front(), names);
  if (const std::string option = misplaced_option(app); !option.empty())
    return "options come after the command; expected " + path + " ... " + option;
  if (!extras.empty()) {
    const std::string name = extras.front().substr(0, extras.front().find('='));
    const std::string closest = option_meant(name, option_names(command));
    if (!closest.empty()) return command.get_name() + " has no option " + name + "; did you mean " + closest + '?';
    return path + " does not take '" + extras.front() + "'; see " + path + " --help";
  }
  std::string sentence = error.what();
  sentence = sentence.substr(0, sentence.find('\n'));
  constexpr std::string_view kTooOften = ": At Most 1 required but received ";
  if (const std::size_t at = sentence.find(kTooOften); at != std::string::npos)
    return sentence.substr(0, at) + " is given " + sentence.substr(at + kTooOften.size()) + " times; expected once";
  return sentence + "; see " + path + " --help";
}

int complain(const std::string& sentence, int exit_code) {
  std::fflush(stdout);
  print_error("chainshot: " + printable_text(sentence) + '\n');
  return exit_code;
}

// A write to a full disk must fail with an error that the program reports; by default SIGXFSZ would end the process
// before the rest is saved. (SIGPIPE keeps its default: a reader that goes away, as in `chainshot ... | head`, ends the
// program silently.) A closed standard stream is replaced by one that fails on use; otherwise the next file opened
// would take its descriptor.
void let_writes_fail() {
  std::signal(SIGXFSZ, SIG_IGN);
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream)
    if (::fcntl(stream, F_GETFD) < 0) ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int finish(int exit_code) {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return exit_code;
  return complain("cannot write to the standard output" + (errno == 0 ? "" : ": " + std::string(std::strerror(errno))),
                  kFailed);
}

int run(int argc, char** argv, host::Cluster* cluster) {
  Program program;
  program.cluster = cluster;
  program.command_line.assign(argv, argv + argc);
  CLI::App app("chainshot finds high-scoring solutions of SameGame boards.", "chainshot");
  app.formatter(std::make_shared<HelpFormatter>(program.advanced_groups));
  app.set_version_flag("--version", "chainshot " CHAINSHOT_VERSION, "show the version");
  add_commands(app, program);
  add_common_options(app, program);
  app.require_subcommand(argc > 1 ? 1 : 0);
  app.footer(
      "BOARD is standard-01 to standard-20, standard for all 20, FILE or FILE:NAME.\n"
      "'./tools/run.sh --cuda COMMAND' builds with CUDA; CHAINSHOT_CUDA chooses the\n"
      "toolkit (chainshot devices --help).");
  try {
    app.parse(argc, argv);
    if (argc == 1) std::fputs(app.help().c_str(), stdout);
  } catch (const CLI::CallForHelp&) {
    std::fputs(app.help().c_str(), stdout);
  } catch (const CLI::CallForAllHelp&) {
    std::fputs(app.help("", CLI::AppFormatMode::All).c_str(), stdout);
  } catch (const CLI::CallForVersion& call) {
    std::puts(call.what());
  } catch (const CLI::ParseError& error) {
    return complain(usage_sentence(app, error), kWrongInput);
  } catch (const std::invalid_argument& error) {
    // CLI11 reads the value of a switch as a number.
    if (std::string_view(error.what()) != "stoll") return complain(error.what(), kFailed);
    return complain("a switch was given a value; expected --name or --no-name", kWrongInput);
  } catch (const InputError& error) {
    return complain(error.what(), kWrongInput);
  } catch (const game::ParseError& error) {
    return complain(error.what(), kWrongInput);
  } catch (const host::ArchiveError& error) {
    return complain(error.what(), error.is_input() ? kWrongInput : kFailed);
  } catch (const std::bad_alloc&) {
    return complain("out of memory", kFailed);
  } catch (const std::exception& error) {
    return complain(error.what(), kFailed);
  }
  return finish(program.exit_code);
}

}  // namespace
}  // namespace chainshot::tools

int main(int argc, char** argv) {
  chainshot::tools::let_writes_fail();
  using namespace chainshot;
  return tools::run_in_ranks([&](host::Cluster* cluster) { return tools::run(argc, argv, cluster); });
}
