// Measures what population annealing reaches and how fast, on random boards of the kinds of the standard set or on that
// set itself. It is not a test: it prints scores, evaluations and processor time.
//   anneal_speed EVALUATIONS|SECONDSs [random|standard] [BOARDS, as 1-20] [SEED] [THREADS] [NAME=VALUE of a setting
//   ...]
#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include "game/board_text.hpp"
#include "game/generate.hpp"
#include "host/anneal/annealing.hpp"
#include "host/engines/engines.hpp"
#include "host/search/search_runner.hpp"
#include "tools/measure/trial.hpp"

namespace chainshot::host {
namespace {

bool set(AnnealSettings& settings, std::string_view argument) {
  const std::size_t equals = argument.find('=');
  if (equals == std::string_view::npos) return false;
  const std::string_view name = argument.substr(0, equals);
  const double value = std::atof(std::string(argument.substr(equals + 1)).c_str());
  if (name == "members")
    settings.members = static_cast<int>(value);
  else if (name == "last")
    settings.last_members = static_cast<int>(value);
  else if (name == "hot")
    settings.hot = value;
  else if (name == "cold")
    settings.cold = value;
  else if (name == "steps")
    settings.steps = static_cast<int>(value);
  else if (name == "soft_start")
    settings.soft_start = value;
  else if (name == "soft_end")
    settings.soft_end = value;
  else if (name == "islands")
    settings.islands = static_cast<int>(value);
  else if (name == "longest_round")
    settings.longest_round = static_cast<std::uint64_t>(value);
  else
    return false;
  return true;
}

struct Boards {
  int first = 1, last = 1;
};

Boards boards_of(const std::string& text) {
  const std::size_t dash = text.find('-');
  const int first = std::atoi(text.c_str());
  return {first, dash == std::string::npos ? first : std::atoi(text.c_str() + dash + 1)};
}

Budget budget_of(const std::string& text) {
  if (text.back() == 's') return {.seconds = std::atof(text.c_str())};
  return {.playouts = std::strtoull(text.c_str(), nullptr, 10)};
}

void measure(const Budget& budget, bool standard, Boards boards, std::uint64_t seed, int threads,
             const AnnealSettings& settings) {
  const auto engine = make_cpu_chain_engine({.threads = threads});
  std::uint64_t all_evaluations = 0;
  int sum = 0;
  const double start = processor_seconds();
  for (int number = boards.first; number <= boards.last; ++number) {
    const SearchTask task{.board = standard ? game::standard_boards().at(static_cast<std::size_t>(number - 1)).position
                                            : trial_board(number),
                          .seed = seed};
    Incumbent incumbent(task);
    const auto search = make_annealing(task, settings, budget, {*engine, incumbent});
    run_alone(*search, budget.seconds);
    all_evaluations += search->status().evaluations;
    sum += incumbent.score();
    fmt::print("{} ", incumbent.score());
    std::fflush(stdout);
  }
  const double taken = processor_seconds() - start;
  const int count = boards.last - boards.first + 1;
  fmt::print("| sum {} mean {:.1f} | {:.1f} s of processor time, {:.0f} evaluations/s\n", sum,
             static_cast<double>(sum) / count, taken, static_cast<double>(all_evaluations) / taken);
}

}  // namespace
}  // namespace chainshot::host

int main(int argc, char** argv) {
  using namespace chainshot::host;
  const auto argument = [&](int i, const char* otherwise) { return std::string(argc > i ? argv[i] : otherwise); };
  AnnealSettings settings;
  for (int i = 6; i < argc; ++i)
    if (!set(settings, argv[i])) return fmt::print(stderr, "'{}' is no setting\n", argv[i]), 2;
  measure(budget_of(argument(1, "1000000")), argument(2, "random") == "standard", boards_of(argument(3, "1-4")),
          std::strtoull(argument(4, "1").c_str(), nullptr, 10), std::atoi(argument(5, "1").c_str()), settings);
}
