// The contract of `chainshot report`: what it makes of logs and archives, and what it refuses. tests/tools/
// report_page_test.py opens the page in a browser.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "game/board_text.hpp"
#include "host/archive/archive.hpp"
#include "tests/support/archive_scene.hpp"
#include "tests/support/program_run.hpp"

namespace chainshot {
namespace {

using nlohmann::json;

// 2026-11-18T01:00:00Z is 20775 days and an hour after 1970.
constexpr std::int64_t kOneOClock = (std::int64_t{20775} * 24 + 1) * 3600 * 1000;

json run_line(const std::string& date, int seed) {
  json line = {{"version", 1}, {"event", "run"}, {"preset", "uct"}, {"seed", seed}, {"host", "night"}};
  line["command"] = {"chainshot", "solve", "a board"};
  if (!date.empty()) line["date"] = date;
  return line;
}

json best_line(const std::string& board, double seconds, int score) {
  return {{"event", "best"}, {"board", board}, {"seconds", seconds}, {"score", score}, {"source", "tree"}};
}

json end_line(const std::string& board, double seconds, int score) {
  return {{"event", "end"}, {"board", board}, {"seconds", seconds}, {"score", score}, {"moves", json::array()}};
}

std::string log_of(const std::vector<json>& lines) {
  std::string text;
  for (const json& line : lines)
    text += line.dump() + '\n';
  return text;
}

class ReportTest : public ProgramTest {
 protected:
  json report(const std::string& arguments) {
    const ProgramRun done = run("report " + arguments + " --json");
    EXPECT_EQ(done.exit_code, 0) << done.err;
    return json::parse(done.out);
  }
};

TEST_F(ReportTest, ALaterRunGainsOnlyWhatIsBetterThanEarlierOnes) {
  write("run.jsonl", log_of({run_line("2026-11-18T01:00:00Z", 1), best_line("a", 1, 100), best_line("a", 2, 150),
                             end_line("a", 10, 150), best_line("b", 1, 10), end_line("b", 10, 10),
                             run_line("2026-11-18T02:00:00Z", 2), best_line("a", 1, 120), best_line("a", 3, 170),
                             end_line("a", 10, 170), best_line("c", 2, 30), best_line("c", 4, 45)}));
  const json data = report("run.jsonl");
  EXPECT_EQ(data["version"], 1);
  EXPECT_EQ(data["sum"], 170 + 10 + 45);
  EXPECT_EQ(data["last_run"], 1);
  // a: from 150 to 170; c is new, from its first line at 30 to 45.
  EXPECT_EQ(data["gain"], 20 + 15);
  ASSERT_EQ(data["boards"].size(), 3u);
  const json& a = data["boards"][0];
  EXPECT_EQ(a["name"], "a");
  EXPECT_EQ(a["gain"], 20);
  EXPECT_EQ(a["seed"], "2");
  EXPECT_EQ(a["search"], "tree");
  EXPECT_EQ(a["history"],
            json({{kOneOClock + 1000, 100}, {kOneOClock + 2000, 150}, {kOneOClock + 3600'000 + 3000, 170}}));
  // The second board of a run starts when the first one has ended, after 10 s.
  EXPECT_EQ(data["boards"][1]["history"], json({{kOneOClock + 11'000, 10}}));
  EXPECT_EQ(data["boards"][1]["gain"], 0);
  EXPECT_EQ(data["runs"][0]["state"], "finished");
  EXPECT_EQ(data["runs"][0]["seconds"], 20);
  EXPECT_EQ(data["runs"][0]["gain"], 50);
  EXPECT_EQ(data["runs"][1]["state"], "not finished");
  EXPECT_EQ(data["runs"][1]["improvements"], 3);
  EXPECT_EQ(data["runs"][1]["command"], "chainshot solve a board");
}

TEST_F(ReportTest, RatesOfAllSearchesAddUp) {
  const auto status = [](const char* search, double seconds, int playouts, int evaluations) {
    return json{{"event", "status"},  {"board", "a"},         {"search", search},
                {"seconds", seconds}, {"playouts", playouts}, {"evaluations", evaluations},
                {"busy_share", 0.5}};
  };
  write("run.jsonl", log_of({run_line("2026-11-18T01:00:00Z", 1), status("tree", 2, 100, 0),
                             status("anneal", 2, 0, 600), status("tree", 4, 500, 0), best_line("a", 4, 1)}));
  // 100 playouts and 600 evaluations in 2 s, then 400 playouts in 2 s.
  EXPECT_EQ(report("run.jsonl")["runs"][0]["rates"],
            json({{kOneOClock + 2000, 50, 300, 0.5}, {kOneOClock + 4000, 200, 0, 0.5}}));
}

TEST_F(ReportTest, BoardsOfALogAreFoundByNameOnlyIfTheLinesReplay) {
  write("mine.txt", "board mine\n00\n11\n");
  // Two groups of two blocks earn nothing, the cleared board 1000.
  json line = best_line("mine", 1, 1000);
  line["line"] = {{0, 0}, {0, 0}};
  write("run.jsonl", log_of({run_line("2026-11-18T01:00:00Z", 1), line}));
  EXPECT_FALSE(report("run.jsonl")["boards"][0].contains("cells"));
  const json found = report("run.jsonl --boards mine.txt")["boards"][0];
  EXPECT_EQ(found["cells"], json({"00", "11"}));
  EXPECT_EQ(found["moves"], line["line"]);
  line["score"] = 999;
  write("run.jsonl", log_of({run_line("", 1), line}));
  const json wrong = report("run.jsonl --boards mine.txt")["boards"][0];
  EXPECT_FALSE(wrong.contains("cells"));
  EXPECT_FALSE(wrong.contains("moves"));
  EXPECT_EQ(wrong["best"], 999);
  EXPECT_EQ(wrong["history"], json::array());  // the log has no date
}

TEST_F(ReportTest, AnArchiveAndALogOfItsBoardShareARow) {
  const game::NamedBoard board = {"mine", game::parse_boards("board mine\n00\n11\n", "test").front().position};
  {
    host::Archive archive(path("night.archive"), {.access = host::ArchiveOptions::Access::kCreate});
    const std::int64_t id = archive.board_id(board), run = archive.begin_run({.uid = "1",
                                                                              .started = "2026-11-18T01:00:00Z",
                                                                              .host = "night",
                                                                              .version = "1",
                                                                              .command = R"(["chainshot","record"])",
                                                                              .machine = R"({"processor":"fast"})",
                                                                              .plan = "{}"});
    host::NewLine line = tests::line_of(id, board.position, {{0, 0}});  // two blocks of one colour are left: 0
    line.run = run;
    line.origin.found = "2026-11-18T01:00:05Z";
    EXPECT_TRUE(archive.add({line})[0]);
    archive.end_run(run, "finished", 60);
  }
  json better = best_line("mine", 1, 1000);
  better["line"] = {{0, 0}, {0, 0}};
  write("run.jsonl", log_of({run_line("2026-11-18T02:00:00Z", 1), better}));
  const json data = report("run.jsonl night.archive");
  ASSERT_EQ(data["boards"].size(), 1u);
  EXPECT_EQ(data["boards"][0]["best"], 1000);
  EXPECT_EQ(data["boards"][0]["gain"], 1000);
  EXPECT_EQ(data["boards"][0]["history"], json({{kOneOClock + 5000, 0}, {kOneOClock + 3601'000, 1000}}));
  EXPECT_EQ(data["runs"][0]["command"], "chainshot record");
  EXPECT_EQ(data["runs"][0]["processor"], "fast");
  EXPECT_EQ(data["last_run"], 1);
}

TEST_F(ReportTest, ThePageNeedsNothingElse) {
  write("run.jsonl", log_of({run_line("2026-11-18T01:00:00Z", 1), best_line("</script><b>CHAINSHOT_SCRIPTS", 1, 100)}));
  const ProgramRun done = run("report run.jsonl -o page.html");
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_EQ(done.out, "1 board, sum 100, last run +0: page.html\n");
  const std::string page = read("page.html");
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
  for (const char* loaded : {" src=", "href=\"http", "@import", "url(", "CHAINSHOT_HEAD", "</script><b>"})
    EXPECT_EQ(page.find(loaded), std::string::npos) << loaded;
  EXPECT_NE(page.find("\\u003c/script>\\u003cb>CHAINSHOT_SCRIPTS"), std::string::npos);
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
  EXPECT_NE(run("report run.jsonl -o again.html").exit_code, 1);
  EXPECT_NE(read("again.html"), page);  // the word of the policy is another one
}

TEST_F(ReportTest, NoBoardIsOneSentence) {
  write("run.jsonl", log_of({run_line("2026-11-18T01:00:00Z", 1)}));
  EXPECT_EQ(run("report run.jsonl -o page.html").out, "no board has a line yet\n");
  EXPECT_EQ(report("run.jsonl")["boards"], json::array());
}

TEST_F(ReportTest, WrongInputIsOneSentence) {
  write("run.jsonl", log_of({run_line("2026-11-18T01:00:00Z", 1)}));
  write("bad.jsonl", "{}\n");
  json outside = best_line("a", 1, 1);
  outside["line"] = {{99, 0}};
  write("outside.jsonl", log_of({run_line("", 1), outside}));
  write("torn.archive", std::string("SQLite format 3\0", 16) + "torn");
  for (const char* arguments :
       {"report run.jsonl", "report", "report missing.jsonl -o x.html", "report bad.jsonl -o x.html",
        "report outside.jsonl -o x.html", "report torn.archive -o x.html", "report run.jsonl -o run.jsonl",
        "report run.jsonl -o - --json", "report run.jsonl --boards missing.txt -o x.html"}) {
    const ProgramRun failed = run(arguments);
    EXPECT_EQ(failed.exit_code, 2) << arguments << failed.err;
    EXPECT_EQ(failed.out, "") << arguments;
    EXPECT_EQ(std::count(failed.err.begin(), failed.err.end(), '\n'), 1) << failed.err;
  }
}

}  // namespace
}  // namespace chainshot
