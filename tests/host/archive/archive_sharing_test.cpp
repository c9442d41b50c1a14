// Several threads, objects and processes use one archive at the same time: nothing is lost, nothing is kept twice, and
// a process that is killed loses nothing that was added.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <csignal>
#include <thread>

#include "host/archive/archive.hpp"
#include "tests/support/archive_scene.hpp"
#include "tests/support/test_scale.hpp"

namespace chainshot::tests {
namespace {

using host::Archive;
using host::NewLine;

class SharedArchive : public ArchiveTest, public testing::WithParamInterface<bool> {
 protected:
  host::ArchiveOptions options(Access access = Access::kCreate) const {
    return {.access = access, .on_network = GetParam(), .patience_seconds = 60};
  }
};

const game::NamedBoard& shared_board() {
  return game::standard_boards()[0];
}

// Adds the games of one seed, one by one.
void add_games(Archive& archive, std::uint64_t seed, int games) {
  Dice dice(seed);
  const std::int64_t id = archive.board_id(shared_board());
  for (int i = 0; i < games; ++i)
    archive.add({random_line(dice, id, shared_board().position)});
}

// Games of two seeds may be equal only by a chance that nobody will see.
void expect_whole(const Archive& archive, std::size_t games) {
  const auto lines = archive.lines({.only_improvements = false});
  EXPECT_EQ(lines.size(), games);
  EXPECT_EQ(archive.boards().size(), 1u);
  EXPECT_EQ(archive.check(), std::vector<std::string>{});
  int best = -1'000'000;
  for (const auto& line : lines) {
    EXPECT_EQ(line.improved, line.score > best);
    best = std::max(best, line.score);
  }
}

TEST_P(SharedArchive, ThreadsShareOneObject) {
  Archive archive(path(), options());
  const int games = scaled(40);
  std::vector<std::thread> threads;
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    threads.emplace_back([&, seed] { add_games(archive, seed, games); });
  threads.emplace_back([&] {
    for (int i = 0; i < games; ++i)
      archive.lines({});
  });
  for (std::thread& thread : threads)
    thread.join();
  expect_whole(archive, static_cast<std::size_t>(3 * games));
}

TEST_P(SharedArchive, ThreadsWithTheirOwnObjectsMakeAndFillOneFile) {
  const int games = scaled(30);
  std::vector<std::thread> threads;
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    threads.emplace_back([&, seed] {
      Archive archive(path(), options());
      add_games(archive, seed, games);
    });
  for (std::thread& thread : threads)
    thread.join();
  expect_whole(Archive(path(), options(Access::kRead)), static_cast<std::size_t>(3 * games));
}

TEST_P(SharedArchive, ProcessesMakeAndFillOneFile) {
  const int games = scaled(30);
  std::vector<pid_t> children;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const pid_t child = ::fork();
    if (child == 0) {
      try {
        Archive archive(path(), options());
        add_games(archive, seed, games);
        ::_exit(0);
      } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        ::_exit(1);
      }
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  expect_whole(Archive(path(), options(Access::kRead)), static_cast<std::size_t>(3 * games));
}

// The child says after each game how many it has added; all those are there when it is killed at any moment.
TEST_P(SharedArchive, AKilledProcessLosesNothingThatItAdded) {
  for (int round = 0; round < scaled(8); ++round) {
    const std::string name = "k" + std::to_string(round);
    int pipe[2];
    ASSERT_EQ(::pipe(pipe), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      Archive archive(path(name), options());
      const std::int64_t id = archive.board_id(shared_board());
      Dice dice(static_cast<std::uint64_t>(round));
      for (;;) {
        archive.add({random_line(dice, id, shared_board().position)});
        if (::write(pipe[1], "x", 1) != 1) ::_exit(1);
      }
    }
    ::close(pipe[1]);
    char byte;
    std::size_t added = 0;
    for (int i = 0; i < 1 + 3 * round; ++i)
      added += ::read(pipe[0], &byte, 1) == 1 ? 1 : 0;
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    while (::read(pipe[0], &byte, 1) == 1)
      ++added;
    ::close(pipe[0]);
    const Archive archive(path(name), options(Access::kRead));
    const std::size_t kept = archive.lines({.only_improvements = false}).size();
    EXPECT_TRUE(kept == added || kept == added + 1) << kept << " of " << added;
    expect_whole(archive, kept);
  }
}

INSTANTIATE_TEST_SUITE_P(Folders, SharedArchive, testing::Bool(),
                         [](const auto& test) { return test.param ? "OnANetwork" : "OnOneMachine"; });

}  // namespace
}  // namespace chainshot::tests
