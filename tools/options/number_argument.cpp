#include "tools/options/number_argument.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <system_error>

namespace chainshot::tools {
namespace {

constexpr std::string_view kDigits = "0123456789";

// Takes a plain number such as 12, 1.5 or 1e6 off the front of a text.
std::optional<double> take_plain(std::string_view& text) {
  double value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || !std::isfinite(value)) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  return value;
}

// The power of ten that a letter stands for.
std::optional<int> power_of(char letter) {
  switch (letter) {
    case 'k':
    case 'K':
      return 3;
    case 'M':
      return 6;
    case 'G':
      return 9;
    case 'T':
      return 12;
    default:
      return std::nullopt;
  }
}

std::string_view take_digits(std::string_view& text) {
  const std::string_view digits = text.substr(0, text.find_first_not_of(kDigits));
  text.remove_prefix(digits.size());
  return digits;
}

// Takes the exponent off the front of a text: `e6`, `k`, or nothing, which is 0.
std::optional<int> take_exponent(std::string_view& text) {
  if (text.empty()) return 0;
  if (const auto power = power_of(text.front())) {
    text.remove_prefix(1);
    return power;
  }
  if (text.front() != 'e' && text.front() != 'E') return std::nullopt;
  text.remove_prefix(text.starts_with("e+") || text.starts_with("E+") ? 2 : 1);
  int exponent = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (error != std::errc() || std::abs(exponent) > 99) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  return exponent;
}

// The factor of a unit of memory; 0 if there is none of that name.
double factor_of_size(std::string_view unit) {
  if (unit.empty() || unit == "B") return 1;
  const std::size_t power = std::string_view("KMGT").find(unit.front() == 'k' ? 'K' : unit.front());
  const std::size_t lower = std::string_view("kmgt").find(unit.front());
  const std::string_view rest = unit.substr(1);
  if (power == std::string_view::npos && lower == std::string_view::npos) return 0;
  const auto n = static_cast<double>(1 + std::min(power, lower));
  if (rest.empty() || rest == "iB" || rest == "i") return std::pow(1024, n);
  return rest == "B" ? std::pow(1000, n) : 0;
}

struct TimeUnit {
  std::string_view name;
  double seconds;
};

constexpr std::array<TimeUnit, 6> kTimeUnits = {
    {{"w", 7.0 * 24 * 3600}, {"d", 24.0 * 3600}, {"h", 3600}, {"m", 60}, {"s", 1}, {"ms", 0.001}}};

}  // namespace

std::optional<std::uint64_t> count_in(std::string_view text) {
  const std::string_view whole = take_digits(text);
  std::string digits(whole);
  int exponent = 0;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    const std::string_view fraction = take_digits(text);
    if (fraction.empty()) return std::nullopt;
    digits += fraction;
    exponent = -static_cast<int>(fraction.size());
  }
  const std::optional<int> power = take_exponent(text);
  if (whole.empty() || !power || !text.empty()) return std::nullopt;
  for (exponent += *power; exponent < 0 && digits.ends_with('0'); ++exponent)
    digits.pop_back();
  if (exponent < 0 && !digits.empty()) return std::nullopt;
  if (exponent > 0) digits.append(static_cast<std::size_t>(exponent), '0');
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
  if (digits.empty()) return 0;
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc() ? std::optional(value) : std::nullopt;
}

std::optional<double> take_real(std::string_view& text) {
  const auto value = take_plain(text);
  const auto power = !value || text.empty() ? std::nullopt : power_of(text.front());
  if (!power) return value;
  text.remove_prefix(1);
  return *value * std::pow(10, *power);
}

std::optional<double> seconds_in(std::string_view text) {
  const bool is_alone = text.find_first_not_of("0123456789.eE+-") == std::string_view::npos;
  if (is_alone) {
    const auto value = take_plain(text);
    return text.empty() ? value : std::nullopt;
  }
  double seconds = 0;
  for (auto unit = kTimeUnits.begin(); !text.empty(); ++unit) {
    const auto value = take_plain(text);
    const std::string_view name = text.substr(0, text.find_first_of(kDigits));
    unit = std::find_if(unit, kTimeUnits.end(), [name](const TimeUnit& u) { return u.name == name; });
    if (!value || *value < 0 || unit == kTimeUnits.end()) return std::nullopt;
    seconds += *value * unit->seconds;
    text.remove_prefix(name.size());
  }
  return seconds;
}

CLI::Validator whole_number(std::uint64_t low, std::uint64_t high) {
  const auto convert = [low, high](std::string& text) -> std::string {
    const auto value = count_in(text);
    if (!value || *value < low || *value > high)
      return fmt::format("'{}' is not a whole number from {} to {}", text, low, high);
    text = std::to_string(*value);
    return {};
  };
  return CLI::Validator(convert, "");
}

CLI::Validator real_number(double low, double high) {
  const auto convert = [low, high](std::string& text) -> std::string {
    std::string_view rest = text;
    const auto value = take_real(rest);
    if (!value || !rest.empty() || *value < low || *value > high)
      return fmt::format("'{}' is not a number from {} to {}", text, low, high);
    text = fmt::format("{}", *value);
    return {};
  };
  return CLI::Validator(convert, "");
}

CLI::Validator memory_size(std::uint64_t least_kib) {
  const auto convert = [least_kib](std::string& text) -> std::string {
    constexpr double kMost = 0x1p62;  // more than any machine has
    constexpr double kEnd = 0x1p64;
    std::string_view unit = text;
    const auto value = take_plain(unit);
    const double bytes = value ? std::floor(*value * factor_of_size(unit)) : 0;
    if (!(bytes >= 1) || bytes >= kEnd)
      return fmt::format("'{}' is not a memory size; expected bytes, or a number with a unit: 512M, 4G, 4GiB, 500MB",
                         text);
    if (bytes < static_cast<double>(least_kib) * 1024)
      return fmt::format("'{}' is too little memory; expected at least {}K", text, least_kib);
    text = std::to_string(static_cast<std::uint64_t>(std::min(bytes, kMost)));
    return {};
  };
  return CLI::Validator(convert, "");
}

CLI::Validator time_span() {
  const auto convert = [](std::string& text) -> std::string {
    constexpr double kLongest = 366.0 * 24 * 3600;
    const double seconds = seconds_in(text).value_or(0);
    if (!(seconds > 0) || seconds > kLongest)
      return fmt::format(
          "'{}' is not a time; expected seconds, or numbers with d, h, m or s, up to a year: 90, 2m, 1h30m, 5d", text);
    text = fmt::format("{}", seconds);
    return {};
  };
  return CLI::Validator(convert, "");
}

}  // namespace chainshot::tools
