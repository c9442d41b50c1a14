// Puts web pages together from their parts. Data go into a page as JSON inside a script element, which scripts turn
// into text; no page puts data into its markup.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "game/scoring.hpp"
#include "tools/reports/json_text.hpp"

namespace chainshot::tools {

// Replaces marks by texts, in one pass: a text that contains a mark stays as it is.
std::string filled(std::string_view page, const std::vector<std::pair<std::string_view, std::string>>& marks);

// Returns JSON for a script element: without `<`, so that it cannot end the element, and with bytes that are not UTF-8
// replaced.
std::string script_json(const Json& value);

// Returns a random word by which the security policy of a page knows its own script and style.
std::string random_nonce();

Json colors_json();
Json scoring_json(const game::Scoring& scoring);

}  // namespace chainshot::tools
