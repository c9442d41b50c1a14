#include "tools/pictures/report_page.hpp"

#include <fmt/format.h>

#include "tools/pictures/page_parts.hpp"
#include "tools/pictures/page_text.hpp"

namespace chainshot::tools {

std::string report_style() {
  return std::string(kPlayerStyle) + std::string(kReportStyle);
}

std::string report_script() {
  return std::string(kPlayerScript) + std::string(kChartScript) + std::string(kReportScript) + std::string(kLiveScript);
}

std::string report_html(const Json& data) {
  const std::string nonce = random_nonce();
  const std::string head = fmt::format(
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'nonce-{0}'; script-src "
      "'nonce-{0}'; img-src data:; base-uri 'none'; form-action 'none'\">\n<style nonce=\"{0}\">\n{1}</style>",
      nonce, report_style());
  const std::string scripts =
      fmt::format("<script type=\"application/json\" id=\"content\">{1}</script>\n<script nonce=\"{0}\">\n{2}</script>",
                  nonce, script_json(data), report_script());
  return filled(
      kReportHtml,
      {{"CHAINSHOT_HEAD", head}, {"CHAINSHOT_PLAYER", std::string(kPlayerHtml)}, {"CHAINSHOT_SCRIPTS", scripts}});
}

std::string live_report_html() {
  return filled(kReportHtml, {{"CHAINSHOT_HEAD", "<link rel=\"stylesheet\" href=\"report.css\">"},
                              {"CHAINSHOT_PLAYER", std::string(kPlayerHtml)},
                              {"CHAINSHOT_SCRIPTS", "<script src=\"report.js\"></script>"}});
}

}  // namespace chainshot::tools
