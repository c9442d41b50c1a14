// Archives as tables: a list with a dict for each row.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "calls.hpp"

namespace chainshot::python {
namespace {

using Row = nb::typed<nb::dict, std::string, nb::any>;
using Table = nb::typed<nb::list, Row>;

Table boards_of(const Archive& archive) {
  Table table;
  for (const ArchivedBoard& board : archive.boards()) {
    nb::dict row;
    row["id"] = board.id;
    row["name"] = board.board.name;
    row["hash"] = board.hash;
    row["position"] = board.board.position;
    table.append(row);
  }
  return table;
}

nb::dict row_of(const ArchivedLine& line) {
  nb::dict row;
  row["id"] = line.id;
  row["board_id"] = line.board_id;
  row["board"] = line.board;
  row["scoring"] = line.scoring;
  row["score"] = line.score;
  row["moves"] = array_of(line.moves);
  row["is_improvement"] = line.is_improvement;
  row["found"] = line.found;
  row["search"] = line.search;
  row["preset"] = line.preset;
  row["parameters"] = line.parameters;
  row["seed"] = line.seed;
  row["engine"] = line.engine;
  row["device"] = line.device;
  row["host"] = line.host;
  row["version"] = line.version;
  row["imported"] = line.imported;
  row["run"] = line.run;
  row["turn"] = line.turn;
  return row;
}

Table lines_of(const Archive& archive, std::optional<std::int64_t> board_id, const std::optional<std::string>& scoring,
               std::optional<std::int64_t> run, const std::string& since, bool only_best, bool only_improvements) {
  Table table;
  for (const ArchivedLine& line : archive.lines({board_id, scoring, run, since, only_best, only_improvements}))
    table.append(row_of(line));
  return table;
}

Table runs_of(const Archive& archive) {
  Table table;
  for (const ArchivedRun& run : archive.runs()) {
    nb::dict row;
    row["id"] = run.id;
    row["started"] = run.started;
    row["ended"] = run.ended;
    row["state"] = run.state;
    row["seconds"] = run.seconds;
    row["host"] = run.host;
    row["version"] = run.version;
    row["command"] = run.command;
    row["machine"] = run.machine;
    row["plan"] = run.plan;
    table.append(row);
  }
  return table;
}

}  // namespace

void bind_archives(nb::module_& module) {
  nb::class_<Archive>(module, "Archive", "An archive of lines, to be read while other programs may write it.")
      .def(nb::init<const std::string&>(), nb::arg("path"))
      .def("boards", &boards_of, "Return the boards as a table.")
      .def("lines", &lines_of, nb::kw_only(), nb::arg("board_id").none() = nb::none(),
           nb::arg("scoring").none() = nb::none(), nb::arg("run").none() = nb::none(), nb::arg("since") = "",
           nb::arg("only_best") = false, nb::arg("only_improvements") = true,
           "Return the lines as a table, in the order in which they were added.")
      .def("runs", &runs_of, "Return the record runs as a table.");
}

}  // namespace chainshot::python
