// What the program tells its user: suggestions that help, refusals of options without effect, and nothing that a
// terminal would obey.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "tests/support/program_run.hpp"

namespace chainshot {
namespace {

class Messages : public ProgramTest {
 protected:
  std::string refusal(const std::string& arguments) const {
    const ProgramRun failed = run(arguments);
    EXPECT_EQ(failed.exit_code, 2) << arguments;
    EXPECT_EQ(failed.out, "") << arguments;
    return failed.err;
  }
  void expect_suggestion(const std::string& arguments, const std::string& meant) const {
    const std::string sentence = refusal(arguments);
    EXPECT_NE(sentence.find("did you mean " + meant + "?"), std::string::npos) << sentence;
  }
};

TEST_F(Messages, SuggestionsAreWhatIsMeant) {
  expect_suggestion("play standard-01 --engine gpu", "'cuda'");
  expect_suggestion("solve standard-01 --engine GPU", "'cuda'");
  expect_suggestion("play standard-01 --engine cpuu", "'cpu'");
  expect_suggestion("solve standard-01 --seconds 5", "--time");
  expect_suggestion("solve standard-01 -t 5", "--time");
  expect_suggestion("solve standard-01 --output x", "--out");
  expect_suggestion("solve standard-01 -o x", "--out");
  expect_suggestion("play standard-01 --gpu", "--engine");
  expect_suggestion("solve standard-01 --tiem 5", "--time");
  expect_suggestion("show standard1", "'standard-01'");
  expect_suggestion("show standard_13", "'standard-13'");
  expect_suggestion("show standrd", "'standard'");
  EXPECT_EQ(refusal("help"),
            "chainshot: no command is called 'help'; expected chainshot --help, or --help after a command\n");
}

TEST_F(Messages, OptionsWithoutEffectAreRefused) {
  const std::string no_memory =
      "chainshot: engine cpu takes no memory of devices; expected no --gpu-memory, or engine auto or cuda\n";
  EXPECT_EQ(refusal("play standard-01 --engine cpu --gpu-memory 1G"), no_memory);
  for (const char* preset : {"uct", "anneal", "beam"})
    EXPECT_EQ(refusal("solve standard-01 --time 0.1 --engine cpu --gpu-memory 1G --preset " + std::string(preset)),
              no_memory);
  EXPECT_EQ(refusal("solve standard-01 --preset greedy --gpu-memory 1G"),
            "chainshot: preset greedy runs only on the CPU; expected no --gpu-memory\n");
  for (const char* option : {"--engine cpu", "--threads 2", "--isa portable", "--devices 0", "--gpu-memory 1G"})
    EXPECT_NE(refusal("play standard-01 --key 3 " + std::string(option)).find("without an engine"), std::string::npos);
}

// A chain of a small board takes 64 KiB, so 1 MiB has 16 of them, and 1 GiB 16,384.
TEST_F(Messages, LimitsThatCutAreSaidOnce) {
  const std::string anneal = "solve standard-01 standard-02 --preset anneal --engine cpu --playouts 1000 ";
  EXPECT_EQ(run(anneal + "--memory 1M --islands 4 --members 5").err,
            "chainshot: note: 20 lines do not fit into the memory of annealing; there are at most 16\n");
  EXPECT_EQ(run(anneal + "--memory 1M --islands 4 --members 4").err, "");
  EXPECT_EQ(run(anneal + "--memory 4G").err, "chainshot: note: annealing takes at most 1G, not --memory 4G\n");
  EXPECT_EQ(run(anneal + "--memory 1G").err, "");
  const std::string beam = "solve standard-01 standard-02 --preset beam --engine cpu --playouts 1000 --memory 1M ";
  const std::string cut = run(beam + "--width 1000000").err;
  EXPECT_EQ(cut.rfind("chainshot: note: --width 1000000 does not fit into the memory of a beam; it is at most ", 0),
            0u);
  EXPECT_EQ(cut.find('\n'), cut.size() - 1);
  EXPECT_EQ(run(beam + "--width 4").err, "");
}

// ESC [ 31 m turns a terminal red. U+009B is the same as ESC [ in one character.
TEST_F(Messages, FileNamesCannotCommandTheTerminal) {
  for (const auto& [name, shown] :
       {std::pair("a\033[31mb", "a\\x1B[31mb"), std::pair("a\u009b31mb", "a\\xC2\\x9B31mb"),
        std::pair("a\nb", "a\\x0Ab"), std::pair("a\xff", "a\\xFF"), std::pair("a\xed\xa0\x80", "a\\xED\\xA0\\x80"),
        std::pair("a\xe0\x80\x80", "a\\xE0\\x80\\x80"), std::pair("a\xf4\x90\x80\x80", "a\\xF4\\x90\\x80\\x80")}) {
    const ProgramRun failed = run("show '" + std::string(name) + "'");
    EXPECT_EQ(failed.exit_code, 2);
    EXPECT_EQ(failed.err, "chainshot: no board or file is called '" + std::string(shown) +
                              "'; expected standard-01 to standard-20, standard, FILE, FILE:NAME or -\n");
    const ProgramRun created = run("archive import '" + std::string(name) + ".db' standard-01.txt");
    for (const char control : {'\033', '\xff', '\xc2'})
      EXPECT_EQ((created.out + created.err).find(control), std::string::npos) << created.out << created.err;
  }
  // Such a name in JSON once ended the answer with an exception.
  const ProgramRun listed = run("archive list '\xed\xa0\x80.db' --json");
  EXPECT_EQ(listed.err.find("json"), std::string::npos) << listed.err;
  const std::string name = "a\033[31mb";
  ASSERT_EQ(run("solve standard-01 --preset greedy --log '" + name + "' --out '" + name + ".txt'").exit_code, 0);
  EXPECT_EQ(run("plot '" + name + "' -o plot.svg").exit_code, 0);
  EXPECT_EQ(read("plot.svg").find('\033'), std::string::npos);
  const ProgramRun started = run("solve standard-01 --preset greedy --from '" + name + ".txt'");
  EXPECT_NE(started.out.find("(a\\x1B[31mb.txt)"), std::string::npos) << started.out;
  const ProgramRun recorded = run("record standard-01 --for 1 --archive '" + name + ".db'");
  EXPECT_EQ((recorded.out + recorded.err).find('\033'), std::string::npos) << recorded.out << recorded.err;
  EXPECT_NE(run("show 'größe.txt'").err.find("größe.txt"), std::string::npos);  // letters stay as they are
}

// script(1) runs a command on a terminal.
TEST_F(Messages, ADumbTerminalGetsNoControlCodes) {
  const std::string play =
      "' play standard-01 --engine cpu --threads 1 --playouts 4000000 2>&1\" progress.txt >/dev/null";
  const auto progress_on = [&](const std::string& kind) {
    shell("TERM=" + kind + " script -qec \"TERM=" + kind + " timeout -s INT 3 '" CHAINSHOT_EXE + play);
    return read("progress.txt");
  };
  EXPECT_NE(progress_on("xterm").find('\033'), std::string::npos);
  const std::string dumb = progress_on("dumb");
  EXPECT_NE(dumb.find("standard-01"), std::string::npos) << dumb;
  EXPECT_EQ(dumb.find('\033'), std::string::npos) << dumb;
}

}  // namespace
}  // namespace chainshot
