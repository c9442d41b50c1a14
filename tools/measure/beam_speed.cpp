// Measures what beam search reaches and how fast, on random boards of the kinds of the standard set or on that set
// itself. It is not a test: it prints scores, children and processor time.
//   beam_speed PRESET CHILDREN|SECONDSs [random|standard] [BOARDS, as 1-4,12] [SEED] [THREADS] [NAME=VALUE of a setting
//   ...]
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "game/board_text.hpp"
#include "game/generate.hpp"
#include "host/beam/beam_kind.hpp"
#include "host/search/search_runner.hpp"
#include "tools/measure/trial.hpp"

namespace chainshot::host {
namespace {

bool set(Settings& settings, const std::string& argument) {
  const std::size_t equals = argument.find('=');
  if (equals == std::string::npos) return false;
  const Setting* const row = setting_named(kBeamKind.settings(), argument.substr(0, equals));
  if (row == nullptr) return false;
  const double value = std::atof(argument.c_str() + equals + 1);
  row->set(settings,
           row->kind == SettingKind::kReal ? SettingValue(value) : SettingValue(static_cast<std::int64_t>(value)));
  return true;
}

std::vector<int> boards_of(const std::string& text) {
  std::vector<int> boards;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    const std::size_t dash = part.find('-');
    const int first = std::atoi(part.c_str());
    const int last = dash == std::string::npos ? first : std::atoi(part.c_str() + dash + 1);
    for (int number = first; number <= last; ++number)
      boards.push_back(number);
  }
  return boards;
}

Budget budget_of(const std::string& text) {
  if (text.back() == 's') return {.seconds = std::atof(text.c_str())};
  return {.playouts = std::strtoull(text.c_str(), nullptr, 10)};
}

void measure(const Settings& settings, bool standard, const std::vector<int>& boards, std::uint64_t seed,
             const Resources& resources) {
  std::uint64_t children = 0;
  int sum = 0;
  const double start = processor_seconds();
  for (const int number : boards) {
    const SearchTask task{.board = standard ? game::standard_boards().at(static_cast<std::size_t>(number - 1)).position
                                            : trial_board(number),
                          .seed = seed};
    Incumbent incumbent(task);
    const auto searches = kBeamKind.make(task, settings, resources, incumbent);
    run_alone(*searches.front().search, resources.budget.seconds);
    children += searches.front().search->status().evaluations;
    sum += incumbent.score();
    fmt::print("{} ", incumbent.score());
    std::fflush(stdout);
  }
  const double taken = processor_seconds() - start;
  fmt::print("| sum {} mean {:.1f} | {:.1f} s of processor time, {:.2f} M children/s\n", sum,
             static_cast<double>(sum) / static_cast<double>(boards.size()), taken,
             1e-6 * static_cast<double>(children) / taken);
}

}  // namespace
}  // namespace chainshot::host

int main(int argc, char** argv) {
  using namespace chainshot::host;
  const auto argument = [&](int i, const char* otherwise) { return std::string(argc > i ? argv[i] : otherwise); };
  const FoundPreset found = find_preset(argument(1, "beam"));
  if (found.kind != &kBeamKind) return fmt::print(stderr, "'{}' is no preset of beam search\n", argv[1]), 2;
  Settings settings = found.preset->settings;
  for (int i = 7; i < argc; ++i)
    if (!set(settings, argv[i])) return fmt::print(stderr, "'{}' is no setting\n", argv[i]), 2;
  Resources resources;
  resources.threads = std::atoi(argument(6, "1").c_str());
  resources.budget = budget_of(argument(2, "10000000"));
  measure(settings, argument(3, "random") == "standard", boards_of(argument(4, "1-4")),
          std::strtoull(argument(5, "1").c_str(), nullptr, 10), resources);
}
