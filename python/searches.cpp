// Searches, and what there is to choose from.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>

#include "arrays.hpp"
#include "calls.hpp"

namespace chainshot::python {
namespace {

// The progress of a search as Python keeps it: the moves of the library's are gone after the call.
struct PythonProgress {
  double seconds;
  std::optional<int> score;
  Moves moves;
  std::uint64_t playouts, evaluations, nodes;
};

SettingValue value_of(const std::string& name, nb::handle value) {
  const std::string type = Py_TYPE(value.ptr())->tp_name;
  if (nb::isinstance<nb::bool_>(value) || type == "numpy.bool" || type == "numpy.bool_")
    return PyObject_IsTrue(value.ptr()) == 1;
  if (nb::isinstance<nb::str>(value)) return nb::cast<std::string>(value);
  std::int64_t whole = 0;
  // NumPy's whole numbers are no int, but have an index.
  if (PyIndex_Check(value.ptr())) {
    const nb::object index = nb::steal(PyNumber_Index(value.ptr()));
    if (!index.is_valid()) throw nb::python_error();
    if (nb::try_cast(index, whole)) return whole;
  }
  double real = 0;
  if (nb::try_cast(value, real)) return real;
  throw InputError("setting " + name + " is of another type; expected a bool, a number or a str");
}

// Python writes a name with underscores.
std::map<std::string, SettingValue> settings_from(const nb::kwargs& given) {
  std::map<std::string, SettingValue> settings;
  for (const auto [key, value] : given) {
    std::string name = nb::cast<std::string>(key);
    std::replace(name.begin(), name.end(), '_', '-');
    settings[name] = value_of(name, value);
  }
  return settings;
}

SolveResult solve_from_python(const Position& position, const std::string& preset, double seconds,
                              std::uint64_t playouts, std::uint64_t nodes, std::uint64_t resource_units,
                              std::uint64_t seed, const std::string& scoring, const std::string& engine, int threads,
                              const std::string& isa, const std::vector<int>& devices, std::uint64_t gpu_memory,
                              const std::vector<nb::object>& starts, const nb::object& progress,
                              const nb::kwargs& settings) {
  const auto notices = std::make_shared<Notices>();
  SolveOptions options{.preset = preset,
                       .settings = settings_from(settings),
                       .scoring = scoring,
                       .seed = seed,
                       .seconds = seconds,
                       .playouts = playouts,
                       .nodes = nodes,
                       .resource_units = resource_units,
                       .engine = engine_options(engine, threads, isa, devices, gpu_memory, notices)};
  for (const nb::object& start : starts)
    options.starts.push_back(moves_from(start));
  options.progress = [&progress](const Progress& now) {
    return goes_on(progress, [&] {
      return progress(PythonProgress{now.seconds, now.score, now.moves, now.playouts, now.evaluations, now.nodes});
    });
  };
  SolveResult result;
  {
    const nb::gil_scoped_release released;
    result = solve(position, options);
  }
  notices->warn();
  return result;
}

nb::typed<nb::dict, std::string, std::string> dict_of(const std::vector<Choice>& choices) {
  nb::typed<nb::dict, std::string, std::string> dict;
  for (const Choice& choice : choices)
    dict[nb::cast(choice.name)] = choice.summary;
  return dict;
}

void bind_results(nb::module_& module) {
  nb::class_<PythonProgress>(module, "Progress", "A search under way.")
      .def_ro("seconds", &PythonProgress::seconds)
      .def_ro("score", &PythonProgress::score, "Of the best line; None until there is one.")
      .def_prop_ro(
          "moves", [](const PythonProgress& self) { return array_of(self.moves); }, nb::rv_policy::move)
      .def_ro("playouts", &PythonProgress::playouts)
      .def_ro("evaluations", &PythonProgress::evaluations)
      .def_ro("nodes", &PythonProgress::nodes);
  nb::class_<SolveResult>(module, "SolveResult", "The best line that a search has found.")
      .def_ro("score", &SolveResult::score)
      .def_prop_ro(
          "moves", [](const SolveResult& self) { return array_of(self.moves); }, nb::rv_policy::move)
      .def_ro("is_proven", &SolveResult::is_proven, "Whether no line scores more.")
      .def_ro("seconds", &SolveResult::seconds)
      .def_ro("found_seconds", &SolveResult::found_seconds, "When the best line was found.")
      .def_ro("found_by", &SolveResult::found_by, "The search that found it.")
      .def_ro("playouts", &SolveResult::playouts)
      .def_ro("evaluations", &SolveResult::evaluations)
      .def_ro("nodes", &SolveResult::nodes)
      .def_ro("resource_units", &SolveResult::resource_units)
      .def("__repr__", [](const SolveResult& self) {
        return "<chainshot.SolveResult: " + std::to_string(self.score) + " points in " +
               std::to_string(self.moves.size()) + " moves>";
      });
  nb::class_<Setting>(module, "Setting", "A setting of a preset.")
      .def_ro("name", &Setting::name)
      .def_ro("summary", &Setting::summary)
      .def_ro("value", &Setting::value)
      .def_ro("low", &Setting::low)
      .def_ro("high", &Setting::high)
      .def_ro("names", &Setting::names)
      .def("__repr__", [](const Setting& self) { return "<chainshot.Setting " + self.name + ">"; });
}

}  // namespace

void bind_searches(nb::module_& module) {
  bind_results(module);
  module.def("solve", &solve_from_python, nb::arg("position"), nb::kw_only(), nb::arg("preset") = "auto",
             nb::arg("seconds") = 0.0, nb::arg("playouts") = 0, nb::arg("nodes") = 0, nb::arg("resource_units") = 0,
             nb::arg("seed") = 0, nb::arg("scoring") = "standard", nb::arg("engine") = "auto", nb::arg("threads") = 0,
             nb::arg("isa") = "auto", nb::arg("devices") = std::vector<int>(), nb::arg("gpu_memory") = 0,
             nb::arg("starts") = std::vector<nb::object>(), nb::arg("progress").none() = nb::none(),
             nb::arg("settings"),
             "Search a position for the line with the highest score.\n\nWithout a budget (seconds, playouts, nodes or "
             "resource_units) the search takes ten seconds. progress is called ten times per second; False ends the "
             "search, and the best line so far is the result. Ctrl-C raises KeyboardInterrupt. Further arguments are "
             "settings of the preset, with _ for -.");
  module.def(
      "scorings", [] { return dict_of(scorings()); }, "Return the scorings and what each is.");
  module.def(
      "presets", [] { return dict_of(presets()); }, "Return the presets of solve and what each is.");
  module.def("settings", &settings, nb::arg("preset"), "Return the settings of a preset.");
}

}  // namespace chainshot::python
