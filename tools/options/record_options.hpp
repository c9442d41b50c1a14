// The options of `record`, and the plan of a run as JSON: what the archive keeps, so that --resume needs no other
// option.
#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "host/archive/archive.hpp"
#include "host/record/record_plan.hpp"
#include "tools/options/search_options.hpp"
#include "tools/reports/json_text.hpp"

namespace chainshot::tools {

struct RecordArguments {
  std::vector<std::string> boards;
  std::string archive;
  bool network = false;
  SearchArguments search;
  host::EngineChoice engine;
  std::string scoring = "standard";
  std::optional<std::uint64_t> seed;
  std::optional<double> seconds;  // --for
  std::string until;
  std::optional<std::chrono::system_clock::time_point> until_moment;  // when that is
  int rounds = 0;
  bool resume = false;
  host::TurnBudgets budgets;
  int elites = host::RecordPlan{}.elites;
  double distance = host::RecordPlan{}.distance;
  int side_by_side = 0;
  std::vector<std::string> from;
  std::string on_record;
  std::optional<int> nice;
  std::string watch;
  bool json = false;
};

void add_record_options(CLI::App& command, RecordArguments& arguments, std::set<std::string>& advanced_groups);

// Returns what the archive keeps of a plan.
Json plan_json(const RecordArguments& arguments, const std::vector<game::NamedBoard>& boards);

// Takes over the plan of a run that is resumed. An option that was given must say the same as the plan, except those
// that end the run and those of the machine. Throws InputError.
void take_over(RecordArguments& arguments, const CLI::App& command, const Json& plan);

// Returns the next moment at which the local clock shows a time, 07:00 or 2026-11-19T07:00. Throws InputError, also if
// that has passed.
std::chrono::system_clock::time_point moment_to_come(const std::string& text);

}  // namespace chainshot::tools
