// The rows of an archive as plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "game/position.hpp"

namespace chainshot::host {

struct ArchivedBoard {
  std::int64_t id = 0;
  std::string hash;  // of its cells
  std::string name;
  game::Position position;
};

// How a line was found. Texts are empty where nobody knows.
struct LineOrigin {
  std::string found;       // ISO 8601 in UTC with milliseconds: 2026-11-18T07:00:00.123Z
  std::string search;      // the search that found it: anneal
  std::string preset;      // auto
  std::string parameters;  // all settings as a JSON object
  std::string seed;        // its digits
  std::string engine;
  std::string device;
  std::string host;
  std::string version;   // of the program
  std::string imported;  // the file it came from, if it was imported
};

struct NewLine {
  std::int64_t board = 0;
  std::string scoring;
  int score = 0;
  std::vector<game::Cell> moves;
  LineOrigin origin;
  std::int64_t run = 0;  // the record run that found it; 0: none
  int turn = 0;          // of that run
  // A line that is kept as a start for later searches, though it may be no improvement.
  bool is_elite = false;
};

struct ArchivedLine : NewLine {
  std::int64_t id = 0;
  bool improved = false;  // it was the best of its board and scoring when it was added
};

struct LineFilter {
  std::optional<std::int64_t> board = {};
  std::optional<std::string> scoring = {};
  std::optional<std::int64_t> run = {};
  std::string since = {};         // only lines found then or later; ISO 8601, a date alone is enough
  bool only_improvements = true;  // false: also elites
  bool only_best = false;         // the best line of every board and scoring; the earliest one of equals
};

struct NewRun {
  std::string uid = {};  // a random name that no other run has
  std::string started = {};
  std::string host = {};
  std::string version = {};
  std::string command = {};  // the command line as a JSON array
  std::string machine = {};  // a JSON object
  std::string plan = {};     // the plan of the run as a JSON object; what resuming needs. `scoring` in it
                             // names the scoring of `score_before`
};

struct ArchivedRun : NewRun {
  std::int64_t id = 0;
  std::string state;   // running, finished or stopped; a run that was killed is still `running`
  std::string ended;   // empty while it runs
  double seconds = 0;  // that it has taken so far
};

struct NewTurn {
  int number = 0;  // counts the turns of a run from 1
  int round = 0;   // from 1
  std::int64_t board = 0;
  std::uint64_t seed = 0;
  double seconds = 0;          // its budget: seconds, or
  std::uint64_t playouts = 0;  // playouts (evaluations for annealing)
};

struct TurnWork {
  double seconds = 0;
  std::uint64_t playouts = 0;
  std::uint64_t evaluations = 0;
};

struct ArchivedTurn : NewTurn {
  bool begun = false;
  bool ended = false;
  bool proven = false;               // it proved that no line scores more
  std::vector<std::int64_t> starts;  // the lines it started from, by id
  std::optional<int> score_before;   // the best score of its board when it began
  std::optional<int> score;          // the best score that the turn itself found
  TurnWork spent;
  std::string began_at, ended_at;  // ISO 8601 in UTC
};

}  // namespace chainshot::host
