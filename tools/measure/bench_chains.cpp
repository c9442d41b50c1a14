#include "tools/measure/bench_chains.hpp"

#include <algorithm>
#include <utility>

#include "game/board_text.hpp"
#include "game/playout.hpp"
#include "game/random.hpp"
#include "tools/measure/random_board.hpp"

namespace chainshot::tools {
namespace {

constexpr std::uint64_t kChainSeed = 0xC4A1B;

// The first half of a random game.
std::vector<game::Cell> half_a_game(const game::Position& board) {
  std::vector<game::Cell> moves;
  game::play(board, {{.kind = game::PolicyKind::kRandom}, game::kStandardScoring, board},
             {.seed = kChainSeed, .request = 1, .playout = 0}, 0, &moves);
  moves.resize(moves.size() / 2);
  return moves;
}

BenchChains annealed(std::string name, const game::Position& board, const game::ChainLayout& layout,
                     std::uint64_t evaluations) {
  const int fewer = std::max(1, layout.members / 2);
  return {std::move(name),
          board,
          game::kStandardScoring,
          layout,
          half_a_game(board),
          {{40, 10, evaluations, layout.members}, {22, 5, evaluations, fewer}, {12, 2, evaluations, fewer}}};
}

BenchChains at_temperature(std::string name, const game::Position& board, const game::Scoring& scoring,
                           double temperature, std::uint64_t evaluations) {
  return {std::move(name), board, scoring, {.islands = 1, .members = 4}, {}, {{temperature, 5, evaluations, 4}}};
}

}  // namespace

std::vector<game::ChainStart> BenchChains::starts() const {
  std::vector<game::ChainStart> out;
  for (int i = 0; i < layout.chains(); ++i) {
    out.push_back({.chain = i,
                   .tabu_color = i % (board.colors() + 1) - 1,
                   .seed = static_cast<std::uint32_t>(game::mix64(kChainSeed + static_cast<std::uint64_t>(i)))});
    if (i % 2 == 1) out.back().moves = moves;
  }
  return out;
}

std::uint64_t BenchChains::resampling_seed(std::size_t step) const {
  return game::mix64(kChainSeed ^ step);
}

std::vector<BenchChains> bench_chains() {
  const std::vector<game::NamedBoard> standard = game::standard_boards();
  std::vector<BenchChains> cases;
  cases.push_back(
      annealed("chains, standard", standard[0].position, {.islands = 2, .members = 4, .first_island = 3}, 400));
  cases.push_back(
      annealed("chains, 15 x 16, 7 colours", random_board(15, 16, 7, 1), {.islands = 1, .members = 4}, 150));
  cases.push_back(annealed("chains, 16 x 9, 6 colours", random_board(16, 9, 6, 1), {.islands = 1, .members = 4}, 100));
  cases.push_back(
      annealed("chains, 31 x 32, 15 colours", random_board(31, 32, 15, 1), {.islands = 1, .members = 2}, 20));
  for (std::size_t i = 0; i < game::kScorings.size(); ++i)
    cases.push_back(at_temperature("chains, scoring " + game::kScorings[i].name(), standard[i + 1].position,
                                   game::kScorings[i], 20, 250));
  cases.push_back(at_temperature("chains, nearly frozen", standard[6].position, game::kStandardScoring, 0.5, 300));
  cases.push_back(at_temperature("chains, very hot", standard[7].position, game::kStandardScoring, 1e6, 100));
  cases.push_back(
      at_temperature("chains, 5 x 4, 2 colours", random_board(5, 4, 2, 1), game::kStandardScoring, 20, 300));
  cases.push_back(at_temperature("chains, 1 x 1", random_board(1, 1, 1, 1), game::kStandardScoring, 20, 5));
  return cases;
}

int BenchChainsResult::best() const {
  return *std::max_element(best_scores.begin(), best_scores.end());
}

std::uint64_t BenchChainsResult::digest() const {
  std::uint64_t digest = evaluations;
  const auto add = [&](int value) {
    digest = game::mix64(digest ^ static_cast<std::uint64_t>(static_cast<std::int64_t>(value)));
  };
  for (const std::vector<int>& values : {fitness, best_scores})
    for (const int value : values)
      add(value);
  for (const std::vector<game::Cell>& line : best_moves) {
    add(static_cast<int>(line.size()));
    for (const game::Cell cell : line)
      add(cell.column << 8 | cell.row);
  }
  return digest;
}

BenchChainsResult run_bench_chains(game::ChainEngine& engine, const BenchChains& bench) {
  const auto chains = engine.make_chains(bench.board, bench.scoring, bench.layout);
  BenchChainsResult result;
  game::ChainObserver unwatched;
  chains->start(bench.starts(), unwatched);
  for (std::size_t i = 0; i < bench.steps.size(); ++i) {
    const BenchChainStep& step = bench.steps[i];
    const game::AcceptanceTable table = bench.table(step);
    chains->advance(table, step.evaluations, unwatched);
    result.evaluations += step.evaluations * static_cast<std::uint64_t>(bench.layout.islands * chains->members());
    for (const int fitness : chains->fitness(table))
      result.fitness.push_back(fitness);
    if (i + 1 == bench.steps.size()) break;
    const BenchChainStep& next = bench.steps[i + 1];
    chains->resample(bench.table(next), game::ResampleTable(step.temperature, next.temperature), step.members,
                     bench.resampling_seed(i));
  }
  result.best_scores = chains->best_scores();
  for (int i = 0; i < bench.layout.chains(); ++i)
    result.best_moves.push_back(chains->best_moves(i));
  return result;
}

}  // namespace chainshot::tools
