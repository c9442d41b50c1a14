// NumPy arrays from and to the plain types of the interface.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

#include "chainshot/chainshot.hpp"

namespace chainshot::python {

namespace nb = nanobind;

template <class T, class... Shape>
using Array = nb::ndarray<nb::numpy, T, Shape...>;

// An array that owns its numbers.
template <class A, class T>
A array_of(std::vector<T> numbers, std::initializer_list<std::size_t> shape) {
  auto owned = std::make_unique<std::vector<T>>(std::move(numbers));
  T* const first = owned->data();
  const nb::capsule owner(owned.release(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return A(first, shape, owner);
}

template <class T>
Array<T, nb::ndim<1>> array_of(std::vector<T> numbers) {
  const std::size_t n = numbers.size();
  return array_of<Array<T, nb::ndim<1>>>(std::move(numbers), {n});
}

using MoveArray = Array<int, nb::shape<-1, 2>>;

// A row (column, row) for every move.
MoveArray array_of(const Moves& moves);
// From whatever NumPy makes an array of such rows.
Moves moves_from(nb::handle rows);

}  // namespace chainshot::python
