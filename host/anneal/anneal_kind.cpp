#include "host/anneal/anneal_kind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "host/anneal/round_plan.hpp"

namespace chainshot::host {
namespace {

constexpr double kLeastReal = 1e-6;
constexpr int kMostIslands = 100'000, kMostMembers = 1'000'000, kMostSteps = 1'000'000;

// Annealing with a chain engine of its own.
class AnnealSearch final : public Search {
 public:
  AnnealSearch(const SearchTask& task, const AnnealSettings& settings, const Budget& budget,
               std::unique_ptr<game::ChainEngine> engine, Incumbent& incumbent, const AnnealRole& role)
      : engine_(std::move(engine)),
        search_(make_annealing(task, settings, budget, {*engine_, incumbent, role.elites, role.name})) {}

  void run(const SearchClock& clock, std::stop_token stop) override { search_->run(clock, std::move(stop)); }
  void cancel_pending() override { search_->cancel_pending(); }
  SearchStatus status() const override { return search_->status(); }
  std::vector<ScoredLine> elites() const override { return search_->elites(); }

 private:
  const std::unique_ptr<game::ChainEngine> engine_;
  const std::unique_ptr<Search> search_;
};

std::vector<Setting> make_table() {
  SettingTable<AnnealSettings> table;
  table.begin_group("Annealing");
  table
      .whole(
          "islands", "populations side by side; 0: one, or as many as fill a device", "",
          [](auto& s) -> auto& { return s.islands; }, 0, kMostIslands)
      .zero = "one, or as many as fill a device";
  table
      .whole(
          "members", "lines of an island at the start; 0: from the budget", "",
          [](auto& s) -> auto& { return s.members; }, 0, kMostMembers)
      .zero = "from the budget";
  table
      .whole(
          "last-members", "lines of an island at the end; 0: 4, or on a device as many as at the start", "",
          [](auto& s) -> auto& { return s.last_members; }, 0, kMostMembers)
      .zero = "4, or on a device as many as at the start";
  table
      .real(
          "hot", "first temperature, in points", "", [](auto& s) -> auto& { return s.hot; }, kLeastReal)
      .zero = fmt::format("{}, or {} where groups earn no points", kOfPoints.hot, kOfBlocks.hot);
  table
      .real(
          "cold", "last temperature, in points", "", [](auto& s) -> auto& { return s.cold; }, kLeastReal)
      .zero = fmt::format("{}, or {} where groups earn no points", kOfPoints.cold, kOfBlocks.cold);
  table.whole(
      "steps", "steps of temperature", "", [](auto& s) -> auto& { return s.steps; }, 1, kMostSteps);
  table.real(
      "soft-start", "blocks left over which the bonus for a cleared board is spread, at the start", "",
      [](auto& s) -> auto& { return s.soft_start; }, kLeastReal);
  table.real(
      "soft-end", "the same at the end", "", [](auto& s) -> auto& { return s.soft_end; }, kLeastReal);
  table.choice(
      "migration", "way of migration", "to which other process elites go, under mpirun", "", {"ring", "random", "none"},
      [](auto& s) -> auto& { return s.migration; });
  return table.take();
}

std::span<const Setting> anneal_settings() {
  static const std::vector<Setting> kTable = make_table();
  return kTable;
}

std::span<const Preset> anneal_presets() {
  static const std::vector<Preset> kPresets = {
      {"anneal", "population annealing on lines whose moves are named by blocks", "", AnnealSettings{}}};
  return kPresets;
}

// Tells the user what annealing cannot take as it was asked for.
void note_limits(const SearchTask& task, const AnnealSettings& settings, const Resources& resources,
                 const game::ChainEngine& engine) {
  if (!resources.notice || engine.most_members(task.board, 1) > 0) return;  // a device has limits of its own
  const std::uint64_t memory = resources.common.memory_bytes;
  if (memory > kMostAnnealBytes)
    resources.notice(
        fmt::format("annealing takes at most {}, not --memory {}", memory_text(kMostAnnealBytes), memory_text(memory)));
  const auto islands = static_cast<std::uint64_t>(std::max(1, settings.islands));
  const std::uint64_t wanted = islands * static_cast<std::uint64_t>(settings.members);
  const std::uint64_t room = std::max<std::uint64_t>(1, chains_in_memory(task.board, memory));
  if (std::max(islands, wanted) > room)
    resources.notice(fmt::format("{} lines do not fit into the memory of annealing; there are at most {}",
                                 std::max(islands, wanted), room));
}

std::vector<NamedSearch> make(const SearchTask& task, const Settings& settings, const Resources& resources,
                              Incumbent& incumbent) {
  std::vector<NamedSearch> searches;
  EngineChoice choice = resources.choice;
  choice.threads = resources.threads;
  searches.push_back(make_anneal_search(
      task, std::any_cast<const AnnealSettings&>(settings), resources,
      make_chain_engine(choice, resources.chain_devices, task.board, task.scoring, resources.notice), incumbent));
  return searches;
}

}  // namespace

std::string anneal_objection(const Settings& settings, const game::Scoring& scoring) {
  const Temperatures t = temperatures_for(std::any_cast<const AnnealSettings&>(settings), scoring);
  if (t.cold <= t.hot) return {};
  return fmt::format("--cold {} is above --hot {}; expected --cold below --hot", t.cold, t.hot);
}

OwnDevices open_anneal_devices(const EngineChoice& choice, const EngineNotice& notice) {
  OwnDevices own{.names = {}, .chains = open_chain_devices(choice, notice)};
  if (own.chains != nullptr)
    for (const game::ChainEngine* device : own.chains->healthy())
      own.names += (own.names.empty() ? "" : " and ") + device->capabilities().name;
  return own;
}

std::shared_ptr<Elites> make_elites(const SearchTask& task, const AnnealSettings& settings,
                                    const Resources& resources) {
  ElitePaths paths{.neighbours = resources.neighbours, .is_ring = settings.migration == Migration::kRing};
  if (settings.migration == Migration::kNone) paths.neighbours = nullptr;
  return std::make_shared<Elites>(task, paths);
}

NamedSearch make_anneal_search(const SearchTask& task, const AnnealSettings& settings, const Resources& resources,
                               std::unique_ptr<game::ChainEngine> engine, Incumbent& incumbent,
                               const AnnealRole& role) {
  AnnealSettings of_board = settings;
  of_board.memory_bytes = resources.common.memory_bytes;
  of_board.deterministic = resources.common.deterministic;
  note_limits(task, of_board, resources, *engine);
  AnnealRole with_elites = role;
  if (role.elites == nullptr) with_elites.elites = make_elites(task, settings, resources);
  return {std::string(role.name), std::string(kAnnealKind.title),
          std::make_unique<AnnealSearch>(task, of_board, resources.budget, std::move(engine), incumbent, with_elites)};
}

const SearchKind kAnnealKind = {
    .name = "anneal",
    .title = "annealing",
    .summary = "changes whole lines a little at a time and cools a population of them; finds the best lines",
    .paper = "Hukushima and Iba 2003 for the population",
    .engines = EngineNeed::kOwn,
    .counters = {.evaluations = true},
    .settings = anneal_settings,
    .presets = anneal_presets,
    .make = make,
    .default_memory = "up to 1G",
    .objection = anneal_objection,
    .open_devices = open_anneal_devices,
    .has_neighbours = true,
};

}  // namespace chainshot::host
