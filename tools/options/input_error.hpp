// Input that the program cannot use: the error it throws, and the reading of files with such errors.
#pragma once

#include <CLI/CLI.hpp>
#include <stdexcept>
#include <string>

namespace chainshot::tools {

// One sentence, without the program's name and without a full stop; main prints it and returns 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Reads a whole file, or the standard input for `-`. Throws InputError, also if the input is larger than any file of
// boards could be.
std::string read_input(const std::string& path);

// Returns the name of the input for error messages.
std::string name_of_input(const std::string& path);

// Returns a file in the same folder with a similar name, as a suggestion for a missing file; empty if there is none.
std::string near_file(const std::string& path);

// Refuses `--option ''`; the message names what was expected.
CLI::Validator not_empty(const std::string& expected);

}  // namespace chainshot::tools
