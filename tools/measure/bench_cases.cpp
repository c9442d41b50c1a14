#include "tools/measure/bench_cases.hpp"

#include <array>
#include <utility>

#include "game/board_text.hpp"
#include "game/playout.hpp"
#include "tools/measure/random_board.hpp"

namespace chainshot::tools {
namespace {

using game::Policy;
using game::PolicyKind;
using game::Position;

constexpr std::uint64_t kSeed = 0x5A3E6A3E;

constexpr Policy kRandom{.kind = PolicyKind::kRandom};
constexpr Policy kTabuRandom{.kind = PolicyKind::kTabuRandom};
constexpr Policy kTabuColor{.kind = PolicyKind::kTabuColorRandom};
constexpr Policy kRoulette{.kind = PolicyKind::kRoulette};
constexpr Policy kLargestFirst{.kind = PolicyKind::kLargestFirst};

Policy with_epsilon(Policy policy, double epsilon) {
  policy.epsilon = game::epsilon_from(epsilon);
  return policy;
}

Policy with_pruning(Policy policy) {
  policy.vs_pruning = true;
  return policy;
}

std::vector<Position> standard_positions() {
  std::vector<Position> out;
  for (const game::NamedBoard& board : game::standard_boards())
    out.push_back(board.position);
  return out;
}

std::vector<Position> random_boards(int columns, int rows, int colors, int count) {
  std::vector<Position> out;
  for (int i = 0; i < count; ++i)
    out.push_back(random_board(columns, rows, colors, static_cast<std::uint64_t>(i)));
  return out;
}

// Makes boards of every size up to 6 x 6, with few colours so that games are long.
std::vector<Position> small_boards() {
  std::vector<Position> out;
  for (int columns = 1; columns <= 6; ++columns)
    for (int rows = 1; rows <= 6; ++rows)
      out.push_back(random_board(columns, rows, 1 + (columns + rows) % 4, 77));
  return out;
}

// Makes boards as a search sends them: some moves into the game, in order of depth.
std::vector<Position> played_boards() {
  std::vector<Position> out;
  for (const Position& start : standard_positions()) {
    std::vector<game::Cell> moves;
    game::play(start, {kTabuColor, game::kStandardScoring, start}, {.seed = kSeed, .request = 1, .playout = 0}, 0,
               &moves);
    Position position = start;
    for (std::size_t i = 0; i < out.size() * 3 && i < moves.size(); ++i)
      position.apply(moves[i]);
    out.push_back(position);
  }
  return out;
}

// Makes extreme boards: empty, one block, one move, a single row, a single column, one colour.
std::vector<Position> edge_boards() {
  std::vector<Position> out = {Position(1, 1), Position(15, 16), Position(31, 32)};
  for (const auto& [columns, rows, colors] : {std::array{1, 1, 1},
                                              {2, 1, 1},
                                              {1, 2, 1},
                                              {15, 1, 2},
                                              {1, 16, 2},
                                              {31, 1, 3},
                                              {1, 32, 3},
                                              {15, 16, 1},
                                              {31, 32, 1},
                                              {16, 16, 2},
                                              {15, 17, 2},
                                              {3, 3, 15}})
    out.push_back(random_board(columns, rows, colors, 5));
  return out;
}

class CaseList {
 public:
  // Adds a case with `playouts` playouts per board; every request gets its own key. The returned reference is valid
  // until the next call.
  game::Batch& add(std::string name, const std::vector<Position>& boards, const Policy& policy, std::uint32_t playouts,
                   const game::Scoring& scoring = game::kStandardScoring) {
    BenchCase& added = cases_.emplace_back();
    added.name = std::move(name);
    added.batch.seed = kSeed;
    added.batch.scoring = scoring;
    for (const Position& board : boards)
      added.batch.requests.push_back(
          {.position = board, .points = 0, .policy = policy, .playouts = playouts, .key = next_key_++});
    return added.batch;
  }

  std::vector<BenchCase> take() { return std::move(cases_); }

