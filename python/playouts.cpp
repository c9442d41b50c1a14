// Engines and playouts.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <tuple>
#include <utility>

#include "arrays.hpp"
#include "calls.hpp"

namespace chainshot::python {
namespace {

using BinTuple = std::tuple<int, int, int>;

struct PythonEngine {
  std::shared_ptr<Notices> notices = std::make_shared<Notices>();
  Engine engine;

  explicit PythonEngine(const EngineOptions& options, std::shared_ptr<Notices> to)
      : notices(std::move(to)), engine(options) {}
};

// The playouts of several positions.
struct PlayoutTable {
  std::vector<PlayoutResult> results;

  Bins bins() const { return results.empty() ? Bins() : results.front().bins; }
};

Array<std::int64_t, nb::ndim<1>> edges_of(const Bins& bins) {
  std::vector<std::int64_t> edges;
  for (int i = 0; i <= bins.count; ++i)
    edges.push_back(bins.low + std::int64_t{i} * bins.width);
  return array_of(std::move(edges));
}

// The options of a call, with the user's objects that they come from.
struct PlayoutCall {
  std::uint32_t playouts;
  std::string policy;
  std::string scoring;
  std::uint64_t seed;
  std::optional<BinTuple> bins;
  std::optional<double> epsilon;
  std::optional<std::string> tabu_color;
  std::optional<int> random_below;
  std::optional<double> beta;
  std::optional<double> theta;
  bool vs_pruning;
  nb::object progress;

