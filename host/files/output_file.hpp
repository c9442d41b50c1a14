// Files are written to a temporary name and renamed, so that an error or an interrupt leaves what was there before.
// What a link points to is replaced, not the link; what is no regular file (a FIFO, a device) is written in place.
#pragma once

#include <string>
#include <string_view>

namespace chainshot::host {

// Whether the path is `-` or leads to the same place as the standard output.
bool is_standard_output(const std::string& path);

// Whether a write there follows earlier writes instead of replacing them: the standard output, a FIFO, a device.
bool is_appended_to(const std::string& path);

// Why nothing can be written there; empty if something can, as far as one sees without trying. Waits up to two seconds
// for the reader of a pipe.
std::string why_not_writable(const std::string& path);

// Whether writing to `path` destroys what `other` names. Devices and pipes lose nothing.
bool overwrites(const std::string& path, const std::string& other);

// Replaces the file at `path`, or writes to the standard output for `-`. Throws std::runtime_error with one sentence.
void write_file(const std::string& path, std::string_view content);

// The same for work that must not be lost: returns the sentence, or an empty string if all went well or `path` is
// empty.
std::string try_write_file(const std::string& path, std::string_view content);

}  // namespace chainshot::host
