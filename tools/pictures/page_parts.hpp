// The texts of the web pages; the build makes the files of this folder a part of the program.
#pragma once

#include <string_view>

namespace chainshot::tools {

// Shared by all pages: the player that replays a solution.
extern const std::string_view kPlayerHtml, kPlayerStyle, kPlayerScript;
// The page of `chainshot show --html`.
extern const std::string_view kPageHtml, kPageScript;
// The page of `chainshot report` and of a run that is watched.
extern const std::string_view kReportHtml, kReportStyle, kReportScript, kChartScript, kLiveScript;

}  // namespace chainshot::tools
