// Decides how much random work a test does: a sample in a normal run, twenty times as much with CHAINSHOT_NIGHTLY=1,
// and an eighth of either under sanitizers, which look for other mistakes than wrong results.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <initializer_list>
#include <string_view>

namespace chainshot::tests {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
inline constexpr bool kSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
inline constexpr bool kSanitized = false;
#endif

inline bool is_nightly() {
  const char* value = std::getenv("CHAINSHOT_NIGHTLY");
  const std::string_view text = value != nullptr ? value : "";
  return !text.empty() && text != "0";
}

inline int scaled(int normal) {
  const int wanted = is_nightly() ? normal * 20 : normal;
  return kSanitized ? (wanted + 7) / 8 : wanted;
}

// Tests a promise about what a search achieves in a given time. Another program may use most of that time, so the test
// tries again with more; a broken promise still fails every time.
inline bool holds_of_some_time(std::initializer_list<double> seconds, const std::function<bool(double)>& holds) {
  return std::any_of(seconds.begin(), seconds.end(), holds);
}

}  // namespace chainshot::tests
