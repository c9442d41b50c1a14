#include "host/search/policy_settings.hpp"

#include <cctype>

namespace chainshot::host {

std::string_view policy_name(const game::Policy& policy) {
  std::string_view nearest;
  for (const game::NamedPolicy& named : game::kPolicies) {
    if (named.policy.kind != policy.kind || named.policy.by_points != policy.by_points) continue;
    if (named.policy.random_below == policy.random_below) return named.name;
    if (nearest.empty()) nearest = named.name;
  }
  return nearest;
}

std::vector<std::string> policy_names() {
  std::vector<std::string> names;
  for (const game::NamedPolicy& named : game::kPolicies)
    names.emplace_back(named.name);
  return names;
}

std::vector<std::string> color_names() {
  std::vector<std::string> names;
  for (int color = 0; color < game::kMaxColors; ++color)
    names.emplace_back(1, game::color_letter(color));
  return names;
}

int color_named(std::string_view name) {
  for (int color = 0; color < game::kMaxColors; ++color)
    if (name.size() == 1 && std::toupper(static_cast<unsigned char>(name[0])) == game::color_letter(color))
      return color;
  return -1;
}

}  // namespace chainshot::host
