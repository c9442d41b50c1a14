// The text of page.html; the build makes it a part of the program.
#pragma once

#include <string_view>

namespace chainshot::tools {

extern const std::string_view kPageTemplate;

}  // namespace chainshot::tools
