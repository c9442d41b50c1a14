// The page of `chainshot report`: one file that holds its data and loads nothing else. A run that is watched serves the
// same page in pieces; its script then asks for /data.json and /status.json.
#pragma once

#include <string>

#include "tools/reports/json_text.hpp"

namespace chainshot::tools {

// `data` is what report_json returns.
std::string report_html(const Json& data);

std::string live_report_html();
std::string report_style();
std::string report_script();

}  // namespace chainshot::tools
