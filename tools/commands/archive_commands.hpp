// The commands of `chainshot archive`, in the files of this folder that start with `archive`.
#pragma once

#include <string>
#include <vector>

#include "tools/commands.hpp"

namespace chainshot::tools {

void add_archive_list(CLI::App& archive, Program& program);
void add_archive_show(CLI::App& archive, Program& program);
void add_archive_check(CLI::App& archive, Program& program);
void add_archive_best(CLI::App& archive, Program& program);
void add_archive_diff(CLI::App& archive, Program& program);
void add_archive_export(CLI::App& archive, Program& program);
void add_archive_import(CLI::App& archive, Program& program);
void add_archive_merge(CLI::App& archive, Program& program);

// Adds the required positional argument that names an archive.
CLI::Option* add_archive_argument(CLI::App& command, const std::string& name, std::string& path,
                                  const std::string& description = "an archive");

// Prints a sentence for each line that was refused, on the standard error.
void print_refused(const std::vector<std::string>& refused);

}  // namespace chainshot::tools
