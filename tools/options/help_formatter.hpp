// Help that fits 80 columns: usage, arguments and options in two columns, options by their groups, examples at the end.
// --help leaves the advanced groups out; --help-all shows them.
#pragma once

#include <CLI/CLI.hpp>
#include <set>
#include <string>

namespace chainshot::tools {

class HelpFormatter : public CLI::FormatterBase {
 public:
  // `advanced` outlives the formatter and may grow.
  explicit HelpFormatter(const std::set<std::string>& advanced) : advanced_(advanced) {}

  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;

 private:
  const std::set<std::string>& advanced_;
};

}  // namespace chainshot::tools
