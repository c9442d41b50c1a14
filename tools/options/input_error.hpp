// What a user gave us and we cannot use.
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

// The whole of a file, or of the standard input for `-`. Throws InputError, also where there is more than anyone's
// boards take.
std::string read_input(const std::string& path);

// What errors call that text.
std::string name_of_input(const std::string& path);

// A file in the folder of one that is not there whose name is nearly the same; an empty string if there is none.
std::string near_file(const std::string& path);

// Refuses `--option ''`, with what was expected.
CLI::Validator not_empty(const std::string& expected);

}  // namespace chainshot::tools
