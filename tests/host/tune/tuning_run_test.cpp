#include "host/tune/tuning_run.hpp"

#include <gtest/gtest.h>

#include <map>
#include <mutex>
#include <set>

#include "host/search/registry.hpp"

namespace chainshot::host {
namespace {

TuningPlan small_plan() {
  TuningPlan plan;
  plan.preset = "sp-mcts";
  plan.parameters = {{.name = "c", .is_logarithmic = true, .low = 0, .high = 1e9, .start = {5, 1}},
                     {.name = "w", .low = 0, .high = 1e9, .start = {0.5, 0.5}}};
  plan.budget.playouts = 30;
  plan.columns = plan.rows = 5;
  plan.colors = 3;
  plan.boards = 2;
  plan.population = 5;
  plan.elite = 2;
  plan.generations = 3;
  plan.test_boards = 3;
  return plan;
}

RunPlan search_for(const TuningPlan& plan, int threads) {
  const auto [kind, preset] = find_preset(plan.preset);
  RunPlan search{.preset = plan.preset,
                 .kind = kind,
                 .settings = preset->settings,
                 .common = {},
                 .budget = plan.budget,
                 .choice = {}};
  search.common.deterministic = true;
  search.common.memory_bytes = 1 << 24;
  search.engines = {"cpu"};
  search.choice.name = "cpu";
  search.choice.threads = threads;
  return search;
}

// A tuning with its team; the last state that was saved is kept as text.
struct Scene {
  explicit Scene(TuningState state, int threads = 1, std::stop_source stop = {}, int stop_after = -1)
      : search(search_for(state.plan, threads)),
        team(search, {}),
        run(std::move(state), search, team, [this, stop, stop_after](const TuningState& now) mutable {
          saved = tuning_text(now);
          if (++saves == stop_after) stop.request_stop();
          return std::string();
        }) {
    EXPECT_EQ(run.run([] {}, stop.get_token()), "");
  }

  RunPlan search;
  GameTeam team;
  std::string saved;
  int saves = 0;
  TuningRun run;
};

TuningState beginning() {
  return {.plan = small_plan(), .done = {}, .samples = {}, .test = {}};
}

TEST(TuningRun, GoesThroughAllGenerationsAndTheTest) {
  const Scene scene(beginning());
  EXPECT_TRUE(scene.run.is_finished());
  const TuningState& state = scene.run.state();
  EXPECT_EQ(state.done.size(), 3u);
  for (const TuningGeneration& generation : state.done)
    EXPECT_GE(generation.best, generation.mean);
  ASSERT_EQ(state.test.size(), 2u);
  EXPECT_EQ(state.test[0].point, state.plan.start_point());
  EXPECT_EQ(state.test[1].point, (Point{state.distribution()[0].mean, state.distribution()[1].mean}));
  EXPECT_TRUE(state.test[1].is_complete());
  EXPECT_EQ(scene.saved, tuning_text(state));
}

TEST(TuningRun, ThreadsDoNotChangeTheResult) {
  EXPECT_EQ(Scene(beginning(), 3).saved, Scene(beginning(), 1).saved);
}

// The run is stopped at every one of its writes, as a kill right after the write would, and goes on from what was
// saved.
TEST(TuningRun, GoingOnEndsAsIfItHadNotBeenBrokenOff) {
  const Scene whole(beginning());
  ASSERT_GT(whole.saves, 4);
  TuningState state = beginning();
  int parts = 0;
  for (bool is_finished = false; !is_finished; ++parts) {
    ASSERT_LT(parts, 100);
    // The first write comes before the first game, so the second is the first one that brings the run forward.
    const Scene part(state, 1, std::stop_source(), 2);
    state = parse_tuning(part.saved, "saved");
    is_finished = part.run.is_finished();
  }
  EXPECT_GT(parts, 3);
  EXPECT_EQ(tuning_text(state), whole.saved);
}

TEST(TuningRun, MoreGenerationsGoOnWhereFewerEnded) {
  TuningState state = beginning();
  state.plan.generations = 2;
  state = parse_tuning(Scene(state).saved, "saved");
  EXPECT_FALSE(state.test.empty());
  state.plan.generations = 3;
  EXPECT_EQ(Scene(state).saved, Scene(beginning()).saved);
}

TEST(TuningRun, EveryGenerationAndTheTestHaveBoardsOfTheirOwn) {
  const TuningPlan plan = small_plan();
  std::set<std::uint64_t> boards;
  for (const std::size_t generation : {std::size_t{0}, std::size_t{1}, std::size_t{2}, kTestGeneration})
    for (std::size_t board = 0; board < 10; ++board)
      boards.insert(tuning_board(plan, generation, board).hash());
  EXPECT_EQ(boards.size(), 40u);
  EXPECT_EQ(tuning_board(plan, 1, 2).hash(), tuning_board(plan, 1, 2).hash());
  TuningPlan other = plan;
  other.seed = 1;
  EXPECT_FALSE(boards.contains(tuning_board(other, 0, 0).hash()));
}

// The tasks that the searches of a tuning were made for.
struct MadeSearch {
  double c;
  std::uint64_t board;
  std::uint64_t seed;

