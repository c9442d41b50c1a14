// An archive gives back all that it was given: boards, lines, runs and turns. It keeps a line once, believes no score
// that the reference rules do not confirm, and knows the best line of every board.
#include "host/archive/archive.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

#include "host/archive/archive_text.hpp"
#include "tests/support/arbitrary_boards.hpp"
#include "tests/support/archive_scene.hpp"

namespace chainshot::tests {
namespace {

using host::Archive;
using host::ArchivedLine;
using host::ArchivedTurn;
using host::ArchiveError;
using host::LineFilter;
using host::NewLine;

// Two pairs: 0,0 removes the lower pair (of 1s), 0,1 the upper one. Either order clears the board: 0 + 0 + 1000.
const game::Position kPairs = board_of({"00", "11"});
const std::vector<game::Cell> kLowerFirst = {{0, 0}, {0, 0}};
const std::vector<game::Cell> kUpperFirst = {{0, 1}, {0, 0}};
const std::vector<game::Cell> kLowerAlone = {{0, 0}};  // leaves two of one colour: -(2-2)^2 = 0

class Archives : public ArchiveTest {
 protected:
  Archive archive_{create("a.db")};

  Archive create(const std::string& name) {
    SetUp();
    return Archive(path(name), {.access = Access::kCreate});
  }
};

TEST_F(Archives, AnArchiveStartsEmpty) {
  EXPECT_TRUE(archive_.boards().empty());
  EXPECT_TRUE(archive_.lines({.only_improvements = false}).empty());
  EXPECT_TRUE(archive_.runs().empty());
  EXPECT_TRUE(archive_.check().empty());
  EXPECT_EQ(archive_.path(), path("a.db"));
}

TEST_F(Archives, ABoardIsKnownByItsCellsAndKeepsItsFirstName) {
  const std::int64_t id = archive_.board_id({"first", kPairs});
  EXPECT_EQ(archive_.board_id({"second", kPairs}), id);
  EXPECT_NE(archive_.board_id({"first", board_of({"11", "00"})}), id);
  EXPECT_EQ(archive_.find_board(kPairs), id);
  EXPECT_EQ(archive_.find_board(board_of({"22"})), std::nullopt);
  EXPECT_EQ(archive_.board(id).name, "first");
  EXPECT_EQ(archive_.board(id).position, kPairs);
  EXPECT_EQ(archive_.boards().size(), 2u);
}

// Computed by another program from the definition in docs/formats.md. Files hold hashes, so they never change.
TEST_F(Archives, TheHashOfABoardNeverChanges) {
  EXPECT_EQ(host::board_hash(kPairs), "6e73d874e1dedd97240748d65ae8eacc");
}

TEST_F(Archives, TheSameBlocksOnALargerBoardAreAnotherBoard) {
  EXPECT_NE(host::board_hash(board_of({"00"})), host::board_hash(board_of({"..", "00"})));
  EXPECT_NE(host::board_hash(board_of({"00"})), host::board_hash(board_of({"00."})));
}

TEST_F(Archives, AllStandardBoardsHaveDifferentHashesAndComeBack) {
  std::set<std::string> hashes;
  for (const game::NamedBoard& board : game::standard_boards()) {
    EXPECT_EQ(archive_.board(archive_.board_id(board)).position, board.position);
    EXPECT_EQ(host::board_hash(board.position).size(), 32u);
    hashes.insert(host::board_hash(board.position));
  }
  EXPECT_EQ(hashes.size(), 20u);
}

TEST_F(Archives, ALineComesBackWithEverythingThatIsKnownAboutIt) {
  const std::int64_t board = archive_.board_id({"pairs", kPairs});
  NewLine line = line_of(board, kPairs, kLowerFirst);
  line.origin = {"2026-11-18T07:00:00.123Z",
                 "anneal",
                 "auto",
                 R"({"a": 1})",
                 "18446744073709551615",
                 "cpu",
                 "AVX2",
                 "box",
                 "1.2",
                 "records.txt"};
  line.run = archive_.begin_run({.uid = "u"});
  line.turn = 7;
  line.is_elite = true;
  ASSERT_EQ(archive_.add({line}), std::vector<bool>{true});
  const ArchivedLine back = archive_.lines({}).at(0);
  EXPECT_EQ(back.board, board);
  EXPECT_EQ(back.scoring, "standard");
  EXPECT_EQ(back.score, 1000);
  EXPECT_EQ(back.moves, kLowerFirst);
  const auto& origin = back.origin;
  const std::vector<std::string> texts = {origin.found,   origin.search,  origin.preset, origin.parameters,
                                          origin.seed,    origin.engine,  origin.device, origin.host,
                                          origin.version, origin.imported};
  EXPECT_EQ(texts, (std::vector<std::string>{"2026-11-18T07:00:00.123Z", "anneal", "auto", R"({"a": 1})",
                                             "18446744073709551615", "cpu", "AVX2", "box", "1.2", "records.txt"}));
  EXPECT_EQ(back.run, line.run);
  EXPECT_EQ(back.turn, 7);
  EXPECT_TRUE(back.is_elite);
  EXPECT_TRUE(back.improved);
  EXPECT_EQ(archive_.line(back.id).moves, kLowerFirst);
}

TEST_F(Archives, ALineIsKeptOnceAndAsItWas) {
  const std::int64_t board = archive_.board_id({"pairs", kPairs});
  NewLine line = line_of(board, kPairs, kLowerFirst);
  EXPECT_EQ(archive_.add({line, line}), (std::vector<bool>{true, false}));
  line.origin.host = "another";
  line.is_elite = true;
  EXPECT_EQ(archive_.add({line}), std::vector<bool>{false});
  const auto lines = archive_.lines({.only_improvements = false});
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].origin.host, "");
  EXPECT_FALSE(lines[0].is_elite);
  EXPECT_TRUE(lines[0].improved);
  // The same moves by another scoring are another line.
  EXPECT_EQ(archive_.add({line_of(board, kPairs, kLowerFirst, *game::scoring_named("points"))}),
            std::vector<bool>{true});
}

