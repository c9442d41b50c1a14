// Tests of `chainshot record` share this: boards that are searched in a moment, and what an archive holds, without what
// depends on the clock.
#pragma once

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "host/archive/archive.hpp"
#include "tests/support/program_run.hpp"

namespace chainshot {

// A line of an archive without its id and its time.
using LineContent =
    std::tuple<std::string, std::string, int, std::string, std::string, std::string, std::int64_t, int, bool, bool>;

inline std::string moves_text(const std::vector<game::Cell>& moves) {
  std::string text;
  for (const game::Cell cell : moves)
    text += std::to_string(cell.column) + ',' + std::to_string(cell.row) + ' ';
  return text;
}

class RecordTest : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    // Two boards of 7 x 6 blocks of 4 colours, made by hand.
    write("boards.txt",
          "board first\n0123012\n1120331\n2201133\n3312200\n0031122\n1203310\n\n"
          "board second\n3210321\n0012233\n1332001\n2201130\n0311223\n1020312\n");
  }

  std::vector<LineContent> content(const std::string& archive) const {
    const host::Archive opened(path(archive), {});
    std::vector<LineContent> lines;
    for (const host::ArchivedLine& line : opened.lines({.only_improvements = false}))
      lines.emplace_back(opened.board(line.board).hash, line.scoring, line.score, moves_text(line.moves),
                         line.origin.search, line.origin.seed, line.run, line.turn, line.is_elite, line.improved);
    std::sort(lines.begin(), lines.end());
    return lines;
  }

  // A run of counted turns that takes a moment.
  static std::string counted(const std::string& archive, int rounds = 3) {
    return "record standard-01 standard-02 --archive " + archive +
           " --turn-playouts 30000 --longest-turn 3 --threads 2 --rounds " + std::to_string(rounds);
  }
};

}  // namespace chainshot
