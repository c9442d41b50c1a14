// What calls into the library share: they let other Python threads run, hear Ctrl-C, and pass notices on as warnings.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "chainshot/chainshot.hpp"

namespace chainshot::python {

namespace nb = nanobind;

// Sentences that come from any thread, until the caller's thread warns of them.
class Notices {
 public:
  void add(const std::string& sentence) {
    const std::lock_guard lock(mutex_);
    sentences_.push_back(sentence);
  }
  // Throws what the user's filter of warnings makes of them.
  void warn() {
    std::vector<std::string> sentences;
    {
      const std::lock_guard lock(mutex_);
      sentences.swap(sentences_);
    }
    for (const std::string& sentence : sentences)
      if (PyErr_WarnEx(PyExc_RuntimeWarning, sentence.c_str(), 1) < 0) throw nb::python_error();
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> sentences_;
};

// Returns false if the user's function returns what Python takes for false; None, as of a function without a result,
// goes on. `call` is called with
// the GIL and returns the result of the function. Throws KeyboardInterrupt after Ctrl-C.
template <class Call>
bool goes_on(const nb::object& function, Call&& call) {
  const nb::gil_scoped_acquire held;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
  if (function.is_none()) return true;
  const nb::object result = std::forward<Call>(call)();
  if (result.is_none()) return true;
  const int truth = PyObject_IsTrue(result.ptr());
  if (truth < 0) throw nb::python_error();
  return truth == 1;
}

inline EngineOptions engine_options(const std::string& name, int threads, const std::string& isa,
                                    const std::vector<int>& devices, std::uint64_t gpu_memory,
                                    const std::shared_ptr<Notices>& notices) {
  return {.name = name,
          .threads = threads,
          .isa = isa,
          .devices = devices,
          .gpu_memory = gpu_memory,
          .notice = [notices](const std::string& sentence) { notices->add(sentence); }};
}

void bind_boards(nb::module_& module);
void bind_playouts(nb::module_& module);
void bind_searches(nb::module_& module);
void bind_archives(nb::module_& module);

}  // namespace chainshot::python
