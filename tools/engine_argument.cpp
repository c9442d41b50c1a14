#include "tools/engine_argument.hpp"

#include <algorithm>
#include <stdexcept>

#include "tools/input.hpp"
#include "tools/number_argument.hpp"
#include "tools/suggest.hpp"

namespace chainshot::tools {
namespace {

void expect_known(std::string_view what, const std::string& name, const std::vector<std::string>& names) {
  if (std::find(names.begin(), names.end(), name) == names.end()) throw InputError(unknown_name(what, name, names));
}

}  // namespace

void add_engine_arguments(CLI::App& command, host::EngineChoice& choice) {
  command.add_option("--engine", choice.name, "auto (the default), cpu or cuda")->type_name("NAME");
  add_threads_argument(command, choice.threads);
  command.add_option("--isa", choice.isa, "instruction set: auto (the best), portable, avx2 or avx512")
      ->type_name("NAME");
}

void add_threads_argument(CLI::App& command, int& threads) {
  command.add_option("--threads", threads, "worker threads; one per processor if not given")
      ->type_name("T")
      ->check(whole_number(0, host::kMaxThreads));
}

std::unique_ptr<game::Engine> open_engine(const host::EngineChoice& choice) {
  expect_known("engine", choice.name, host::engine_names());
  expect_known("instruction set", choice.isa, host::isa_names());
  try {
    return host::make_engine(choice);
  } catch (const std::invalid_argument& error) {
    throw InputError(error.what());
  }
}

}  // namespace chainshot::tools
