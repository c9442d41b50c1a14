#include "tools/pictures/page_text.hpp"

#include <fmt/format.h>

#include <random>

#include "tools/pictures/palette.hpp"

namespace chainshot::tools {
namespace {

Json coefficients_json(const game::Polynomial& polynomial) {
  Json coefficients = Json::array();
  for (int power = 0; power <= polynomial.degree(); ++power)
    coefficients.push_back(polynomial.coefficient(power));
  return coefficients;
}

}  // namespace

std::string filled(std::string_view page, const std::vector<std::pair<std::string_view, std::string>>& marks) {
  constexpr std::string_view kMark = "CHAINSHOT_";
  std::string out;
  for (std::size_t at = page.find(kMark); at != std::string_view::npos; at = page.find(kMark)) {
    out += page.substr(0, at);
    page.remove_prefix(at);
    bool is_known = false;
    for (const auto& [mark, text] : marks) {
      if (!page.starts_with(mark)) continue;
      out += text;
      page.remove_prefix(mark.size());
      is_known = true;
      break;
    }
    if (is_known) continue;
    out += kMark;
    page.remove_prefix(kMark.size());
  }
  return out + std::string(page);
}

std::string script_json(const Json& value) {
  std::string json = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  for (std::size_t at = json.find('<'); at != std::string::npos; at = json.find('<', at))
    json.replace(at, 1, "\\u003c");
  return json;
}

std::string random_nonce() {
  std::random_device random;
  std::string nonce;
  for (int i = 0; i < 4; ++i)
    nonce += fmt::format("{:08x}", random());
  return nonce;
}

Json colors_json() {
  Json colors = Json::array();
  for (const BlockColor& color : kBlockColors)
    colors.push_back({color.fill, color.ink});
  return colors;
}

Json scoring_json(const game::Scoring& scoring) {
  return {{"name", scoring.name()},
          {"summary", scoring.summary()},
          {"points", coefficients_json(scoring.points)},
          {"left", coefficients_json(scoring.left)},
          {"leftPerColor", coefficients_json(scoring.left_per_color)},
          {"clearBonus", scoring.clear_bonus}};
}

}  // namespace chainshot::tools
