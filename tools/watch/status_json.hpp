// The state of a record run as JSON, for the live page; docs/formats.md lists the fields.
#pragma once

#include <string>

#include "host/record/record_status.hpp"

namespace chainshot::tools {

// `scoring` is the scoring of the run.
std::string status_json(const host::RecordStatus& status, const std::string& scoring);

}  // namespace chainshot::tools