TEST_F(Archives, OnlyAStrictlyBetterLineIsAnImprovement) {
  const std::int64_t board = archive_.board_id({"pairs", kPairs});
  archive_.add({line_of(board, kPairs, kLowerAlone), line_of(board, kPairs, kLowerFirst)});
  archive_.add({line_of(board, kPairs, kUpperFirst)});  // 1000 again
  const auto lines = archive_.lines({.only_improvements = false});
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_TRUE(lines[0].improved);
  EXPECT_TRUE(lines[1].improved);
  EXPECT_FALSE(lines[2].improved);
  EXPECT_EQ(archive_.best(board, "standard")->moves, kLowerFirst);  // the earlier of equals
  EXPECT_EQ(archive_.best(board, "points"), std::nullopt);
  EXPECT_EQ(archive_.lines({.only_best = true}).size(), 1u);
}

TEST_F(Archives, LinesThatDoNotReplayAreRefusedAndNothingIsAdded) {
  const std::int64_t board = archive_.board_id({"pairs", kPairs});
  const NewLine good = line_of(board, kPairs, kLowerFirst);
  NewLine wrong = good;
  wrong.score = 1001;
  EXPECT_THROW(archive_.add({good, wrong}), std::logic_error);
  EXPECT_EQ(Archive::check_line(kPairs, wrong), "the moves score 1000, but the line states 1001");
  wrong = good;
  wrong.moves.push_back({0, 0});
  EXPECT_THROW(archive_.add({good, wrong}), std::logic_error);
  EXPECT_NE(Archive::check_line(kPairs, wrong), "");
  wrong = good;
  wrong.scoring = "chess";
  EXPECT_THROW(archive_.add({wrong}), std::logic_error);
  EXPECT_EQ(Archive::check_line(kPairs, wrong), "no scoring is called 'chess'");
  wrong = good;
  wrong.board = board + 1;
  EXPECT_THROW(archive_.add({wrong}), std::logic_error);
  EXPECT_TRUE(archive_.lines({.only_improvements = false}).empty());
  EXPECT_EQ(Archive::check_line(kPairs, good), "");
}

