#include "tools/options/output_option.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include "tools/options/input_error.hpp"

namespace chainshot::tools {

CLI::Option* add_output_option(CLI::App& command, const std::string& option, std::string& path,
                               const std::string& description) {
  return command.add_option(option, path, description)->type_name("FILE")->check(not_empty("the name of a file"));
}

void check_outputs(const std::vector<OutputOption>& outputs, const std::vector<std::string>& inputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto& [option, path] = outputs[i];
    if (path.empty()) continue;
    for (std::size_t j = 0; j < i; ++j)
      if (!outputs[j].path.empty() && host::overwrites(path, outputs[j].path))
        throw InputError(outputs[j].option + " and " + option + " both write to " + path + "; expected two files");
    for (const std::string& input : inputs)
      if (path != "-" && !input.empty() && host::overwrites(path, input == "-" ? "/dev/stdin" : input))
        throw InputError(option + ' ' + path + " would overwrite an input; expected another file");
    if (const std::string problem = host::why_not_writable(path); !problem.empty())
      throw InputError("cannot write " + option + ' ' + path + ": " + problem);
  }
}

void expect_apart_from_standard_output(const std::vector<OutputOption>& outputs, std::string_view other) {
  for (const auto& [option, path] : outputs) {
    if (path.empty() || !host::is_standard_output(path)) continue;
    struct stat output = {};
    const bool keeps_nothing =
        ::fstat(STDOUT_FILENO, &output) == 0 && S_ISCHR(output.st_mode) && ::isatty(STDOUT_FILENO) == 0;
    if (path == "-" || !keeps_nothing)
      throw InputError(option + ' ' + path + " is the standard output, where " + std::string(other) +
                       "; expected another file");
  }
}

}  // namespace chainshot::tools
