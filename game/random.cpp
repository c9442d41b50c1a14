#include "game/random.hpp"

#include <charconv>

namespace chainshot::game {

std::string to_string(const PlayoutKey& key) {
  return std::to_string(key.seed) + ':' + std::to_string(key.request) + ':' + std::to_string(key.playout);
}

std::optional<PlayoutKey> parse_playout_key(std::string_view text) {
  PlayoutKey key;
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto number = [&](auto& value, bool last) {
    const auto [rest, error] = std::from_chars(at, end, value);
    if (error != std::errc{} || (last ? rest != end : rest == end || *rest != ':')) return false;
    at = last ? rest : rest + 1;
    return true;
  };
  if (!number(key.seed, false) || !number(key.request, false) || !number(key.playout, true)) return std::nullopt;
  return key;
}

}  // namespace chainshot::game
