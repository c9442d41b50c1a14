// A folder for archives, and lines for them: random games under the reference rules, so that their scores come from
// there as well.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "game/board_text.hpp"
#include "game/reference.hpp"
#include "host/archive/archive.hpp"
#include "tests/support/random_boards.hpp"

namespace chainshot::tests {

// Plays up to `most` random moves.
inline std::vector<game::Cell> random_game(Dice& dice, const game::Position& position, int most = 1000) {
  std::vector<game::Cell> moves;
  game::ReferenceBoard board(position);
  while (static_cast<int>(moves.size()) < most) {
    const auto groups = board.groups();
    if (groups.empty()) break;
    const auto& group = groups[static_cast<std::size_t>(dice.below(static_cast<int>(groups.size())))];
    moves.push_back(group.front());
    board.apply(group.front());
  }
  return moves;
}

inline host::NewLine line_of(std::int64_t board, const game::Position& position, std::vector<game::Cell> moves,
                             const game::Scoring& scoring = game::kStandardScoring) {
  host::NewLine line;
  line.board = board;
  line.scoring = scoring.name();
  line.score = game::replay(position, moves, scoring).score;
  line.moves = std::move(moves);
  line.origin.found = "2026-11-18T07:00:00.123Z";
  return line;
}

inline host::NewLine random_line(Dice& dice, std::int64_t board, const game::Position& position,
                                 const game::Scoring& scoring = game::kStandardScoring) {
  return line_of(board, position, random_game(dice, position), scoring);
}

class ArchiveTest : public testing::Test {
 protected:
  using Access = host::ArchiveOptions::Access;

  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) /
              (std::string("archive-") + info->name() + '-' + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override {
    std::filesystem::permissions(folder_, std::filesystem::perms::owner_all);
    std::filesystem::remove_all(folder_);
  }

  std::string path(const std::string& name = "a.db") const { return folder_ / name; }
  const std::filesystem::path& folder() const { return folder_; }

  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
  }
  std::string read(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace chainshot::tests
