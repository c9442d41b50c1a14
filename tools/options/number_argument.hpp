// Checks of numbers on the command line that say what was expected.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>

namespace chainshot::tools {

inline constexpr double kMostReal = 1e9;  // of options that have no other end

CLI::Validator whole_number(std::uint64_t low, std::uint64_t high);
CLI::Validator real_number(double low, double high);
// A number of bytes, as 1048576, 512K, 512M or 4G; becomes the plain number.
CLI::Validator memory_size(std::uint64_t least_kib = 0);
// A time above 0, as 90, 90s, 1.5m or 2h; becomes the plain number of seconds.
CLI::Validator time_span();

}  // namespace chainshot::tools
