// The C++ interface of chainshot for other programs: boards, moves, playouts, searches and archives. It needs C++20 and
// nothing else; docs/library.md teaches its use.
//
// Cells are (column, row), counted from 0 at the bottom left. Names of policies, scorings, presets, settings and
// engines are those of the command line. Every function throws InputError for what it cannot use, and Error where the
// work failed, each with one sentence. Objects may be moved between threads; calls on one Engine wait for each other.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#define CHAINSHOT_API __attribute__((visibility("default")))

namespace chainshot {

CHAINSHOT_API std::string version();

class CHAINSHOT_API Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The caller asked for something that there is not: a file, a name, a move.
class CHAINSHOT_API InputError : public Error {
 public:
  using Error::Error;
};

// ---- Boards and moves

inline constexpr int kEmpty = -1;  // the colour of a cell without a block

struct Cell {
  int column = 0;
  int row = 0;

  bool operator==(const Cell&) const = default;
};

using Moves = std::vector<Cell>;

// Two or more connected blocks of one colour, named by the leftmost cell of the lowest row. Any of its cells will do
// for a move.
struct Group {
  Cell cell;
  int color = 0;
  int size = 0;

  bool operator==(const Group&) const = default;
};

// A position of the game. It is always settled: no block has a hole under it, and empty columns are at the right.
class CHAINSHOT_API Position {
 public:
  static constexpr int kMostColumns = 31, kMostRows = 32, kMostColors = 15;

  // The top row first; 0-9 and A-E are the colours 0 to 14, '.' is empty.
  explicit Position(const std::vector<std::string>& rows);
  // The colours of all cells, the top row first, kEmpty for empty cells.
  Position(int columns, int rows, const std::vector<int>& colors);
  Position(const Position& other);
  Position(Position&& other) noexcept;
  Position& operator=(const Position& other);
  Position& operator=(Position&& other) noexcept;
  ~Position();

  int columns() const;
  int rows() const;
  int blocks() const;
  int color(Cell cell) const;  // kEmpty where there is no block
  // All groups: the moves of this position.
  std::vector<Group> moves() const;
  bool is_over() const;  // no move is left
  // Removes the group around a cell and returns the number of its blocks.
  int play(Cell cell);

  std::vector<std::string> to_rows() const;  // as the constructor takes them
  std::vector<int> to_colors() const;        // the same
  // Equal positions have equal hashes, however they were reached.
  std::uint64_t hash() const;
  bool operator==(const Position& other) const;

  struct State;
  const State& state() const { return *state_; }  // for the library itself
  explicit Position(std::unique_ptr<State> state);

 private:
  std::unique_ptr<State> state_;
};

struct Board {
  std::string name;
  Position position;
};

// Boards in any format that the program reads (docs/formats.md).
CHAINSHOT_API std::vector<Board> read_boards(const std::string& path);
CHAINSHOT_API std::vector<Board> parse_boards(const std::string& text);
CHAINSHOT_API std::string to_text(const Board& board);
// The 20 boards that researchers compare their programs on, standard-01 to standard-20.
CHAINSHOT_API std::vector<Board> standard_boards();

struct BoardRecipe {
  std::string kind = "uniform";  // or equal, dominating, chessboard, half-chessboard
  int columns = 15;
  int rows = 15;
  int colors = 5;  // 2 for chessboards
};
// A board is a pure function of recipe, seed and index: `chainshot generate` makes the same.
CHAINSHOT_API Position generate_board(const BoardRecipe& recipe, std::uint64_t seed = 1, std::uint64_t index = 0);

// ---- Scores and solutions

CHAINSHOT_API int group_points(int blocks, const std::string& scoring = "standard");
// What the end of the game adds: the bonus for a cleared board, or the deduction for blocks that are left.
CHAINSHOT_API int final_points(const Position& position, const std::string& scoring = "standard");

struct Replay {
  int score = 0;  // as if the game ended with the last move
  int blocks_left = 0;
  bool is_over = false;  // no move is left
};
// Plays a line by the slow reference rules. Throws InputError at an illegal move.
CHAINSHOT_API Replay replay(const Position& position, const Moves& moves, const std::string& scoring = "standard");

struct Solution {
  std::string board;         // empty if the text does not say; so are those below
  std::string scoring = {};  // that the score is by
  std::optional<int> score = {};
  Moves moves = {};
};
// Solutions as `chainshot solve --out` writes them, or in JSON.
CHAINSHOT_API std::vector<Solution> read_solutions(const std::string& path);
CHAINSHOT_API std::vector<Solution> parse_solutions(const std::string& text);
CHAINSHOT_API std::string to_text(const Solution& solution);

// ---- Engines and playouts

struct EngineOptions {
  std::string name = "auto";  // or cpu, cuda, check
  int threads = 0;            // 0: one per processor
  std::string isa = "auto";
  std::vector<int> devices = {};  // CUDA devices by index; empty: all that are usable
  std::uint64_t gpu_memory = 0;   // bytes of each device; 0: most of what is free
  // Hears why a device is not used, or that one has failed; called from any thread.
  std::function<void(const std::string& sentence)> notice = {};
};

struct PolicyOptions {
  std::string name = "tabu-color-random";
  std::optional<double> epsilon = {};
  std::optional<std::string> tabu_color = {};
  std::optional<int> random_below = {};
  std::optional<double> beta = {};
  std::optional<double> theta = {};
  bool vs_pruning = false;
};

// Bins of equal width; scores outside them count in the first or the last bin.
struct Bins {
  int low = 0;
  int width = 1;
  int count = 0;
};

struct PlayoutOptions {
  std::uint32_t playouts = 100'000;  // of each position
  PolicyOptions policy = {};
  std::string scoring = "standard";
  std::uint64_t seed = 0;
  std::optional<Bins> bins = {};  // unset: by the first playouts, wide enough for all scores but the rarest
  // Ends the playouts; those played by then count.
  std::stop_token stop = {};
  // Called ten times per second from the calling thread with the playouts so far; stops them if it returns false.
  std::function<bool(std::uint64_t played)> progress = {};
};

// The playouts of one position.
struct PlayoutResult {
  std::uint64_t count = 0;
  double mean = 0;
  double deviation = 0;  // of the sample
  int best = 0;
  int worst = 0;
  double mean_moves = 0;
  std::string best_key;  // `chainshot play --key` replays it
  Moves best_moves;      // replayed by the reference rules
  Bins bins;
  std::vector<std::uint64_t> histogram;
};

class CHAINSHOT_API Engine {
 public:
  explicit Engine(const EngineOptions& options = {});
  Engine(Engine&& other) noexcept;
  Engine& operator=(Engine&& other) noexcept;
  ~Engine();

