// The records that ship with the program are lines that anyone can replay, and the command that shows them adds them
// up.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>

#include "game/reference.hpp"
#include "game/solution_text.hpp"
#include "tests/support/program_run.hpp"

namespace chainshot {
namespace {

using nlohmann::json;

class RecordsCommand : public ProgramTest {
 protected:
  static std::vector<game::Solution> file() {
    const std::string path = CHAINSHOT_SOURCE_DIR "/data/records/standard20.txt";
    std::ifstream stream(path);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    return game::parse_solutions(text, path, game::Notation::kColumnRow, game::kMaxRows);
  }

  static int sum() {
    int sum = 0;
    for (const game::Solution& record : file())
      sum += record.score.value();
    return sum;
  }
};

TEST_F(RecordsCommand, EveryLineOfTheFileReplaysToItsScore) {
  std::map<std::string, int> lines;
  for (const game::Solution& record : file()) {
    ++lines[record.board];
    for (const game::NamedBoard& board : game::standard_boards()) {
      if (board.name != record.board) continue;
      const game::ReplayResult replayed = game::replay(board.position, record.moves, game::kStandardScoring);
      EXPECT_EQ(replayed.error, "") << record.board;
      EXPECT_TRUE(replayed.over) << record.board;
      EXPECT_EQ(replayed.score, record.score) << record.board;
      EXPECT_EQ(record.scoring, game::kStandardScoring) << record.board;
    }
  }
  ASSERT_EQ(lines.size(), 20U);
  for (const game::NamedBoard& board : game::standard_boards())
    EXPECT_EQ(lines[board.name], 1) << board.name;
}

// The published scores are those of the papers that tools/reports/published.hpp cites: SPURIOUS AI has 3269 points on
// the first board (Schadd 2012, table 7), Dist-NRPA 83050 on all (Negrevergne 2017, table 1).
TEST_F(RecordsCommand, ComparesWithPublishedScores) {
  const ProgramRun table = run("records");
  ASSERT_EQ(table.exit_code, 0) << table.err;
  const auto difference = [](int theirs, int ours) {
    return ours == theirs ? "0" : (ours > theirs ? "+" : "") + std::to_string(ours - theirs);
  };
  // Blanks depend on the widest cell.
  const std::string words = std::regex_replace(table.out, std::regex(" +"), " ");
  const int first = file().front().score.value();
  EXPECT_NE(
      words.find("\nstandard-01 " + std::to_string(first) + " 3269 " + difference(3269, first) + " SPURIOUS AI\n"),
      std::string::npos)
      << table.out;
  EXPECT_NE(words.find("\nthese records " + std::to_string(sum()) + "\n"), std::string::npos) << table.out;
  EXPECT_NE(words.find("\nDist-NRPA (2017) 83050 " + difference(83050, sum()) + "\n"), std::string::npos) << table.out;
  EXPECT_NE(words.find("\nSPURIOUS AI (2015) 87140 " + difference(87140, sum()) + "\n"), std::string::npos)
      << table.out;
  EXPECT_EQ(std::count(table.out.begin(), table.out.end(), '\n'), 1 + 20 + 1 + 1 + 1 + 4);
}

TEST_F(RecordsCommand, AnswersInJson) {
  const json answer = json::parse(run("records --json").out);
  EXPECT_EQ(answer["version"], 1);
  EXPECT_EQ(answer["sum"], sum());
  EXPECT_EQ(answer["systems"][0], json({{"name", "Dist-NRPA (2017)"}, {"sum", 83050}}));
  const std::vector<game::Solution> records = file();
  ASSERT_EQ(answer["boards"].size(), records.size());
  for (std::size_t i = 0; i < records.size(); ++i) {
    EXPECT_EQ(answer["boards"][i]["board"], records[i].board);
    EXPECT_EQ(answer["boards"][i]["score"], records[i].score.value());
    EXPECT_EQ(answer["boards"][i]["moves"].size(), records[i].moves.size());
  }
  // Negrevergne 2017, table 1.
  EXPECT_EQ(answer["boards"][1]["published"], 3985);
  EXPECT_EQ(answer["boards"][1]["system"], "Dist-NRPA");
  EXPECT_EQ(json::parse(run("records standard-02 --json").out)["boards"], json::array({answer["boards"][1]}));
}

TEST_F(RecordsCommand, PrintsSolutionsThatVerifyAccepts) {
  const ProgramRun one = shell("chainshot records standard-07 | chainshot verify standard-07 - --json");
  EXPECT_EQ(one.exit_code, 0) << one.out;
  EXPECT_EQ(json::parse(one.out)["score"], file()[6].score.value());
  for (const char* command : {"records standard", "records --json"}) {
    const ProgramRun all = shell(std::string("chainshot ") + command + " | chainshot verify standard - --json");
    EXPECT_EQ(all.exit_code, 0) << all.out;
    EXPECT_EQ(json::parse(all.out)["sum"], sum()) << command;
  }
}

TEST_F(RecordsCommand, KnowsABoardByItsCells) {
  const ProgramRun renamed = shell(
      "chainshot show standard-07 --json >board.json && sed -i s/standard-07/seven/ board.json && "
      "chainshot records board.json | chainshot verify board.json -");
  EXPECT_EQ(renamed.exit_code, 0) << renamed.out << renamed.err;
  EXPECT_TRUE(renamed.out.starts_with("seven  " + std::to_string(file()[6].score.value()) + " points")) << renamed.out;
}

TEST_F(RecordsCommand, RefusesOtherBoards) {
  write("board.txt", "board tiny\n00\n11\n");
  const ProgramRun refused = run("records board.txt");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_EQ(refused.out, "");
  EXPECT_EQ(refused.err,
            "chainshot: tiny is not a standard board, and only those have records; expected standard-01 to "
            "standard-20\n");
}

}  // namespace
}  // namespace chainshot
