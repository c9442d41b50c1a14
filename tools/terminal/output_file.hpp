// Files are written to a temporary name and renamed, so that an error or an interrupt leaves what was there before.
// What a link points to is replaced, not the link; what is no regular file (a FIFO, a device) is written in place.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace chainshot::tools {

// A file the user asked for: `--svg` and its path, which is empty if the option was not given.
struct OutputOption {
  std::string option;
  std::string path;
};

// Adds an option that takes a file to write. An empty name is refused.
CLI::Option* add_output_option(CLI::App& command, const std::string& option, std::string& path,
                               const std::string& description);

// Call before long work. Throws InputError if a file cannot be written, if two options name the same one, or if it is
// one of `inputs`, which would be lost; paths of inputs may be empty, or - for the standard input.
void check_outputs(const std::vector<OutputOption>& outputs, const std::vector<std::string>& inputs);

// Throws InputError if one of the files is the standard output, where `other` goes: the two would be mixed. Nothing is
// in /dev/null.
void expect_apart_from_standard_output(const std::vector<OutputOption>& outputs, std::string_view other);

// Whether what is written there follows what was written before: the standard output, a FIFO, a device.
bool is_appended_to(const std::string& path);

// Replaces the file at `path`, or writes to the standard output for `-`. Throws std::runtime_error with one sentence.
void write_file(const std::string& path, std::string_view content);

// The same for work that must not be lost: returns the sentence, or an empty string if all went well or `path` is
// empty.
std::string try_write_file(const std::string& path, std::string_view content);

}  // namespace chainshot::tools
