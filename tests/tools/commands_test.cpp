// The contract of the command line: exit codes, JSON keys, error sentences, pipes, and files that survive errors.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cuda/cuda_engine.hpp"
#include "tests/support/program_run.hpp"

namespace chainshot {
namespace {

using nlohmann::json;

const std::string kTakesSolution = CHAINSHOT_SOURCE_DIR "/data/takes2009-board09.txt";
const std::string kStandardBoards = CHAINSHOT_SOURCE_DIR "/data/standard20.txt";

std::size_t widest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t widest = 0;
  for (std::string line; std::getline(lines, line);)
    widest = std::max(widest, line.size());
  return widest;
}

TEST_F(ProgramTest, HelpFitsAScreen) {
  const ProgramRun help = run("--help");
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_LE(std::count(help.out.begin(), help.out.end(), '\n'), 30);
  EXPECT_LE(widest_line(help.out), 80u);
  EXPECT_EQ(shell("chainshot").out, help.out);
}

TEST_F(ProgramTest, EveryCommandHasHelpWithExamplesIn80Columns) {
  for (const char* command : {"solve", "record", "records", "play", "verify", "show", "plot", "archive", "analyse",
                              "report", "tune", "generate", "devices", "bench", "speedtest"}) {
    const ProgramRun help = run(std::string(command) + " --help");
    EXPECT_EQ(help.exit_code, 0) << command;
    EXPECT_NE(help.out.find("Examples:"), std::string::npos) << command;
    EXPECT_LE(widest_line(help.out), 80u) << command;
  }
}

TEST_F(ProgramTest, MistypedWordsGetASuggestion) {
  const auto sentence = [&](const std::string& arguments) {
    const ProgramRun failed = run(arguments);
    EXPECT_EQ(failed.exit_code, 2) << arguments;
    EXPECT_EQ(failed.out, "") << arguments;
    return failed.err;
  };
  EXPECT_EQ(sentence("shwo standard-01"), "chainshot: no command is called 'shwo'; did you mean 'show'?\n");
  EXPECT_EQ(sentence("show standrad-07"),
            "chainshot: no board or file is called 'standrad-07'; did you mean 'standard-07'?\n");
  EXPECT_EQ(sentence("show " + kStandardBoards + ":standard-9"),
            "chainshot: no board of " + kStandardBoards + " is called 'standard-9'; did you mean 'standard-09'?\n");
  EXPECT_EQ(sentence("show standard-01 --htm x"), "chainshot: show has no option --htm; did you mean --html?\n");
  EXPECT_EQ(sentence("verify standard-09 x --scoring standart"),
            "chainshot: no scoring is called 'standart'; did you mean 'standard'?\n");
  EXPECT_EQ(sentence("generate --kind chess"),
            "chainshot: no kind of board is called 'chess'; did you mean 'chessboard'?\n");
}

TEST_F(ProgramTest, UsageErrorsAreOneSentence) {
  for (const char* arguments :
       {"verify standard-09", "show", "generate --count many", "show standard-01 x y z", "-q"}) {
    const ProgramRun failed = run(arguments);
    EXPECT_EQ(failed.exit_code, 2) << arguments;
    EXPECT_EQ(std::count(failed.err.begin(), failed.err.end(), '\n'), 1) << failed.err;
    EXPECT_TRUE(failed.err.starts_with("chainshot: ")) << failed.err;
  }
}

// Takes 2009, figure 1 prints the moves, table 2 their score.
TEST_F(ProgramTest, TheSolutionPrintedByTakesScores4707) {
  const ProgramRun verified =
      shell("chainshot verify standard-09 - --notation paper --json < '" + kTakesSolution + "'");
  EXPECT_EQ(verified.exit_code, 0) << verified.err;
  const json answer = json::parse(verified.out);
  EXPECT_EQ(answer["version"], 1);
  EXPECT_EQ(answer["board"], "standard-09");
  EXPECT_EQ(answer["score"], 4707);
  EXPECT_EQ(answer["moves"], 47);
  EXPECT_EQ(answer["cleared"], true);
  EXPECT_EQ(answer["left"], 0);
  EXPECT_EQ(run("verify standard-09 '" + kTakesSolution + "' --notation paper").out,
            "standard-09  4707 points, 47 moves, cleared\n");
}

// A 2 x 2 board of two pairs scores 0 + 0 points and the bonus. The lower pair alone leaves two of one colour:
// -(2-2)^2.
TEST_F(ProgramTest, VerifyReadsABoardFileAndASolutionFile) {
  write("b.txt", "board tiny\n00\n11\n");
  write("s.txt", "moves 0,0 1,0\n");
  EXPECT_EQ(run("verify b.txt s.txt").out, "tiny  1000 points, 2 moves, cleared\n");
  write("s.txt", "board tiny\nscore 0\nmoves 0,0\n");
  EXPECT_EQ(run("verify b.txt:tiny s.txt --unfinished").out, "tiny  0 points, 1 move, 2 blocks left, game not over\n");
  EXPECT_EQ(run("verify b.txt s.txt --scoring clickomania").exit_code, 1);
}

// The lower pair alone leaves two blocks: -2 in Clickomania, -(2-2)^2 = 0 in the standard game.
TEST_F(ProgramTest, SolutionsAreReadByTheScoringTheyName) {
  write("b.txt", "board a\n00\n11\n\nboard b\n00\n11\n");
  write("s.txt", "board a\nscoring clickomania\nscore -2\nmoves 0,0\n");
  EXPECT_EQ(run("verify b.txt s.txt --unfinished").out,
            "a  -2 points (scoring clickomania), 1 move, 2 blocks left, game not over\n");
  EXPECT_EQ(run("show b.txt:a s.txt --json").err, "");
  EXPECT_NE(run("show b.txt:a s.txt").out.find("score -2 (scoring clickomania) after 1 move"), std::string::npos);
  // A score stated for another scoring is not compared.
  const ProgramRun other = run("verify b.txt s.txt --scoring standard --unfinished");
  EXPECT_EQ(other.out, "a  0 points, 1 move, 2 blocks left, game not over\n");
  EXPECT_EQ(other.exit_code, 0);
  EXPECT_EQ(run("show b.txt:a s.txt --scoring standard --json").err, "");
  write("s.txt", "board a\nscoring clickomania\nmoves 0,0\n\nboard b\nmoves 0,0\n");
  const ProgramRun mixed = run("verify b.txt s.txt");
  EXPECT_EQ(mixed.exit_code, 2);
  EXPECT_EQ(
      mixed.err,
      "chainshot: s.txt:5:7: this solution uses scoring standard, but others use clickomania; expected --scoring to "
      "choose one\n");
  EXPECT_EQ(run("verify b.txt s.txt --scoring total --unfinished").exit_code, 0);
}

TEST_F(ProgramTest, WhatIsWrittenNamesItsScoring) {
  write("b.txt", "board a\n00\n12\n");
  for (const std::string command : {"solve b.txt --time 1", "play b.txt --playouts 100"}) {
    // The board has one group, which leaves two blocks of two colours.
    for (const auto& [scoring, answer] :
         {std::pair("clickomania", "a  -2 points (scoring clickomania), 1 move, 2 blocks left\n"),
          std::pair("points", "a  0 points (scoring points), 1 move, 2 blocks left\n"),
          std::pair("standard", "a  -2 points, 1 move, 2 blocks left\n")}) {
      // A new file each time, because solve adds a line for another scoring.
      ASSERT_EQ(shell("rm -f s.txt; chainshot " + command + " --out s.txt --scoring " + scoring).exit_code, 0);
      EXPECT_EQ(run("verify b.txt s.txt").out, answer);
      EXPECT_EQ(shell("chainshot " + command + " --json --scoring " + scoring + " | chainshot verify b.txt -").out,
                answer);
    }
  }
}

TEST_F(ProgramTest, VerifyNamesTheFirstIllegalMoveAndAWrongScore) {
  write("b.txt", "board tiny\n00\n12\n");
  write("s.txt", "board tiny\nmoves 0,0\n");
  const ProgramRun illegal = run("verify b.txt s.txt");
  EXPECT_EQ(illegal.exit_code, 1);
  EXPECT_NE(illegal.out.find("move 1 at column 0, row 0 is illegal"), std::string::npos) << illegal.out;
  const json answer = json::parse(run("verify b.txt s.txt --json").out);
  EXPECT_EQ(answer["moves"], 0);
  EXPECT_NE(answer["error"].get<std::string>().find("illegal"), std::string::npos);
  // One group of two, then two single blocks: 0 - (1-2)^2 - (1-2)^2 = -2.
  write("s.txt", "board tiny\nscore 5\nmoves 0,1\n");
  const ProgramRun wrong = run("verify b.txt s.txt");
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_EQ(wrong.out, "tiny  the moves score -2, but the solution states 5\n");
}

TEST_F(ProgramTest, VerifyTakesManySolutionsOfTheBoardsGiven) {
  write("b.txt", "board a\n00\n\nboard b\n111\n");
  write("s.txt", "board a\nmoves 0,0\n\nboard b\nscore 1001\nmoves 0,0\n");
  const json answer = json::parse(run("verify b.txt s.txt --json").out);
  EXPECT_EQ(answer["boards"].size(), 2u);
  EXPECT_EQ(answer["boards"][1]["score"], 1001);
  EXPECT_EQ(answer["sum"], 2001);  // (2-2)^2 + 1000 + (3-2)^2 + 1000
  EXPECT_EQ(json::parse(run("verify b.txt:b s.txt --json").out)["score"], 1001);
  write("s.txt", "board c\nmoves 0,0\n");
  EXPECT_EQ(run("verify b.txt:a s.txt").err,
            "chainshot: s.txt:1:7: this solution is for board c, not a; expected board a or no name\n");
  const ProgramRun unknown = run("verify b.txt s.txt");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_EQ(unknown.err.rfind("chainshot: s.txt:1:7: no given board is called 'c'", 0), 0u) << unknown.err;
  write("s.txt", "# a comment\n\nmoves 0,0\n");
  EXPECT_EQ(run("verify b.txt s.txt").err.rfind("chainshot: s.txt:3:7: this solution names no board", 0), 0u);
}

TEST_F(ProgramTest, ParseErrorsNameFileLineAndColumn) {
  write("b.txt", "board a\n01\n0!\n");
  const ProgramRun failed = run("show b.txt");
  EXPECT_EQ(failed.exit_code, 2);
  EXPECT_EQ(failed.err,
            "chainshot: b.txt:3:2: '!' is no colour; expected a digit or letter 0-9, A-E, or '.' for empty\n");
  EXPECT_EQ(run("show -").err, "chainshot: standard input:1:1: no board; expected a line `board NAME` and its rows\n");
  EXPECT_EQ(run("verify - -").exit_code, 2);
}

TEST_F(ProgramTest, ShowIsReadableWithoutColourAndInAPipe) {
  write("b.txt", "board tiny\n0.\n01\n");
  EXPECT_EQ(run("show b.txt").out,
            "tiny\n"
            " 1  0 .\n"
            " 0  0 1\n"
            "    0 1\n"
            "0: 2    1: 1\n"
            "3 blocks, 1 group (the largest has 2 blocks), at most 0 points\n");
  EXPECT_NE(run("show b.txt --color always").out.find("\x1b["), std::string::npos);
  EXPECT_EQ(run("show b.txt --color never").out, run("--color never show b.txt").out);
}

TEST_F(ProgramTest, ShowFits80Columns) {
  EXPECT_EQ(shell("chainshot generate --size 31x32 --colors 15 >b.txt").exit_code, 0);
  EXPECT_LE(widest_line(run("show b.txt").out), 80u);
  EXPECT_LE(widest_line(run("show standard-09 '" + kTakesSolution + "' --notation paper --all").out), 80u);
}

TEST_F(ProgramTest, ShowMarksTheGroupOfAStep) {
  write("b.txt", "board tiny\n00\n12\n");
  write("s.txt", "moves 0,1\n");
  EXPECT_EQ(run("show b.txt s.txt --step 1").out,
            "tiny\n"
            " 1  0*0*\n"
            " 0  1 2\n"
            "    0 1\n"
            "move 1 of 1: 0,1 takes 2 of colour 0, +0 points, score 0\n");
  EXPECT_EQ(run("show b.txt s.txt --step 2").err,
            "chainshot: --step 2: the solution of tiny has 1 move; expected 1 to 1\n");
}

TEST_F(ProgramTest, ShowAnswersInJson) {
  const json answer = json::parse(run("show standard-09 '" + kTakesSolution + "' --notation paper --json").out);
  EXPECT_EQ(answer["version"], 1);
  EXPECT_EQ(answer["name"], "standard-09");
  EXPECT_EQ(answer["blocks"], 225);
  EXPECT_EQ(answer["score"], 4707);
  EXPECT_EQ(answer["steps"].size(), 47u);
  EXPECT_EQ(answer["steps"][46]["score"], 3707);  // without the bonus of 1000
  EXPECT_EQ(json::parse(run("show standard --json").out)["boards"].size(), 20u);
}

TEST_F(ProgramTest, PagesAndPicturesNeedNothingElse) {
  const std::string replay = "show standard-09 '" + kTakesSolution + "' --notation paper ";
  EXPECT_EQ(run(replay + "--html page.html --svg picture.svg").exit_code, 0);
  const std::string page = read("page.html"), picture = read("picture.svg");
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
  for (const char* loaded : {"src=", "href=", "@import", "url(", "CHAINSHOT_"})
    EXPECT_EQ(page.find(loaded), std::string::npos) << loaded;
  EXPECT_TRUE(picture.starts_with("<svg xmlns="));
  EXPECT_TRUE(picture.ends_with("</svg>\n"));
}

TEST_F(ProgramTest, GenerateFeedsShowAndIsReproducible) {
  const ProgramRun piped = shell("chainshot generate --seed 7 --size 4x3 --colors 2 | chainshot show - --json");
  EXPECT_EQ(piped.exit_code, 0) << piped.err;
  EXPECT_EQ(json::parse(piped.out)["blocks"], 12);
  EXPECT_EQ(run("generate --seed 7 --count 3").out, run("generate --seed 7 --count 3").out);
  EXPECT_NE(run("generate --seed 7").out, run("generate --seed 8").out);
  const json answer = json::parse(run("generate --kind dominating --count 2 --json").out);
  EXPECT_EQ(answer["version"], 1);
  EXPECT_EQ(answer["boards"].size(), 2u);
}

TEST_F(ProgramTest, GenerateWritesCodingameInput) {
  const ProgramRun piped = shell("chainshot generate --format codingame | chainshot show - --json");
  EXPECT_EQ(json::parse(piped.out)["name"], "codingame");
  EXPECT_EQ(run("generate --format codingame --count 2").exit_code, 2);
  EXPECT_EQ(run("generate --format codingame --size 14x15").exit_code, 2);
}

TEST_F(ProgramTest, GenerateDrawsAnInvertedChessboard) {
  const json answer = json::parse(run("generate --kind chessboard --size 3x2 --invert 2,0 --json").out);
  EXPECT_EQ(answer["boards"][0]["cells"], json({"101", "011"}));
  EXPECT_EQ(run("generate --kind chessboard --size 3x2 --invert 3,0").exit_code, 2);
  EXPECT_EQ(run("generate --invert 0,0").exit_code, 2);
}

TEST_F(ProgramTest, AnErrorLeavesFilesAsTheyWere) {
  write("old.txt", "precious\n");
  EXPECT_EQ(run("generate --size 99x99 --out old.txt").exit_code, 2);
  EXPECT_EQ(read("old.txt"), "precious\n");
  EXPECT_EQ(run("generate --out no/such/folder.txt").exit_code, 2);
  EXPECT_EQ(run("generate --out old.txt").exit_code, 0);
  EXPECT_NE(read("old.txt").find("board uniform-s1-001"), std::string::npos);
  EXPECT_EQ(shell("ls").out, "old.txt\n");
}

TEST_F(ProgramTest, ShowNotesAScoreThatTheMovesDoNotHave) {
  write("b.txt", "board tiny\n00\n11\n");
  write("s.txt", "score 7\nmoves 0,0 0,0\n");
  const ProgramRun shown = run("show b.txt s.txt");
  EXPECT_EQ(shown.exit_code, 0);
  EXPECT_EQ(shown.err, "chainshot: note: board tiny: the moves score 1000, but the solution states 7\n");
  write("s.txt", "score 1000\nmoves 0,0 0,0\n");
  EXPECT_EQ(run("show b.txt s.txt").err, "");
}

TEST_F(ProgramTest, ARowOutsideTheBoardIsAnIllegalMoveInBothNotations) {
  write("b.txt", "board tiny\n00\n11\n");
  write("s.txt", "moves 0,2\n");
  EXPECT_EQ(run("verify b.txt s.txt").exit_code, 1);
  write("s.txt", "moves 3,1\n");
  const ProgramRun illegal = run("verify b.txt s.txt --notation paper");
  EXPECT_EQ(illegal.exit_code, 1) << illegal.err;
  EXPECT_NE(illegal.out.find("outside the board of 2 columns and 2 rows (written 3,1)"), std::string::npos);
}

// Five blocks score (5-2)^2; three single blocks of three colours would cost 1 each at the end of a game.
TEST_F(ProgramTest, VerifyDeductsNothingAfterAnIllegalMove) {
  write("b.txt", "board a\n00000123\n");
  write("s.txt", "moves 0,0 0,0\n");
  const json answer = json::parse(run("verify b.txt s.txt --json").out);
  EXPECT_EQ(answer["score"], 9);
  EXPECT_EQ(answer["moves"], 1);
  EXPECT_EQ(answer["left"], 3);
  EXPECT_TRUE(answer.contains("error"));
}

TEST_F(ProgramTest, TheSumCountsTheBestSolutionOfABoard) {
  write("b.txt", "board a\n00\n11\n\nboard b\n111\n");
  write("s.txt", "board a\nmoves 0,0\n\nboard a\nmoves 0,0 0,0\n\nboard b\nmoves 0,0\n");
  EXPECT_EQ(json::parse(run("verify b.txt s.txt --json --unfinished").out)["sum"], 2001);
  const std::string text = run("verify b.txt s.txt --unfinished").out;
  EXPECT_NE(text.find("2001 points, 3 solutions of 2 boards; best of each\n"), std::string::npos) << text;
}

TEST_F(ProgramTest, ErrorsAboutNumbersNameTheRange) {
  for (const char* arguments : {"generate --seed -3", "generate --seed 18446744073709551616", "generate --count 0",
                                "generate --colors 16", "generate --share nan", "show standard-01 x --step -1"}) {
    const ProgramRun failed = run(arguments);
    EXPECT_EQ(failed.exit_code, 2) << arguments;
    EXPECT_NE(failed.err.find(" number from "), std::string::npos) << failed.err;
  }
}

TEST_F(ProgramTest, ADominatingColourNeedsNoShareForAnyNumberOfColours) {
  for (int colors = 2; colors <= 15; ++colors)
    EXPECT_EQ(run("generate --kind dominating --colors " + std::to_string(colors)).exit_code, 0) << colors;
}

TEST_F(ProgramTest, NamesAreFoundWhateverTheirCaseOrFolder) {
  write("boards.txt", "board a\n00\n");
  EXPECT_EQ(run("show STANDARD-03").err,
            "chainshot: no board or file is called 'STANDARD-03'; did you mean 'standard-03'?\n");
  EXPECT_EQ(run("show standard:standard-03").out, run("show standard-03").out);
  EXPECT_EQ(run("show ./bords.txt:a").err,
            "chainshot: no board or file is called './bords.txt:a'; did you mean './boards.txt:a'?\n");
  EXPECT_EQ(run("verify standard-01 board.txt").err,
            "chainshot: cannot read board.txt: No such file or directory; did you mean 'boards.txt'?\n");
}

TEST_F(ProgramTest, OptionsComeAfterTheCommandAndEndAtTwoDashes) {
  EXPECT_EQ(run("--json show standard-01").err,
            "chainshot: options come after the command; expected chainshot show ... --json\n");
  write("--odd", "board a\n00\n");
  EXPECT_EQ(json::parse(run("show --json -- --odd").out)["name"], "a");
}

TEST_F(ProgramTest, AnOptionGivenTwiceIsRefused) {
  EXPECT_EQ(run("play standard-01 --playouts 10 --playouts 20").err,
            "chainshot: --playouts is given 2 times; expected once\n");
}

TEST_F(ProgramTest, InputWithoutEndIsRefused) {
  const ProgramRun failed = shell("yes | chainshot show -");
  EXPECT_EQ(failed.exit_code, 2);
  EXPECT_EQ(failed.err.rfind("chainshot: standard input has more than 256 MiB", 0), 0u) << failed.err;
}

TEST_F(ProgramTest, OutputThatCannotBeWrittenIsAFailureWithAReason) {
  for (const char* arguments : {"--help", "--version", "show standard-01", "generate --json", "play --help"}) {
    const ProgramRun closed = shell("chainshot " + std::string(arguments) + " >&-");
    EXPECT_EQ(closed.exit_code, 1) << arguments;
    EXPECT_NE(closed.err.find("cannot write to the standard output: "), std::string::npos) << closed.err;
  }
}

TEST_F(ProgramTest, DevicesAnswersWhetherOrNotThereIsOne) {
  const ProgramRun listed = run("devices --json"), printed = run("devices");
  EXPECT_EQ(listed.exit_code, 0) << listed.err;
  EXPECT_EQ(printed.exit_code, 0) << printed.err;
  EXPECT_LE(widest_line(printed.out), 80u);
  const json answer = json::parse(listed.out);
  EXPECT_EQ(answer["version"], 1);
  const cuda::DeviceList list = cuda::list_devices();
  EXPECT_EQ(answer["unusable"], list.unusable);
  EXPECT_EQ(answer["devices"].size(), list.devices.size());
  if (!list.devices.empty()) return;
  // The sentence may be wrapped, so compare it without line breaks.
  std::string flat = printed.out;
  std::replace(flat.begin(), flat.end(), '\n', ' ');
  EXPECT_NE(flat.find(list.unusable.empty() ? "There is no CUDA device." : list.unusable), std::string::npos) << flat;
  EXPECT_EQ(run("bench --engine cuda").exit_code, 2);
  EXPECT_EQ(run("bench --engine cuda").err, "chainshot: " + list.unusable + '\n');
}

// A folder stands in for the driver's. This machine may have a device all the same.
TEST_F(ProgramTest, AMachineWithADriverHearsWhyTheCpuPlays) {
  if (!cuda::list_devices().devices.empty()) GTEST_SKIP() << "this machine has a CUDA device";
  const ProgramRun quiet = run("play standard-01 --playouts 10");
  EXPECT_EQ(quiet.err, "");
  write("version", "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.01  Sun May 12 19:39:15 UTC 2024\n");
  const std::string program = "CHAINSHOT_NVIDIA_FOLDER=. chainshot ";
  const std::string why = json::parse(shell(program + "devices --json").out)["unusable"];
  EXPECT_EQ(json::parse(shell(program + "devices --json").out)["driver_release"], "535.183.01");
  EXPECT_NE(shell(program + "devices").out.find("driver   535.183.01"), std::string::npos);
  const std::string sentence = "chainshot: note: no CUDA device is used: " + why + '\n';
  EXPECT_EQ(shell(program + "play standard-01 --playouts 10").err, sentence);
  EXPECT_EQ(shell(program + "play standard-01 --playouts 10 --engine cpu").err, "");
  for (const char* preset : {"anneal", "beam", "set"}) {
    const std::string solved = shell(program + "solve standard-01 --time 0.1 --preset " + preset).err;
    EXPECT_NE(solved.find("no CUDA device is used: " + why), std::string::npos) << preset << solved;
  }
  const std::string alone = shell(program + "solve standard-01 --time 0.1 --preset nrpa").err;
  EXPECT_NE(alone.find("no CUDA device is used: preset nrpa runs only on the CPU"), std::string::npos) << alone;
}

TEST_F(ProgramTest, DeviceOptionsSayWhatTheyExpect) {
  const auto sentence = [&](const std::string& arguments) {
    const ProgramRun failed = run(arguments);
    EXPECT_EQ(failed.exit_code, 2) << arguments;
    return failed.err;
  };
  for (const char* size : {"5X", "0", "-1", "M", "512MX", "0.5", "99999999999G", "18446744073709551616"})
    EXPECT_EQ(sentence("play standard-01 --gpu-memory " + std::string(size)),
              "chainshot: --gpu-memory: '" + std::string(size) +
                  "' is not a memory size; expected bytes, or a number with a unit: 512M, 4G, 4GiB, 500MB; see "
                  "chainshot play --help\n");
  EXPECT_EQ(sentence("bench --devices 0,1,0"),
            "chainshot: --devices names device 0 twice; expected each device once\n");
  EXPECT_EQ(sentence("bench --devices 0,x"),
            "chainshot: --devices: 'x' is not a whole number from 0 to 1023; see chainshot bench --help\n");
  EXPECT_EQ(sentence("bench --engine cpu --devices 0"),
            "chainshot: engine cpu has no devices; expected engine auto or cuda\n");
  for (const char* size : {"1048576", "512k", "512M", "512MB", "1.5G", "4GiB", "1T"})
    EXPECT_EQ(run("play standard-01 --playouts 1 --gpu-memory " + std::string(size)).exit_code, 0);
}

// A list has commas; the next word after it is the board.
TEST_F(ProgramTest, DevicesDoNotSwallowTheBoard) {
  EXPECT_EQ(run("play --devices 0 no-such-board").err.rfind("chainshot: no board or file is called", 0), 0u);
}

TEST_F(ProgramTest, AFullDiskIsAFailure) {
  EXPECT_EQ(shell("chainshot show standard >/dev/full").exit_code, 1);
  EXPECT_EQ(shell("chainshot generate --json >/dev/full").exit_code, 1);
}

}  // namespace
}  // namespace chainshot
