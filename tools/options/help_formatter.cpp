#include "tools/options/help_formatter.hpp"

#include <algorithm>
#include <sstream>
#include <utility>
#include <vector>

namespace chainshot::tools {
namespace {

constexpr std::size_t kWidth = 80;

using Entries = std::vector<std::pair<std::string, std::string>>;

// Breaks `text` between words into lines of kWidth columns, all but the first indented by `indent`.
std::string wrapped(const std::string& text, std::size_t indent) {
  std::istringstream words(text);
  std::string out, word;
  std::size_t column = indent;
  while (words >> word) {
    if (column > indent && column + 1 + word.size() > kWidth) {
      out += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
  }
  return out;
}

std::size_t widest_label(const Entries& entries) {
  std::size_t width = 0;
  for (const auto& entry : entries)
    width = std::max(width, entry.first.size());
  return width;
}

std::string section(const std::string& title, const Entries& entries, std::size_t width) {
  if (entries.empty()) return {};
  std::string out = '\n' + title + ":\n";
  for (const auto& [label, text] : entries)
    out += "  " + label + std::string(width - label.size() + 2, ' ') + wrapped(text, width + 4) + '\n';
  return out;
}

// Writes a flag and its negation, --x and --no-x, as --[no-]x.
std::string long_names(const CLI::Option& option) {
  const std::vector<std::string>& names = option.get_lnames();
  if (names.size() == 2 && names[1] == "no-" + names[0]) return "--[no-]" + names[0];
  return option.get_name(false, true);
}

std::string label_of(const CLI::Option& option) {
  std::string label = long_names(option);
  // CLI11 joins `-h,--help` without a space.
  if (const std::size_t comma = label.find(','); comma != std::string::npos) label.insert(comma + 1, 1, ' ');
  if (option.get_items_expected_max() > 0 && !option.get_type_name().empty()) label += ' ' + option.get_type_name();
  return label;
}

// Returns the entries of a group; groups keep the order of their first option.
Entries& entries_of(std::vector<std::pair<std::string, Entries>>& groups, const std::string& title) {
  for (auto& group : groups)
    if (group.first == title) return group.second;
  return groups.emplace_back(title, Entries{}).second;
}

}  // namespace

std::string HelpFormatter::make_help(const CLI::App* app, std::string, CLI::AppFormatMode mode) const {
  Entries commands, arguments;
  std::vector<std::pair<std::string, Entries>> groups;
  for (const CLI::App* command : app->get_subcommands([](const CLI::App*) { return true; }))
    commands.emplace_back(command->get_name(), command->get_description());
  const CLI::App* parent = app->get_parent();
  std::string path = app->get_name();
  for (const CLI::App* outer = parent; outer != nullptr; outer = outer->get_parent())
    path = outer->get_name() + ' ' + path;
  std::string usage = "Usage: " + path;
  for (const CLI::Option* option : app->get_options([](const CLI::Option*) { return true; })) {
    if (option->get_positional()) {
      const bool repeats = option->get_items_expected_max() > 1;
      arguments.emplace_back(option->get_name(true) + (repeats ? "..." : ""), option->get_description());
      usage += option->get_required() ? ' ' + arguments.back().first : " [" + arguments.back().first + ']';
    } else if (mode == CLI::AppFormatMode::All || !advanced_.contains(option->get_group())) {
      entries_of(groups, option->get_group()).emplace_back(label_of(*option), option->get_description());
    }
  }
  usage += commands.empty() ? " [OPTIONS]" : " COMMAND ...";
  const std::string summary = parent == nullptr ? app->get_description() : path + ": " + app->get_description();
  std::string out = wrapped(summary, 0) + "\n" + usage + '\n';
  out += section("Commands", commands, widest_label(commands));
  out += section("Arguments", arguments, widest_label(arguments));
  std::size_t width = 0;
  for (const auto& group : groups)
    width = std::max(width, widest_label(group.second));
  for (const auto& [title, options] : groups)
    out += section(title, options, width);
  return app->get_footer().empty() ? out : out + '\n' + app->get_footer() + '\n';
}

}  // namespace chainshot::tools
