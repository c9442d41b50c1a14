// Formats help for 80 columns: usage, arguments, options by group, examples. Options and their texts form two columns.
// --help leaves the advanced groups out; --help-all shows them.
#pragma once

#include <CLI/CLI.hpp>
#include <set>
#include <string>

namespace chainshot::tools {

class HelpFormatter : public CLI::FormatterBase {
 public:
  // `advanced` holds the titles of the advanced groups. It must outlive the formatter and may still grow.
  explicit HelpFormatter(const std::set<std::string>& advanced) : advanced_(advanced) {}

  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;

 private:
  const std::set<std::string>& advanced_;
};

}  // namespace chainshot::tools