  PlayoutOptions options() const {
    PlayoutOptions options{.playouts = playouts,
                           .policy = {policy, epsilon, tabu_color, random_below, beta, theta, vs_pruning},
                           .scoring = scoring,
                           .seed = seed};
    if (bins) options.bins = Bins{std::get<0>(*bins), std::get<1>(*bins), std::get<2>(*bins)};
    options.progress = [this](std::uint64_t played) { return goes_on(progress, [&] { return progress(played); }); };
    return options;
  }
};

std::vector<PlayoutResult> play(PythonEngine& self, const std::vector<Position>& positions, const PlayoutCall& call) {
  const PlayoutOptions options = call.options();
  std::vector<PlayoutResult> results;
  {
    const nb::gil_scoped_release released;
    results = self.engine.play(positions, options);
  }
  self.notices->warn();
  return results;
}

// Adds a method that plays, with its many options; `make` makes the answer of the results.
template <class Positions, class Make>
void add_method(nb::class_<PythonEngine>& engine, const char* name, const char* argument, const char* help, Make make) {
  engine.def(
      name,
      [make](PythonEngine& self, const Positions& positions, std::uint32_t playouts, const std::string& policy,
             const std::string& scoring, std::uint64_t seed, std::optional<BinTuple> bins,
             std::optional<double> epsilon, const std::optional<std::string>& tabu_color,
             std::optional<int> random_below, std::optional<double> beta, std::optional<double> theta, bool vs_pruning,
             const nb::object& progress) {
        return make(self, positions,
                    PlayoutCall{playouts, policy, scoring, seed, bins, epsilon, tabu_color, random_below, beta, theta,
                                vs_pruning, progress});
      },
      nb::arg(argument), nb::arg("playouts") = 100'000, nb::kw_only(), nb::arg("policy") = "tabu-color-random",
      nb::arg("scoring") = "standard", nb::arg("seed") = 0, nb::arg("bins").none() = nb::none(),
      nb::arg("epsilon").none() = nb::none(), nb::arg("tabu_color").none() = nb::none(),
      nb::arg("random_below").none() = nb::none(), nb::arg("beta").none() = nb::none(),
      nb::arg("theta").none() = nb::none(), nb::arg("vs_pruning") = false, nb::arg("progress").none() = nb::none(),
      help);
}

// An array with a figure of every position.
template <class T>
void add_column(nb::class_<PlayoutTable>& table, const char* name, T PlayoutResult::*figure) {
  table.def_prop_ro(
      name,
      [figure](const PlayoutTable& self) {
        std::vector<T> numbers;
        for (const PlayoutResult& result : self.results)
          numbers.push_back(result.*figure);
        return array_of(std::move(numbers));
      },
      nb::rv_policy::move);
}

void bind_results(nb::module_& module) {
  nb::class_<PlayoutResult>(module, "Playouts", "The playouts of one position.")
      .def_ro("count", &PlayoutResult::count)
      .def_ro("mean", &PlayoutResult::mean)
      .def_ro("deviation", &PlayoutResult::deviation, "The standard deviation of the sample.")
      .def_ro("best", &PlayoutResult::best)
      .def_ro("worst", &PlayoutResult::worst)
      .def_ro("mean_moves", &PlayoutResult::mean_moves)
      .def_ro("best_key", &PlayoutResult::best_key, "The key that `chainshot play --key` replays.")
      .def_prop_ro(
          "best_moves", [](const PlayoutResult& self) { return array_of(self.best_moves); }, nb::rv_policy::move)
      .def_prop_ro(
          "histogram", [](const PlayoutResult& self) { return array_of(self.histogram); }, nb::rv_policy::move)
      .def_prop_ro(
          "edges", [](const PlayoutResult& self) { return edges_of(self.bins); }, nb::rv_policy::move,
          "The scores at which bins begin, and the end of the last bin, as numpy.histogram has them.")
      .def("__repr__", [](const PlayoutResult& self) {
        return "<chainshot.Playouts: " + std::to_string(self.count) + ", best " + std::to_string(self.best) + ">";
      });
  nb::class_<PlayoutTable> table(module, "PlayoutTable", "The playouts of several positions: an array of each figure.");
  add_column(table, "count", &PlayoutResult::count);
  add_column(table, "mean", &PlayoutResult::mean);
  add_column(table, "deviation", &PlayoutResult::deviation);
  add_column(table, "best", &PlayoutResult::best);
  add_column(table, "worst", &PlayoutResult::worst);
  add_column(table, "mean_moves", &PlayoutResult::mean_moves);
  table.def("__len__", [](const PlayoutTable& self) { return self.results.size(); })
      .def("__getitem__",
           [](const PlayoutTable& self, std::ptrdiff_t i) {
             const auto n = static_cast<std::ptrdiff_t>(self.results.size());
             if (i < -n || i >= n) throw nb::index_error();
             return self.results[static_cast<std::size_t>(i < 0 ? i + n : i)];
           })
      .def_prop_ro(
          "histogram",
          [](const PlayoutTable& self) {
            std::vector<std::uint64_t> counts;
            for (const PlayoutResult& result : self.results)
              counts.insert(counts.end(), result.histogram.begin(), result.histogram.end());
            return array_of<Array<std::uint64_t, nb::ndim<2>>>(
                std::move(counts), {self.results.size(), static_cast<std::size_t>(self.bins().count)});
          },
          nb::rv_policy::move, "A row of counts for every position.")
      .def_prop_ro(
          "edges", [](const PlayoutTable& self) { return edges_of(self.bins()); }, nb::rv_policy::move);
}

}  // namespace

void bind_playouts(nb::module_& module) {
  bind_results(module);
  nb::class_<PythonEngine> engine(module, "Engine", "Plays many random games of a position, on the CPU or on GPUs.");
  engine
      .def(
          "__init__",
          [](PythonEngine* self, const std::string& name, int threads, const std::string& isa,
             const std::vector<int>& devices, std::uint64_t gpu_memory) {
            const auto notices = std::make_shared<Notices>();
            new (self) PythonEngine(engine_options(name, threads, isa, devices, gpu_memory, notices), notices);
            try {
              notices->warn();
            } catch (...) {
              self->~PythonEngine();
              throw;
            }
          },
          nb::arg("name") = "auto", nb::kw_only(), nb::arg("threads") = 0, nb::arg("isa") = "auto",
          nb::arg("devices") = std::vector<int>(), nb::arg("gpu_memory") = 0,
          "Open an engine: auto, cpu, cuda or check. 0 threads are one per processor.")
      .def_prop_ro("name", [](const PythonEngine& self) { return self.engine.name(); });
  add_method<Position>(
      engine, "play", "position",
      "Play a position to its end many times.\n\nbins is (low, width, count); without it, the first playouts choose. "
      "progress is called ten times per second with the number of playouts so far; False stops them.",
      [](PythonEngine& self, const Position& position, const PlayoutCall& call) {
        return play(self, {position}, call).front();
      });
  add_method<std::vector<Position>>(engine, "play_many", "positions",
                                    "Play each of several positions many times, as play does with one.",
                                    [](PythonEngine& self, const std::vector<Position>& positions,
                                       const PlayoutCall& call) { return PlayoutTable{play(self, positions, call)}; });
  module.def(
      "policies",
      [] {
        nb::typed<nb::dict, std::string, std::string> choices;
        for (const Choice& choice : policies())
          choices[nb::cast(choice.name)] = choice.summary;
        return choices;
      },
      "Return the playout policies and what each is.");
}

}  // namespace chainshot::python
