#include "host/beam/beam_kind.hpp"

#include <utility>

#include "host/beam/evaluation.hpp"

namespace chainshot::host {
namespace {

constexpr int kMostWidth = 100'000'000;

std::vector<Setting> make_beam_table() {
  SettingTable<BeamSettings> table;
  table.begin_group("Beam search");
  table
      .whole(
          "width", "states that are expanded for each number of blocks left; 0: from budget and memory", "",
          [](auto& s) -> auto& { return s.width; }, 0, kMostWidth)
      .zero = "from budget and memory";
  table.whole(
      "tabu-colors", "colours that are kept for last, each in a beam of its own, most frequent first", "",
      [](auto& s) -> auto& { return s.tabu_colors; }, 1, game::kMaxColors);
  table.real(
      "first-share", "share of the width for the most frequent colour; the other beams share the rest", "",
      [](auto& s) -> auto& { return s.first_share; }, 0.01, 1);
  table.real(
      "noise", "spread of the random factors on the weights when a width is repeated", "",
      [](auto& s) -> auto& { return s.noise; }, 0, 2);
  table.begin_group("Nested beams").only_with("--preset nested-beam", [](const BeamSettings& s) {
    return s.is_nested;
  });
  table.real(
      "start-share", "share of the budget for the first beams", "", [](auto& s) -> auto& { return s.start_share; }, 0,
      1);
  table.whole(
      "nested-width", "width of the small beams at first", "", [](auto& s) -> auto& { return s.nested_width; }, 1,
      kMostWidth);
  table.real(
      "nested-noise", "spread of the random factors on the weights of a small beam", "",
      [](auto& s) -> auto& { return s.nested_noise; }, 0, 2);
  table.real(
      "widening", "factor on their width after --patience beams that found nothing", "",
      [](auto& s) -> auto& { return s.widening; }, 1, 10);
  table.whole(
      "patience", "beams without a better line before they widen", "", [](auto& s) -> auto& { return s.patience; }, 1,
      1e6);
  return table.take();
}

std::span<const Setting> beam_settings() {
  static const std::vector<Setting> kTable = make_beam_table();
  return kTable;
}

std::span<const Preset> beam_presets() {
  static const std::vector<Preset> kPresets = {
      {"beam", "beam search by blocks left, one beam for each of the most frequent colours", "", BeamSettings{}},
      {"nested-beam", "a beam, then small beams from random depths of the best line", "",
       BeamSettings{.is_nested = true}},
  };
  return kPresets;
}

std::vector<NamedSearch> make_beams(const SearchTask& task, const Settings& settings, const Resources& resources,
                                    Incumbent& incumbent) {
  BeamSettings of_board = std::any_cast<const BeamSettings&>(settings);
  of_board.memory_bytes = resources.common.memory_bytes;
  const auto make_step = [choice = resources.choice, notice = resources.notice, devices = resources.beam_devices](
                             int threads, BeamSize size) {
    EngineChoice of_step = choice;
    of_step.threads = threads;
    if (size == BeamSize::kSmall) {
      of_step.name = "cpu";
      of_step.devices.clear();
    }
    return make_beam_step(of_step, notice, devices);
  };
  std::vector<NamedSearch> searches;
  searches.push_back(
      {std::string(kBeamKind.name), std::string(kBeamKind.title),
       make_beam_search(task, of_board, resources.budget, resources.threads, make_step, incumbent, resources.notice)});
  return searches;
}

}  // namespace

const SearchKind kBeamKind = {
    .name = "beam",
    .title = "beam search",
    .summary = "keeps the most promising positions for every number of blocks left, and expands them all",
    .paper = "",
    .engines = EngineNeed::kOwn,
    .counters = {.evaluations = true, .nodes = true},
    .settings = beam_settings,
    .presets = beam_presets,
    .make = make_beams,
    .default_memory = "1G",
    .open_devices =
        [](const EngineChoice& choice, const EngineNotice& notice) {
          return OwnDevices{.names = beam_device(choice, notice), .beams = std::make_shared<BeamDevices>()};
        },
    .most_score = kMostBeamScore,
};

}  // namespace chainshot::host
