// Checks of numbers on the command line that say what was expected.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>

namespace chainshot::tools {

CLI::Validator whole_number(std::uint64_t low, std::uint64_t high);
CLI::Validator real_number(double low, double high);

}  // namespace chainshot::tools