  auto operator<=>(const MadeSearch&) const = default;
};
std::mutex made_mutex;
std::vector<MadeSearch> made;

// Ends at once and finds nothing: the runner then offers the line of a random game.
class IdleSearch : public Search {
 public:
  void run(const SearchClock&, std::stop_token) override {}
  void cancel_pending() override {}
  SearchStatus status() const override { return {}; }
};

TEST(TuningRun, SamplesOfAGenerationPlayTheSameBoardsWithTheSameSeeds) {
  TuningState state = beginning();
  state.plan.test_boards = 0;
  RunPlan search = search_for(state.plan, 2);
  SearchKind kind = *search.kind;
  kind.make = [](const SearchTask& task, const Settings& settings, const Resources&, Incumbent&) {
    const double c = std::get<double>(setting_named(find_preset("sp-mcts").kind->settings(), "c")->get(settings));
    const std::lock_guard lock(made_mutex);
    made.push_back({c, task.board.hash(), task.seed});
    std::vector<NamedSearch> searches;
    searches.push_back({"idle", "idle", std::make_unique<IdleSearch>()});
    return searches;
  };
  search.kind = &kind;
  made.clear();
  GameTeam team(search, {});
  TuningRun run(state, search, team, [](const TuningState&) { return std::string(); });
  EXPECT_EQ(run.run([] {}, {}), "");
  // 3 generations of 5 samples on 2 boards: every sample meets both boards of its generation.
  ASSERT_EQ(made.size(), 30u);
  std::map<double, std::set<std::pair<std::uint64_t, std::uint64_t>>> by_sample;
  std::set<std::set<std::pair<std::uint64_t, std::uint64_t>>> by_generation;
  for (const MadeSearch& search_made : made)
    by_sample[search_made.c].emplace(search_made.board, search_made.seed);
  EXPECT_EQ(by_sample.size(), 15u);
  for (const auto& [c, games] : by_sample) {
    EXPECT_EQ(games.size(), 2u);
    by_generation.insert(games);
  }
  EXPECT_EQ(by_generation.size(), 3u);
}

// All that a tuning can do about a failed search is to say so; what was known before is kept.
TEST(TuningRun, AFailedSearchEndsTheRunWithItsSentence) {
  TuningState state = beginning();
  RunPlan search = search_for(state.plan, 2);
  SearchKind kind = *search.kind;
  kind.make = [](const SearchTask&, const Settings&, const Resources&, Incumbent&) -> std::vector<NamedSearch> {
    throw std::runtime_error("the engine is gone");
  };
  search.kind = &kind;
  GameTeam team(search, {});
  int saves = 0;
  TuningRun run(state, search, team, [&](const TuningState&) {
    ++saves;
    return std::string();
  });
  EXPECT_EQ(run.run([] {}, {}), "the engine is gone");
  EXPECT_GE(saves, 2);
  EXPECT_FALSE(run.is_finished());
}

TEST(TuningRun, ReportsAFileThatCannotBeWrittenAndTriesAgain) {
  TuningState state = beginning();
  const RunPlan search = search_for(state.plan, 1);
  GameTeam team(search, {});
  int saves = 0;
  TuningRun run(state, search, team,
                [&](const TuningState&) { return ++saves < 5 ? std::string("disk full") : std::string(); });
  std::set<std::string> problems;
  EXPECT_EQ(run.run([&] { problems.insert(run.save_problem()); }, {}), "");
  EXPECT_TRUE(problems.contains("disk full"));
  EXPECT_EQ(run.save_problem(), "");
  EXPECT_TRUE(run.is_finished());
}

// A board of two equal blocks has one game: no points for the group and 1000 for the cleared board.
TEST(TuningRun, EvaluationIsTheMeanOfItsGames) {
  TuningPlan plan = small_plan();
  plan.columns = 2;
  plan.rows = 1;
  plan.colors = 1;
  const RunPlan search = search_for(plan, 2);
  GameTeam team(search, {});
  const TuningSample sample = evaluate(plan, search, team, plan.start_point(), 0, [](std::size_t) {}, {});
  EXPECT_EQ(sample.scores, (std::vector<std::optional<int>>{1000, 1000}));
  EXPECT_EQ(sample.fitness(), 1000);
}

}  // namespace
}  // namespace chainshot::host
