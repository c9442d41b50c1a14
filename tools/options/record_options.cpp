#include "tools/options/record_options.hpp"

#include <fmt/format.h>

#include <ctime>
#include <string_view>
#include <variant>

#include "tools/options/board_argument.hpp"
#include "tools/options/engine_argument.hpp"
#include "tools/options/input_error.hpp"
#include "tools/options/number_argument.hpp"
#include "tools/options/start_lines.hpp"

namespace chainshot::tools {
namespace {

constexpr int kMostElites = 1000;

void add_end_options(CLI::App& command, RecordArguments& a) {
  command.option_defaults()->group("End of the run (Ctrl-C ends it at any time)");
  command.add_option("--for", a.seconds, "run for so long, all parts of a resumed run together: 90m, 1h30m, 5d")
      ->type_name("T")
      ->transform(time_span());
  command.add_option("--until", a.until, "run until the clock shows this time: 07:00")->type_name("TIME");
  command.add_option("--rounds", a.rounds, "run so many rounds")->type_name("N")->transform(whole_number(1, 1'000'000));
  command.add_flag("--resume", a.resume,
                   "go on with the last run of the archive that was broken off; it needs no other option");
}

void add_strategy_options(CLI::App& command, RecordArguments& a) {
  const host::TurnBudgets standard;
  command.option_defaults()->group("Strategy");
  command
      .add_option("--turn-time", a.budgets.first_seconds,
                  fmt::format("time for each board in the first round (default {:g} s)", standard.first_seconds))
      ->type_name("T")
      ->transform(time_span());
  command
      .add_option("--turn-playouts", a.budgets.first_playouts,
                  "count playouts (evaluations of annealing) instead of time: the same run gives the same lines again")
      ->type_name("N")
      ->transform(whole_number(1, std::uint64_t{1} << 60));
  command
      .add_option("--turn-growth", a.budgets.growth,
                  fmt::format("how much longer turns are in each further round (default {:g})", standard.growth))
      ->type_name("X")
      ->transform(real_number(1, 100));
  command
      .add_option("--longest-turn", a.budgets.longest,
                  fmt::format("the longest turn, in turns of the first round (default {:g})", standard.longest))
      ->type_name("X")
      ->transform(real_number(1, 1e9));
  command
      .add_option("--elites", a.elites,
                  fmt::format("lines of the archive that a turn starts from at most; 0: none (default {})", a.elites))
      ->type_name("N")
      ->transform(whole_number(0, kMostElites));
  command
      .add_option("--distance", a.distance,
                  fmt::format("share of their groups in which these lines differ at least (default {:g})", a.distance))
      ->type_name("X")
      ->transform(real_number(0, 1));
  command
      .add_option("--side-by-side", a.side_by_side,
                  "boards searched at the same time (default one per thread; with a device one)")
      ->type_name("N")
      ->transform(whole_number(1, host::kMaxThreads));
}

Json value_json(const host::SettingValue& value) {
  return std::visit([](const auto& v) { return Json(v); }, value);
}

host::SettingValue value_of(const Json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return value.get<double>();
  return value.get<std::int64_t>();
}

std::int64_t utc_seconds(std::chrono::system_clock::time_point moment) {
  return std::chrono::duration_cast<std::chrono::seconds>(moment.time_since_epoch()).count();
}

// A plan that somebody edited must not do what the options would not allow.
void expect_ranges(const RecordArguments& a) {
  const bool is_right = a.budgets.first_seconds > 0 && a.budgets.growth >= 1 && a.budgets.longest >= 1 &&
                        a.elites >= 0 && a.elites <= kMostElites && a.distance >= 0 && a.distance <= 1 &&
                        a.side_by_side >= 0 && a.side_by_side <= host::kMaxThreads;
  if (!is_right) throw InputError(fmt::format("archive {} is damaged: the plan of its run is out of range", a.archive));
}

// The fields of a plan that an option sets, with that option.
struct PlanField {
  const char* name;
  const char* option;
};
constexpr PlanField kFixed[] = {
    {"preset", "--preset"},
    {"scoring", "--scoring"},
    {"seed", "--seed"},
    {"turn_seconds", "--turn-time"},
    {"turn_playouts", "--turn-playouts"},
    {"growth", "--turn-growth"},
    {"longest", "--longest-turn"},
    {"elites", "--elites"},
    {"distance", "--distance"},
};

}  // namespace

void add_record_options(CLI::App& command, RecordArguments& a, std::set<std::string>& advanced_groups) {
  command.add_option("BOARDS", a.boards, "boards to search, as for solve (default standard: the 20 standard boards)")
      ->type_name("");
  command.add_option("--archive", a.archive, "file that keeps every improvement and the state of the run")
      ->type_name("FILE")
      ->required();
  command.add_flag("--network", a.network, "the archive lies on a network file system (NFS)");
  add_end_options(command, a);
  add_strategy_options(command, a);
  command.option_defaults()->group("Options");
  command.add_option("--preset", a.search.preset, "search to run (default auto); see solve --explain")
      ->type_name("NAME");
  command.add_option("--scoring", a.scoring, "standard (default), total, bubble-breaker, clickomania or points")
      ->type_name("NAME");
  command.add_option("--seed", a.seed, "seed of the run (default the number of the run in the archive)")
      ->type_name("N")
      ->transform(whole_number(0, ~std::uint64_t{0}));
  add_start_option(command, a.from);
  command.add_option("--on-record", a.on_record, "command to run for every new best: COMMAND BOARD SCORE FILE")
      ->type_name("COMMAND");
  command.add_flag("--nice{19}", a.nice, "lower the priority to 19, or to N with --nice=N")
      ->transform(whole_number(1, 19));
  command.add_option("--watch", a.watch, "serve a live page at this port (of 127.0.0.1, unless an address is given)")
      ->type_name("[ADDRESS:]PORT");
  command.add_flag("--json", a.json, "print the result as JSON");
  add_engine_arguments(command, a.engine);
  add_setting_options(command, a.search, advanced_groups);
}

Json plan_json(const RecordArguments& a, const std::vector<game::NamedBoard>& boards) {
  Json plan = {{"boards", Json::array()}};
  for (const game::NamedBoard& board : boards)
    plan["boards"].push_back({{"name", board.name}, {"hash", host::board_hash(board.position)}});
  plan["preset"] = a.search.preset;
  plan["settings"] = Json::object();
  for (const auto& [name, value] : a.search.given)
    plan["settings"][name] = value_json(value);
  plan["scoring"] = a.scoring;
  plan["seed"] = a.seed ? Json(*a.seed) : Json(nullptr);  // the number of the run
  plan["turn_seconds"] = a.budgets.first_seconds;
  plan["turn_playouts"] = a.budgets.first_playouts;
  plan["growth"] = a.budgets.growth;
  plan["longest"] = a.budgets.longest;
  plan["elites"] = a.elites;
  plan["distance"] = a.distance;
  plan["side_by_side"] = a.side_by_side;
  plan["seconds"] = a.seconds ? Json(*a.seconds) : Json(nullptr);
  plan["until"] = a.until_moment ? Json(utc_seconds(*a.until_moment)) : Json(nullptr);
  plan["rounds"] = a.rounds;
  return plan;
}

void take_over(RecordArguments& a, const CLI::App& command, const Json& plan) {
  const Json asked = plan_json(a, {});
  for (const PlanField& field : kFixed)
    if (command.get_option(field.option)->count() > 0 && asked.at(field.name) != plan.at(field.name))
      throw InputError(
          fmt::format("--resume goes on with the plan of the run, where {} is {}; expected the same, or to "
                      "leave out {}",
                      field.option, plan.at(field.name).dump(), field.option));
  for (const auto& [name, value] : a.search.given)
    if (!plan.at("settings").contains(name) || plan.at("settings").at(name) != value_json(value))
      throw InputError(fmt::format(
          "--resume goes on with the settings of the run; expected it without --{0}, or --{0} as before", name));
  a.search.preset = plan.at("preset");
  a.search.given.clear();
  for (const auto& [name, value] : plan.at("settings").items())
    a.search.given[name] = value_of(value);
  a.scoring = plan.at("scoring");
  a.seed.reset();
  if (!plan.at("seed").is_null()) a.seed = plan.at("seed").get<std::uint64_t>();
  a.budgets = {.first_seconds = plan.at("turn_seconds"),
               .first_playouts = plan.at("turn_playouts"),
               .growth = plan.at("growth"),
               .longest = plan.at("longest")};
  a.elites = plan.at("elites");
  a.distance = plan.at("distance");
  if (a.side_by_side == 0) a.side_by_side = plan.at("side_by_side");
  expect_ranges(a);
  // The end may be another one; without one, it is the old one.
  if (a.seconds || a.until_moment || a.rounds > 0) return;
  if (!plan.at("seconds").is_null()) a.seconds = plan.at("seconds").get<double>();
  if (!plan.at("until").is_null())
    a.until_moment = std::chrono::system_clock::from_time_t(plan.at("until").get<std::time_t>());
  a.rounds = plan.at("rounds");
}

std::chrono::system_clock::time_point moment_to_come(const std::string& text) {
  using Clock = std::chrono::system_clock;
  const Clock::time_point now = Clock::now();
  const std::time_t seconds = Clock::to_time_t(now);
  std::tm today = {};
  ::localtime_r(&seconds, &today);
  today.tm_sec = 0;
  for (const char* format : {"%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M", "%H:%M"}) {
    std::tm given = today;
    const char* const end = ::strptime(text.c_str(), format, &given);
    if (end == nullptr || *end != '\0') continue;
    given.tm_isdst = -1;
    std::tm normal = given;  // mktime turns 31 February into a day of March
    Clock::time_point moment = Clock::from_time_t(::mktime(&normal));
    if (normal.tm_mday != given.tm_mday) break;
    if (moment > now) return moment;
    if (std::string_view(format) != "%H:%M")
      throw InputError(fmt::format("--until {} has passed; expected a time to come", text));
    ++given.tm_mday;
    return Clock::from_time_t(::mktime(&given));
  }
  throw InputError(
      fmt::format("--until {}: expected a time of the day such as 07:00, or a day with it: 2026-11-19T07:00", text));
}

}  // namespace chainshot::tools
