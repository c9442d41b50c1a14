// Validators for numbers on the command line; their messages say what was expected.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>

namespace chainshot::tools {

CLI::Validator whole_number(std::uint64_t low, std::uint64_t high);
CLI::Validator real_number(double low, double high);
// Accepts a size such as 1048576, 512K, 512M or 4G, and replaces it by the number of bytes.
CLI::Validator memory_size(std::uint64_t least_kib = 0);
// Accepts a time above 0, such as 90, 90s, 1.5m or 2h, and replaces it by the number of seconds.
CLI::Validator time_span();

}  // namespace chainshot::tools
