// The Python module `chainshot._chainshot`, which python/chainshot/__init__.py makes public.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <exception>

#include "calls.hpp"

namespace chainshot::python {
namespace {

void raise(const char* type, const Error& error) {
  const nb::object of = nb::module_::import_("chainshot.errors").attr(type);
  PyErr_SetString(of.ptr(), error.what());
}

void translate(const std::exception_ptr& thrown, void* /*payload*/) {
  try {
    std::rethrow_exception(thrown);
  } catch (const InputError& error) {
    raise("InputError", error);
  } catch (const Error& error) {
    raise("Error", error);
  }
}

}  // namespace
}  // namespace chainshot::python

NB_MODULE(_chainshot, module) {
  nanobind::register_exception_translator(chainshot::python::translate);
  module.def("version", &chainshot::version);
  chainshot::python::bind_boards(module);
  chainshot::python::bind_playouts(module);
  chainshot::python::bind_searches(module);
  chainshot::python::bind_archives(module);
}
