#include "tools/number_argument.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <string>
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

}  // namespace chainshot::tools