  std::string name() const;  // `cpu avx512`; another one after a device has failed
  // One result for each position. It depends on position and options alone: not on the engine, nor on the other
  // positions, but for the bins that are chosen for all of them together.
  std::vector<PlayoutResult> play(const std::vector<Position>& positions, const PlayoutOptions& options = {});
  PlayoutResult play(const Position& position, const PlayoutOptions& options = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// ---- Searches

using SettingValue = std::variant<bool, std::int64_t, double, std::string>;

struct Progress {
  double seconds = 0;
  std::optional<int> score;  // of the best line; unset until there is one
  const Moves& moves;        // the best line
  std::uint64_t playouts = 0;
  std::uint64_t evaluations = 0;  // lines that were changed and scored
  std::uint64_t nodes = 0;
};

struct SolveOptions {
  std::string preset = "auto";
  std::map<std::string, SettingValue> settings = {};  // by the names of the options: {{"c", 0.5}}
  std::string scoring = "standard";
  std::uint64_t seed = 0;
  // The budget, of which 0 is no limit. Without any, the search takes ten seconds.
  double seconds = 0;
  std::uint64_t playouts = 0;  // or evaluations
  std::uint64_t nodes = 0;
  std::uint64_t resource_units = 0;
  EngineOptions engine = {};       // the name may be a list: `cuda,cpu`
  std::vector<Moves> starts = {};  // known lines to start from
  // Ends the search; the best line by then is the result.
  std::stop_token stop = {};
  // Called ten times per second from the calling thread; ends the search if it returns false.
  std::function<bool(const Progress& progress)> progress = {};
};

struct SolveResult {
  int score = 0;
  Moves moves;             // replayed by the reference rules
  bool is_proven = false;  // no line scores more
  double seconds = 0;
  double found_seconds = 0;  // when the best line was found
  std::string found_by;      // the search that found it
  std::uint64_t playouts = 0;
  std::uint64_t evaluations = 0;
  std::uint64_t nodes = 0;
  std::uint64_t resource_units = 0;
};
CHAINSHOT_API SolveResult solve(const Position& position, const SolveOptions& options = {});

// What there is to choose from.
struct Choice {
  std::string name;
  std::string summary;
};
CHAINSHOT_API std::vector<Choice> policies();
CHAINSHOT_API std::vector<Choice> scorings();
CHAINSHOT_API std::vector<Choice> presets();

struct Setting {
  std::string name;
  std::string summary;
  SettingValue value;              // of the preset
  double low = 0, high = 0;        // the range of a number
  std::vector<std::string> names;  // of which one is chosen; empty for numbers and flags
};
CHAINSHOT_API std::vector<Setting> settings(const std::string& preset);

// ---- Archives

struct ArchivedBoard {
  std::int64_t id = 0;
  std::string hash;  // of its cells
  Board board;
};

// Texts are empty where nobody knows.
struct ArchivedLine {
  std::int64_t id = 0;
  std::int64_t board_id = 0;
  std::string board;  // its name
  std::string scoring;
  int score = 0;
  Moves moves;
  bool is_improvement = false;  // it was the best of its board and scoring when it was added
  std::string found;            // ISO 8601 in UTC
  std::string search, preset, parameters, seed, engine, device, host, version;
  std::string imported;  // the file it came from
  std::int64_t run = 0;  // the record run that found it; 0: none
  int turn = 0;          // of that run
};

struct ArchivedRun {
  std::int64_t id = 0;
  std::string started, ended;
  std::string state;  // running, finished or stopped; a run that was killed is still `running`
  double seconds = 0;
  std::string host, version;
  std::string command, machine, plan;  // JSON
};

struct LineFilter {
  std::optional<std::int64_t> board_id = {};
  std::optional<std::string> scoring = {};
  std::optional<std::int64_t> run = {};
  std::string since = {};         // found then or later: ISO 8601, or a date
  bool only_best = false;         // the best line of every board and scoring
  bool only_improvements = true;  // false: also lines that are kept as starts
};

// An archive that is only read; another program may write it at the same time.
class CHAINSHOT_API Archive {
 public:
  explicit Archive(const std::string& path);
  Archive(Archive&& other) noexcept;
  Archive& operator=(Archive&& other) noexcept;
  ~Archive();

  std::vector<ArchivedBoard> boards() const;
  std::vector<ArchivedLine> lines(const LineFilter& filter = {}) const;
  std::vector<ArchivedRun> runs() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace chainshot
