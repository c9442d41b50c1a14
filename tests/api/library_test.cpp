// The interface for other programs: what it says agrees with the layers below, and what it refuses has a sentence.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <numeric>
#include <string>

#include "api/include/chainshot/chainshot.hpp"
#include "cpu/engine/cpu_engine.hpp"
#include "game/board_text.hpp"
#include "game/score_statistics.hpp"
#include "host/archive/archive.hpp"
#include "tests/support/brute_force.hpp"

namespace chainshot {
namespace {

// Two moves clear it: the pair of 1 falls onto the bottom once the pair of 0 is gone.
const Position& two_pairs() {
  static const Position position({"11", "00"});
  return position;
}

const Position& first_board() {
  static const Position position = standard_boards().front().position;
  return position;
}

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST(LibraryPosition, IsReadFromRowsAndColorsAlike) {
  const Position position({"1..", "00.", "A02"});
  EXPECT_EQ(position, Position(3, 3, {1, -1, -1, 0, 0, -1, 10, 0, 2}));
  EXPECT_EQ(position.to_rows(), (std::vector<std::string>{"1..", "00.", "A02"}));
  EXPECT_EQ(position.to_colors(), (std::vector<int>{1, -1, -1, 0, 0, -1, 10, 0, 2}));
  EXPECT_EQ(position.columns(), 3);
  EXPECT_EQ(position.blocks(), 6);
  EXPECT_EQ(position.color({0, 0}), 10);
  EXPECT_EQ(position.color({2, 2}), kEmpty);
}

TEST(LibraryPosition, PlaysItsMoves) {
  Position position({"1..", "00.", "A02"});
  // The three 0 are connected; the leftmost of their lowest row is (1, 0).
  ASSERT_EQ(position.moves(), (std::vector<Group>{{{1, 0}, 0, 3}}));
  EXPECT_EQ(position.play({0, 1}), 3);
  // The 1 falls onto the A, and the column of the 2 closes up.
  EXPECT_EQ(position.to_rows(), (std::vector<std::string>{"...", "1..", "A2."}));
  EXPECT_TRUE(position.is_over());
}

TEST(LibraryPosition, CopiesAreApart) {
  Position copy = two_pairs();
  copy.play({0, 0});
  EXPECT_EQ(two_pairs().blocks(), 4);
  EXPECT_EQ(copy.blocks(), 2);
  EXPECT_NE(copy.hash(), two_pairs().hash());
}

TEST(LibraryPosition, RefusesWhatIsNoBoard) {
  EXPECT_EQ(refusal([] { Position({"0.", "0"}); }), "rows of 2 and 1 cells; expected rows of one length");
  EXPECT_EQ(refusal([] { Position({"0!"}); }), "'!' is not a colour; expected 0-9, A-E, or '.' for empty");
  EXPECT_EQ(refusal([] {
              Position({"0", "."});
            }),
            "the board is not settled; expected no block above a hole or right of an empty column");
  EXPECT_EQ(refusal([] { Position(std::vector<std::string>{}); }),
            "a board of 0 columns and 0 rows; expected 1 to 31 columns and 1 to 32 rows");
  EXPECT_EQ(refusal([] { Position(1, 1, {15}); }),
            "colour 15 in column 0, row 0; expected 0 to 14, or -1 for an empty cell");
}

TEST(LibraryPosition, RefusesMovesThatAreNone) {
  Position position({"01"});
  EXPECT_EQ(refusal([&] {
              position.play({0, 0});
            }),
            "the block has no equal neighbour in column 0, row 0; expected a cell of a group of two or more");
  EXPECT_EQ(refusal([&] {
              position.play({2, 0});
            }),
            "column 2, row 0 is outside the board of 2 columns and 1 rows; both count from 0 at the bottom left");
  EXPECT_EQ(position.blocks(), 2);
}

TEST(LibraryScores, FollowTheRules) {
  EXPECT_EQ(group_points(5), 9);                     // (5 - 2)^2
  EXPECT_EQ(group_points(5, "bubble-breaker"), 20);  // 5 x 4
  EXPECT_EQ(final_points(Position({"."})), 1000);
  EXPECT_EQ(final_points(Position({"0001"})), -2);  // (3 - 2)^2 and (1 - 2)^2
  const Replay cleared = replay(two_pairs(), {{0, 0}, {1, 0}});
  EXPECT_EQ(cleared.score, 1000);
  EXPECT_TRUE(cleared.is_over);
  EXPECT_EQ(replay(two_pairs(), {{0, 0}}).blocks_left, 2);
  EXPECT_EQ(refusal([] { group_points(5, "standart"); }), "no scoring is called 'standart'; did you mean 'standard'?");
  EXPECT_NE(refusal([] { replay(two_pairs(), {{300, 0}}); }).find("move 1"), std::string::npos);
}

TEST(LibraryText, SurvivesTheWayThroughText) {
  const Board board{"mine", Position({"1..", "00.", "A02"})};
  const std::vector<Board> boards = parse_boards(to_text(board));
  ASSERT_EQ(boards.size(), 1u);
  EXPECT_EQ(boards[0].name, "mine");
  EXPECT_EQ(boards[0].position, board.position);
  const std::vector<Solution> lines = parse_solutions(to_text(Solution{"mine", "total", 7, {{1, 0}, {0, 2}}}));
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].scoring, "total");
  EXPECT_EQ(lines[0].score, 7);
  EXPECT_EQ(lines[0].moves, (Moves{{1, 0}, {0, 2}}));
  EXPECT_EQ(refusal([] { read_boards("/no/such/file"); }), "cannot read /no/such/file: No such file or directory");
}

