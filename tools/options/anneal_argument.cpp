// The options that change annealing (host/anneal/annealing.hpp), one line each.
#include "tools/options/number_argument.hpp"
#include "tools/options/preset_argument.hpp"

namespace chainshot::tools {
namespace {

using host::AnnealSettings;

constexpr double kLeastReal = 1e-6;
constexpr int kMostMembers = 1'000'000, kMostSteps = 1'000'000;

}  // namespace

void add_anneal_arguments(CLI::App& command, PresetArguments& a) {
  command.option_defaults()->group(kAnnealGroup);
  const auto add_real = [&](const char* option, const char* description, double AnnealSettings::*part) {
    const auto change = [&a, part](double value) {
      a.anneal_changes.emplace_back([part, value](AnnealSettings& settings) { settings.*part = value; });
    };
    command.add_option_function<double>(option, change, description)
        ->type_name("X")
        ->check(real_number(kLeastReal, kMostReal));
  };
  const auto add_whole = [&](const char* option, const char* description, int AnnealSettings::*part, int low,
                             int high) {
    const auto change = [&a, part](int value) {
      a.anneal_changes.emplace_back([part, value](AnnealSettings& settings) { settings.*part = value; });
    };
    command.add_option_function<int>(option, change, description)
        ->type_name("N")
        ->check(whole_number(static_cast<std::uint64_t>(low), static_cast<std::uint64_t>(high)));
  };
  add_whole("--members", "lines at the start; 0: from the budget", &AnnealSettings::members, 0, kMostMembers);
  add_whole("--last-members", "lines at the end (default 4)", &AnnealSettings::last_members, 1, kMostMembers);
  add_real("--hot", "first temperature, in points (default 40; 2 where groups earn none)", &AnnealSettings::hot);
  add_real("--cold", "last temperature (default 12; 0.3 where groups earn none)", &AnnealSettings::cold);
  add_whole("--steps", "steps of temperature (default 60)", &AnnealSettings::steps, 1, kMostSteps);
  add_real("--soft-start", "blocks left over which the bonus for a cleared board is spread, at the start (default 10)",
           &AnnealSettings::soft_start);
  add_real("--soft-end", "the same at the end (default 2)", &AnnealSettings::soft_end);
  command.option_defaults()->group("Options");
}

}  // namespace chainshot::tools
