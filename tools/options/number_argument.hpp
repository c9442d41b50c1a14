// Numbers as people write them on the command line: 2000, 2k, 1.5M, 1e6; times such as 90, 1m30s and 5d; sizes such as
// 512M, 512MB and 4GiB. The validators replace what was written by plain digits; their messages say what was expected.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string_view>

namespace chainshot::tools {

// Takes 1000000, 1e6, 1000k or 1M: k, M, G and T are thousand, million, 10^9 and 10^12. The value must be whole.
CLI::Validator whole_number(std::uint64_t low, std::uint64_t high);
// The same with a fraction.
CLI::Validator real_number(double low, double high);
// Takes a size such as 1048576, 512K, 1.5G or 4GiB in powers of 1024, or 512MB in powers of 1000. The result is the
// number of bytes.
CLI::Validator memory_size(std::uint64_t least_kib = 0);
// Takes a time above 0, such as 90, 90s, 1.5m, 1h30m or 5d. The result is the number of seconds.
CLI::Validator time_span();

// The values behind the validators; nothing if the text is no such number. Counts above 2^64 - 1 are none.
std::optional<std::uint64_t> count_in(std::string_view text);
// Takes a number with its letter off the front of a text.
std::optional<double> take_real(std::string_view& text);
// The units are w, d, h, m, s and ms, the longest first, each at most once. A number alone is in seconds.
std::optional<double> seconds_in(std::string_view text);

}  // namespace chainshot::tools
