// Measures how fast one thread plays and adapts in NRPA, and what it reaches, on the standard boards. It is not a test:
// it prints scores and playouts per second of processor time, the best of several repetitions.
//   nrpa_speed [PLAYOUTS] [BOARDS, as 1-20] [SEED] [REPETITIONS] [NAME=VALUE of a setting ...]
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>

#include "game/board_text.hpp"
#include "host/nrpa/nrpa_search.hpp"
#include "host/search/search_runner.hpp"
#include "tools/measure/trial.hpp"

namespace chainshot::host {
namespace {

bool set(Settings& settings, std::string_view argument) {
  const std::size_t equals = argument.find('=');
  if (equals == std::string_view::npos) return false;
  const Setting* row = setting_named(find_preset("nrpa").kind->settings(), argument.substr(0, equals));
  if (row == nullptr) return false;
  const std::string value(argument.substr(equals + 1));
  if (row->kind == SettingKind::kName)
    row->set(settings, value);
  else if (row->kind == SettingKind::kReal)
    row->set(settings, std::atof(value.c_str()));
  else
    row->set(settings, std::int64_t{std::atoll(value.c_str())});
  return true;
}

void measure(std::uint64_t playouts, int number, std::uint64_t seed, int repetitions, const NrpaSettings& settings) {
  const SearchTask task{.board = game::standard_boards().at(static_cast<std::size_t>(number - 1)).position,
                        .seed = seed};
  double fastest = 0;
  int score = 0;
  for (int i = 0; i < repetitions; ++i) {
    Incumbent incumbent(task);
    // With one worker the caller's thread does all the work.
    const auto search = make_nrpa_search(task, settings, {.playouts = playouts}, 1, {}, incumbent);
    const double start = processor_seconds(CLOCK_THREAD_CPUTIME_ID);
    search->run(SearchClock(), {});
    fastest = std::max(
        fastest, static_cast<double>(search->status().playouts) / (processor_seconds(CLOCK_THREAD_CPUTIME_ID) - start));
    score = incumbent.score();
  }
  fmt::print("board {}: score {}, {:.0f} playouts/s\n", number, score, fastest);
  std::fflush(stdout);
}

}  // namespace
}  // namespace chainshot::host

int main(int argc, char** argv) {
  using namespace chainshot::host;
  const auto argument = [&](int i, const char* otherwise) { return std::string(argc > i ? argv[i] : otherwise); };
  Settings settings = find_preset("nrpa").preset->settings;
  for (int i = 5; i < argc; ++i)
    if (!set(settings, argv[i])) return fmt::print(stderr, "'{}' is no setting\n", argv[i]), 2;
  const std::string boards = argument(2, "1");
  const std::size_t dash = boards.find('-');
  const int first = std::atoi(boards.c_str());
  const int last = dash == std::string::npos ? first : std::atoi(boards.c_str() + dash + 1);
  for (int number = first; number <= last; ++number)
    measure(std::strtoull(argument(1, "100000").c_str(), nullptr, 10), number,
            std::strtoull(argument(3, "1").c_str(), nullptr, 10), std::atoi(argument(4, "3").c_str()),
            std::any_cast<const NrpaSettings&>(settings));
}
