#include "host/nrpa/nrpa_kind.hpp"

#include <fmt/format.h>

#include "game/board_text.hpp"
#include "host/nrpa/nrpa_search.hpp"
#include "host/search/policy_settings.hpp"

namespace chainshot::host {
namespace {

constexpr int kMostLevels = 10, kMostIterations = 1'000'000, kMostBranches = 256, kMostBeam = 1000, kMostJobs = 4096;
constexpr double kMostAlpha = 64, kMostBias = 20;

void add_levels(SettingTable<NrpaSettings>& table) {
  table.begin_group("NRPA");
  table.whole(
      "levels", "levels of nested calls; level 0 is a playout", "Rosin 2011, 2; Negrevergne 2017, 2",
      [](auto& s) -> auto& { return s.levels; }, 1, kMostLevels);
  table.whole(
      "iterations", "calls of the level below, and adaptations, at every level (N)", "Rosin 2011, 2",
      [](auto& s) -> auto& { return s.iterations; }, 1, kMostIterations);
  table.real(
      "alpha", "step of an adaptation", "Rosin 2011, 2; Negrevergne 2017, 2", [](auto& s) -> auto& { return s.alpha; },
      0.001, kMostAlpha);
  table.whole(
      "adapt-playouts", "playouts of level 1 before it adapts to the best of them (P)",
      "Cazenave 2020, Stabilized NRPA", [](auto& s) -> auto& { return s.adapt_playouts; }, 1, kMostIterations);
  table
      .whole(
          "repetitions", "end a level when it has found its best sequence this often again; 0: never",
          "Cazenave 2024, Limited Repetitions", [](auto& s) -> auto& { return s.repetitions; }, 0, kMostIterations)
      .zero = "no limit";
}

void add_moves(SettingTable<NrpaSettings>& table) {
  table.begin_group("Moves");
  table.choice(
      "tabu", "tabu", "groups of the tabu colour: keep them for last, bias the policy against them, or neither",
      "Schadd 2012, 4.3; Cazenave 2016, Selective Policies", {"keep", "bias", "none"},
      [](auto& s) -> auto& { return s.tabu; });
  table.only_with("--tabu keep or bias", [](const NrpaSettings& s) { return s.tabu != NrpaTabu::kNone; });
  table
      .name_by(
          "tabu-color", "colour", "the tabu colour instead of the most frequent one", "Schadd 2012, 4.3", color_names(),
          [](const NrpaSettings& s) {
            return s.tabu_color < 0 ? std::string() : std::string(1, game::color_letter(s.tabu_color));
          },
          [](NrpaSettings& s, const std::string& name) { s.tabu_color = color_named(name); })
      .zero = "the most frequent";
  table.only_with("--tabu bias", [](const NrpaSettings& s) { return s.tabu == NrpaTabu::kBias; });
  table.real(
      "tabu-bias", "first logit of groups of the tabu colour", "Cazenave 2020, Generalized NRPA",
      [](auto& s) -> auto& { return s.tabu_bias; }, -kMostBias, kMostBias);
  table.always();
  table.real(
      "size-bias", "first logit of a group, per block beyond two, up to 16 blocks", "Cazenave 2020, Generalized NRPA",
      [](auto& s) -> auto& { return s.size_bias; }, -1, 1);
}

void add_beam(SettingTable<NrpaSettings>& table) {
  table.begin_group("Diversity");
  table.whole(
      "beam", "sequences that a level keeps, each with a policy of its own; 1: plain NRPA", "Cazenave 2012, Beam NRPA",
      [](auto& s) -> auto& { return s.beam; }, 1, kMostBeam);
  table.only_with("--beam 2 or more", [](const NrpaSettings& s) { return s.beam > 1; });
  table
      .whole(
          "beam-level", "the level that keeps them; 0: the top level", "Edelkamp 2016",
          [](auto& s) -> auto& { return s.beam_level; }, 0, kMostLevels)
      .zero = "the top level";
  table.choice(
      "diversity", "kind of diversity", "what two sequences of a beam must differ in", "Edelkamp 2016",
      {"sequence", "score"}, [](auto& s) -> auto& { return s.diversity; });
  table.always();
}

void add_parallel(SettingTable<NrpaSettings>& table) {
  table.begin_group("In parallel");
  table.choice(
      "parallel", "way to run in parallel",
      "independent runs (root), or parallel calls within a run with one policy (shared) or several (local)",
      "Negrevergne 2017, 3", {"root", "shared", "local"}, [](auto& s) -> auto& { return s.parallel; });
  table
      .whole(
          "jobs",
          "independent runs at a time; 0: as many as the threads need, with --deterministic 8, or 1 with branches",
          "Negrevergne 2017, 3.1 and 3.3", [](auto& s) -> auto& { return s.jobs; }, 0, kMostJobs)
      .zero = "from the threads";
  table.only_with("--parallel shared or local",
                  [](const NrpaSettings& s) { return s.parallel != NrpaParallel::kRoot; });
  table.whole(
      "parallel-level", "the level whose calls run in parallel (L); 1: playouts (leaf parallelism)",
      "Negrevergne 2017, 3.2", [](auto& s) -> auto& { return s.parallel_level; }, 1, kMostLevels);
  table.whole(
      "branches", "calls at a time (M); a shared policy adapts by M alpha", "Negrevergne 2017, 3.2",
      [](auto& s) -> auto& { return s.branches; }, 2, kMostBranches);
  table.always();
}

std::span<const Setting> nrpa_settings() {
  static const std::vector<Setting> kTable = [] {
    SettingTable<NrpaSettings> table;
    add_levels(table);
    add_moves(table);
    add_beam(table);
    add_parallel(table);
    return table.take();
  }();
  return kTable;
}

std::span<const Preset> nrpa_presets() {
  static const std::vector<Preset> kPresets = {
      {"nrpa", "NRPA(4): four levels of 100 calls, the most frequent colour kept for last", "Negrevergne 2017, 2 and 4",
       NrpaSettings{}},
      {"diversity-nrpa", "Diversity-NRPA(4): the top level keeps several sequences with different scores",
       "Edelkamp 2016", NrpaSettings{.beam = 4}},
      {"dist-nrpa",
       "Dist-NRPA(5): runs of five levels whose playouts run in parallel, in each process of mpirun for itself",
       "Negrevergne 2017, 3.3 and 4.3",
       NrpaSettings{.levels = 5, .parallel = NrpaParallel::kShared, .parallel_level = 1, .branches = 16}},
  };
  return kPresets;
}

std::string objection(const Settings& settings, const game::Scoring&) {
  const auto& s = std::any_cast<const NrpaSettings&>(settings);
  const auto too_high = [&](std::string_view option, int level) {
    return fmt::format("{} {} is above --levels {}; expected 1 to {}", option, level, s.levels, s.levels);
  };
  if (s.beam > 1 && s.beam_level > s.levels) return too_high("--beam-level", s.beam_level);
  if (s.parallel == NrpaParallel::kRoot) return {};
  if (s.parallel_level > s.levels) return too_high("--parallel-level", s.parallel_level);
  if (s.branches > s.iterations)
    return fmt::format("--branches {} is above --iterations {}; expected at most one branch per iteration", s.branches,
                       s.iterations);
  if (s.beam > 1 && s.parallel_level == (s.beam_level > 0 ? s.beam_level : s.levels))
    return fmt::format("--parallel-level {} is the level that keeps the beam; expected another level",
                       s.parallel_level);
  return {};
}

std::vector<NamedSearch> make(const SearchTask& task, const Settings& settings, const Resources& resources,
                              Incumbent& incumbent) {
  std::vector<NamedSearch> searches;
  searches.push_back({std::string(kNrpaKind.name), std::string(kNrpaKind.title),
                      make_nrpa_search(task, std::any_cast<const NrpaSettings&>(settings), resources.budget,
                                       resources.threads, resources.common, incumbent)});
  return searches;
}

}  // namespace

const SearchKind kNrpaKind = {
    .name = "nrpa",
    .title = "nested rollout policy adaptation",
    .summary =
        "learns a playout policy from its best sequences, in nested levels that each start from the policy above",
    .paper = "Rosin 2011; Negrevergne and Cazenave 2017",
    .engines = EngineNeed::kNone,
    .counters = {.playouts = true},
    .settings = nrpa_settings,
    .presets = nrpa_presets,
    .make = make,
    .default_memory = "up to 64M per thread",
    .objection = objection,
};

}  // namespace chainshot::host
