// The options that name a file to write, and the checks that come before long work.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "host/files/output_file.hpp"

namespace chainshot::tools {

using host::try_write_file;
using host::write_file;

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

// Throws InputError if one of the files is the standard output, where `other` goes: the two would be mixed. /dev/null
// mixes nothing.
void expect_apart_from_standard_output(const std::vector<OutputOption>& outputs, std::string_view other);

}  // namespace chainshot::tools
