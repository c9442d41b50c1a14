#include "tools/options/engine_argument.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "tools/options/input_error.hpp"
#include "tools/options/number_argument.hpp"
#include "tools/options/suggest.hpp"
#include "tools/terminal/terminal.hpp"

namespace chainshot::tools {
namespace {

constexpr std::uint64_t kMaxDevice = 1023;

// Other words for an engine, which edit distance would take for the wrong one: gpu is one letter away from cpu.
void expect_no_other_word(const std::string& name) {
  std::string lower = name;
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const char* const word : {"gpu", "gpus", "nvidia", "device", "devices"})
    if (lower == word) throw InputError(fmt::format("no engine is called '{}'; did you mean 'cuda'?", name));
}

void expect_known(std::string_view what, const std::string& name, const std::vector<std::string>& names) {
  if (std::find(names.begin(), names.end(), name) == names.end()) throw InputError(unknown_name(what, name, names));
}

void expect_distinct(std::vector<int> devices) {
  std::sort(devices.begin(), devices.end());
  const auto twice = std::adjacent_find(devices.begin(), devices.end());
  if (twice != devices.end())
    throw InputError(fmt::format("--devices names device {} twice; expected each device once", *twice));
}

}  // namespace

void add_engine_arguments(CLI::App& command, host::EngineChoice& choice) {
  command
      .add_option("--engine", choice.name,
                  "engine that plays: auto (default), cpu, cuda, or check (every batch on CUDA and on the CPU, "
                  "compared bit by bit)")
      ->type_name("NAME");
  add_threads_argument(command, choice.threads);
  command
      .add_option("--isa", choice.isa,
                  "instruction set: auto (default, the best), portable, avx2, avx512 (avx512ymm or avx512zmm)")
      ->type_name("NAME");
  add_device_arguments(command, choice);
}

void add_threads_argument(CLI::App& command, int& threads) {
  command.add_option("--threads", threads, "number of worker threads (default one per processor)")
      ->type_name("T")
      ->transform(whole_number(0, host::kMaxThreads));
}

void add_device_arguments(CLI::App& command, host::EngineChoice& choice) {
  command.add_option("--devices", choice.devices, "CUDA devices, numbered as in `chainshot devices` (default all)")
      ->type_name("D,...")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->transform(whole_number(0, kMaxDevice));
  command.add_option("--gpu-memory", choice.gpu_memory, "memory to use per device: 512M, 4GiB (default most of it)")
      ->type_name("SIZE")
      ->transform(memory_size());
}

void check_engine(const host::EngineChoice& choice) try {
  expect_no_other_word(choice.name);
  expect_known("engine", choice.name, host::engine_names());
  expect_known("instruction set", choice.isa, host::isa_names());
  expect_distinct(choice.devices);
  host::isa_for(choice.isa);
} catch (const std::invalid_argument& error) {
  throw InputError(error.what());
}

std::unique_ptr<game::Engine> open_engine(const host::EngineChoice& choice) {
  check_engine(choice);
  try {
    return host::make_engine(choice, print_note);
  } catch (const std::invalid_argument& error) {
    throw InputError(error.what());
  }
}

}  // namespace chainshot::tools
