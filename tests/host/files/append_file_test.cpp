#include "host/files/append_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace chainshot::host {
namespace {

// A limit on the size of files stands for a full disk.
class AppendFileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &before_);
  }
  void TearDown() override {
    allow(before_.rlim_cur);
    std::filesystem::remove(path);
  }

  void allow(rlim_t bytes) const {
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  }
  std::string content() const {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  const std::string path = std::filesystem::path(testing::TempDir()) / ("growing-" + std::to_string(::getpid()));

 private:
  rlimit before_ = {};
};

TEST_F(AppendFileTest, KeepsWhatIsThereAndGrows) {
  for (int run = 1; run <= 2; ++run) {
    AppendFile file(path);
    file.append("one\n");
    file.append("two\n");
    EXPECT_EQ(file.problem(), "");
  }
  EXPECT_EQ(content(), "one\ntwo\none\ntwo\n");
}

TEST_F(AppendFileTest, StartsBelowALineThatWasCutOff) {
  std::ofstream(path) << "whole\nof a killed pro";
  AppendFile file(path);
  EXPECT_EQ(content(), "whole\nof a killed pro");
  file.append("one\n");
  file.append("two\n");
  EXPECT_EQ(content(), "whole\nof a killed pro\none\ntwo\n");
}

TEST_F(AppendFileTest, OnlyOneProgramAtATimeAppends) {
  {
    AppendFile file(path);
    file.append("one\n");
    try {
      const AppendFile second(path);
      FAIL();
    } catch (const std::invalid_argument& error) {
      EXPECT_EQ(std::string(error.what()),
                "cannot write " + path + ": another program writes to it; expected another file");
    }
  }
  AppendFile(path).append("two\n");
  EXPECT_EQ(content(), "one\ntwo\n");
}

TEST_F(AppendFileTest, AFullDiskKeepsTheLinesOfEarlierRuns) {
  std::ofstream(path) << "earlier";
  AppendFile file(path);
  allow(9);
  file.append("does not fit\n");
  EXPECT_EQ(content(), "earlier");
  allow(100);
  file.append("fits\n");
  EXPECT_EQ(content(), "earlier\nfits\n");
}

TEST_F(AppendFileTest, LeavesOutWhatDoesNotFitAndGoesOn) {
  std::string notices;
  AppendFile file(path, [&](const std::string& sentence) { notices += sentence; });
  const std::string first = std::string(1000, '-') + '\n';
  file.append(first);
  allow(first.size() + 5);  // room for a part of the next line
  file.append("the second line\n");
  file.append("the third line\n");
  allow(first.size() + 1000);
  EXPECT_EQ(content(), first);
  file.append("the fourth line\n");
  EXPECT_EQ(content(), first + "the fourth line\n");
  EXPECT_EQ(file.problem(), "cannot write " + path + ": File too large; some lines are lost");
  EXPECT_EQ(notices, file.problem() + "; the work goes on");
}

TEST_F(AppendFileTest, SaysWhyThereIsNone) {
  try {
    const AppendFile file(path + "/x");
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(std::string(error.what()), "cannot write " + path + "/x: No such file or directory");
  }
}

}  // namespace
}  // namespace chainshot::host
