// page.html, made a part of the program by the build.
#pragma once

#include <string_view>

namespace chainshot::tools {

extern const std::string_view kPageTemplate;

}  // namespace chainshot::tools
