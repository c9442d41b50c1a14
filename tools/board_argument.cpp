#include "tools/board_argument.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "tools/input.hpp"
#include "tools/suggest.hpp"

namespace chainshot::tools {
namespace {

constexpr std::string_view kAllStandard = "standard";

std::vector<std::string> names_of(const std::vector<game::NamedBoard>& boards) {
  std::vector<std::string> names;
  for (const game::NamedBoard& board : boards)
    names.push_back(board.name);
  return names;
}

std::vector<game::NamedBoard> with_name(const std::vector<game::NamedBoard>& boards, std::string_view name) {
  std::vector<game::NamedBoard> found;
  for (const game::NamedBoard& board : boards)
    if (board.name == name) found.push_back(board);
  return found;
}

bool is_file(const std::string& path) {
  std::error_code ignored;
  return path == "-" || std::filesystem::exists(path, ignored);
}

std::vector<game::NamedBoard> boards_of_file(const std::string& path) {
  return game::parse_boards(read_input(path), name_of_input(path));
}

// FILE:NAME, if there is such a file; a name has no colon, so the last one is the border.
std::vector<game::NamedBoard> board_of_file(const std::string& argument) {
  const std::size_t colon = argument.rfind(':');
  if (colon == std::string::npos || !is_file(argument.substr(0, colon))) return {};
  const std::string path = argument.substr(0, colon), name = argument.substr(colon + 1);
  const auto boards = boards_of_file(path);
  auto found = with_name(boards, name);
  if (found.empty()) throw InputError(unknown_name("board of " + name_of_input(path), name, names_of(boards)));
  return found;
}

}  // namespace

std::vector<game::NamedBoard> boards_named(const std::string& argument) {
  const auto& standard = game::standard_boards();
  if (argument == kAllStandard) return standard;
  if (auto found = with_name(standard, argument); !found.empty()) return found;
  if (is_file(argument)) return boards_of_file(argument);
  if (auto found = board_of_file(argument); !found.empty()) return found;
  std::vector<std::string> names = names_of(standard);
  names.emplace_back(kAllStandard);
  const std::string closest = closest_name(argument, names);
  throw InputError("no board or file is called '" + argument + "'; " +
                   (closest.empty() ? "expected standard-01 to standard-20, standard, FILE or FILE:NAME"
                                    : "did you mean '" + closest + "'?"));
}

game::NamedBoard board_named(const std::string& argument) {
  auto boards = boards_named(argument);
  if (boards.size() == 1) return std::move(boards.front());
  const std::string example = argument == kAllStandard ? "standard-01" : argument + ':' + boards.front().name;
  throw InputError("'" + argument + "' names " + std::to_string(boards.size()) + " boards; expected one, such as " +
                   example);
}

CLI::Option* add_board_argument(CLI::App& command, std::string& board) {
  return command
      .add_option("BOARD", board, "standard-01 .. standard-20, standard for all of them, FILE, FILE:NAME, or -")
      ->required()
      ->type_name("");
}

}  // namespace chainshot::tools