TEST_F(Archives, LinesAreFilteredByBoardScoringRunAndTime) {
  const std::int64_t pairs = archive_.board_id({"pairs", kPairs});
  const game::Position triple = board_of({"000"});
  const std::int64_t other = archive_.board_id({"triple", triple});
  const std::int64_t run = archive_.begin_run({.uid = "u"});
  std::vector<NewLine> lines = {line_of(pairs, kPairs, kLowerAlone), line_of(pairs, kPairs, kLowerFirst),
                                line_of(other, triple, {{0, 0}}, *game::scoring_named("points"))};
  lines[0].origin.found = "2026-11-17T23:59:59.999Z";
  lines[1].origin.found = "2026-11-18T00:00:00.000Z";
  lines[2].origin.found = "2026-11-19T00:00:00.000Z";
  lines[1].run = run;
  archive_.add(lines);
  const auto count = [&](const LineFilter& filter) { return archive_.lines(filter).size(); };
  EXPECT_EQ(count({}), 3u);
  EXPECT_EQ(count({.board = pairs}), 2u);
  EXPECT_EQ(count({.board = other}), 1u);
  EXPECT_EQ(count({.scoring = "points"}), 1u);
  EXPECT_EQ(count({.run = run}), 1u);
  EXPECT_EQ(count({.since = "2026-11-18"}), 2u);
  EXPECT_EQ(count({.since = "2026-11-18T00:00:00.001Z"}), 1u);
  EXPECT_EQ(count({.only_best = true}), 2u);
  EXPECT_EQ(count({.board = pairs, .scoring = "standard", .run = run, .since = "2026", .only_best = true}), 1u);
}

TEST_F(Archives, RowsThatDoNotExistAreNamed) {
  const auto sentence = [&](const std::function<void()>& action) -> std::string {
    try {
      action();
    } catch (const ArchiveError& error) {
      EXPECT_TRUE(error.is_input());
      return error.what();
    }
    return "no error";
  };
  const std::string archive = "archive " + path("a.db");
  EXPECT_EQ(sentence([&] { archive_.board(3); }), archive + " has no board 3");
  EXPECT_EQ(sentence([&] { archive_.line(4); }), archive + " has no line 4");
  EXPECT_EQ(sentence([&] { archive_.run(5); }), archive + " has no run 5");
  EXPECT_EQ(sentence([&] { archive_.spend(5, 1); }), archive + " has no run 5");
  EXPECT_EQ(sentence([&] { archive_.end_run(5, "finished", 1); }), archive + " has no run 5");
  EXPECT_EQ(sentence([&] { archive_.begin_turn(5, 1, {}); }), archive + " has no turn 1 of run 5");
  EXPECT_EQ(sentence([&] { archive_.end_turn(5, 1, {}, {}, 0); }), archive + " has no turn 1 of run 5");
  EXPECT_EQ(sentence([&] { archive_.end_turn(5, 1, {}, {}, 0); }), archive + " has no turn 1 of run 5");
}

TEST_F(Archives, ARunComesBackAndEnds) {
  const std::int64_t id = archive_.begin_run({.uid = "abc",
                                              .started = "2026-11-18T07:00:00.000Z",
                                              .host = "box",
                                              .version = "1.2",
                                              .command = R"(["chainshot"])",
                                              .machine = "{}",
                                              .plan = R"({"scoring": "points"})"});
  EXPECT_EQ(archive_.run(id).state, "running");
  EXPECT_EQ(archive_.run(id).ended, "");
  archive_.spend(id, 2.5);
  EXPECT_EQ(archive_.run(id).seconds, 2.5);
  archive_.end_run(id, "stopped", 3.5);
  const auto run = archive_.runs().at(0);
  EXPECT_EQ(run.uid, "abc");
  EXPECT_EQ(run.started, "2026-11-18T07:00:00.000Z");
  EXPECT_EQ(run.host, "box");
  EXPECT_EQ(run.version, "1.2");
  EXPECT_EQ(run.command, R"(["chainshot"])");
  EXPECT_EQ(run.machine, "{}");
  EXPECT_EQ(run.plan, R"({"scoring": "points"})");
  EXPECT_EQ(run.state, "stopped");
  EXPECT_EQ(run.seconds, 3.5);
  EXPECT_EQ(run.ended.size(), std::string("2026-11-18T07:00:00.123Z").size());
}