 private:
  std::vector<BenchCase> cases_;
  std::uint64_t next_key_ = 0;
};

void add_policies(CaseList& list, const std::vector<Position>& standard) {
  list.add("standard, random", standard, kRandom, 200);
  list.add("standard, tabu-random", standard, kTabuRandom, 200);
  list.add("standard, tabu-color-random", standard, kTabuColor, 500);
  list.add("standard, tabu-color-random, colour 2", standard, {.tabu_color = 2}, 200);
  list.add("standard, tabu-color-random, epsilon 0.003", standard, with_epsilon(kTabuColor, 0.003), 200);
  list.add("standard, tabu-random, epsilon 0.5", standard, with_epsilon(kTabuRandom, 0.5), 200);
  list.add("standard, tabu48", standard, {.random_below = 48}, 200);
  list.add("standard, tabu48, epsilon 0.1", standard, with_epsilon({.random_below = 48}, 0.1), 100);
  list.add("standard, roulette", standard, kRoulette, 200);
  list.add("standard, roulette, beta 0, theta 0", standard, {.kind = PolicyKind::kRoulette, .beta = 0, .theta = 0},
           100);
  list.add("standard, largest-first", standard, kLargestFirst, 10);
  list.add("standard, random, VS-pruning", standard, with_pruning(kRandom), 10);
  list.add("standard, tabu-color-random, VS-pruning", standard, with_pruning(kTabuColor), 10);
  list.add("standard, roulette, VS-pruning", standard, with_pruning(kRoulette), 10);
}

void add_shapes(CaseList& list) {
  list.add("1 x 1 to 6 x 6, random", small_boards(), kRandom, 40);
  list.add("1 x 1 to 6 x 6, roulette", small_boards(), kRoulette, 40);
  list.add("15 x 16, 7 colours, tabu-color-random", random_boards(15, 16, 7, 8), kTabuColor, 200);
  list.add("16 x 15, 5 colours, tabu48", random_boards(16, 15, 5, 4), {.random_below = 48}, 100);
  list.add("15 x 15, 8 colours, tabu-random", random_boards(15, 15, 8, 4), kTabuRandom, 100);
  list.add("31 x 32, 15 colours, tabu-color-random", random_boards(31, 32, 15, 4), kTabuColor, 50);
  list.add("31 x 32, 5 colours, random", random_boards(31, 32, 5, 4), kRandom, 50);
  list.add("31 x 32, 3 colours, roulette", random_boards(31, 32, 3, 4), kRoulette, 20);
  list.add("31 x 32, 5 colours, largest-first", random_boards(31, 32, 5, 2), kLargestFirst, 2);
  for (const auto& [name, policy] : {std::pair{"edges, random", kRandom},
                                     {"edges, tabu-random, epsilon", with_epsilon(kTabuRandom, 0.25)},
                                     {"edges, roulette", kRoulette},
                                     {"edges, largest-first", kLargestFirst}})
    list.add(name, edge_boards(), policy, 3);
}

void add_searches(CaseList& list) {
  const std::vector<Position> boards = played_boards();
  const auto earned_before = [](game::Batch& batch) {
    for (std::size_t i = 0; i < batch.requests.size(); ++i)
      batch.requests[i].points = static_cast<int>(100 * i);
  };
  earned_before(list.add("played positions, tabu-color-random", boards, kTabuColor, 64));
  earned_before(list.add("played positions, roulette of 225 cells", boards,
                         {.kind = PolicyKind::kRoulette, .full_cells = 225}, 32));
  // These requests use the last playout numbers and keys of more than 32 bits.
  for (game::Request& request : list.add("large keys, tabu-color-random", boards, kTabuColor, 40).requests) {
    request.first_playout = 0xFFFFFFFFu - 39;
    request.key |= 0xC0FFEE0000000000u;
  }
}

}  // namespace

std::vector<BenchCase> bench_cases() {
  CaseList list;
  const std::vector<Position> standard = standard_positions();
  add_policies(list, standard);
  add_shapes(list);
  add_searches(list);
  for (const game::Scoring& scoring : game::kScorings)
    list.add("scoring " + scoring.name() + ", tabu-color-random", standard, kTabuColor, 100, scoring);
  return list.take();
}

}  // namespace chainshot::tools
