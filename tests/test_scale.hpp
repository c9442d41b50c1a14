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

}  // namespace chainshot::tests