TEST_F(Archives, ATurnIsPlannedBegunSpentAndEnded) {
  const std::int64_t board = archive_.board_id({"pairs", kPairs});
  const std::int64_t run = archive_.begin_run({.uid = "u", .plan = R"({"scoring": "standard"})"});
  archive_.plan_round(run, {{.number = 1, .round = 1, .board = board, .seed = ~0ull, .seconds = 0.5},
                            {.number = 2, .round = 1, .board = board, .seed = 3, .playouts = ~0ull}});
  ArchivedTurn turn = archive_.turns(run).at(0);
  EXPECT_EQ(turn.seed, ~0ull);
  EXPECT_EQ(turn.seconds, 0.5);
  EXPECT_FALSE(turn.begun || turn.ended);
  EXPECT_EQ(archive_.turns(run).at(1).playouts, ~0ull);

  archive_.begin_turn(run, 1, {});
  EXPECT_EQ(archive_.turns(run).at(0).score_before, std::nullopt);
  archive_.add({line_of(board, kPairs, kLowerAlone)});
  archive_.begin_turn(run, 1, {1});  // resumed: it keeps what it began with
  turn = archive_.turns(run).at(0);
  EXPECT_TRUE(turn.begun && !turn.ended);
  EXPECT_EQ(turn.score_before, std::nullopt);
  EXPECT_TRUE(turn.starts.empty());

  archive_.begin_turn(run, 2, {1, 5, 9});
  archive_.spend(run, 0, {{2, {.seconds = 0.25, .playouts = 10, .evaluations = 20}}});
  EXPECT_EQ(archive_.turns(run).at(1).spent.playouts, 10u);
  archive_.end_turn(run, 2, {line_of(board, kPairs, kLowerFirst)}, {.seconds = 0.5, .playouts = 11, .evaluations = 21},
                    1000);
  turn = archive_.turns(run).at(1);
  EXPECT_TRUE(turn.ended);
  EXPECT_EQ(turn.starts, (std::vector<std::int64_t>{1, 5, 9}));
  EXPECT_EQ(turn.score_before, 0);
  EXPECT_EQ(turn.score, 1000);
  EXPECT_EQ(turn.spent.seconds, 0.5);
  EXPECT_EQ(turn.spent.evaluations, 21u);
  EXPECT_EQ(archive_.best(board, "standard")->score, 1000);
}

// The score before a turn is by the scoring in the plan: 1000 by the standard one, 0 by points.
TEST_F(Archives, TheScoreBeforeATurnIsByTheScoringOfItsRun) {
  const std::int64_t board = archive_.board_id({"pairs", kPairs});
  const game::Scoring points = *game::scoring_named("points");
  archive_.add({line_of(board, kPairs, kLowerFirst), line_of(board, kPairs, kLowerFirst, points)});
  for (const auto& [uid, plan, score] :
       {std::tuple("a", R"({"scoring": "points"})", 0), std::tuple("b", "{}", 1000), std::tuple("c", "", 1000)}) {
    const std::int64_t run = archive_.begin_run({.uid = uid, .plan = plan});
    archive_.plan_round(run, {{.number = 1, .round = 1, .board = board}});
    archive_.begin_turn(run, 1, {});
    EXPECT_EQ(archive_.turns(run).at(0).score_before, score) << plan;
  }
}

TEST_F(Archives, ARoundIsPlannedOnceAndAsAWhole) {
  const std::int64_t board = archive_.board_id({"pairs", kPairs});
  const std::int64_t run = archive_.begin_run({.uid = "u"});
  archive_.plan_round(run, {{.number = 2, .round = 1, .board = board}});
  try {
    archive_.plan_round(run, {{.number = 1, .round = 1, .board = board}, {.number = 2, .round = 1, .board = board}});
    FAIL();
  } catch (const ArchiveError& error) {
    EXPECT_EQ(std::string(error.what()), "archive " + path("a.db") + " has turn 2 of run " + std::to_string(run) +
                                             " already; another program seems to continue that run");
  }
  EXPECT_EQ(archive_.turns(run).size(), 1u);
}

