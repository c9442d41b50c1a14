// Files are written to a temporary name and renamed, so that an error or an interrupt leaves what was there before.
#pragma once

#include <string>
#include <string_view>

namespace chainshot::tools {

// Replaces the file at `path`, or writes to the standard output for `-`. Throws std::runtime_error with one sentence.
void write_file(const std::string& path, std::string_view content);

}  // namespace chainshot::tools