TEST(LibraryBoards, AreThoseOfTheProgram) {
  const game::NamedBoard& first = game::standard_boards().front();
  EXPECT_EQ(first_board().to_rows(), game::letter_rows(first.position));
  EXPECT_EQ(standard_boards().size(), 20u);
  const Position chessboard = generate_board({.kind = "chessboard", .columns = 4, .rows = 4, .colors = 2});
  EXPECT_TRUE(chessboard.is_over());
  EXPECT_EQ(refusal([] { generate_board({.kind = "unifrom"}); }),
            "no kind of board is called 'unifrom'; did you mean 'uniform'?");
}

TEST(LibraryPlayouts, AreThoseOfTheEngine) {
  const std::unique_ptr<game::Engine> engine = cpu::make_cpu_engine({.threads = 1});
  const game::Position& board = game::standard_boards().front().position;
  const game::Outcome wanted =
      engine->run({.seed = 7, .histogram = {.low = 0, .width = 100, .bins = 50}, .requests = {{board, 0, {}, 3000}}});
  const PlayoutResult found =
      Engine({.threads = 2}).play(first_board(), {.playouts = 3000, .seed = 7, .bins = Bins{0, 100, 50}});
  EXPECT_EQ(found.count, 3000u);
  EXPECT_EQ(found.best, wanted.results[0].best);
  EXPECT_EQ(found.worst, wanted.results[0].worst);
  EXPECT_DOUBLE_EQ(found.mean, game::mean(wanted.results[0]));
  EXPECT_DOUBLE_EQ(found.deviation, game::standard_deviation(wanted.results[0]));
  EXPECT_EQ(found.histogram, wanted.results[0].histogram);
  EXPECT_EQ(replay(first_board(), found.best_moves).score, found.best);
}

TEST(LibraryPlayouts, DependOnTheirPositionAlone) {
  Engine engine({.threads = 2});
  const PlayoutOptions options{.playouts = 500, .policy = {.name = "random"}, .bins = Bins{0, 50, 100}};
  const std::vector<PlayoutResult> both = engine.play({two_pairs(), first_board()}, options);
  EXPECT_EQ(both[1].histogram, engine.play(first_board(), options).histogram);
  // Whatever a game of two pairs plays, it clears the board.
  EXPECT_EQ(both[0].mean, 1000);
  EXPECT_EQ(both[0].deviation, 0);
  EXPECT_EQ(both[0].mean_moves, 2);
}

