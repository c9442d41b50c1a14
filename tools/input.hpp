// What a user gave us and we cannot use.
#pragma once

#include <stdexcept>
#include <string>

namespace chainshot::tools {

// One sentence, without the program's name and without a full stop; main prints it and returns 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The whole of a file, or of the standard input for `-`. Throws InputError.
std::string read_input(const std::string& path);

// What errors call that text.
std::string name_of_input(const std::string& path);

}  // namespace chainshot::tools
