// How much random work a test does: a sample in a normal run, twenty times as much with CHAINSHOT_NIGHTLY=1.
#pragma once

#include <cstdlib>
#include <string_view>

namespace chainshot::tests {

inline bool is_nightly() {
  const char* value = std::getenv("CHAINSHOT_NIGHTLY");
  return value != nullptr && std::string_view(value) != "" && std::string_view(value) != "0";
}

inline int scaled(int normal) {
  return is_nightly() ? normal * 20 : normal;
}

// Sanitizers look for other mistakes than wrong results: an eighth of the work shows those as well.
inline int scaled_unless_sanitized(int normal) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  constexpr bool kSanitized = true;
#elif defined(__has_feature)
  constexpr bool kSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
  constexpr bool kSanitized = false;
#endif
  return kSanitized ? (scaled(normal) + 7) / 8 : scaled(normal);
}

}  // namespace chainshot::tests