TEST(LibraryPlayouts, ChooseBinsThatHoldAllScores) {
  const PlayoutResult result = Engine({.threads = 1}).play(first_board(), {.playouts = 2000});
  EXPECT_EQ(std::accumulate(result.histogram.begin(), result.histogram.end(), std::uint64_t{0}), 2000u);
  EXPECT_EQ(result.histogram.size(), static_cast<std::size_t>(result.bins.count));
  EXPECT_LE(result.bins.low, result.worst);
  EXPECT_GT(result.bins.low + result.bins.width * result.bins.count, result.best);
}

TEST(LibraryPlayouts, EndWhenTheCallerHasEnough) {
  Engine engine({.threads = 2});
  PlayoutOptions options{.playouts = 4'000'000'000};
  std::uint64_t heard = 0;
  options.progress = [&heard](std::uint64_t played) { return (heard = played) == 0; };
  const PlayoutResult result = engine.play(first_board(), options);
  EXPECT_GT(result.count, 0u);
  EXPECT_LT(result.count, 4'000'000'000u);
  EXPECT_EQ(replay(first_board(), result.best_moves).score, result.best);

  std::stop_source stop;
  stop.request_stop();
  options.progress = {};
  options.stop = stop.get_token();
  EXPECT_EQ(engine.play(first_board(), options).count, 0u);
}

TEST(LibraryPlayouts, LetExceptionsOfTheCallerPass) {
  struct Mine {};
  Engine engine({.threads = 1});
  PlayoutOptions options{.playouts = 4'000'000'000};
  options.progress = [](std::uint64_t) -> bool { throw Mine(); };
  EXPECT_THROW(engine.play(first_board(), options), Mine);
  options.progress = [&engine](std::uint64_t) { return engine.play(two_pairs()).count > 0; };
  EXPECT_EQ(refusal([&] { engine.play(first_board(), options); }),
            "this engine is playing already; expected another engine in a progress function");
  EXPECT_EQ(engine.play(two_pairs(), {.playouts = 10}).count, 10u);
}

TEST(LibraryPlayouts, RefuseParametersThatAPolicyDoesNotHave) {
  Engine engine({.threads = 1});
  const auto with = [&engine](const PolicyOptions& policy) {
    return refusal([&] { engine.play(two_pairs(), {.playouts = 1, .policy = policy}); });
  };
  EXPECT_EQ(with({.name = "random", .epsilon = 0.1}),
            "epsilon does not apply to policy random; expected it with a policy that begins with tabu");
  EXPECT_EQ(with({.epsilon = 1.5}), "epsilon is out of range; expected a number from 0 to 1");
  EXPECT_NE(with({.tabu_color = "9"}).find("has no such colour; expected one of 0 1"), std::string::npos);
  EXPECT_EQ(refusal([] { Engine({.name = "abacus"}); }).substr(0, 9), "no engine");
}

TEST(LibrarySearch, FindsTheBestScoreOfASmallBoard) {
  const Position position({"0121", "1021", "2100", "0122"});
  tests::BruteForce brute_force(game::kStandardScoring);
  const std::string text = to_text(Board{"small", position});
  const int best = brute_force.best(game::ReferenceBoard(game::parse_boards(text, "test").front().position));
  const SolveResult found = solve(position, {.preset = "a-star", .seconds = 60});
  EXPECT_TRUE(found.is_proven);
  EXPECT_EQ(found.score, best);
  EXPECT_EQ(replay(position, found.moves).score, best);
}

TEST(LibrarySearch, TakesSettingsByName) {
  SolveOptions options{.preset = "uct", .settings = {{"c", std::int64_t{1}}}, .playouts = 300};
  options.engine = {.name = "cpu", .threads = 1};
  EXPECT_GT(solve(two_pairs(), options).score, 0);
  const auto with = [&options](const std::string& name, const SettingValue& value) {
    options.settings = {{name, value}};
    return refusal([&] { solve(two_pairs(), options); });
  };
  EXPECT_EQ(with("c", std::string("much")), "setting c is of another type; expected a number");
  EXPECT_EQ(with("islands", std::int64_t{2}), "islands is a setting of annealing; preset uct does not have it");
  EXPECT_EQ(with("selektion", std::string("uct")),
            "no setting of preset uct is called 'selektion'; did you mean "
            "'selection'?");
  EXPECT_EQ(with("deterministic", true), "nothing was refused");
  options.preset = "utc";
  EXPECT_NE(with("c", 0.5).find("no preset is called 'utc'"), std::string::npos);
}

TEST(LibrarySearch, EndsWhenTheCallerHasEnough) {
  SolveOptions options{.seconds = 1000};
  options.engine = {.name = "cpu", .threads = 1};
  int score = 0;
  options.progress = [&score](const Progress& now) {
    score = now.score.value_or(0);
    return now.moves.empty();
  };
  const SolveResult found = solve(first_board(), options);
  EXPECT_GE(found.score, score);
  EXPECT_EQ(replay(first_board(), found.moves).score, found.score);

  std::stop_source stop;
  stop.request_stop();
  options.stop = stop.get_token();
  options.progress = {};
  EXPECT_FALSE(solve(first_board(), options).moves.empty());

  struct Mine {};
  options.stop = {};
  options.progress = [](const Progress&) -> bool { throw Mine(); };
  EXPECT_THROW(solve(first_board(), options), Mine);
}

TEST(LibrarySearch, IsNeverWorseThanItsStarts) {
  const Moves known = Engine({.threads = 1}).play(first_board(), {.playouts = 2000}).best_moves;
  const SolveOptions options{.preset = "greedy", .starts = {known}};
  EXPECT_GE(solve(first_board(), options).score, replay(first_board(), known).score);
  EXPECT_NE(refusal([] {
              solve(two_pairs(), {.starts = {{{1, 1}, {1, 1}, {1, 1}}}});
            }).find("move 2"),
            std::string::npos);
}

TEST(LibraryChoices, AreThoseOfTheProgram) {
  EXPECT_EQ(policies().front().name, "random");
  EXPECT_EQ(scorings().front().name, "standard");
  EXPECT_EQ(presets().front().name, "auto");
  bool has_c = false;
  for (const Setting& setting : settings("uct"))
    if (setting.name == "c") has_c = std::holds_alternative<double>(setting.value);
  EXPECT_TRUE(has_c);
}

TEST(LibraryArchive, ReadsWhatTheProgramHasWritten) {
  const std::string path =
      std::filesystem::temp_directory_path() / ("library-test-" + std::to_string(getpid()) + ".db");
  {
    host::Archive archive(path, {.access = host::ArchiveOptions::Access::kCreate});
    const std::int64_t board = archive.board_id({"pairs", game::parse_boards("11\n00\n", "test").front().position});
    host::NewLine line;
    line.board = board;
    line.scoring = "standard";
    line.score = 1000;
    line.moves = {{0, 0}, {1, 0}};
    line.origin.search = "anneal";
    archive.add({line});
  }
  const Archive archive(path);
  ASSERT_EQ(archive.boards().size(), 1u);
  EXPECT_EQ(archive.boards()[0].board.position, two_pairs());
  const std::vector<ArchivedLine> lines = archive.lines({.only_best = true});
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].board, "pairs");
  EXPECT_EQ(lines[0].score, 1000);
  EXPECT_EQ(lines[0].search, "anneal");
  EXPECT_EQ(lines[0].moves, (Moves{{0, 0}, {1, 0}}));
  EXPECT_TRUE(archive.lines({.scoring = "total"}).empty());
  EXPECT_TRUE(archive.runs().empty());
  std::filesystem::remove(path);
  EXPECT_NE(refusal([&path] { Archive other(path); }).find(path), std::string::npos);
}

}  // namespace
}  // namespace chainshot
