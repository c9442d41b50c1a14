#include "tools/options/number_argument.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>

namespace chainshot::tools {

CLI::Validator whole_number(std::uint64_t low, std::uint64_t high) {
  const auto check = [low, high](const std::string& text) -> std::string {
    std::uint64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc() && stop == end && value >= low && value <= high) return {};
    return fmt::format("'{}' is not a whole number from {} to {}", text, low, high);
  };
  return CLI::Validator(check, "");
}

CLI::Validator real_number(double low, double high) {
  const auto check = [low, high](const std::string& text) -> std::string {
    char* stop = nullptr;
    const double value = std::strtod(text.c_str(), &stop);
    if (!text.empty() && *stop == '\0' && value >= low && value <= high) return {};
    return fmt::format("'{}' is not a number from {} to {}", text, low, high);
  };
  return CLI::Validator(check, "");
}

CLI::Validator memory_size(std::uint64_t least_kib) {
  const auto convert = [least_kib](std::string& text) -> std::string {
    std::uint64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    constexpr std::string_view kLetters = "KMGT";
    int shift = 0;
    bool whole = stop == end;
    if (stop + 1 == end) {
      const std::size_t letter = kLetters.find(*stop >= 'a' ? static_cast<char>(*stop - 'a' + 'A') : *stop);
      whole = letter != std::string_view::npos;
      shift = whole ? 10 * static_cast<int>(letter + 1) : 0;
    }
    if (error != std::errc() || !whole || value == 0 || value > (~std::uint64_t{0} >> shift))
      return fmt::format("'{}' is not a memory size; expected a number of bytes, or a number with K, M, G or T: 512M",
                         text);
    if (value << shift < least_kib << 10)
      return fmt::format("'{}' is too little memory; expected at least {}K", text, least_kib);
    constexpr std::uint64_t kMost = std::uint64_t{1} << 62;  // more than any machine has
    text = std::to_string(std::min(value << shift, kMost));
    return {};
  };
  return CLI::Validator(convert, "");
}

CLI::Validator time_span() {
  const auto convert = [](std::string& text) -> std::string {
    constexpr double kLongest = 366.0 * 24 * 3600;
    char* stop = nullptr;
    const double value = std::strtod(text.c_str(), &stop);
    const std::string_view unit = stop;
    const double factor = unit.empty() || unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
    if (stop == text.c_str() || !(value * factor > 0) || value * factor > kLongest)
      return fmt::format("'{}' is not a time; expected seconds, or a number with s, m or h, up to a year: 90, 2m, 1.5h",
                         text);
    text = fmt::format("{}", value * factor);
    return {};
  };
  return CLI::Validator(convert, "");
}

}  // namespace chainshot::tools
