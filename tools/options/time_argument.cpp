#include "tools/options/time_argument.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <optional>
#include <regex>

#include "tools/options/input_error.hpp"
#include "tools/options/number_argument.hpp"

namespace chainshot::tools {
namespace {

std::string utc_text(std::time_t seconds, const std::string& milliseconds = "000") {
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{}Z", fmt::gmtime(seconds), milliseconds);
}

// Midnight of a local day, `days` after that of `now`. mktime carries days over the ends of months.
std::time_t midnight(std::time_t now, int days) {
  std::tm day = fmt::localtime(now);
  day.tm_mday += days;
  day.tm_hour = day.tm_min = day.tm_sec = 0;
  day.tm_isdst = -1;
  return std::mktime(&day);
}

int number_of(const std::smatch& match, std::size_t group) {
  return match[group].matched ? std::stoi(match[group].str()) : 0;
}

// 90s, 30m, 1h30m, 1.5d, 1w before now. A number alone is no time ago: it could be a year.
std::optional<std::time_t> time_ago(const std::string& when, std::time_t now) {
  constexpr double kLongest = 1000.0 * 366 * 24 * 3600;
  if (when.empty() || std::isalpha(static_cast<unsigned char>(when.back())) == 0) return std::nullopt;
  const auto seconds = seconds_in(when);
  if (!seconds || *seconds > kLongest) return std::nullopt;
  return now - static_cast<std::time_t>(std::llround(*seconds));
}

// A date, or a date and a time with or without a zone.
std::optional<std::string> calendar_time(const std::string& when) {
  static const std::regex kPattern(
      R"((\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3})\d*)?)?(Z|[+-]\d\d:?\d\d)?)?)");
  std::smatch match;
  if (!std::regex_match(when, match, kPattern)) return std::nullopt;
  std::tm time = {};
  time.tm_year = number_of(match, 1) - 1900;
  time.tm_mon = number_of(match, 2) - 1;
  time.tm_mday = number_of(match, 3);
  time.tm_hour = number_of(match, 4);
  time.tm_min = number_of(match, 5);
  time.tm_sec = number_of(match, 6);
  time.tm_isdst = -1;
  const std::tm given = time;
  const std::string zone = match[8].str();
  std::time_t seconds = zone.empty() ? std::mktime(&time) : ::timegm(&time);
  // The library carries 31 February over to March; we do not.
  if (time.tm_mon != given.tm_mon || time.tm_mday != given.tm_mday || given.tm_hour > 23 || given.tm_min > 59)
    return std::nullopt;
  if (zone.size() > 1) {
    const int offset = std::stoi(zone.substr(1, 2)) * 60 + std::stoi(zone.substr(zone.size() - 2));
    seconds -= (zone[0] == '-' ? -60 : 60) * offset;
  }
  std::string milliseconds = match[7].str();
  milliseconds.resize(3, '0');
  return utc_text(seconds, milliseconds);
}

}  // namespace

std::string utc_time(const std::string& when, std::time_t now) {
  if (when == "today") return utc_text(midnight(now, 0));
  if (when == "yesterday") return utc_text(midnight(now, -1));
  if (const auto ago = time_ago(when, now)) return utc_text(*ago);
  if (const auto time = calendar_time(when)) return *time;
  throw InputError("'" + when +
                   "' is no time; expected today, yesterday, 2h, 3d, a date such as 2026-11-18 or a time such as "
                   "2026-11-18T07:00");
}

std::string local_time(const std::string& utc) {
  std::tm time = {};
  const char* rest = ::strptime(utc.c_str(), "%Y-%m-%dT%H:%M:%S", &time);
  if (rest == nullptr || !utc.ends_with('Z')) return utc;
  return fmt::format("{:%Y-%m-%d %H:%M:%S}", fmt::localtime(::timegm(&time)));
}

}  // namespace chainshot::tools
