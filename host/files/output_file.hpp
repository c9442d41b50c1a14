// Writes files under a temporary name and renames them, so that an error or an interrupt leaves the old file intact. A
// symbolic link is followed and kept. Anything but a regular file (a FIFO, a device) is written in place.
#pragma once

#include <string>
#include <string_view>

namespace chainshot::host {

// Returns true if the path is `-` or leads to the same file as the standard output.
bool is_standard_output(const std::string& path);

// Returns true if a write follows earlier writes instead of replacing them: the standard output, a FIFO, a device.
bool is_appended_to(const std::string& path);

// Returns why the path cannot be written, or an empty string if it looks writable. Checks without writing; waits up to
// two seconds for the reader of a pipe.
std::string why_not_writable(const std::string& path);

// Returns true if writing to `path` destroys the file `other`. Devices and pipes lose nothing.
bool overwrites(const std::string& path, const std::string& other);

// Replaces the file at `path`, or writes to the standard output for `-`. Throws std::runtime_error with one sentence.
void write_file(const std::string& path, std::string_view content);

// Like write_file, but returns the sentence instead of throwing it, so that the caller can still print its results.
// Returns an empty string on success and if `path` is empty.
std::string try_write_file(const std::string& path, std::string_view content);

}  // namespace chainshot::host
