// The options --engine, --threads and --isa of every command that plays.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "game/engine.hpp"
#include "host/engines.hpp"

namespace chainshot::tools {

void add_engine_arguments(CLI::App& command, host::EngineChoice& choice);
void add_threads_argument(CLI::App& command, int& threads);

// Throws InputError, with a suggestion for a mistyped name.
std::unique_ptr<game::Engine> open_engine(const host::EngineChoice& choice);

}  // namespace chainshot::tools
