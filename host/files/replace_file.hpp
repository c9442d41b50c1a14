// Replaces a file as a whole: writes a temporary file beside it and renames that. An error or a kill at any moment
// leaves either the old file or the new one. No two programs choose the same temporary name, also on two machines or in
// two containers that share a folder.
#pragma once

#include <string>
#include <string_view>

namespace chainshot::host {

// Follows symbolic links, also to a file that does not exist yet.
std::string target_of(const std::string& path);
std::string folder_of(const std::string& path);

// Returns HOST-PROCESS-RANDOM, without dots. Host name and process number help a user who finds such a file; the random
// bits make it unique.
std::string unique_mark();
// Returns true if the text has the form of a unique_mark().
bool is_unique_mark(std::string_view text);

// Replaces `target` by way of `temporary`, which must be in the same folder and must not exist. Keeps the permissions.
// Throws std::runtime_error with a sentence that names `shown`, the path as the user gave it.
void replace_file(const std::string& target, const std::string& temporary, std::string_view content,
                  const std::string& shown);

// Throws `cannot write SHOWN: ` and the reason in errno.
[[noreturn]] void fail_to_write(const std::string& shown);

}  // namespace chainshot::host
