// The content of data/records/standard20.txt, as the build found it.
#pragma once

#include <string_view>

namespace chainshot::tools {

extern const std::string_view kKnownRecordsText;

}  // namespace chainshot::tools
