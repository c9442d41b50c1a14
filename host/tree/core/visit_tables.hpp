// Tables of 1 / sqrt(n) and sqrt(ln n), which every step of every walk needs. Most nodes have few visits; beyond the
// tables the functions compute the value.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace chainshot::host {

struct VisitTables {
  static constexpr std::uint32_t kSize = 1024;
  std::array<float, kSize> width;
  std::array<float, kSize> root_log;

  VisitTables() {
    for (std::uint32_t n = 0; n < kSize; ++n) {
      width[n] = 1.0F / std::sqrt(static_cast<float>(std::max(n, 1U)));
      root_log[n] = static_cast<float>(std::sqrt(std::log(std::max(n, 1U))));
    }
  }
};
inline const VisitTables kVisitTables;

inline float width_of(std::uint64_t visits) {
  return visits < VisitTables::kSize ? kVisitTables.width[visits] : 1.0F / std::sqrt(static_cast<float>(visits));
}

inline float root_log_of(std::uint64_t visits) {
  return visits < VisitTables::kSize ? kVisitTables.root_log[visits] : std::sqrt(std::log(static_cast<float>(visits)));
}

}  // namespace chainshot::host
