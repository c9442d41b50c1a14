// The options that name a file to write. Commands check these files before long work, so that no result is lost.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "host/files/output_file.hpp"

namespace chainshot::tools {

using host::try_write_file;
using host::write_file;

// An option such as `--svg` and its path, which is empty if the option was not given.
struct OutputOption {
  std::string option;
  std::string path;
};

// Adds an option that takes a file to write and refuses an empty name.
CLI::Option* add_output_option(CLI::App& command, const std::string& option, std::string& path,
                               const std::string& description);

// Throws InputError if a file cannot be written, if two options name the same file, or if a file is also one of
// `inputs`, which would be lost. A path in `inputs` may be empty, or - for the standard input.
void check_outputs(const std::vector<OutputOption>& outputs, const std::vector<std::string>& inputs);

// Throws InputError if one of the files is the standard output, because the file and the printed answer would be mixed;
// `other` completes the sentence "where ...". /dev/null is allowed, since it keeps nothing.
void expect_apart_from_standard_output(const std::vector<OutputOption>& outputs, std::string_view other);

}  // namespace chainshot::tools
