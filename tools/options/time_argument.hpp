// Points in time on the command line: `yesterday`, `2h`, a date, an ISO time. Times without a zone are local.
#pragma once

#include <ctime>
#include <string>

namespace chainshot::tools {

// Returns the time as an archive writes it, ISO 8601 in UTC with milliseconds. `2h` and `3d` count back from `now`;
// `today` and `yesterday` are midnight. Throws InputError.
std::string utc_time(const std::string& when, std::time_t now = std::time(nullptr));

// Returns a time of an archive as `2026-11-18 08:00:12` in local time, or the text itself if it is no such time.
std::string local_time(const std::string& utc);

}  // namespace chainshot::tools
