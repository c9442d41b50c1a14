// The options of every command that plays: --engine, --threads and --isa, --devices and --gpu-memory.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "game/engine.hpp"
#include "host/engines/engines.hpp"

namespace chainshot::tools {

void add_engine_arguments(CLI::App& command, host::EngineChoice& choice);
void add_threads_argument(CLI::App& command, int& threads);
void add_device_arguments(CLI::App& command, host::EngineChoice& choice);

// Whether there is such an engine; throws InputError, with a suggestion for a mistyped name.
void check_engine(const host::EngineChoice& choice);

// The same, and opens it. What becomes of a device is told on the standard error.
std::unique_ptr<game::Engine> open_engine(const host::EngineChoice& choice);

}  // namespace chainshot::tools
