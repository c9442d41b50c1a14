// The choice of an engine by name.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "game/engine.hpp"

namespace chainshot::host {

struct EngineChoice {
  std::string name = "auto";
  int threads = 0;  // 0: one per processor
  std::string isa = "auto";
};

inline constexpr int kMaxThreads = 1024;

// Every name that can be asked for, whether or not this machine can run it.
std::vector<std::string> engine_names();
std::vector<std::string> isa_names();
// Throws std::invalid_argument with one sentence if there is no such engine, or not on this machine.
std::unique_ptr<game::Engine> make_engine(const EngineChoice& choice);

}  // namespace chainshot::host
