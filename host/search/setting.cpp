#include "host/search/setting.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace chainshot::host {

std::string memory_text(std::uint64_t bytes) {
  for (const auto& [letter, unit] :
       {std::pair('T', 1ULL << 40), {'G', 1ULL << 30}, {'M', 1ULL << 20}, {'K', 1ULL << 10}})
    if (bytes % unit == 0) return fmt::format("{}{}", bytes / unit, letter);
  return fmt::format("{} bytes", bytes);
}

std::string Setting::text(const Settings& settings) const {
  const SettingValue value = get(settings);
  switch (kind) {
    case SettingKind::kFlag:
      return std::get<bool>(value) ? "on" : "off";
    case SettingKind::kReal: {
      const double real = std::get<double>(value);
      return real == 0 && !zero.empty() ? zero : fmt::format("{:.6g}", real);
    }
    case SettingKind::kName: {
      const std::string& chosen = std::get<std::string>(value);
      return chosen.empty() ? zero : chosen;
    }
    default: {
      const std::int64_t whole = std::get<std::int64_t>(value);
      if (whole == 0 && !zero.empty()) return zero;
      return kind == SettingKind::kBytes ? memory_text(static_cast<std::uint64_t>(whole)) : fmt::format("{}", whole);
    }
  }
}

const Setting* setting_named(std::span<const Setting> table, std::string_view name) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const Setting& row) { return row.name == name; });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace chainshot::host
