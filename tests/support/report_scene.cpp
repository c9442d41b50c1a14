// The scene of tests/tools/report_page_test.py, a program of its own:
//
//   report_scene FILE BOARDS          writes an archive of a record run whose texts are hostile to a web page
//   report_scene FILE BOARDS live     then also serves the live page and prints its address; the line `better` on the
//                                     standard input improves the first board, `end` ends the run
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <mutex>
#include <string>

#include "tests/support/archive_scene.hpp"
#include "tools/reports/report_data.hpp"
#include "tools/watch/status_json.hpp"
#include "tools/watch/watch_server.hpp"

namespace chainshot {
namespace {

using host::Archive;

std::string time_text(int seconds) {
  return fmt::format("2026-11-18T{:02}:{:02}:{:02}.250Z", 1 + seconds / 3600, seconds / 60 % 60, seconds % 60);
}

class Scene {
 public:
  Scene(const std::string& path, int boards)
      : archive_(path, {.access = host::ArchiveOptions::Access::kCreate}), dice_(7) {
    run_ = archive_.begin_run({.uid = "scene",
                               .started = time_text(0),
                               .host = "<b>night</b>",
                               .version = "0.1.0",
                               .command = R"(["chainshot","record","<script>document.title='owned'</script>"])",
                               .machine = R"({"processor":"Scene <i>processor</i>"})",
                               .plan = "{}"});
    status_.run = "scene";
    status_.state = "running";
    status_.round = 1;
    status_.seconds_left = 3600;
    for (int i = 0; i < boards; ++i)
      add_board(i);
    archive_.end_run(run_, "finished", 4000);
  }

  // Adds the next better line of the first board.
  void improve() {
    const std::lock_guard lock(mutex_);
    if (next_.empty()) return;
    host::NewLine line = std::move(next_.back());
    next_.pop_back();
    line.origin.found = time_text(3900 + static_cast<int>(status_.seconds));
    host::RecordedBoard& board = status_.boards.front();
    board.best = line.score;
    board.improved_at = line.origin.found;
    archive_.add({line});
  }
  void end() {
    const std::lock_guard lock(mutex_);
    status_.state = "finished";
    status_.turns.clear();
  }
  std::string status() {
    const std::lock_guard lock(mutex_);
    status_.seconds += 0.5;
    status_.evaluations_per_second = 400'000 + 1000 * status_.seconds;
    status_.busy = 0.97;
    if (!status_.turns.empty()) status_.turns[0].seconds = status_.seconds;
    return tools::status_json(status_, "standard");
  }
  std::string data() const { return tools::archive_report_text(archive_); }

 private:
  // The first board gets half of its lines, from the lowest; the others are for `improve`.
  void add_board(int number) {
    const std::string name = fmt::format("board-{:03}", number);
    const game::Position position = tests::full_board(dice_, {8, 8, 4});
    const std::int64_t id = archive_.board_id({name, position});
    std::vector<host::NewLine> lines;
    for (int i = 0; i < (number == 0 ? 60 : 8); ++i)
      lines.push_back(tests::random_line(dice_, id, position));
    std::sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.score < b.score; });
    lines.erase(
        std::unique(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.score == b.score; }),
        lines.end());
    const auto kept = static_cast<std::ptrdiff_t>(number == 0 ? lines.size() / 2 : lines.size());
    if (number == 0) next_.assign(lines.rbegin(), lines.rend() - kept);
    lines.erase(lines.begin() + kept, lines.end());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      lines[i].run = run_;
      lines[i].turn = 1;
      lines[i].origin.found = time_text(5 * number + 700 * static_cast<int>(i % 5));
      lines[i].origin.search = "anneal";
      lines[i].origin.seed = "1";
      lines[i].origin.host = "<u>host</u>";
      archive_.add({lines[i]});
    }
    status_.boards.push_back({.id = id,
                              .name = name,
                              .best = lines.back().score,
                              .before = lines.front().score,
                              .known = {},
                              .turns = 1,
                              .improved_at = {}});
    if (number == 0)
      status_.turns.push_back({.board = 0, .number = 1, .best = {}, .seconds = 0, .share = 0.5, .status = {}});
  }

  Archive archive_;
  tests::Dice dice_;
  std::int64_t run_ = 0;
  std::mutex mutex_;
  host::RecordStatus status_;
  std::vector<host::NewLine> next_;  // the best one first
};

}  // namespace
}  // namespace chainshot

int main(int argc, char** argv) {
  using namespace chainshot;
  if (argc < 3) return 2;
  Scene scene(argv[1], std::stoi(argv[2]));
  if (argc < 4) return 0;
  const tools::WatchServer server({}, {.data = [&] { return scene.data(); }, .status = [&] { return scene.status(); }});
  std::cout << server.url() << std::endl;
  for (std::string line; std::getline(std::cin, line);) {
    if (line == "better") scene.improve();
    if (line == "end") scene.end();
  }
  return 0;
}
