// Plays a board at random, searches it, and replays the line that the search finds.
#include <cstdio>

#include <chainshot/chainshot.hpp>

namespace {

void solve_board(const chainshot::Board& board) {
  chainshot::Engine engine;
  const chainshot::PlayoutResult random = engine.play(board.position, {.playouts = 10'000});
  std::printf("%s: %d blocks, %zu moves\n", board.name.c_str(), board.position.blocks(), board.position.moves().size());
  std::printf("10,000 random games on %s: mean %.0f, best %d\n", engine.name().c_str(), random.mean, random.best);

  chainshot::SolveOptions options{.seconds = 60, .playouts = 200'000, .starts = {random.best_moves}};
  options.progress = [](const chainshot::Progress& now) {
    std::fprintf(stderr, "%.1f s: %d points\n", now.seconds, now.score.value_or(0));
    return true;  // false would end the search
  };
  const chainshot::SolveResult found = chainshot::solve(board.position, options);

  chainshot::Position position = board.position;
  int points = 0;
  for (const chainshot::Cell cell : found.moves)
    points += chainshot::group_points(position.play(cell));
  points += chainshot::final_points(position);
  std::printf("%d points in %zu moves, found by %s; replayed %d\n", found.score, found.moves.size(),
              found.found_by.c_str(), points);
}

}  // namespace

int main() {
  try {
    solve_board(chainshot::standard_boards().front());
  } catch (const chainshot::Error& error) {
    std::fprintf(stderr, "example: %s\n", error.what());
    return 1;
  }
}