TEST_F(Archives, AFailedEndOfATurnAddsNoLine) {
  const std::int64_t board = archive_.board_id({"pairs", kPairs});
  EXPECT_THROW(archive_.end_turn(1, 1, {line_of(board, kPairs, kLowerFirst)}, {}, 1000), ArchiveError);
  EXPECT_TRUE(archive_.lines({.only_improvements = false}).empty());
}

TEST(ArchiveText, OnlyWhatTheTablesMayHoldIsRead) {
  EXPECT_EQ(host::moves_of("0,1 14,3"), (std::vector<game::Cell>{{0, 1}, {14, 3}}));
  EXPECT_EQ(host::moves_of(""), std::vector<game::Cell>{});
  for (const char* wrong : {" ", "0,1 ", " 0,1", "0,1  0,1", "0", "0,99", "a,b"})
    EXPECT_EQ(host::moves_of(wrong), std::nullopt) << wrong;
  EXPECT_EQ(host::ids_of("[]"), std::vector<std::int64_t>{});
  EXPECT_EQ(host::ids_of("[1,22,-3]"), (std::vector<std::int64_t>{1, 22, -3}));
  for (const char* wrong : {"", "[", "]", "[,]", "[1,]", "[1 2]", "[a]", "[1"})
    EXPECT_EQ(host::ids_of(wrong), std::nullopt) << wrong;
  EXPECT_EQ(host::position_of("0./11", 2, 2), board_of({"0.", "11"}));
  EXPECT_EQ(host::position_of("11/0.", 2, 2), std::nullopt);  // a block over a hole
  for (const char* wrong : {"", "0./1", "0.-11", "0?/11", "0./11/"})
    EXPECT_EQ(host::position_of(wrong, 2, 2), std::nullopt) << wrong;
  EXPECT_EQ(host::position_of("0", 0, 1), std::nullopt);
  EXPECT_EQ(host::position_of("0", 1, 33), std::nullopt);
}

RC_GTEST_PROP(ArchiveText, BoardsAndMovesComeBack, ()) {
  Dice dice = arbitrary_dice();
  const game::Position board = random_board(dice, random_shape(dice));
  RC_ASSERT(host::position_of(host::cells_text(board), board.columns(), board.rows()) == board);
  const auto moves = random_game(dice, board);
  RC_ASSERT(host::moves_of(host::moves_text(moves)) == moves);
}

// Adds random games of a few boards in random batches and looks for the best by hand.
RC_GTEST_FIXTURE_PROP(Archives, TheBestLineIsTheBestOfAllThatWereAdded, ()) {
  Dice dice = arbitrary_dice();
  std::map<std::pair<std::int64_t, std::string>, NewLine> best;
  std::set<std::string> seen;
  for (int batch = 0; batch < 2; ++batch) {
    std::vector<NewLine> lines;
    for (int i = dice.between(1, 3); i > 0; --i) {
      const game::Position position = full_board(dice, {dice.between(1, 3), dice.between(1, 3), 2});
      const std::int64_t board = archive_.board_id({"b", position});
      lines.push_back(random_line(dice, board, position, game::kScorings[static_cast<std::size_t>(dice.below(2))]));
    }
    const std::vector<bool> added = archive_.add(lines);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const NewLine& line = lines[i];
      const std::string name = std::to_string(line.board) + line.scoring + host::moves_text(line.moves);
      RC_ASSERT(added[i] == seen.insert(name).second);
      const auto [entry, is_first] = best.try_emplace({line.board, line.scoring}, line);
      if (line.score > entry->second.score) entry->second = line;
    }
  }
  for (const auto& [key, line] : best) {
    const auto found = archive_.best(key.first, key.second);
    RC_ASSERT(found && found->score == line.score && found->moves == line.moves);
  }
  for (const ArchivedLine& line : archive_.lines({.only_best = true}))
    if (const auto known = best.find({line.board, line.scoring}); known != best.end())
      RC_ASSERT(line.moves == known->second.moves);
  RC_ASSERT(archive_.check().empty());
}

}  // namespace
}  // namespace chainshot::tests
