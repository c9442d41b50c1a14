// The options of every command that plays: --engine, --threads, --isa, --devices and --gpu-memory.
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

// Throws InputError if there is no such engine or instruction set, with a suggestion for a mistyped name.
void check_engine(const host::EngineChoice& choice);

// Checks the choice and opens the engine. Prints a note on the standard error if a device is left out or fails.
std::unique_ptr<game::Engine> open_engine(const host::EngineChoice& choice);

}  // namespace chainshot::tools
