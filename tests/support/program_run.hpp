// Runs the built program as a user would, in a temporary folder of its own.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace chainshot {

struct ProgramRun {
  int exit_code = -1;
  std::string out;
  std::string err;
};

class ProgramTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) /
              (std::string("chainshot-") + info->name() + '-' + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ / name; }

  std::string read(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }

  // Runs a line of shell in which `chainshot` is the program. Standard input is empty.
  ProgramRun shell(const std::string& line) const {
    const std::string script = "cd '" + folder_.string() + "' && chainshot() { '" CHAINSHOT_EXE "' \"$@\"; }; { " +
                               line + "; } >.out 2>.err </dev/null";
    const int status = std::system(script.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(".out"), read(".err")};
  }
  ProgramRun run(const std::string& arguments) const { return shell("chainshot " + arguments); }

  // Signals the program as soon as the shell command `sign` succeeds, so that what it has done by then does not depend
  // on the speed of the machine.
  ProgramRun run_until(const std::string& sign, const std::string& arguments, const std::string& signal) const {
    return shell("'" CHAINSHOT_EXE "' " + arguments + " & until " + sign +
                 "; do kill -0 $! 2>/dev/null || break; sleep 0.05; done; kill -" + signal + " $!; wait $!");
  }
  // Interrupts the program, and tries again with more time if it had nothing to report yet: how soon it has something
  // depends on the machine.
  ProgramRun run_for_a_while(const std::string& arguments) const {
    ProgramRun stopped;
    for (const char* seconds : {"2", "8", "32"}) {
      // Without --foreground, `timeout` signals the program and then its whole group, which counts as a second Ctrl-C.
      stopped = shell("timeout --foreground --preserve-status -s INT -k 60 " + std::string(seconds) +
                      " '" CHAINSHOT_EXE "' " + arguments);
      if (!stopped.out.empty()) break;
    }
    return stopped;
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace chainshot
