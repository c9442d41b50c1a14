// Positions, boards and solutions.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "arrays.hpp"
#include "calls.hpp"

namespace chainshot::python {
namespace {

using ColorArray = nb::ndarray<const std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

Position position_from(const ColorArray& colors) {
  constexpr std::int64_t kNoColor = 99;  // refused as what it is written for
  std::vector<int> cells;
  for (std::size_t i = 0; i < colors.size(); ++i) {
    const std::int64_t color = colors.data()[i];
    cells.push_back(static_cast<int>(color < kEmpty || color > kNoColor ? kNoColor : color));
  }
  return Position(static_cast<int>(colors.shape(1)), static_cast<int>(colors.shape(0)), cells);
}

Array<std::int8_t, nb::ndim<2>> array_from(const Position& position) {
  const std::vector<int> colors = position.to_colors();
  return array_of<Array<std::int8_t, nb::ndim<2>>>(
      std::vector<std::int8_t>(colors.begin(), colors.end()),
      {static_cast<std::size_t>(position.rows()), static_cast<std::size_t>(position.columns())});
}

// The moves as a table with a name for each column.
nb::object move_table(const Position& position) {
  const std::vector<Group> groups = position.moves();
  std::vector<int> numbers;
  for (const Group& group : groups)
    numbers.insert(numbers.end(), {group.cell.column, group.cell.row, group.color, group.size});
  nb::list fields;
  for (const char* const name : {"column", "row", "color", "size"})
    fields.append(nb::make_tuple(name, "i4"));
  const nb::object array =
      nb::cast(array_of<Array<int, nb::ndim<2>>>(std::move(numbers), {groups.size(), std::size_t{4}}));
  const nb::object type = nb::module_::import_("numpy").attr("dtype")(fields);
  return array.attr("view")(type).attr("reshape")(-1);
}

std::string text_of(const Position& position) {
  std::string text;
  for (const std::string& row : position.to_rows())
    text += (text.empty() ? "" : "\n") + row;
  return text;
}

std::string shape_of(const Position& position) {
  return std::to_string(position.columns()) + "x" + std::to_string(position.rows()) + ", " +
         std::to_string(position.blocks()) + " blocks";
}

void bind_position(nb::module_& module) {
  nb::class_<Position>(module, "Position",
                       "A position of the game.\n\nCells are (column, row), counted from 0 at the bottom left.")
      .def(nb::init<const std::vector<std::string>&>(), nb::arg("rows"),
           "Make a position of its rows, the top row first: 0-9 and A-E are colours, '.' is empty.")
      .def(
          "__init__", [](Position* self, const ColorArray& colors) { new (self) Position(position_from(colors)); },
          nb::arg("colors"), "Make a position of an array (rows, columns), the top row first; -1 is empty.")
      .def_prop_ro("columns", &Position::columns)
      .def_prop_ro("rows", &Position::rows)
      .def_prop_ro("blocks", &Position::blocks)
      .def_prop_ro("is_over", &Position::is_over, "Whether no move is left.")
      .def(
          "color",
          [](const Position& self, int column, int row) {
            return self.color({column, row});
          },
          nb::arg("column"), nb::arg("row"), "Return the colour of a cell, -1 if it is empty.")
      .def("moves", &move_table, nb::sig("def moves(self) -> numpy.typing.NDArray[numpy.void]"),
           "Return all groups as a structured array with the fields column, row, color and size.")
      .def(
          "play",
          [](Position& self, int column, int row) {
            return self.play({column, row});
          },
          nb::arg("column"), nb::arg("row"), "Remove the group around a cell and return the number of its blocks.")
      .def("to_array", &array_from, "Return the colours as an array (rows, columns), the top row first; -1 is empty.")
      .def("to_rows", &Position::to_rows, "Return the rows as text, the top row first.")
      .def("copy", [](const Position& self) { return Position(self); })
      .def("__copy__", [](const Position& self) { return Position(self); })
      .def("__deepcopy__", [](const Position& self, const nb::object& /*memo*/) { return Position(self); })
      .def("__getstate__", &Position::to_rows)
      .def("__setstate__", [](Position& self, const std::vector<std::string>& rows) { new (&self) Position(rows); })
      .def(
          "__eq__", [](const Position& self, const Position& other) { return self == other; }, nb::is_operator())
      .def("__hash__", &Position::hash)
      .def("__str__", &text_of)
      .def("__repr__", [](const Position& self) { return "<chainshot.Position: " + shape_of(self) + ">"; });
}

void bind_solution(nb::module_& module) {
  nb::class_<Solution>(module, "Solution", "A line of a board, as files of solutions hold it.")
      .def(
          "__init__",
          [](Solution* self, const std::string& board, const nb::object& moves, const std::optional<int>& score,
             const std::string& scoring) {
            new (self) Solution{board, scoring, score, moves_from(moves)};
          },
          nb::arg("board"), nb::arg("moves"), nb::arg("score").none() = nb::none(), nb::arg("scoring") = "")
      .def_ro("board", &Solution::board)
      .def_ro("scoring", &Solution::scoring)
      .def_ro("score", &Solution::score)
      .def_prop_ro(
          "moves", [](const Solution& self) { return array_of(self.moves); }, nb::rv_policy::move)
      .def("__str__", [](const Solution& self) { return to_text(self); });
  module.def("read_solutions", &read_solutions, nb::arg("path"), "Read a file of solutions, text or JSON.");
  module.def("parse_solutions", &parse_solutions, nb::arg("text"));
  nb::class_<Replay>(module, "Replay", "What a line comes to.")
      .def_ro("score", &Replay::score)
      .def_ro("blocks_left", &Replay::blocks_left)
      .def_ro("is_over", &Replay::is_over);
  module.def(
      "replay",
      [](const Position& position, const nb::object& moves, const std::string& scoring) {
        return replay(position, moves_from(moves), scoring);
      },
      nb::arg("position"), nb::arg("moves"), nb::arg("scoring") = "standard",
      "Play a line by the slow reference rules. Raises InputError at an illegal move.");
}

}  // namespace

void bind_boards(nb::module_& module) {
  bind_position(module);
  nb::class_<Board>(module, "Board", "A position with a name.")
      .def(
          "__init__",
          [](Board* self, const std::string& name, const Position& position) {
            new (self) Board{name, position};
          },
          nb::arg("name"), nb::arg("position"))
      .def_ro("name", &Board::name)
      .def_prop_ro(
          "position", [](const Board& self) { return Position(self.position); }, "A copy of the position.")
      .def("__str__", [](const Board& self) { return to_text(self); })
      .def("__repr__",
           [](const Board& self) { return "<chainshot.Board " + self.name + ": " + shape_of(self.position) + ">"; });
  module.def("read_boards", &read_boards, nb::arg("path"), "Read a file of boards in any format of the program.");
  module.def("parse_boards", &parse_boards, nb::arg("text"));
  module.def("standard_boards", &standard_boards, "Return the 20 boards that researchers compare their programs on.");
  module.def(
      "generate_board",
      [](const std::string& kind, int columns, int rows, int colors, std::uint64_t seed, std::uint64_t index) {
        return generate_board({kind, columns, rows, colors}, seed, index);
      },
      nb::arg("kind") = "uniform", nb::kw_only(), nb::arg("columns") = 15, nb::arg("rows") = 15, nb::arg("colors") = 5,
      nb::arg("seed") = 1, nb::arg("index") = 0, "Make the board that `chainshot generate` makes.");
  module.def("group_points", &group_points, nb::arg("blocks"), nb::arg("scoring") = "standard",
             "Return the points of a group.");
  module.def("final_points", &final_points, nb::arg("position"), nb::arg("scoring") = "standard",
             "Return what the end of the game adds: the bonus, or the deduction for blocks that are left.");
  bind_solution(module);
}

}  // namespace chainshot::python
