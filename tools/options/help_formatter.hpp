// Help that fits 80 columns: usage, arguments and options in two columns, options by their groups,
// examples at the end.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace chainshot::tools {

class HelpFormatter : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
};

}  // namespace chainshot::tools
