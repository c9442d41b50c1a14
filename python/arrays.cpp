#include "arrays.hpp"

#include <string>

namespace chainshot::python {

MoveArray array_of(const Moves& moves) {
  std::vector<int> numbers;
  numbers.reserve(2 * moves.size());
  for (const Cell cell : moves) {
    numbers.push_back(cell.column);
    numbers.push_back(cell.row);
  }
  return array_of<MoveArray>(std::move(numbers), {moves.size(), 2});
}

Moves moves_from(nb::handle rows) {
  const nb::module_ numpy = nb::module_::import_("numpy");
  const nb::object array = numpy.attr("ascontiguousarray")(rows, numpy.attr("int32"));
  nb::ndarray<const int, nb::ndim<2>, nb::c_contig, nb::device::cpu> cells;
  const bool is_table = nb::try_cast(array, cells);
  if (is_table && cells.shape(1) == 2) {
    Moves moves;
    for (std::size_t i = 0; i < cells.shape(0); ++i)
      moves.push_back({cells(i, 0), cells(i, 1)});
    return moves;
  }
  if (nb::cast<std::size_t>(array.attr("size")) == 0) return {};
  throw InputError("these are no moves; expected a list or an array of (column, row)");
}

}  // namespace chainshot::python
