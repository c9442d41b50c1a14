#include "tools/options/board_argument.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "tools/options/input_error.hpp"
#include "tools/options/suggest.hpp"

namespace chainshot::tools {
namespace {

constexpr std::string_view kAllStandard = "standard";
constexpr std::string_view kBoardHelp =
    "standard-01 to standard-20, standard for all 20, FILE, FILE:NAME, or - for the standard input";

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

// The file's stem as the name of a board; the standard input has none.
std::string stem_name(const std::string& path) {
  return path == "-" ? std::string(game::kUnnamedBoard)
                     : game::board_name_of(std::filesystem::path(path).stem().string());
}

std::vector<game::NamedBoard> boards_of_file(const std::string& path) {
  const std::string stem = stem_name(path);
  auto boards = game::parse_boards(read_input(path), name_of_input(path), stem);
  for (game::NamedBoard& board : boards)
    board.long_name = stem + '-' + board.name;
  return boards;
}

// Splits FILE:NAME at the last colon, because a name has none. Without a colon, the whole argument is FILE.
struct FileAndName {
  explicit FileAndName(const std::string& argument)
      : path(argument.substr(0, argument.rfind(':'))),
        name(path.size() < argument.size() ? argument.substr(path.size() + 1) : "") {}

  std::string path;
  std::string name;
};

bool is_built_in(const std::string& argument) {
  return argument == kAllStandard || !with_name(game::standard_boards(), argument).empty();
}

std::vector<game::NamedBoard> board_of_file(const std::string& path, const std::string& name) {
  const auto boards = path == kAllStandard && !is_file(path) ? game::standard_boards() : boards_of_file(path);
  auto found = with_name(boards, name);
  if (found.empty()) throw InputError(unknown_name("board of " + name_of_input(path), name, names_of(boards)));
  return found;
}

// The names that different boards have in common.
std::set<std::string> shared_names(const std::vector<game::NamedBoard>& boards) {
  std::unordered_map<std::string_view, const game::Position*> position_of;
  std::set<std::string> shared;
  for (const game::NamedBoard& board : boards) {
    const auto [known, is_new] = position_of.try_emplace(board.name, &board.position);
    if (!is_new && !(*known->second == board.position)) shared.insert(board.name);
  }
  return shared;
}

// Throws InputError if different boards still share a name. `origins` say where each was read.
void check_names(const std::vector<game::NamedBoard>& boards, const std::vector<std::string>& origins) {
  std::unordered_map<std::string_view, std::size_t> first_of;
  for (std::size_t i = 0; i < boards.size(); ++i) {
    const auto [first, is_new] = first_of.try_emplace(boards[i].name, i);
    if (is_new || boards[first->second].position == boards[i].position) continue;
    throw InputError(origins[first->second] + " and " + origins[i] + " differ, but both would be called '" +
                     boards[i].name + "'; expected another name for one of the boards or files");
  }
}

// Returns `standard-01` for standard1, standard-1 and standard_01; empty for anything else.
std::string standard_board_meant(std::string argument) {
  if (!argument.starts_with(kAllStandard)) return {};
  argument.erase(0, kAllStandard.size());
  argument.erase(0, argument.find_first_not_of("-_ "));
  argument.erase(0, argument.find_first_not_of('0'));
  if (argument.empty() || argument.size() > 2) return {};
  const std::string name = std::string(kAllStandard) + (argument.size() == 1 ? "-0" : "-") + argument;
  return with_name(game::standard_boards(), name).empty() ? std::string() : name;
}

}  // namespace

std::string file_of_board(const std::string& argument) {
  if (is_built_in(argument)) return {};
  if (is_file(argument)) return argument;
  const std::string path = FileAndName(argument).path;
  return is_file(path) ? path : "";
}

std::vector<game::NamedBoard> boards_named(const std::string& argument) {
  const auto& standard = game::standard_boards();
  if (argument == kAllStandard) return standard;
  if (auto found = with_name(standard, argument); !found.empty()) return found;
  if (is_file(argument)) return boards_of_file(argument);
  const auto [path, name] = FileAndName(argument);
  if (path != argument && (path == kAllStandard || is_file(path))) return board_of_file(path, name);
  std::vector<std::string> names = names_of(standard);
  names.emplace_back(kAllStandard);
  std::string closest = standard_board_meant(argument);
  if (closest.empty()) closest = closest_name(argument, names);
  if (closest.empty() && !path.empty() && !near_file(path).empty())
    closest = near_file(path) + argument.substr(path.size());
  throw InputError("no board or file is called '" + argument + "'; " +
                   (closest.empty() ? "expected standard-01 to standard-20, standard, FILE, FILE:NAME or -"
                                    : "did you mean '" + closest + "'?"));
}

std::vector<game::NamedBoard> boards_named(const std::vector<std::string>& arguments) {
  std::vector<game::NamedBoard> boards;
  std::vector<std::string> files;
  for (const std::string& argument : arguments)
    for (game::NamedBoard& board : boards_named(argument)) {
      boards.push_back(std::move(board));
      files.push_back(file_of_board(argument));
    }
  const std::set<std::string> shared = shared_names(boards);
  std::vector<std::string> origins;
  for (std::size_t i = 0; i < boards.size(); ++i) {
    origins.push_back("board '" + boards[i].name + "'" + (files[i].empty() ? "" : " of " + name_of_input(files[i])));
    if (shared.contains(boards[i].name) && !files[i].empty()) boards[i].name = boards[i].long_name;
  }
  check_names(boards, origins);
  return boards;
}

game::NamedBoard board_named(const std::string& argument) {
  auto boards = boards_named(argument);
  if (boards.size() == 1) return std::move(boards.front());
  const std::string example = argument == kAllStandard ? "standard-01" : argument + ':' + boards.front().name;
  throw InputError("'" + argument + "' names " + std::to_string(boards.size()) + " boards; expected one, such as " +
                   example);
}

CLI::Option* add_board_argument(CLI::App& command, std::string& board) {
  return command.add_option("BOARD", board, std::string(kBoardHelp))->required()->type_name("");
}

CLI::Option* add_boards_argument(CLI::App& command, std::vector<std::string>& boards) {
  return command.add_option("BOARD", boards, std::string(kBoardHelp))->required()->type_name("");
}

}  // namespace chainshot::tools
